//! Which items a program reaches.
//!
//! An item stays if an item that stays names it by a path that leads to it. What
//! comes after a dot, and after an item's path, is not looked up but taken for
//! the name of any method, associated constant or type of that name: of two
//! types that stay, both keep their methods `new`. Local variables are not told from
//! items either. So too much may stay, but what is needed does: where this file does
//! not see it (an item that only a macro's pieces spell), the compiler says so.
//!
//! Implementations have no name; they stay if all types and traits of the
//! program in their headers do. A trait stays, named or not, if one of its methods
//! may be called.

use super::scope::{name, Meaning, Place, Scopes, BUILT_IN};
use super::uses::{leaves, with_leaves, Leaf};
use anyhow::{ensure, Result};
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::{ImplItem, Item, ItemImpl, TraitItem};

/// Removes every item that cannot be reached from the one at `entry`, then
/// the imports and modules that lead nowhere. `items` are the crates of the program, a
/// module each.
///
/// # Errors
/// If there is no such entry, or if something from a crate that a judge does not
/// have is reached.
pub(crate) fn prune(items: &mut Vec<Item>, entry: &[&str]) -> Result<()> {
    let entry: Place = entry.iter().map(ToString::to_string).collect();
    let mut reach = Reach {
        scopes: Scopes::of(items),
        ..Reach::default()
    };
    reach.declare(items, &mut Vec::new());
    let places = reach.scopes.resolve(&entry, &[]).places;
    ensure!(places.contains(&entry), "there is no {}", entry.join("::"));
    reach.found.places.insert(entry);
    loop {
        let before = reach.found.size();
        reach.absorb(items, &mut Vec::new());
        if reach.found.size() == before {
            break;
        }
    }
    reach.sweep(items, &mut Vec::new());
    reach.sweep_imports(items, &mut Vec::new())
}

#[derive(Default)]
struct Reach {
    scopes: Scopes,
    /// The traits of the program with the names of their items.
    traits: HashMap<Place, Vec<String>>,
    /// Other names of types.
    aliases: HashSet<Place>,
    /// The names of the program's macros.
    macros: HashSet<String>,
    found: References,
}

/// What items refer to.
#[derive(Default)]
struct References {
    places: HashSet<Place>,
    imports: HashSet<(Place, String)>,
    /// Names that may be those of methods and the like.
    members: HashSet<String>,
    macros: HashSet<String>,
}

impl References {
    fn size(&self) -> usize {
        self.places.len() + self.imports.len() + self.members.len() + self.macros.len()
    }

    fn add(&mut self, meaning: Meaning) {
        self.places.extend(meaning.places);
        self.imports.extend(meaning.imports);
    }
}

/// The items of a module, and the module entered.
fn inside<'a>(module: &'a mut syn::ItemMod, here: &mut Place) -> Option<&'a mut Vec<Item>> {
    here.push(module.ident.to_string());
    module.content.as_mut().map(|(_, items)| items)
}

impl Reach {
    fn declare(&mut self, items: &[Item], here: &mut Place) {
        for item in items {
            let Some(name) = name(item) else { continue };
            here.push(name.clone());
            match item {
                Item::Mod(module) => {
                    let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
                    self.declare(items, here);
                }
                Item::Trait(item) => {
                    let members = item.items.iter().filter_map(trait_item_name).collect();
                    self.traits.insert(here.clone(), members);
                }
                Item::Type(_) => drop(self.aliases.insert(here.clone())),
                Item::Macro(_) => drop(self.macros.insert(name)),
                _ => {}
            }
            here.pop();
        }
    }

    /// Adds what all items refer to that stay, as far as is known.
    fn absorb(&mut self, items: &[Item], here: &mut Place) {
        for item in items {
            match item {
                Item::Mod(module) => {
                    here.push(module.ident.to_string());
                    let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
                    self.absorb(items, here);
                    here.pop();
                }
                Item::Impl(block) if self.is_impl_reached(block, here) => {
                    let mut block = block.clone();
                    let of_trait = block.trait_.is_some();
                    block
                        .items
                        .retain(|item| of_trait || self.is_member_reached(item));
                    self.refer(block.to_token_stream(), here);
                }
                Item::Use(_) | Item::Impl(_) => {}
                _ if self.is_reached(item, here) => self.refer(item.to_token_stream(), here),
                _ => {}
            }
        }
        let named = self.traits.iter().filter(|(_, members)| {
            members
                .iter()
                .any(|member| self.found.members.contains(member))
        });
        let named: Vec<Place> = named.map(|(place, _)| place.clone()).collect();
        self.found.places.extend(named);
    }

