//! Which items a program reaches, by name.
//!
//! An item stays if its name occurs anywhere in an item that stays. Scopes and
//! types are not looked at, so too much may stay (of two methods with one name,
//! both), but never too little: what the compiler resolves to an item is spelled
//! with its name. Implementations have no name; they stay if all the crate's own
//! types and traits in their headers do.

use super::uses;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::{ImplItem, Item, ItemImpl, TraitItem};

/// Removes every item that cannot be reached from the one called `entry`, then
/// the imports and modules that lead nowhere.
///
/// # Errors
/// Names an import from a crate that a judge does not have.
pub(crate) fn prune(items: &mut Vec<Item>, entry: &str) -> anyhow::Result<()> {
    let mut reach = Reach::default();
    reach.declare(items);
    reach.names.insert(entry.to_string());
    loop {
        let before = reach.names.len();
        reach.absorb(items);
        if reach.names.len() == before {
            break;
        }
    }
    reach.sweep(items);
    uses::prune(items, &reach.names, &|name| reach.is_trait_reached(name))
}

#[derive(Default)]
struct Reach {
    /// Every identifier in the items that stay.
    names: HashSet<String>,
    /// The types of the program.
    types: HashSet<String>,
    /// The traits of the program with the names of their items.
    traits: HashMap<String, Vec<String>>,
}

impl Reach {
    fn declare(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Mod(module) => {
                    if let Some((_, items)) = &module.content {
                        self.declare(items);
                    }
                }
                Item::Trait(item) => {
                    let members = item.items.iter().filter_map(trait_item_name).collect();
                    self.traits.insert(item.ident.to_string(), members);
                }
                Item::Struct(_) | Item::Enum(_) | Item::Union(_) | Item::Type(_) => {
                    self.types.extend(name(item));
                }
                _ => {}
            }
        }
    }

    /// Adds the identifiers of all items that stay, as far as is known.
    fn absorb(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Mod(module) => {
                    if let Some((_, items)) = &module.content {
                        self.absorb(items);
                    }
                }
                Item::Use(item) => {
                    for leaf in uses::leaves(item) {
                        // What is renamed is reached by its other name.
                        if self.names.contains(&leaf.alias) {
                            self.names.extend(leaf.path.last().cloned());
                        }
                    }
                }
                Item::Impl(block) if self.is_impl_reached(block) => {
                    let mut header = block.clone();
                    header.items.retain(|item| self.is_impl_item_reached(block, item));
                    identifiers(header.to_token_stream(), &mut self.names);
                }
                Item::Impl(_) => {}
                _ if self.is_reached(item) => {
                    identifiers(item.to_token_stream(), &mut self.names);
                }
                _ => {}
            }
        }
    }

    /// Whether an item that is no module, import or implementation stays.
    fn is_reached(&self, item: &Item) -> bool {
        match (item, name(item)) {
            (Item::Trait(_), Some(name)) => self.is_trait_reached(&name),
            (_, Some(name)) => name == "_" || self.names.contains(&name),
            // A call of a foreign macro, or what the parser does not know.
            (_, None) => true,
        }
    }

    /// A trait may be used through its methods alone.
    fn is_trait_reached(&self, name: &str) -> bool {
        self.traits.get(name).is_some_and(|members| {
            self.names.contains(name) || members.iter().any(|m| self.names.contains(m))
        })
    }

    fn is_impl_reached(&self, block: &ItemImpl) -> bool {
        let mut header = HashSet::new();
        if let Some((path, _)) = &block.trait_ {
            identifiers(path.to_token_stream(), &mut header);
        }
        identifiers(block.self_ty.to_token_stream(), &mut header);
        let parameters: HashSet<String> = block
            .generics
            .type_params()
            .map(|parameter| parameter.ident.to_string())
            .collect();
        header.difference(&parameters).all(|name| {
            (!self.types.contains(name) || self.names.contains(name))
                && (!self.traits.contains_key(name) || self.is_trait_reached(name))
        })
    }

    /// Whether an item of an implementation that stays does: all of a trait's.
    fn is_impl_item_reached(&self, block: &ItemImpl, item: &ImplItem) -> bool {
        let name = match item {
            ImplItem::Const(item) => &item.ident,
            ImplItem::Fn(item) => &item.sig.ident,
            ImplItem::Type(item) => &item.ident,
            _ => return true,
        };
        block.trait_.is_some() || self.names.contains(&name.to_string())
    }

    fn sweep(&self, items: &mut Vec<Item>) {
        items.retain_mut(|item| match item {
            Item::Mod(module) => {
                if let Some((_, items)) = &mut module.content {
                    self.sweep(items);
                }
                true
            }
            Item::Use(_) => true,
            Item::Impl(block) => {
                let whole = block.clone();
                block.items.retain(|item| self.is_impl_item_reached(&whole, item));
                let emptied = block.items.is_empty() && !whole.items.is_empty();
                self.is_impl_reached(block) && !emptied
            }
            _ => self.is_reached(item),
        });
    }
}

