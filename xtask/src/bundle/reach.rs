//! Which items a program reaches.
//!
//! An item stays if an item that stays names it by a path that leads to it. Types
//! are not inferred: a name after a dot may be a method of any type that stays. Local
//! variables are not told from items either. So some items stay that are not needed, but
//! no item that is needed goes; if one does (its name is put together by a macro), the
//! compiler says so.
//!
//! Implementations have no name; they stay if all types and traits of the
//! program in their headers do. A trait stays, named or not, if it is in scope where a
//! method of that name is called.

use super::scope::{name, Place, Scopes};
use super::tokens::{before, identifiers, is_colons, Before};
use anyhow::{ensure, Result};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::{ImplItem, Item, ItemImpl, TraitItem};

/// Removes every item that cannot be reached from the one at `entry`; imports stay. `items` are
/// the crates of the program, a module each.
///
/// # Errors
/// If there is no such entry.
pub(crate) fn prune(items: &mut Vec<Item>, entry: &[&str]) -> Result<()> {
    let entry: Place = entry.iter().map(ToString::to_string).collect();
    let mut reach = Reach {
        scopes: Scopes::of(items),
        ..Reach::default()
    };
    reach.declare(items, &mut Vec::new());
    let places = reach.scopes.resolve(&entry, &[]);
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
    Ok(())
}

#[derive(Default)]
struct Reach {
    scopes: Scopes,
    /// The traits of the program with the names of their items.
    traits: HashMap<Place, Vec<String>>,
    /// Type aliases.
    aliases: HashSet<Place>,
    /// The names of the program's macros.
    macros: HashSet<String>,
    found: References,
}

/// What items refer to.
#[derive(Default)]
struct References {
    places: HashSet<Place>,
    members: HashSet<Member>,
    macros: HashSet<String>,
}

/// The name of something that belongs to a type or a trait, as it is referred to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Member {
    /// `Type::name`, or `Self::name` in its implementations.
    Of(Place, String),
    /// `T::name`, where `T` may be any type.
    OfAny(String),
    /// `value.name`.
    OfValue(String),
    /// A method that is called in this module, by whatever path.
    In(Place, String),
    /// A name in a macro, which may be called in any module.
    Anywhere(String),
}

impl References {
    fn size(&self) -> usize {
        self.places.len() + self.members.len() + self.macros.len()
    }

