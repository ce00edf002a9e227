//! The names that a program declares.

use crate::bundle::dead::name;
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::visit_mut::{self, VisitMut};
use syn::{GenericParam, ImplItem, Item, TraitItem};

/// What a program declares.
#[derive(Default)]
pub(crate) struct Declared {
    /// All names.
    pub(crate) names: HashSet<String>,
    /// Those of fields, variants, methods and other members of types and traits.
    pub(crate) members: HashSet<String>,
    pub(crate) traits: HashSet<String>,
    pub(crate) macros: HashSet<String>,
    /// Traits that are implemented, by their last name, and the names of the members.
    pub(crate) implemented: Vec<(String, Vec<String>)>,
}

impl Declared {
    fn member(&mut self, name: &Ident) {
        self.names.insert(name.to_string());
        self.members.insert(name.to_string());
    }
}

impl VisitMut for Declared {
    fn visit_item_mut(&mut self, item: &mut Item) {
        let name = name(item).map(Ident::to_string);
        match (&*item, &name) {
            (Item::Trait(_), Some(name)) => drop(self.traits.insert(name.clone())),
            (Item::Macro(_), Some(name)) => drop(self.macros.insert(name.clone())),
            (Item::Mod(module), _) => drop(self.names.insert(module.ident.to_string())),
            _ => {}
        }
        self.names.extend(name);
        visit_mut::visit_item_mut(self, item);
    }

    fn visit_item_impl_mut(&mut self, block: &mut syn::ItemImpl) {
        let members = block.items.iter().filter_map(|item| match item {
            ImplItem::Const(item) => Some(&item.ident),
            ImplItem::Fn(item) => Some(&item.sig.ident),
            ImplItem::Type(item) => Some(&item.ident),
            _ => None,
        });
        let members: Vec<Ident> = members.cloned().collect();
        let of = block.trait_.as_ref().and_then(|(path, _)| {
            let last = path.segments.last()?;
            Some(last.ident.to_string())
        });
        match of {
            Some(of) => {
                let members = members.iter().map(ToString::to_string).collect();
                self.implemented.push((of, members));
            }
            None => members.iter().for_each(|name| self.member(name)),
        }
        visit_mut::visit_item_impl_mut(self, block);
    }

    fn visit_trait_item_mut(&mut self, item: &mut TraitItem) {
        match item {
            TraitItem::Const(item) => self.member(&item.ident),
            TraitItem::Fn(item) => self.member(&item.sig.ident),
            TraitItem::Type(item) => self.member(&item.ident),
            _ => {}
        }
        visit_mut::visit_trait_item_mut(self, item);
    }

    fn visit_field_mut(&mut self, field: &mut syn::Field) {
        if let Some(name) = &field.ident {
            self.member(name);
        }
        visit_mut::visit_field_mut(self, field);
    }

    fn visit_variant_mut(&mut self, variant: &mut syn::Variant) {
        self.member(&variant.ident);
        visit_mut::visit_variant_mut(self, variant);
    }

    fn visit_generic_param_mut(&mut self, parameter: &mut GenericParam) {
        match parameter {
            GenericParam::Type(parameter) => drop(self.names.insert(parameter.ident.to_string())),
            GenericParam::Const(parameter) => drop(self.names.insert(parameter.ident.to_string())),
            GenericParam::Lifetime(_) => {}
        }
        visit_mut::visit_generic_param_mut(self, parameter);
    }

    fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
        // Otherwise it may be a constant or a variant from anywhere, such as `None`.
        let name = pattern.ident.to_string();
        if name.starts_with(|c: char| c.is_lowercase() || c == '_') {
            self.names.insert(name);
        }
        visit_mut::visit_pat_ident_mut(self, pattern);
    }
}
