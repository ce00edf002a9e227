//! The names that a program declares.

use crate::bundle::names;
use crate::bundle::tokens::{is, replaced};
use anyhow::{Context, Result};
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::visit_mut::{self, VisitMut};
use syn::{GenericParam, ImplItem, Item, TraitItem};

/// All names of items, members, fields, variants, parameters and variables.
///
/// # Errors
/// If the tokens are no program.
pub(crate) fn names(tokens: &TokenStream) -> Result<BTreeSet<String>> {
    let mut file: syn::File = syn::parse2(tokens.clone()).context("the program")?;
    let mut declared = Declared::default();
    declared.visit_file_mut(&mut file);
    // The variables of macros.
    replaced(tokens.clone(), &mut |tokens, i| {
        if let TokenTree::Ident(name) = &tokens[i] {
            if i > 0 && is(tokens, i - 1, '$') && name != "crate" {
                declared.add(Some(name));
            }
        }
        None
    });
    Ok(declared.names)
}

#[derive(Default)]
struct Declared {
    names: BTreeSet<String>,
}

impl Declared {
    fn add(&mut self, name: Option<&Ident>) {
        self.names.extend(name.map(Ident::to_string));
    }
}

impl VisitMut for Declared {
    fn visit_item_mut(&mut self, item: &mut Item) {
        self.add(match &*item {
            Item::Mod(module) => Some(&module.ident),
            item => names::of_item(item),
        });
        visit_mut::visit_item_mut(self, item);
    }

    fn visit_impl_item_mut(&mut self, item: &mut ImplItem) {
        self.add(names::of_impl(item));
        visit_mut::visit_impl_item_mut(self, item);
    }

    fn visit_trait_item_mut(&mut self, item: &mut TraitItem) {
        self.add(names::of_trait(item));
        visit_mut::visit_trait_item_mut(self, item);
    }

    fn visit_field_mut(&mut self, field: &mut syn::Field) {
        self.add(field.ident.as_ref());
        visit_mut::visit_field_mut(self, field);
    }

    fn visit_variant_mut(&mut self, variant: &mut syn::Variant) {
        self.add(Some(&variant.ident));
        visit_mut::visit_variant_mut(self, variant);
    }

    fn visit_generic_param_mut(&mut self, parameter: &mut GenericParam) {
        self.add(match &*parameter {
            GenericParam::Type(parameter) => Some(&parameter.ident),
            GenericParam::Const(parameter) => Some(&parameter.ident),
            GenericParam::Lifetime(_) => None,
        });
        visit_mut::visit_generic_param_mut(self, parameter);
    }

    fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
        // Otherwise it may be a constant or a variant from anywhere, such as `None`.
        if pattern
            .ident
            .to_string()
            .starts_with(|c: char| c.is_lowercase() || c == '_')
        {
            self.add(Some(&pattern.ident));
        }
        visit_mut::visit_pat_ident_mut(self, pattern);
    }
}