    fn refer(&mut self, tokens: TokenStream, here: &[String]) {
        let mut found = std::mem::take(&mut self.found);
        self.references(tokens, here, &[], &mut found);
        self.found = found;
    }

    /// Whether an item that is no module, import or implementation stays.
    fn is_reached(&self, item: &Item, here: &[String]) -> bool {
        match (item, name(item)) {
            (Item::Macro(_), Some(name)) => self.found.macros.contains(&name),
            (_, Some(name)) => name == "_" || self.found.places.contains(&at(here, &name)),
            // A call of a foreign macro, or what the parser does not know.
            (_, None) => true,
        }
    }

    fn is_impl_reached(&self, block: &ItemImpl, here: &[String]) -> bool {
        let mut header = References::default();
        if let Some((path, _)) = &block.trait_ {
            self.references(path.to_token_stream(), here, &[], &mut header);
        }
        self.references(block.self_ty.to_token_stream(), here, &[], &mut header);
        let parameters: HashSet<Place> = block
            .generics
            .type_params()
            .map(|parameter| at(here, &parameter.ident.to_string()))
            .collect();
        header.places.iter().all(|place| {
            self.found.places.contains(place)
                || self.scopes.is_module(place)
                // What such a name stands for may be reached without it.
                || self.aliases.contains(place)
                || parameters.contains(place)
        })
    }

    /// Whether an item of an implementation without a trait stays, if that does.
    fn is_member_reached(&self, item: &ImplItem) -> bool {
        let name = match item {
            ImplItem::Const(item) => &item.ident,
            ImplItem::Fn(item) => &item.sig.ident,
            ImplItem::Type(item) => &item.ident,
            _ => return true,
        };
        self.found.members.contains(&name.to_string())
    }

    /// Removes the items that do not stay.
    fn sweep(&self, items: &mut Vec<Item>, here: &mut Place) {
        items.retain_mut(|item| match item {
            Item::Mod(module) => {
                if let Some(items) = inside(module, here) {
                    self.sweep(items, here);
                }
                here.pop();
                true
            }
            Item::Use(_) => true,
            Item::Impl(block) => {
                let full = !block.items.is_empty();
                let of_trait = block.trait_.is_some();
                block
                    .items
                    .retain(|item| of_trait || self.is_member_reached(item));
                let emptied = full && block.items.is_empty();
                !emptied && self.is_impl_reached(block, here)
            }
            _ => self.is_reached(item, here),
        });
    }

    /// Removes the imports that nothing uses, then the modules that are empty.
    fn sweep_imports(&self, items: &mut Vec<Item>, here: &mut Place) -> Result<()> {
        let mut left = Vec::new();
        for mut item in std::mem::take(items) {
            match &mut item {
                Item::Mod(module) => {
                    if let Some(items) = inside(module, here) {
                        self.sweep_imports(items, here)?;
                    }
                    here.pop();
                    if module
                        .content
                        .as_ref()
                        .is_some_and(|(_, items)| items.is_empty())
                    {
                        continue;
                    }
                }
                Item::Use(item) => {
                    let mut keep = Vec::new();
                    for leaf in leaves(item) {
                        keep.push(self.is_leaf_used(&leaf, here)?);
                    }
                    match with_leaves(item, &keep) {
                        Some(used) => *item = used,
                        None => continue,
                    }
                }
                _ => {}
            }
            left.push(item);
        }
        // Imports alone are for nobody, unless they are passed on.
        let passed_on = |item: &Item| match item {
            Item::Use(item) => leaves(item).iter().any(|leaf| {
                self.found
                    .imports
                    .contains(&(here.clone(), leaf.alias.clone()))
            }),
            _ => true,
        };
        if left.iter().any(passed_on) {
            *items = left;
        }
        Ok(())
    }

