//! Removes unneeded derived traits and implementations of `Error`.
//!
//! The first attempt removes all of them. If the program needs one, the compiler reports an error that points at the type and suggests
//! the trait to derive. This trait is restored. The attempts end when the program compiles.

use super::dead::Places;
use super::marks::words;
use super::print::Printed;
use super::source::Source;
use anyhow::Result;
use quote::{ToTokens, quote};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Item, Meta, Token};

/// Derived traits that a program may not need.
const OPTIONAL: [&str; 6] = ["Debug", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];

/// Wildcard: all traits of a type, or all types.
const ALL: &str = "*";

/// Returns the program without the derived traits that it does not need.
///
/// # Errors
/// Returns an error if the compiler cannot be run, or if the program does not compile with all its traits.
pub(crate) fn strip(program: &syn::File, source: &Source) -> Result<syn::File> {
    let mut derives = Derives::default();
    // Without a `==` of its own, a type with `Deref` would use that of its target.
    if program.to_token_stream().to_string().contains("Deref") {
        derives.need(ALL, ALL);
    }
    loop {
        let mut stripped = program.clone();
        derives.types.clear();
        derives.visit_file_mut(&mut stripped);
        let printed = Printed::new(stripped.to_token_stream());
        let errors = source.compiler.errors(&printed)?;
        let Some(error) = errors.first() else {
            return Ok(stripped);
        };
        let places = Places::new(&printed);
        let types = derives.types.iter();
        let mut types: Vec<(Range<usize>, String)> = types
            .map(|name| (places.of(name.span()), name.to_string()))
            .collect();
        types.sort_by_key(|(at, _)| at.start);
        let (mut is_new, mut pointed) = (false, Vec::new());
        for (at, suggested) in errors.iter().flat_map(|error| &error.notes) {
            // A suggestion points before the declaration; any other note points at its first words.
            let is_suggested = suggested.contains("derive");
            let is_of = |name: &Range<usize>| {
                at.start <= name.start && (is_suggested || at.end == name.end)
            };
            let Some((_, name)) = types.iter().find(|(name, _)| is_of(name)) else {
                continue;
            };
            if is_suggested {
                for of in words(suggested) {
                    is_new |= OPTIONAL.contains(&&of[..]) && derives.need(name, &of);
                }
            } else {
                pointed.push(name.clone());
            }
        }
        for name in pointed {
            is_new = is_new || derives.need(&name, ALL);
        }
        if !is_new && !derives.need(ALL, ALL) {
            return Err(source.explain(error, &printed));
        }
    }
}

/// The traits that the program needs.
#[derive(Default)]
struct Derives {
    /// The needed traits of each type.
    needed: HashMap<String, HashSet<String>>,
    /// The structs and enums of the program.
    types: Vec<proc_macro2::Ident>,
}

impl Derives {
    /// Adds a needed trait of a type. Returns true if it is new.
    fn need(&mut self, name: &str, of: &str) -> bool {
        self.needed
            .entry(name.to_string())
            .or_default()
            .insert(of.to_string())
    }

    fn is_needed(&self, name: &str, of: &str) -> bool {
        let has = |name: &str, of: &str| self.needed.get(name).is_some_and(|all| all.contains(of));
        has(ALL, ALL) || has(name, ALL) || has(name, of)
    }

    /// Removes implementations of `Error` that are empty and not needed.
    fn errors(&self, items: &mut Vec<Item>) {
        items.retain(|item| {
            let Item::Impl(block) = item else { return true };
            let of = block
                .trait_
                .as_ref()
                .and_then(|(path, _)| path.segments.last());
            let name = block.self_ty.to_token_stream().to_string();
            !block.items.is_empty()
                || of.is_none_or(|of| of.ident != "Error")
                || self.is_needed(&name, ALL)
        });
    }
}

/// Returns the traits of a `derive(…)`; empty for another attribute.
pub(crate) fn derived(attribute: &Attribute) -> Vec<syn::Path> {
    let traits = attribute.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated);
    let is_derive = attribute.path().is_ident("derive");
    traits
        .ok()
        .filter(|_| is_derive)
        .into_iter()
        .flatten()
        .collect()
}

impl VisitMut for Derives {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        self.errors(&mut file.items);
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            self.errors(items);
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        let (attributes, ident) = match item {
            Item::Struct(item) => (&mut item.attrs, &item.ident),
            Item::Enum(item) => (&mut item.attrs, &item.ident),
            _ => return visit_mut::visit_item_mut(self, item),
        };
        let name = ident.to_string();
        attributes.retain_mut(|attribute| {
            let mut traits = derived(attribute);
            if traits.is_empty() {
                return true;
            }
            let text = |of: &syn::Path| of.to_token_stream().to_string();
            traits.retain(|of| {
                !OPTIONAL.contains(&text(of).as_str()) || self.is_needed(&name, &text(of))
            });
            // Sort the list, so that types with the same traits have the same attribute.
            traits.sort_by_key(text);
            if let Meta::List(list) = &mut attribute.meta {
                list.tokens = quote!(#(#traits),*);
            }
            !traits.is_empty()
        });
        self.types.push(ident.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unneeded_traits_are_not_derived() {
        let text = "
            #[derive(Debug, PartialEq, Eq, Clone)] struct A(B);
            #[derive(Default, PartialEq, Eq, Clone, Copy)] struct B(u8);
            #[derive(Debug)] struct C;
            #[derive(Debug, Default)] enum D { #[default] E }
            fn main() { let a = A(B::default()); assert!(a.clone() == a); (C, D::E); }
        ";
        let expected = "
            #[derive(Clone, PartialEq)] struct A(B);
            #[derive(Clone, Copy, Default, PartialEq)] struct B(u8);
            struct C;
            #[derive(Default)] enum D { #[default] E }
            fn main() { let a = A(B::default()); assert!(a.clone() == a); (C, D::E); }
        ";
        let source = Source::of(text);
        let stripped = strip(&source.program, &source).unwrap();
        let expected = syn::parse_file(expected).unwrap().to_token_stream();
        assert_eq!(stripped.to_token_stream().to_string(), expected.to_string());
    }
}
