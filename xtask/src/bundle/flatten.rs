//! One module instead of many.
//!
//! In a program of one file, modules only cost room: imports, paths, visibilities. So every item
//! moves to the root of the file. Where two items have the same name, the second gets a number.
//! Only a module with an attribute, such as a condition on the processor, stays; it and the root
//! see each other's items.

use super::scope::{name, Place, Scopes, BUILT_IN};
use super::tokens::{before, identifiers, is_colons, Before};
use super::uses::{imports, leaves, Leaf};
use anyhow::{ensure, Result};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{quote, ToTokens};
use std::collections::{BTreeSet, HashMap, HashSet};
use syn::visit_mut::VisitMut;
use syn::{Item, Visibility};

/// The tokens of a file with the items of all modules of `program`.
///
/// # Errors
/// If something from a crate that a judge does not have is imported and used.
pub(crate) fn flatten(program: &[Item]) -> Result<TokenStream> {
    let mut flat = Flat {
        scopes: Scopes::of(program),
        names: HashMap::new(),
        imports: BTreeSet::new(),
    };
    flat.name(program, &mut Vec::new(), &mut HashMap::new());
    let mut body = TokenStream::new();
    flat.module(program, &mut Vec::new(), false, &mut body)?;
    let imports = imports(&flat.imports.into_iter().collect::<Vec<_>>());
    // A judge shows its compiler's warnings to nobody.
    Ok(quote!(#![allow(warnings)] #imports #body))
}

struct Flat {
    scopes: Scopes,
    /// The name of each item in the root.
    names: HashMap<Place, String>,
    /// What the root imports.
    imports: BTreeSet<Leaf>,
}

impl Flat {
    /// Gives every item a name; `taken` says how many items have each.
    fn name(&mut self, items: &[Item], here: &mut Place, taken: &mut HashMap<String, usize>) {
        for item in items {
            let Some(name) = name(item) else { continue };
            here.push(name.clone());
            if let Item::Mod(module) = item {
                let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
                // Modules for different machines may hold items of the same names.
                let mut own = taken.clone();
                let taken = if module.attrs.is_empty() {
                    &mut *taken
                } else {
                    &mut own
                };
                self.name(items, here, taken);
            } else if name != "_" && !self.names.contains_key(here) {
                let count = taken.entry(name.clone()).or_default();
                *count += 1;
                let unique = match count {
                    1 => name,
                    _ => format!("{name}_{count}"),
                };
                self.names.insert(here.clone(), unique);
            }
            here.pop();
        }
    }

    /// Adds the items of a module to `out`. `apart` says whether the module stays a module.
    fn module(
        &mut self,
        items: &[Item],
        here: &mut Place,
        apart: bool,
        out: &mut TokenStream,
    ) -> Result<()> {
        let mut used = HashSet::new();
        for item in items {
            if !matches!(item, Item::Use(_) | Item::Mod(_)) {
                identifiers(item.to_token_stream(), &mut used);
            }
        }
        let mut found = Vec::new();
        for item in items {
            match item {
                Item::Use(item) => {
                    let foreign = leaves(item).into_iter().filter(|leaf| {
                        let own = self.scopes.resolve(&leaf.path, here);
                        // The methods of a trait are in scope by its import alone.
                        let maybe_trait = leaf.path.last().is_some_and(|name| {
                            name.starts_with(char::is_uppercase)
                                && BUILT_IN.contains(&&*leaf.path[0])
                        });
                        own.is_empty()
                            && (leaf.alias == "*" || maybe_trait || used.contains(&leaf.alias))
                    });
                    for leaf in foreign {
                        ensure!(
                            BUILT_IN.contains(&&*leaf.path[0]),
                            "{} uses {}, and a judge has nothing but the standard library",
                            here.join("::"),
                            leaf.path.join("::")
                        );
                        found.push(leaf);
                    }
                }
                Item::Mod(module) => {
                    here.push(module.ident.to_string());
                    let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
                    if module.attrs.is_empty() {
                        self.module(items, here, false, out)?;
                    } else {
                        let mut inner = TokenStream::new();
                        self.module(items, here, true, &mut inner)?;
                        let (attributes, name) = (&module.attrs, &module.ident);
                        out.extend(quote!(#(#attributes)* mod #name { use super::*; #inner }));
                        if inner.into_iter().any(|token| token.to_string() == "pub") {
                            out.extend(quote!(#(#attributes)* use #name::*;));
                        }
                    }
                    here.pop();
                }
                _ => {
                    let mut item = item.clone();
                    if !apart {
                        Private.visit_item_mut(&mut item);
                    }
                    out.extend(self.renamed(item.to_token_stream(), here, false));
                }
            }
        }
        if apart {
            found.sort();
            out.extend(imports(&found));
        } else {
            self.imports.extend(found);
        }
        Ok(())
    }

    /// Replaces every path to an item by the item's name. `inside` says whether the tokens are in a
    /// block: functions that are declared there are no items of the module.
    fn renamed(&self, tokens: TokenStream, here: &[String], inside: bool) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut out = TokenStream::new();
        let mut i = 0;
        while i < tokens.len() {
            match &tokens[i] {
                TokenTree::Group(group) => {
                    let inner = self.renamed(group.stream(), here, true);
                    out.extend([TokenTree::Group(Group::new(group.delimiter(), inner))]);
                }
                TokenTree::Ident(first)
                    if matches!(before(&tokens, i), Before::Else)
                        && !(inside && i > 0 && tokens[i - 1].to_string() == "fn") =>
                {
                    let mut path = vec![first.to_string()];
                    let mut name = self.flat_name(&path, here);
                    let mut end = i;
                    while let (None, true, Some(TokenTree::Ident(next))) =
                        (&name, is_colons(&tokens, end + 1), tokens.get(end + 3))
                    {
                        path.push(next.to_string());
                        end += 3;
                        name = self.flat_name(&path, here);
                    }
                    match name {
                        Some(name) => {
                            out.extend([TokenTree::Ident(Ident::new(name, Span::call_site()))]);
                            i = end;
                        }
                        None => out.extend([tokens[i].clone()]),
                    }
                }
                token => out.extend([token.clone()]),
            }
            i += 1;
        }
        out
    }

    /// The name of the item that a path leads to, if it is one of the program's.
    fn flat_name(&self, path: &[String], here: &[String]) -> Option<&String> {
        let places = self.scopes.resolve(path, here);
        places.iter().find_map(|place| self.names.get(place))
    }
}

/// Makes everything private.
struct Private;

impl VisitMut for Private {
    fn visit_visibility_mut(&mut self, visibility: &mut Visibility) {
        *visibility = Visibility::Inherited;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(text: &str) -> Result<String> {
        let items = syn::parse_file(text)?.items;
        Ok(flatten(&items)?.to_string())
    }

    fn plain(text: &str) -> String {
        let file = syn::parse_file(text).unwrap();
        file.to_token_stream().to_string()
    }

    #[test]
    fn items_of_all_modules_lie_in_the_root() {
        let text = r"
            mod lib {
                pub mod a {
                    use crate::b::{self, Far as Other};
                    use std::fmt::{self, Write as _};
                    use std::collections::hash_map;
                    pub const SIZE: u8 = 1;
                    pub fn run(b: Other) -> fmt::Result { b::local(b.b, super::b::SIZE, b::Far::NONE) }
                }
                pub mod b {
                    use std::io::Read;
                    use std::fmt;
                    pub const SIZE: u8 = 2;
                    pub struct Far { pub b: u8 }
                    impl Far { pub const NONE: u8 = SIZE; fn run(&self) { run() } }
                    fn run() {}
                    pub fn local(_: u8) { self::deep::inner::<u8>() }
                    mod deep { pub(in crate::b) fn inner<T>() -> fmt::Result {} }
                }
            }
            mod bot {
                use lib::{a, b::Far};
                pub fn main() { a::run(Far { b: a::SIZE }) }
            }
        ";
        let expected = r"
            #![allow(warnings)]
            use std::{fmt::{self, Write as _}, io::Read};
            const SIZE: u8 = 1;
            fn run(b: Far) -> fmt::Result { local(b.b, SIZE_2, Far::NONE) }
            const SIZE_2: u8 = 2;
            struct Far { b: u8 }
            impl Far { const NONE: u8 = SIZE_2; fn run(&self) { run_2() } }
            fn run_2() {}
            fn local(_: u8) { inner::<u8>() }
            fn inner<T>() -> fmt::Result {}
            fn main() { run(Far { b: SIZE }) }
        ";
        assert_eq!(flat(text).unwrap(), plain(expected));
    }

    #[test]
    fn modules_under_a_condition_stay() {
        let text = r"
            mod lib {
                mod a {
                    pub trait T { }
                    fn shared() {}
                    #[cfg(one)] mod one { use super::{shared, T}; use std::one::*; pub struct Fast; impl T for Fast {} fn own() { shared() } }
                    #[cfg(two)] mod two { pub struct Fast; }
                    #[cfg(one)] pub use one::Fast;
                    #[cfg(two)] pub use two::Fast;
                    #[cfg(two)] mod none { fn own() {} }
                }
                fn f(_: a::Fast) {}
            }
        ";
        let expected = r"
            #![allow(warnings)]
            trait T { }
            fn shared() {}
            #[cfg(one)] mod one { use super::*; pub struct Fast; impl T for Fast {} fn own() { shared() } use std::one::*; }
            #[cfg(one)] use one::*;
            #[cfg(two)] mod two { use super::*; pub struct Fast; }
            #[cfg(two)] use two::*;
            #[cfg(two)] mod none { use super::*; fn own() {} }
            fn f(_: Fast) {}
        ";
        assert_eq!(flat(text).unwrap(), plain(expected));
    }

    #[test]
    fn what_a_judge_lacks_is_named() {
        let text = "mod bot { use serde_json::Value; pub fn main() { USE } }";
        let unused = flat(&text.replace("USE", "")).unwrap();
        assert_eq!(unused, plain("#![allow(warnings)] fn main() {}"));
        let error = flat(&text.replace("USE", "Value::x()")).unwrap_err();
        assert!(
            error.to_string().contains("bot uses serde_json::Value"),
            "{error}"
        );
    }
}