    fn is_leaf_used(&self, leaf: &Leaf, here: &Place) -> Result<bool> {
        let used = self
            .found
            .imports
            .contains(&(here.clone(), leaf.alias.clone()));
        let places = self.scopes.resolve(&leaf.path, here).places;
        let is_glob = leaf.alias == "*";
        if !places.is_empty() {
            let stays = |place: &Place| {
                self.found.places.contains(place) && !self.scopes.is_module(place)
                    || self.is_module_used(place)
            };
            // The methods of a trait are in scope by its import alone.
            let is_trait = places.iter().any(|place| self.traits.contains_key(place));
            return Ok(places.iter().any(stays) && (used || is_glob || is_trait));
        }
        let origin = leaf.path.first().map_or("", String::as_str);
        let target = leaf.path.last().map_or("", String::as_str);
        if BUILT_IN.contains(&origin) {
            let maybe_trait = target.starts_with(char::is_uppercase);
            return Ok(used || is_glob || maybe_trait);
        }
        ensure!(
            !used,
            "{} uses {}, and a judge has nothing but the standard library",
            here.join("::"),
            leaf.path.join("::")
        );
        Ok(false)
    }

    /// Whether anything in a module stays, or is imported there for others.
    fn is_module_used(&self, module: &Place) -> bool {
        let mut items = self
            .found
            .places
            .iter()
            .filter(|place| !self.scopes.is_module(place));
        items.any(|place| place.starts_with(module))
            || self
                .found
                .imports
                .iter()
                .any(|(place, _)| place.starts_with(module))
    }

    /// Adds what tokens in the module `here` refer to. The tokens are inside the
    /// braces of an import that begins with `prefix`, if there is one.
    fn references(
        &self,
        tokens: TokenStream,
        here: &[String],
        prefix: &[String],
        found: &mut References,
    ) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut i = 0;
        while i < tokens.len() {
            match &tokens[i] {
                TokenTree::Group(group) => {
                    self.references(group.stream(), here, &[], found);
                }
                TokenTree::Literal(literal) => {
                    for word in words_in_braces(&literal.to_string()) {
                        found.add(self.scopes.resolve(&[word], here));
                    }
                }
                TokenTree::Ident(first) if is_member(&tokens, i) => {
                    found.members.insert(first.to_string());
                }
                TokenTree::Ident(first) => {
                    let mut path = prefix.to_vec();
                    path.push(first.to_string());
                    while let (true, Some(TokenTree::Ident(next))) =
                        (is_colons(&tokens, i + 1), tokens.get(i + 3))
                    {
                        path.push(next.to_string());
                        i += 3;
                    }
                    self.path(&path, &tokens[i + 1..], here, found);
                }
                TokenTree::Punct(_) => {}
            }
            i += 1;
        }
    }

    /// Adds what a path refers to, which `rest` follows.
    fn path(&self, path: &[String], rest: &[TokenTree], here: &[String], found: &mut References) {
        let meaning = self.scopes.resolve(path, here);
        found.members.extend(path[1..].iter().cloned());
        let last = &path[path.len() - 1];
        let is_call = matches!(rest, [TokenTree::Punct(p), ..] if p.as_char() == '!');
        if self.macros.contains(last) {
            found.macros.insert(last.clone());
            // It may put its arguments behind a dot.
            if let (true, Some(TokenTree::Group(arguments))) = (is_call, rest.get(1)) {
                identifiers(arguments.stream(), &mut found.members);
            }
        }
        match (is_colons(rest, 0), rest.get(2)) {
            (true, Some(TokenTree::Group(group))) if group.delimiter() == Delimiter::Brace => {
                self.references(group.stream(), here, path, found);
            }
            (true, Some(TokenTree::Punct(p))) if p.as_char() == '*' => {
                for module in &meaning.places {
                    found.places.extend(self.scopes.all_of(module));
                }
            }
            _ => {}
        }
        found.add(meaning);
    }
}

