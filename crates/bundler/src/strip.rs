//! Removes what the program does not need: tests, disabled features, documentation and lint settings.

use super::program::Crate;
use super::tokens::{is_punct, replace_tokens};
use cfg_expr::expr::{Expression, Predicate, TargetPredicate};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::mem;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Meta, Token, parse_quote};

/// Removes tests, disabled features, and attributes without effect on the program. Gives the constants in
/// `krate.constants` their new values.
///
/// The arguments of macros remain, since a macro may use them in any way. Only [`without_features`] changes
/// conditions there.
pub(crate) fn strip_crate(file: &mut syn::File, krate: &Crate) {
    Strip { krate }.visit_file_mut(file);
}

/// Replaces the features in all conditions, `#[cfg(…)]` and `cfg!(…)`, with `all()` if they are on, and with
/// `any()`, which never holds, if they are off.
pub(crate) fn without_features(tokens: TokenStream, features: &[String]) -> TokenStream {
    replace_tokens(tokens, &mut |tokens, i| {
        let inner = tokens.get(i + 1)?.to_string();
        let is_macro = is_punct(tokens, i, '!') && i > 0 && tokens[i - 1].to_string() == "cfg";
        let is_attribute =
            is_punct(tokens, i, '#') && inner.trim_start_matches(['[', ' ']).starts_with("cfg");
        if !is_macro && !is_attribute {
            return None;
        }
        let condition = replace_tokens(tokens[i + 1].to_token_stream(), &mut |tokens, i| {
            let is_feature = tokens[i].to_string() == "feature" && is_punct(tokens, i + 1, '=');
            let name = tokens.get(i + 2).filter(|_| is_feature)?.to_string();
            let is_on = features.iter().any(|on| on == name.trim_matches('"'));
            Some((3, if is_on { quote!(all()) } else { quote!(any()) }))
        });
        let sign = &tokens[i];
        Some((2, quote!(#sign #condition)))
    })
}

/// Attributes that affect only documentation, lints, `rustfmt` or other crates.
const DROPPED_ATTRIBUTES: &str =
    "allow clippy deny deprecated doc expect forbid must_use non_exhaustive rustfmt warn";

struct Strip<'a> {
    krate: &'a Crate,
}

impl VisitMut for Strip<'_> {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain(|attribute| {
            let path = attribute.path();
            if path.is_ident("cfg") || path.is_ident("cfg_attr") {
                // Remove a `cfg` that always holds, and a `cfg_attr` that never holds. Items whose `cfg`
                // never holds are already gone.
                return Self::condition(&attribute.meta) != Some(path.is_ident("cfg"));
            }
            !is_dropped_attribute(&path.segments[0].ident.to_string())
        });
        for attribute in attributes {
            if attribute.path().is_ident("cfg") {
                Self::shorten(&mut attribute.meta);
            }
        }
    }

    fn visit_item_const_mut(&mut self, item: &mut syn::ItemConst) {
        let mut constants = self.krate.constants.iter();
        if let Some((_, value)) = constants.find(|(name, _)| item.ident == name) {
            *item.expr = parse_quote!(#value);
        }
        visit_mut::visit_item_const_mut(self, item);
    }

    fn visit_file_mut(&mut self, file: &mut syn::File) {
        file.items.retain(Self::is_included);
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            items.retain(Self::is_included);
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block.stmts.retain(Self::is_included);
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_item_impl_mut(&mut self, block: &mut syn::ItemImpl) {
        block.items.retain(Self::is_included);
        visit_mut::visit_item_impl_mut(self, block);
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        item.items.retain(Self::is_included);
        visit_mut::visit_item_trait_mut(self, item);
    }

    fn visit_fields_named_mut(&mut self, fields: &mut syn::FieldsNamed) {
        let named = mem::take(&mut fields.named).into_pairs();
        fields.named = named
            .filter(|pair| Self::is_included(pair.value()))
            .collect();
        visit_mut::visit_fields_named_mut(self, fields);
    }

    fn visit_expr_struct_mut(&mut self, value: &mut syn::ExprStruct) {
        // The commas remain, since `..` may follow.
        let fields = mem::take(&mut value.fields).into_pairs();
        value.fields = fields
            .filter(|pair| Self::is_included(pair.value()))
            .collect();
        visit_mut::visit_expr_struct_mut(self, value);
    }
}

/// True if an attribute with this name has no effect on the program.
pub(crate) fn is_dropped_attribute(name: &str) -> bool {
    DROPPED_ATTRIBUTES.split(' ').any(|dropped| dropped == name)
}

/// Returns the attributes of an item, a field or a statement.
pub(crate) fn attributes_of(node: &impl ToTokens) -> Vec<Attribute> {
    let attributes = |input: ParseStream| {
        let attributes = input.call(Attribute::parse_outer)?;
        input.parse::<TokenStream>().map(|_| attributes)
    };
    attributes
        .parse2(node.to_token_stream())
        .unwrap_or_default()
}

impl Strip<'_> {
    /// True unless a `cfg` of the item, field or statement excludes it from the bundle.
    fn is_included(node: &impl ToTokens) -> bool {
        let mut conditions = attributes_of(node)
            .into_iter()
            .filter(|a| a.path().is_ident("cfg"));
        conditions.all(|condition| Self::condition(&condition.meta) != Some(false))
    }

    /// True if the condition of a `cfg(…)` or `cfg_attr(…, …)` holds in the bundle; `None` if
    /// that depends on the machine.
    fn condition(attribute: &Meta) -> Option<bool> {
        let parts = attribute.require_list().ok()?.tokens.clone().into_iter();
        let is_comma = |part: &TokenTree| part.to_string() == ",";
        let condition: TokenStream = parts.take_while(|part| !is_comma(part)).collect();
        condition_holds(&condition.to_string(), None)
    }

    /// Simplifies a condition: removes parts that never hold from `any(…)`, and parts that always hold from
    /// `all(…)`. A list of one condition becomes that condition.
    fn shorten(condition: &mut Meta) {
        let Meta::List(list) = condition else {
            return;
        };
        let parse = Punctuated::<Meta, Token![,]>::parse_terminated;
        let Ok(parts) = list.parse_args_with(parse) else {
            return;
        };
        let mut parts: Vec<Meta> = parts.into_iter().collect();
        let without_effect = list.path.is_ident("all");
        if without_effect || list.path.is_ident("any") {
            let holds = |part: &Meta| condition_holds(&part.to_token_stream().to_string(), None);
            parts.retain(|part| holds(part) != Some(without_effect));
        }
        for part in &mut parts {
            Self::shorten(part);
        }
        match &parts[..] {
            [part] if !list.path.is_ident("not") && !list.path.is_ident("cfg") => {
                *condition = part.clone();
            }
            _ => list.tokens = quote!(#(#parts),*),
        }
    }
}

/// True if a condition holds in the bundle; `None` if that depends on the machine.
///
/// `is_x86` is true for x86-64, false for other processors, and `None` if the processor is unknown.
pub(crate) fn condition_holds(condition: &str, is_x86: Option<bool>) -> Option<bool> {
    let condition = Expression::parse(condition).ok()?;
    condition.eval(|part| match part {
        Predicate::Test => Some(false),
        Predicate::Target(TargetPredicate::Arch(arch)) => match arch.as_str() {
            "x86_64" => is_x86,
            // A program for WebAssembly would need exported functions instead of `main`.
            "wasm32" => Some(false),
            _ => is_x86.filter(|is_x86| *is_x86).map(|_| false),
        },
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripped(text: &str) -> String {
        let tokens = without_features(text.parse().unwrap(), &["on".to_string()]);
        let mut file = syn::parse2(tokens).unwrap();
        strip_crate(&mut file, &Crate::new("main", "".into(), "2021"));
        file.to_token_stream().to_string()
    }

    fn plain(text: &str) -> String {
        syn::parse_file(text).unwrap().to_token_stream().to_string()
    }

    #[test]
    fn tests_features_documentation_and_lints_are_removed() {
        let text = r#"
            //! A module.
            /// A thing.
            #[derive(Debug, PartialEq, Eq, Clone)]
            #[must_use]
            #[cfg_attr(feature = "serde", derive(Serialize))]
            pub struct Thing {
                /// A field.
                pub kept: u8,
                #[cfg(feature = "threads")]
                left_out: u8,
            }
            impl Thing {
                #[cfg(feature = "threads")]
                fn left_out() {}
                #[cfg(not(feature = "threads"))]
                fn kept() {}
            }
            impl std::error::Error for Thing {}
            /** Another. */
            #[derive(Debug)]
            enum Kind { #[default] A }
            #[cfg(feature = "tools")]
            pub mod cli;
            #[allow(clippy::pedantic)]
            #[inline(always)]
            fn f(x: u8) {
                // A comment with "quotes".
                #[allow(unused)]
                let z = Thing { kept: x, #[cfg(feature = "threads")] left_out: x };
                #[cfg(feature = "threads")]
                let z = 1;
                #[cfg(feature = "threads")]
                { left_out(); }
                /// Not documentation of anything.
                g(cfg!(feature = "on"));
                match x { #[cfg(feature = "threads")] 1 => {} _ => {} }
            }
            macro_rules! m {
                ($($(#[doc = $what:literal])* $name:ident;)*) => {
                    $(fn $name() -> &'static str { concat!($($what),*) })*
                };
            }
            m! {
                /// A row.
                #[cfg(feature = "threads")]
                row;
            }
            #[cfg(test)]
            mod tests { #[test] fn t() {} }
        "#;
        let expected = r#"
            #[derive(Debug, PartialEq, Eq, Clone)]
            pub struct Thing { pub kept: u8, }
            impl Thing { fn kept() {} }
            impl std::error::Error for Thing {}
            #[derive(Debug)]
            enum Kind { #[default] A }
            #[inline(always)]
            fn f(x: u8) {
                let z = Thing { kept: x, };
                g(cfg!(all()));
                match x { #[cfg(any())] 1 => {} _ => {} }
            }
            macro_rules! m {
                ($($(#[doc = $what:literal])* $name:ident;)*) => {
                    $(fn $name() -> &'static str { concat!($($what),*) })*
                };
            }
            m! { #[doc = " A row."] #[cfg(any())] row; }
        "#;
        assert_eq!(stripped(text), plain(expected));
    }

    #[test]
    fn conditions_on_the_machine_stay() {
        let text = r#"
            #[cfg(all(target_arch = "x86_64", not(test)))] mod x86 {}
            #[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", unix))))] mod other {}
            #[cfg(all(unix, test))] mod gone {}
            #[cfg_attr(target_os = "linux", inline)] fn f() {}
        "#;
        let expected = r#"
            #[cfg(target_arch = "x86_64")] mod x86 {}
            #[cfg(not(target_arch = "x86_64"))] mod other {}
            #[cfg_attr(target_os = "linux", inline)] fn f() {}
        "#;
        assert_eq!(stripped(text), plain(expected));
    }
}