/// The name of an item that has one.
pub(crate) fn name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Mod(item) => &item.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

fn trait_item_name(item: &TraitItem) -> Option<String> {
    let name = match item {
        TraitItem::Const(item) => &item.ident,
        TraitItem::Fn(item) => &item.sig.ident,
        TraitItem::Type(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// Adds every identifier in the tokens, those of format strings included.
pub(crate) fn identifiers(tokens: TokenStream, found: &mut HashSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => drop(found.insert(name.to_string())),
            TokenTree::Group(group) => identifiers(group.stream(), found),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                if text.contains('"') {
                    for after in text.split('{').skip(1) {
                        // Width and precision may be named too: {x:>WIDTH$}.
                        let inside = after.split('}').next().unwrap_or("");
                        let words = inside.split(|c: char| !c.is_alphanumeric() && c != '_');
                        found.extend(words.map(str::to_string));
                    }
                }
            }
            TokenTree::Punct(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn pruned(text: &str) -> String {
        let mut items = syn::parse_file(text).unwrap().items;
        prune(&mut items, "main").unwrap();
        quote!(#(#items)*).to_string()
    }

    fn plain(text: &str) -> String {
        syn::parse_file(text).unwrap().to_token_stream().to_string()
    }

    #[test]
    fn only_what_is_reached_stays() {
        let text = r#"
            mod a {
                pub fn used() { helper() }
                fn helper() { println!("{LIMIT} {:>WIDE$}", 1) }
                pub const LIMIT: u8 = 1;
                pub const WIDE: usize = 1;
                pub const OTHER: u8 = 2;
                pub fn unused() { only_for_unused() }
                fn only_for_unused() {}
                pub mod deep { pub fn gone() {} }
            }
            mod b { pub static S: u8 = 0; pub type T = u8; }
            fn main() { a::used() }
        "#;
        let expected = r#"
            mod a {
                pub fn used() { helper() }
                fn helper() { println!("{LIMIT} {:>WIDE$}", 1) }
                pub const LIMIT: u8 = 1;
                pub const WIDE: usize = 1;
            }
            fn main() { a::used() }
        "#;
        assert_eq!(pruned(text), plain(expected));
    }

    #[test]
    fn implementations_stay_with_their_types_and_traits() {
        let text = r"
            struct Used(u8);
            struct Unused;
            impl Used {
                fn called(&self) -> u8 { self.0 }
                fn uncalled(&self) -> Unused { Unused }
            }
            impl Used { fn nobody(&self) {} }
            impl Unused { fn called(&self) {} }
            trait Shown { fn show(&self); fn also(&self) {} }
            trait Hidden { fn hide(&self); }
            impl Shown for Used { fn show(&self) { shown_by(0) } }
            impl Shown for Unused { fn show(&self) {} }
            impl Hidden for Used { fn hide(&self) { hidden_by() } }
            impl std::fmt::Display for Used { fn fmt(&self) { displayed_by() } }
            impl std::fmt::Display for Unused { fn fmt(&self) {} }
            impl From<Unused> for Used { fn from(_: Unused) -> Used { Used(0) } }
            impl Shown for u8 { fn show(&self) {} }
            fn shown_by(_: u8) {}
            fn hidden_by() {}
            fn displayed_by() {}
            fn main() { Used(1).called(); Used(1).show(); }
        ";
        let expected = r"
            struct Used(u8);
            impl Used { fn called(&self) -> u8 { self.0 } }
            trait Shown { fn show(&self); fn also(&self) {} }
            impl Shown for Used { fn show(&self) { shown_by(0) } }
            impl std::fmt::Display for Used { fn fmt(&self) { displayed_by() } }
            impl Shown for u8 { fn show(&self) {} }
            fn shown_by(_: u8) {}
            fn displayed_by() {}
            fn main() { Used(1).called(); Used(1).show(); }
        ";
        assert_eq!(pruned(text), plain(expected));
    }

    #[test]
    fn macros_that_are_called_stay() {
        let text = r"
            macro_rules! used { () => { by_macro() }; }
            macro_rules! unused { () => {}; }
            thread_local! { static HERE: u8 = here(); }
            fn by_macro() {}
            fn here() -> u8 { 0 }
            fn main() { used!() }
        ";
        let expected = text.replace("macro_rules! unused { () => {}; }", "");
        assert_eq!(pruned(text), plain(&expected));
    }
}