fn at(module: &[String], name: &str) -> Place {
    [module, &[name.to_string()]].concat()
}

fn punct(tokens: &[TokenTree], i: usize) -> Option<(char, Spacing)> {
    match tokens.get(i)? {
        TokenTree::Punct(p) => Some((p.as_char(), p.spacing())),
        _ => None,
    }
}

fn is_colons(tokens: &[TokenTree], i: usize) -> bool {
    punct(tokens, i) == Some((':', Spacing::Joint))
        && punct(tokens, i + 1).is_some_and(|(c, _)| c == ':')
}

/// Whether token `i` comes after a dot that ends no range, or after two colons.
fn is_member(tokens: &[TokenTree], i: usize) -> bool {
    let before = |n: usize| i.checked_sub(n).and_then(|i| punct(tokens, i));
    match (before(2), before(1)) {
        (Some(('.', Spacing::Joint)), Some(('.', _))) => false,
        (_, Some(('.', _))) | (Some((':', Spacing::Joint)), Some((':', _))) => true,
        _ => false,
    }
}

/// Adds every identifier in the tokens.
fn identifiers(tokens: TokenStream, found: &mut HashSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => drop(found.insert(name.to_string())),
            TokenTree::Group(group) => identifiers(group.stream(), found),
            _ => {}
        }
    }
}

