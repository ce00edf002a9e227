//! Moves the items of all modules into the root of the file.
//!
//! In a single file, modules only cost bytes: imports, paths, visibilities. If two items have the same name, the compiler reports an
//! error, and the bundle keeps its modules. A module with an attribute, such as a condition on the processor, remains, and so does an
//! import with one. The root and a remaining module see each other's items.

use super::tokens::{begins_path, is, is_colons, replaced};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::{BTreeSet, HashSet};
use syn::visit_mut::VisitMut;
use syn::{Attribute, Item, UseTree, Visibility, parse_quote};

/// Returns the tokens of a file with the items of all modules in its root.
pub(crate) fn flatten(program: &syn::File) -> TokenStream {
    let mut modules = HashSet::from(["crate", "self", "super"].map(String::from));
    find_modules(&program.items, &mut modules);
    let flat = Flat {
        text: program.to_token_stream().to_string(),
        modules,
    };
    let mut body = TokenStream::new();
    let mut imports = BTreeSet::new();
    flat.lift(
        &program.items,
        &Visibility::Inherited,
        &mut imports,
        &mut body,
    );
    let imports = joined(&imports);
    quote!(#imports #body)
}

fn find_modules(items: &[Item], names: &mut HashSet<String>) {
    for item in items {
        if let Item::Mod(module) = item {
            names.insert(module.ident.to_string());
            find_modules(items_of(module), names);
        }
    }
}

fn items_of(module: &syn::ItemMod) -> &[Item] {
    module.content.as_ref().map_or(&[], |(_, items)| items)
}

struct Flat {
    /// The tokens of the program as text.
    text: String,
    /// The names of the program's modules, and `crate`, `self` and `super`.
    modules: HashSet<String>,
}

impl Flat {
    /// Adds the items of a module to `out`, and its imports to `imports`.
    fn lift(
        &self,
        items: &[Item],
        visible: &Visibility,
        imports: &mut BTreeSet<String>,
        out: &mut TokenStream,
    ) {
        for item in items {
            match item {
                Item::Use(item) if item.attrs.is_empty() => self.import(&item.tree, imports),
                Item::Use(item) => {
                    let (attributes, mut own) = (&item.attrs, BTreeSet::new());
                    self.import(&item.tree, &mut own);
                    for path in own {
                        let import = joined(&BTreeSet::from([path]));
                        out.extend(quote!(#(#attributes)* #import));
                    }
                }
                Item::Mod(module) if module.attrs.is_empty() => {
                    self.lift(items_of(module), visible, imports, out);
                }
                Item::Mod(module) => {
                    let (attributes, name) = (&module.attrs, &module.ident);
                    let (mut inner, mut own) = (TokenStream::new(), BTreeSet::new());
                    let items = under(attributes, items_of(module));
                    self.lift(&items, &parse_quote!(pub), &mut own, &mut inner);
                    let own = joined(&own);
                    out.extend(quote!(#(#attributes)* mod #name { use super::*; #own #inner }));
                    if self.text.contains(&format!("{name} ::")) {
                        let is_cfg = |attribute: &&Attribute| attribute.path().is_ident("cfg");
                        let conditions = attributes.iter().filter(is_cfg);
                        out.extend(quote!(#(#conditions)* use #name::*;));
                    }
                }
                item => {
                    let mut item = item.clone();
                    Show(visible).visit_item_mut(&mut item);
                    out.extend(self.without_modules(item.to_token_stream()));
                }
            }
        }
    }

    /// Removes the names of modules from paths: `crate::rules::score` becomes `score`.
    fn without_modules(&self, tokens: TokenStream) -> TokenStream {
        replaced(tokens, &mut |tokens, i| {
            let is_module = |i: usize| {
                // A function may have the name of a module: `lines::<2>()`.
                self.modules.contains(&tokens[i].to_string())
                    && is_colons(tokens, i + 1)
                    && !is(tokens, i + 3, '<')
            };
            // `$crate::module::item` loses its `$` as well.
            let is_crate = |word: &TokenTree| word.to_string() == "crate";
            let is_dollar = is(tokens, i, '$') && tokens.get(i + 1).is_some_and(is_crate);
            let mut end = i + usize::from(is_dollar);
            while end < tokens.len() && is_module(end) {
                end += 3;
            }
            (end > i && begins_path(tokens, i)).then(|| (end - i, TokenStream::new()))
        })
    }

    /// Adds the paths of an import, except those of items that the root contains.
    fn import(&self, tree: &UseTree, imports: &mut BTreeSet<String>) {
        for path in paths(tree) {
            let own = path
                .iter()
                .take_while(|name| self.modules.contains(*name))
                .count();
            let is_there =
                path.len() <= own + 1 && !path.last().is_some_and(|name| name.contains(' '));
            if own == 0 || !is_there {
                imports.insert(path[own..].join("::"));
            }
        }
    }
}

/// Returns the items of a module that has these attributes, and removes the same attributes from its imports.
fn under(attributes: &[Attribute], items: &[Item]) -> Vec<Item> {
    let text = |attribute: &Attribute| attribute.to_token_stream().to_string();
    let known: Vec<String> = attributes.iter().map(text).collect();
    let mut items = items.to_vec();
    for item in &mut items {
        if let Item::Use(item) = item {
            item.attrs
                .retain(|attribute| !known.contains(&text(attribute)));
        }
    }
    items
}

/// Returns the paths of an import. The last part may be `*` or `name as other`.
fn paths(tree: &UseTree) -> Vec<Vec<String>> {
    match tree {
        UseTree::Path(path) => {
            let mut below = paths(&path.tree);
            for names in &mut below {
                names.retain(|name| name != "self");
                names.insert(0, path.ident.to_string());
            }
            below
        }
        UseTree::Group(group) => group.items.iter().flat_map(paths).collect(),
        leaf => vec![vec![leaf.to_token_stream().to_string()]],
    }
}

/// Joins the imports from the standard library into one. Other imports remain separate.
fn joined(paths: &BTreeSet<String>) -> TokenStream {
    let (std, own): (Vec<&str>, Vec<&str>) = paths
        .iter()
        .map(String::as_str)
        .partition(|path| path.starts_with("std::"));
    let mut text: String = own.iter().map(|path| format!("use {path};")).collect();
    if !std.is_empty() {
        text = format!("use {};{text}", tree(&std));
    }
    text.parse().unwrap_or_default()
}

/// Joins sorted paths: `a::b` and `a::c` become `a::{b,c}`.
fn tree(paths: &[&str]) -> String {
    let groups = paths.chunk_by(|a, b| !head(a).is_empty() && head(a) == head(b));
    let trees = groups.map(|group| match (group, head(group[0])) {
        ([path], _) => (*path).to_string(),
        (_, head) => {
            let below: Vec<&str> = group.iter().map(|path| &path[head.len()..]).collect();
            format!("{head}{{{}}}", tree(&below))
        }
    });
    trees.collect::<Vec<_>>().join(",")
}

/// Returns the first part of a path and its colons; empty if the path has only one part.
fn head(path: &str) -> &str {
    path.find("::").map_or("", |end| &path[..end + 2])
}

/// Gives this visibility to every item that is not private.
struct Show<'a>(&'a Visibility);

impl VisitMut for Show<'_> {
    fn visit_visibility_mut(&mut self, visibility: &mut Visibility) {
        if !matches!(visibility, Visibility::Inherited) {
            *visibility = self.0.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let program = syn::parse_file(text).unwrap();
        let plain = |tokens: TokenStream| prettyplease::unparse(&syn::parse2(tokens).unwrap());
        assert_eq!(plain(flatten(&program)), plain(expected.parse().unwrap()));
    }

    #[test]
    fn items_of_all_modules_move_to_the_root() {
        check(
            r#"
            mod lib {
                pub(crate) mod a {
                    use crate::lib::b::{self, Far as Other};
                    use std::fmt::{self, Write as _};
                    pub(crate) const SIZE: u8 = 1;
                    pub(crate) fn run(b: Other) -> fmt::Result { let _ = format!("{SIZE}"); b::local(b.b, super::b::OTHER, b::Far::NONE) }
                }
                pub(crate) mod b {
                    use std::fmt;
                    pub(crate) const OTHER: u8 = 2;
                    pub(crate) enum Kind { One, Two }
                    pub(crate) struct Far { pub(crate) b: u8 }
                    impl Far { pub(crate) const NONE: u8 = OTHER; fn run(&self) { other() } }
                    fn other() {}
                    fn deep<T>() {}
                    pub(crate) fn local(_: u8, _: u8, _: u8) -> fmt::Result { use self::Kind::*; deep::<u8>(); self::deep::inner::<Kind>(Two) }
                    mod deep { pub(in crate::lib) fn inner<T>(_: T) -> std::fmt::Result { Ok(()) } }
                }
            }
            mod bot {
                use crate::lib::{a, b::Far};
                use crate::lib::b::Kind::One;
                pub(crate) fn main() { let _ = (a::run(Far { b: a::SIZE }), One); }
            }
            "#,
            r#"
            use std::{fmt, fmt::Write as _};
            use Far as Other;
            use Kind::One;
            const SIZE: u8 = 1;
            fn run(b: Other) -> fmt::Result { let _ = format!("{SIZE}"); local(b.b, OTHER, Far::NONE) }
            const OTHER: u8 = 2;
            enum Kind { One, Two }
            struct Far { b: u8 }
            impl Far { const NONE: u8 = OTHER; fn run(&self) { other() } }
            fn other() {}
            fn deep<T>() {}
            fn local(_: u8, _: u8, _: u8) -> fmt::Result { use Kind::*; deep::<u8>(); inner::<Kind>(Two) }
            fn inner<T>(_: T) -> std::fmt::Result { Ok(()) }
            fn main() { let _ = (run(Far { b: SIZE }), One); }
            "#,
        );
    }

    #[test]
    fn modules_under_a_condition_remain() {
        check(
            r#"
            mod lib {
                mod a {
                    pub(crate) trait T { fn f(&self); }
                    fn shared() {}
                    #[cfg(target_arch = "x86_64")]
                    mod one { use super::{shared, T}; use std::fmt; pub(crate) struct Fast; impl T for Fast { fn f(&self) { shared() } } }
                    #[cfg(not(target_arch = "x86_64"))]
                    mod two { use super::T; pub(crate) struct Fast; impl T for Fast { fn f(&self) {} } }
                    #[cfg(target_arch = "x86_64")]
                    use one::Fast;
                    #[cfg(not(target_arch = "x86_64"))]
                    use two::Fast;
                    fn f() { Fast.f() }
                }
            }
            "#,
            r#"
            trait T { fn f(&self); }
            fn shared() {}
            #[cfg(target_arch = "x86_64")]
            mod one { use super::*; use std::fmt; pub struct Fast; impl T for Fast { fn f(&self) { shared() } } }
            #[cfg(target_arch = "x86_64")]
            use one::*;
            #[cfg(not(target_arch = "x86_64"))]
            mod two { use super::*; pub struct Fast; impl T for Fast { fn f(&self) {} } }
            #[cfg(not(target_arch = "x86_64"))]
            use two::*;
            fn f() { Fast.f() }
            "#,
        );
    }

    #[test]
    fn imports_under_a_condition_keep_it() {
        check(
            r"
            mod lib {
                pub(crate) struct One;
                mod a {
                    #[cfg(unix)]
                    use super::One as Other;
                    #[cfg(unix)]
                    use std::{fmt, io};
                    fn f() {}
                }
            }
            ",
            r"
            struct One;
            #[cfg(unix)]
            use One as Other;
            #[cfg(unix)]
            use std::fmt;
            #[cfg(unix)]
            use std::io;
            fn f() {}
            ",
        );
    }
}
