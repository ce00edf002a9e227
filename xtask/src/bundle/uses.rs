//! Imports of which only the used part stays.

use super::reach::{identifiers, name};
use anyhow::{bail, Result};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::{Item, ItemUse, UseTree, Visibility};

/// One name that an import brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// What is imported, as written; for a glob, where from.
    pub(crate) path: Vec<String>,
    /// The name by which it is known here; `*` for a glob.
    pub(crate) alias: String,
}

/// What an import brings, in the order of the text.
pub(crate) fn leaves(item: &ItemUse) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(&item.tree, &mut Vec::new(), &mut found);
    found
}

fn collect(tree: &UseTree, prefix: &mut Vec<String>, found: &mut Vec<Leaf>) {
    let leaf = |last: Option<String>, alias: Option<String>| {
        let mut path = prefix.clone();
        path.extend(last.filter(|last| last != "self"));
        let alias = alias.unwrap_or_else(|| path.last().cloned().unwrap_or_default());
        Leaf { path, alias }
    };
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            collect(&path.tree, prefix, found);
            prefix.pop();
        }
        UseTree::Name(name) => found.push(leaf(Some(name.ident.to_string()), None)),
        UseTree::Rename(name) => found.push(leaf(
            Some(name.ident.to_string()),
            Some(name.rename.to_string()),
        )),
        UseTree::Glob(_) => found.push(leaf(None, Some("*".to_string()))),
        UseTree::Group(group) => {
            for tree in &group.items {
                collect(tree, prefix, found);
            }
        }
        _ => {}
    }
}

/// Keeps those leaves of a tree that `keep` says, asked in order; `None` if
/// there are none.
fn kept(tree: UseTree, keep: &mut impl FnMut() -> bool) -> Option<UseTree> {
    match tree {
        UseTree::Path(mut path) => {
            path.tree = Box::new(kept(*path.tree, keep)?);
            Some(UseTree::Path(path))
        }
        UseTree::Group(mut group) => {
            let trees = group.items.into_iter().filter_map(|tree| kept(tree, keep));
            let mut trees: Vec<UseTree> = trees.collect();
            match &trees[..] {
                [] => return None,
                // `{self}` needs its braces.
                [UseTree::Name(name)] if name.ident == "self" => {}
                [UseTree::Rename(name)] if name.ident == "self" => {}
                [_] => return trees.pop(),
                _ => {}
            }
            group.items = trees.into_iter().collect();
            Some(UseTree::Group(group))
        }
        leaf => keep().then_some(leaf),
    }
}

/// What a module of the program holds.
#[derive(Default)]
struct Scope {
    /// Items and modules, and the names that imports bring.
    names: HashSet<String>,
    /// Enums, whose variants can be imported.
    enums: HashSet<String>,
    /// Every identifier in the items here and below, imports left out.
    used: HashSet<String>,
}

/// Crates that every compiler brings.
const BUILT_IN: [&str; 3] = ["std", "core", "alloc"];

/// Removes imports of what is not there any more, those that nothing uses, and
/// modules that nothing is left in.
/// `items` are the crates of the program, a module each; `reached` are the
/// identifiers of all items that are there.
pub(crate) fn prune(
    items: &mut Vec<Item>,
    reached: &HashSet<String>,
    is_trait: &dyn Fn(&str) -> bool,
) -> Result<()> {
    // Where an import goes, another one that leads to it may go too.
    loop {
        remove_empty(items);
        let mut scopes = HashMap::new();
        survey(items, &mut Vec::new(), &mut scopes);
        let judge = Judge {
            scopes,
            reached,
            is_trait,
        };
        if !judge.prune(items, &mut Vec::new())? {
            return Ok(());
        }
    }
}