/// What a format string may take from around it: `{x:>WIDE$}`.
fn words_in_braces(literal: &str) -> Vec<String> {
    if !literal.contains('"') {
        return Vec::new();
    }
    literal
        .split('{')
        .skip(1)
        .filter_map(|after| after.split('}').next())
        .flat_map(|inside| inside.split(|c: char| !c.is_alphanumeric() && c != '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_string)
        .collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn pruned(text: &str) -> Result<String> {
        let mut items = syn::parse_file(text)?.items;
        prune(&mut items, &["bot", "main"])?;
        Ok(quote!(#(#items)*).to_string())
    }

    fn plain(text: &str) -> String {
        syn::parse_file(text).unwrap().to_token_stream().to_string()
    }

    /// Every line that ends with `// -` goes, and nothing else.
    fn check(text: &str) {
        let left: Vec<&str> = text
            .lines()
            .filter(|line| !line.ends_with("// -"))
            .collect();
        assert_eq!(pruned(text).unwrap(), plain(&left.join("\n")));
    }

    #[test]
    fn only_what_is_reached_stays() {
        check(
            r#"
            mod lib {
                pub mod a {
                    pub fn used() { helper() }
                    fn helper() { println!("{LIMIT} {:>WIDE$}", 1) }
                    pub const LIMIT: u8 = 1;
                    pub const WIDE: usize = 1;
                    pub const OTHER: u8 = 2; // -
                    pub fn unused() { only_for_unused() } // -
                    fn only_for_unused() {} // -
                }
                pub mod b { pub static S: u8 = 0; pub type T = u8; } // -
                pub mod c { // -
                    pub fn used() {} // -
                    pub mod deep { pub fn helper() {} } // -
                } // -
            }
            mod bot {
                pub fn main() { lib::a::used(); let unused = 1; x.other(unused) }
                fn other() {} // -
            }
            "#,
        );
    }

    #[test]
    fn implementations_stay_with_their_types_and_traits() {
        check(
            r"
            mod bot {
                struct Used(u8);
                struct Unused; // -
                impl Used {
                    const C: u8 = 0;
                    const D: u8 = 0; // -
                    fn called(&self) -> u8 { self.0 + Self::C }
                    fn uncalled(&self) -> Unused { Unused } // -
                }
                impl Used { fn nobody(&self) {} } // -
                impl Unused { fn called(&self) {} } // -
                trait Shown { fn show(&self); fn also(&self) {} }
                trait Hidden { fn hide(&self); } // -
                trait Marker {}
                impl Marker for Used {}
                impl Shown for Used { fn show(&self) { shown_by(0) } }
                impl Shown for Unused { fn show(&self) {} } // -
                impl Hidden for Used { fn hide(&self) { hidden_by() } } // -
                impl std::fmt::Display for Used { fn fmt(&self) { displayed_by() } }
                impl std::fmt::Display for Unused { fn fmt(&self) {} } // -
                impl From<Unused> for Used { fn from(_: Unused) -> Used { Used(0) } } // -
                impl Shown for u8 { fn show(&self) {} }
                fn shown_by(_: u8) {}
                fn hidden_by() {} // -
                fn displayed_by() {}
                fn marked(_: impl Marker) {}
                pub fn main() { Used(1).called(); Used(1).show(); marked(Used(2)) }
            }
            ",
        );
    }

    #[test]
    fn an_implementation_for_another_name_of_a_type_stays() {
        check(
            r"
            mod bot {
                struct Used;
                type Alias = Used;
                impl Drop for Alias { fn drop(&mut self) {} }
                pub fn main() { Used; }
            }
            ",
        );
    }

    #[test]
    fn macros_that_are_called_stay_with_what_they_may_call() {
        check(
            r"
            mod bot {
                macro_rules! used { ($x:expr, $m:ident) => { by_macro($x.$m()) }; }
                macro_rules! unused { () => { by_unused() }; } // -
                thread_local! { static HERE: u8 = here(); }
                struct S;
                impl S {
                    fn by_argument(&self) {}
                    fn by_nobody(&self) {} // -
                }
                fn by_macro(_: ()) {}
                fn by_unused() {} // -
                fn here() -> u8 { 0 }
                pub fn main() { used!(S, by_argument) }
            }
            ",
        );
    }

    #[test]
    fn imports_follow_what_is_left() {
        check(
            r"
            mod lib {
                pub mod a {
                    use crate::b::{self, Far};
                    use crate::b::Kind::First;
                    use crate::b::Gone; // -
                    use crate::b::deep::gone; // -
                    use crate::b::{deep::kept, Renamed as Other};
                    use crate::b::Unused as Nobody; // -
                    use std::fmt::{self, Write as _};
                    use std::collections::hash_map; // -
                    use std::collections::VecDeque;
                    pub fn run() { kept(Far); Other; b::local(First); fmt::x(); 1.act(); }
                    pub fn unreached() { gone(Gone); hash_map::x(); } // -
                }
                pub mod b {
                    pub struct Far;
                    pub struct Gone; // -
                    pub struct Renamed;
                    pub struct Unused; // -
                    pub enum Kind { First, Second }
                    pub fn local(_: Kind) {}
                    pub mod deep {
                        use super::super::t::Act;
                        use super::*;
                        pub fn kept(_: Far) { 2.act() }
                        pub fn gone(_: Gone) {} // -
                    }
                }
                pub mod t { pub trait Act { fn act(&self); } }
                pub mod empty { pub mod more { use super::super::b::Far; } } // -
                pub use a::run;
                pub use a::unreached; // -
                pub use b::Gone as Never; // -
                pub mod front { pub use super::behind::*; }
                mod behind { pub fn through() {} }
            }
            mod bot {
                use lib::run;
                use lib::empty; // -
                use lib::t::Act;
                use lib::front;
                pub fn main() { run(); let empty = front::through(); }
            }
            ",
        );
    }

    #[test]
    fn imports_inside_functions_count() {
        check(
            r"
            mod lib {
                pub mod a { pub fn f() {} pub fn g() {} }
                pub mod b { pub fn f() {} }
                pub mod c { pub fn f() {} } // -
            }
            mod bot {
                pub fn main() {
                    use lib::{a::{f, g}, b};
                    use lib::b::*;
                }
            }
            ",
        );
    }

    #[test]
    fn what_a_judge_lacks_is_named() {
        let text = "mod bot { use serde_json::Value; pub fn main() { USE } }";
        let unused = text.replace("USE", "");
        assert_eq!(
            pruned(&unused).unwrap(),
            plain("mod bot { pub fn main() {} }")
        );
        let error = pruned(&text.replace("USE", "Value::x()")).unwrap_err();
        assert!(
            error.to_string().contains("bot uses serde_json::Value"),
            "{error}"
        );
        let error = pruned("mod bot { fn other() {} }").unwrap_err();
        assert_eq!(error.to_string(), "there is no bot::main");
    }
}
