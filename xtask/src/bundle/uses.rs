//! Imports as lists of names.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, ToTokens};
use syn::{ItemUse, UseTree};

/// One name that an import brings.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Leaf {
    /// The path as written; for a glob, the path before the star.
    pub(crate) path: Vec<String>,
    /// The name by which it is known here; `*` for a glob.
    pub(crate) alias: String,
}

/// All names that an import brings, in the order of the text.
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

/// The imports that bring these leaves. The leaves must be sorted.
pub(crate) fn imports(leaves: &[Leaf]) -> TokenStream {
    let paths: Vec<Vec<TokenStream>> = leaves.iter().map(segments).collect();
    let paths: Vec<&[TokenStream]> = paths.iter().map(Vec::as_slice).collect();
    let trees = trees(&paths);
    quote!(#(use #trees;)*)
}

/// The parts between the colons. The last one includes `as` and the other name, if it has one.
fn segments(leaf: &Leaf) -> Vec<TokenStream> {
    let ident = |name: &String| format_ident!("{name}").to_token_stream();
    let mut segments: Vec<TokenStream> = leaf.path.iter().map(ident).collect();
    if leaf.alias == "*" {
        segments.push(quote!(*));
    } else if let Some(last) = segments
        .last_mut()
        .filter(|_| leaf.path.last() != Some(&leaf.alias))
    {
        let alias = ident(&leaf.alias);
        last.extend(quote!(as #alias));
    }
    segments
}

/// A tree for each group of paths that begin with the same part.
fn trees(paths: &[&[TokenStream]]) -> Vec<TokenStream> {
    let begin = |path: &[TokenStream]| path[0].to_string();
    let alike = paths.chunk_by(|a, b| begin(a) == begin(b));
    let tree = |paths: &[&[TokenStream]]| {
        let first = &paths[0][0];
        let (whole, longer): (Vec<&[TokenStream]>, Vec<_>) =
            paths.iter().partition(|path| path.len() == 1);
        let longer: Vec<&[TokenStream]> = longer.iter().map(|path| &path[1..]).collect();
        let inner = trees(&longer);
        match (&whole[..], &inner[..]) {
            (_, []) => first.clone(),
            ([], [only]) => quote!(#first::#only),
            ([], _) => quote!(#first::{#(#inner),*}),
            _ => quote!(#first::{self, #(#inner),*}),
        }
    };
    alike.map(tree).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
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
    }

    #[test]
    fn imports_are_joined() {
        let file: syn::File = parse_quote! {
            use std::fmt;
            use std::io::{self, Read};
            use std::arch::x86_64::*;
            use std::collections::HashMap as Map;
        };
        let mut found = Vec::new();
        for item in &file.items {
            if let syn::Item::Use(item) = item {
                found.extend(leaves(item));
            }
        }
        found.sort();
        let expected = quote! {
            use std::{arch::x86_64::*, collections::HashMap as Map, fmt, io::{self, Read}};
        };
        assert_eq!(imports(&found).to_string(), expected.to_string());
    }
}
