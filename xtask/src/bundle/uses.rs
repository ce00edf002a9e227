//! Imports as lists of names.

use syn::{ItemUse, UseTree};

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
        path.extend(last.filter(|last| last != "self" || prefix.is_empty()));
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
    }
}

/// The import with only those leaves that `keep` is true for, in their order;
/// `None` if there are none.
pub(crate) fn with_leaves(item: &ItemUse, keep: &[bool]) -> Option<ItemUse> {
    let mut keep = keep.iter();
    let tree = kept(item.tree.clone(), &mut || keep.next() == Some(&true))?;
    Some(ItemUse {
        tree,
        ..item.clone()
    })
}

fn kept(tree: UseTree, keep: &mut impl FnMut() -> bool) -> Option<UseTree> {
    match tree {
        UseTree::Path(mut path) => {
            path.tree = Box::new(kept(*path.tree, keep)?);
            Some(UseTree::Path(path))
        }
        UseTree::Group(mut group) => {
            let trees = group.items.into_iter();
            let mut trees: Vec<UseTree> = trees.filter_map(|tree| kept(tree, keep)).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use quote::{quote, ToTokens};
    use syn::parse_quote;

    #[test]
    fn the_leaves_of_an_import_can_be_picked() {
        let item: ItemUse = parse_quote!(
            use a::{
                self,
                b::{self, C as D},
                e::*,
                f,
            };
        );
        let found: Vec<String> = leaves(&item)
            .iter()
            .map(|leaf| format!("{} as {}", leaf.path.join("::"), leaf.alias))
            .collect();
        assert_eq!(
            found,
            [
                "a as a",
                "a::b as b",
                "a::b::C as D",
                "a::e as *",
                "a::f as f"
            ]
        );
        for (keep, shown) in [
            (
                [true, false, false, false, true],
                quote!(
                    use a::{self, f};
                ),
            ),
            (
                [true, false, false, false, false],
                quote!(
                    use a::{self};
                ),
            ),
            (
                [false, true, true, false, false],
                quote!(
                    use a::b::{self, C as D};
                ),
            ),
            (
                [false, false, true, false, false],
                quote!(
                    use a::b::C as D;
                ),
            ),
            (
                [false, false, false, true, false],
                quote!(
                    use a::e::*;
                ),
            ),
        ] {
            let picked = with_leaves(&item, &keep).unwrap();
            assert_eq!(picked.to_token_stream().to_string(), shown.to_string());
        }
        assert!(with_leaves(&item, &[false; 5]).is_none());
    }
}