fn survey(
    items: &[Item],
    here: &mut Vec<String>,
    scopes: &mut HashMap<Vec<String>, Scope>,
) -> HashSet<String> {
    let mut scope = Scope::default();
    for item in items {
        match item {
            Item::Use(item) => scope.names.extend(leaves(item).into_iter().map(|l| l.alias)),
            Item::Mod(module) => {
                let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
                scope.names.insert(module.ident.to_string());
                here.push(module.ident.to_string());
                scope.used.extend(survey(items, here, scopes));
                here.pop();
            }
            _ => {
                scope.names.extend(name(item));
                if let Item::Enum(item) = item {
                    scope.enums.insert(item.ident.to_string());
                }
                identifiers(item.to_token_stream(), &mut scope.used);
            }
        }
    }
    let used = scope.used.clone();
    scopes.insert(here.clone(), scope);
    used
}

/// Removes modules without an item.
fn remove_empty(items: &mut Vec<Item>) {
    items.retain_mut(|item| match item {
        Item::Mod(module) => module.content.as_mut().map_or(true, |(_, items)| {
            remove_empty(items);
            !items.is_empty()
        }),
        _ => true,
    });
}

struct Judge<'a> {
    scopes: HashMap<Vec<String>, Scope>,
    reached: &'a HashSet<String>,
    is_trait: &'a dyn Fn(&str) -> bool,
}

impl Judge<'_> {
    /// Returns whether anything was removed.
    fn prune(&self, items: &mut Vec<Item>, here: &mut Vec<String>) -> Result<bool> {
        let mut changed = false;
        for mut item in std::mem::take(items) {
            match &mut item {
                Item::Mod(module) => {
                    if let Some((_, items)) = &mut module.content {
                        here.push(module.ident.to_string());
                        changed |= self.prune(items, here)?;
                        here.pop();
                    }
                }
                Item::Use(item) => {
                    let mut decisions = Vec::new();
                    for leaf in leaves(item) {
                        decisions.push(self.stays(&leaf, &item.vis, here)?);
                    }
                    changed |= decisions.contains(&false);
                    let mut decisions = decisions.into_iter();
                    match kept(item.tree.clone(), &mut || decisions.next() == Some(true)) {
                        Some(tree) => item.tree = tree,
                        None => continue,
                    }
                }
                _ => {}
            }
            items.push(item);
        }
        Ok(changed)
    }

    fn stays(&self, leaf: &Leaf, vis: &Visibility, here: &[String]) -> Result<bool> {
        let scope = &self.scopes[here];
        let target = leaf.path.last().map_or("", String::as_str);
        let passed_on =
            !matches!(vis, Visibility::Inherited) && self.reached.contains(&leaf.alias);
        let used = scope.used.contains(&leaf.alias) || passed_on;
        match self.absolute(&leaf.path, here) {
            Some(path) if leaf.alias == "*" => Ok(self.scopes.contains_key(&path)
                || self.is_enum(&path)),
            Some(path) => Ok(self.exists(&path) && (used || (self.is_trait)(target))),
            None => {
                let origin = leaf.path.first().map_or("", String::as_str);
                if BUILT_IN.contains(&origin) {
                    // It may be a trait, of which only the methods are named.
                    let maybe_trait = target.starts_with(char::is_uppercase);
                    return Ok(used || maybe_trait || leaf.alias == "*");
                }
                if used {
                    bail!(
                        "{} uses {}, and a judge has nothing but the standard library",
                        here.join("::"),
                        leaf.path.join("::")
                    );
                }
                Ok(false)
            }
        }
    }

    /// The path from the program's root, or `None` if it leads out of the
    /// program.
    fn absolute(&self, path: &[String], here: &[String]) -> Option<Vec<String>> {
        let (first, rest) = path.split_first()?;
        let mut from = match first.as_str() {
            "crate" => here[..here.len().min(1)].to_vec(),
            "self" => here.to_vec(),
            "super" => here[..here.len().saturating_sub(1)].to_vec(),
            krate if self.scopes.contains_key([krate.to_string()].as_slice()) => {
                vec![krate.to_string()]
            }
            name if BUILT_IN.contains(&name) || !self.scopes[here].names.contains(name) => {
                return None
            }
            name => [here, &[name.to_string()]].concat(),
        };
        for segment in rest {
            match segment.as_str() {
                "super" => drop(from.pop()),
                segment => from.push(segment.to_string()),
            }
        }
        Some(from)
    }

    fn is_enum(&self, path: &[String]) -> bool {
        path.split_last().is_some_and(|(name, module)| {
            self.scopes.get(module).is_some_and(|scope| scope.enums.contains(name))
        })
    }

    /// Whether something is at the place: an item, a module, what a module
    /// imports, or a variant.
    fn exists(&self, path: &[String]) -> bool {
        let Some((name, module)) = path.split_last() else {
            return false;
        };
        let named = |scope: &Scope| scope.names.contains(name) || scope.names.contains("*");
        self.scopes.contains_key(path)
            || self.scopes.get(module).is_some_and(named)
            || self.is_enum(module)
    }
}