    fn has(&self, member: &Member) -> bool {
        self.members.contains(member)
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

    /// Adds the references of all items that are known to stay.
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
                    self.retain_members(&mut block, here);
                    let of = self.types_of(&block, here);
                    self.refer(block.to_token_stream(), here, &of);
                }
                Item::Use(_) | Item::Impl(_) => {}
                _ if self.is_reached(item, here) => {
                    let tokens = item.to_token_stream();
                    if let Item::Macro(_) = item {
                        let mut names = HashSet::new();
                        identifiers(tokens.clone(), &mut names);
                        let members = names.into_iter().map(Member::Anywhere);
                        self.found.members.extend(members);
                    }
                    self.refer(tokens, here, &HashSet::new());
                }
                _ => {}
            }
        }
        let called: Vec<Place> = self
            .traits
            .iter()
            .filter(|(place, members)| self.is_any_called(place, members))
            .map(|(place, _)| place.clone())
            .collect();
        self.found.places.extend(called);
    }

    fn refer(&mut self, tokens: TokenStream, here: &[String], of: &HashSet<Place>) {
        let mut found = std::mem::take(&mut self.found);
        let from = Within { here, of };
        self.references(tokens, from, &[], &mut found);
        self.found = found;
    }

    /// The types that a block implements something for.
    fn types_of(&self, block: &ItemImpl, here: &[String]) -> HashSet<Place> {
        let mut header = References::default();
        let from = Within {
            here,
            of: &HashSet::new(),
        };
        self.references(block.self_ty.to_token_stream(), from, &[], &mut header);
        header.places
    }

    /// Whether one of a trait's members may be called where it is in scope.
    fn is_any_called(&self, place: &Place, members: &[String]) -> bool {
        self.found.members.iter().any(|member| match member {
            Member::In(module, name) => {
                members.contains(name) && self.scopes.is_in_scope(place, module)
            }
            Member::Anywhere(name) => members.contains(name),
            _ => false,
        })
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
        let from = Within {
            here,
            of: &HashSet::new(),
        };
        if let Some((path, _)) = &block.trait_ {
            self.references(path.to_token_stream(), from, &[], &mut header);
        }
        header.places.extend(self.types_of(block, here));
        let parameters: HashSet<Place> = block
            .generics
            .type_params()
            .map(|parameter| at(here, &parameter.ident.to_string()))
            .collect();
        header.places.iter().all(|place| {
            self.found.places.contains(place)
                || self.scopes.is_module(place)
                // The type behind an alias may be reached without it.
                || self.aliases.contains(place)
                || parameters.contains(place)
        })
    }

    /// The items of an implementation that stay, if it does: all of a trait's.
    fn retain_members(&self, block: &mut ItemImpl, here: &[String]) {
        if block.trait_.is_none() {
            let types = self.types_of(block, here);
            block
                .items
                .retain(|item| self.is_member_reached(item, &types));
        }
    }

    fn is_member_reached(&self, item: &ImplItem, types: &HashSet<Place>) -> bool {
        let (name, is_method) = match item {
            ImplItem::Const(item) => (&item.ident, false),
            ImplItem::Fn(item) => (&item.sig.ident, item.sig.receiver().is_some()),
            ImplItem::Type(item) => (&item.ident, false),
            _ => return true,
        };
        let name = name.to_string();
        let of = |place: &Place| self.found.has(&Member::Of(place.clone(), name.clone()));
        let by_another_name = types.is_empty() || types.iter().any(|t| self.aliases.contains(t));
        types.iter().any(of)
            || by_another_name
            || self.found.has(&Member::OfAny(name.clone()))
            || self.found.has(&Member::Anywhere(name.clone()))
            || is_method && self.found.has(&Member::OfValue(name))
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
                self.retain_members(block, here);
                let emptied = full && block.items.is_empty();
                !emptied && self.is_impl_reached(block, here)
            }
            _ => self.is_reached(item, here),
        });
    }

    /// Adds what tokens refer to. They are inside the braces of an import that
    /// begins with `prefix`, if there is one.
    fn references(
        &self,
        tokens: TokenStream,
        from: Within,
        prefix: &[String],
        found: &mut References,
    ) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut i = 0;
        while i < tokens.len() {
            match &tokens[i] {
                TokenTree::Group(group) => {
                    self.references(group.stream(), from, &[], found);
                }
                TokenTree::Literal(literal) => {
                    for word in words_in_braces(&literal.to_string()) {
                        found.places.extend(self.scopes.resolve(&[word], from.here));
                    }
                }
                TokenTree::Ident(first) => {
                    let name = first.to_string();
                    let called = Member::In(from.here.to_vec(), name.clone());
                    match before(&tokens, i) {
                        Before::Dot => {
                            found.members.extend([Member::OfValue(name), called]);
                        }
                        Before::Colons => {
                            found.members.extend([Member::OfAny(name), called]);
                        }
                        Before::Else => {
                            let mut path = prefix.to_vec();
                            path.push(name);
                            while let (true, Some(TokenTree::Ident(next))) =
                                (is_colons(&tokens, i + 1), tokens.get(i + 3))
                            {
                                path.push(next.to_string());
                                i += 3;
                            }
                            self.path(&path, &tokens[i + 1..], from, found);
                        }
                    }
                }
                TokenTree::Punct(_) => {}
            }
            i += 1;
        }
    }

    /// Adds what a path refers to, which `rest` follows.
    fn path(&self, path: &[String], rest: &[TokenTree], from: Within, found: &mut References) {
        let places = self.scopes.resolve(path, from.here);
        let last = &path[path.len() - 1];
        // What goes on behind a type is a member of it.
        for i in 1..path.len() {
            let mut types = self.scopes.resolve(&path[..i], from.here);
            if i == 1 && path[0] == "Self" {
                types.clone_from(from.of);
            }
            let is_known =
                |place: &Place| !self.aliases.contains(place) && !self.traits.contains_key(place);
            let outside = is_outside(&path[0]) || self.scopes.is_imported(&path[0], from.here);
            if types.is_empty() && !outside || !types.iter().all(is_known) {
                found.members.insert(Member::OfAny(path[i].clone()));
            }
            let of = types
                .into_iter()
                .map(|place| Member::Of(place, path[i].clone()));
            found.members.extend(of);
            let called = Member::In(from.here.to_vec(), path[i].clone());
            found.members.insert(called);
        }
        let is_call = matches!(rest, [TokenTree::Punct(p), ..] if p.as_char() == '!');
        if self.macros.contains(last) {
            found.macros.insert(last.clone());
            // It may put its arguments behind a dot.
            if let (true, Some(TokenTree::Group(arguments))) = (is_call, rest.get(1)) {
                let mut names = HashSet::new();
                identifiers(arguments.stream(), &mut names);
                let names = names.into_iter().map(Member::Anywhere);
                found.members.extend(names);
            }
        }
        match (is_colons(rest, 0), rest.get(2)) {
            (true, Some(TokenTree::Group(group))) if group.delimiter() == Delimiter::Brace => {
                self.references(group.stream(), from, path, found);
            }
            (true, Some(TokenTree::Punct(p))) if p.as_char() == '*' => {
                for module in &places {
                    found.places.extend(self.scopes.all_of(module));
                }
            }
            _ => {}
        }
        found.places.extend(places);
    }
}