#[cfg(test)]
mod tests {
    use crate::bundle::reach::prune;
    use quote::{quote, ToTokens};

    fn pruned(text: &str) -> anyhow::Result<String> {
        let mut items = syn::parse_file(text)?.items;
        prune(&mut items, "main")?;
        Ok(quote!(#(#items)*).to_string())
    }

    fn plain(text: &str) -> String {
        syn::parse_file(text).unwrap().to_token_stream().to_string()
    }

    #[test]
    fn imports_follow_what_is_left() {
        let text = r"
            mod lib {
                pub mod a {
                    use crate::b::{self, Far, Gone, Kind::{First, Second}};
                    use crate::b::{deep::{gone, kept}, Renamed as Other, Unused as Nobody};
                    use std::fmt::{self, Write as _};
                    use std::collections::{hash_map, VecDeque};
                    pub fn run() { kept(Far); Other; b::local(First); fmt::x(); 1.act(); let gone = 1; }
                    pub fn unreached() { gone(Gone, Second); hash_map::x(); }
                }
                pub mod b {
                    pub struct Far;
                    pub struct Gone;
                    pub struct Renamed;
                    pub struct Unused;
                    pub enum Kind { First, Second }
                    pub fn local(_: Kind) {}
                    pub mod deep {
                        use super::super::t::Act;
                        use super::*;
                        pub fn kept(_: Far) { 2.act() }
                    }
                }
                pub mod t { pub trait Act { fn act(&self); } }
                pub mod empty { pub mod more { use super::super::b::Far; } }
                pub use a::{run, unreached};
                pub use b::Gone as Never;
            }
            mod bot {
                use lib::run;
                use lib::{empty, t::Act};
                pub fn main() { run(); let empty = 1; }
            }
        ";
        let expected = r"
            mod lib {
                pub mod a {
                    use crate::b::{self, Far, Kind::First};
                    use crate::b::{deep::kept, Renamed as Other};
                    use std::fmt::{self, Write as _};
                    use std::collections::VecDeque;
                    pub fn run() { kept(Far); Other; b::local(First); fmt::x(); 1.act(); let gone = 1; }
                }
                pub mod b {
                    pub struct Far;
                    pub struct Renamed;
                    pub enum Kind { First, Second }
                    pub fn local(_: Kind) {}
                    pub mod deep {
                        use super::super::t::Act;
                        use super::*;
                        pub fn kept(_: Far) { 2.act() }
                    }
                }
                pub mod t { pub trait Act { fn act(&self); } }
                pub use a::run;
            }
            mod bot {
                use lib::run;
                use lib::t::Act;
                pub fn main() { run(); let empty = 1; }
            }
        ";
        assert_eq!(pruned(text).unwrap(), plain(expected));
    }

    #[test]
    fn a_crate_that_a_judge_lacks_is_named() {
        let text = "mod bot { use serde_json::Value; pub fn main() { USE } }";
        let unused = text.replace("USE", "");
        assert_eq!(pruned(&unused).unwrap(), plain("mod bot { pub fn main() {} }"));
        let error = pruned(&text.replace("USE", "Value::x()")).unwrap_err();
        assert!(error.to_string().contains("bot uses serde_json::Value"), "{error}");
    }
}