/// Whether a name that means nothing in the program is surely that of something
/// outside of it, and not a type parameter: a module, a primitive type, or what is
/// known everywhere.
fn is_outside(name: &str) -> bool {
    name.starts_with(char::is_lowercase)
        || ["Box", "Option", "Result", "String", "Vec"].contains(&name)
}

/// Where tokens are.
#[derive(Clone, Copy)]
struct Within<'a> {
    /// Their module.
    here: &'a [String],
    /// What `Self` means there; nothing where that is not known.
    of: &'a HashSet<Place>,
}

fn at(module: &[String], name: &str) -> Place {
    [module, &[name.to_string()]].concat()
}

/// The names in a format string: `{x:>WIDE$}`.
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

    /// The items without imports and without modules that hold nothing else.
    fn shown(mut items: Vec<Item>) -> String {
        fn filled(items: &mut Vec<Item>) -> bool {
            items.retain_mut(|item| match item {
                Item::Use(_) => false,
                Item::Mod(module) => module
                    .content
                    .as_mut()
                    .is_some_and(|all| filled(&mut all.1)),
                _ => true,
            });
            !items.is_empty()
        }
        filled(&mut items);
        quote!(#(#items)*).to_string()
    }

    /// Every line that ends with `// -` goes, and nothing else.
    fn check(text: &str) {
        let left = text.lines().filter(|line| !line.ends_with("// -"));
        let left: Vec<&str> = left.collect();
        let left = syn::parse_file(&left.join("\n")).unwrap().items;
        let mut items = syn::parse_file(text).unwrap().items;
        prune(&mut items, &["bot", "main"]).unwrap();
        assert_eq!(shown(items), shown(left));
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
                    fn new() -> Self { Self(0) }
                    fn called_without_value() {} // -
                    fn called(&self) -> u8 { self.0 + Self::C }
                    fn uncalled(&self) -> Unused { Unused } // -
                }
                impl Used { fn nobody(&self) {} } // -
                impl Unused { fn called(&self) {} } // -
                struct Other;
                impl Other {
                    fn new() -> Self { Vec::new(); std::a::B::new() } // -
                    fn called(&self) {}
                }
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
                fn marked(_: impl Marker) { Vec::<u8>::with_capacity(1); String::new(); }
                struct Made;
                impl Made {
                    fn make() {}
                    fn new() {} // -
                }
                fn generic<T: Maker>() { T::make() }
                trait Maker { fn make(); }
                pub fn main() { Made; generic(); Used::new().called(); Used(1).show(); marked(Used(2)); Other.called_without_value }
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
    fn imports_are_followed() {
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
                pub mod u { pub trait Other { fn act(&self); } } // -
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
    fn a_missing_entry_is_named() {
        let mut items = syn::parse_file("mod bot { fn other() {} }").unwrap().items;
        let error = prune(&mut items, &["bot", "main"]).unwrap_err();
        assert_eq!(error.to_string(), "there is no bot::main");
    }
}
