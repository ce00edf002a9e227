//! Removes tests, optional features, documentation and lint settings, which the program does not need.

use super::program::Program;
use super::tokens::{is, replaced};
use cfg_expr::expr::{Expression, Predicate, TargetPredicate};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::mem;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Meta, Token, Visibility, parse_quote};

/// Removes tests, optional features, debug assertions, and attributes without effect on the program.
///
/// Every visibility that is not private becomes `pub(crate)`, since the compiler does not report
/// unused public items.
///
/// Turns on the features of `program`, and sets its constants.
pub(crate) fn strip(file: &mut syn::File, program: &Program) {
    Strip { program }.visit_file_mut(file);
}

/// Attributes for documentation, lints, `rustfmt` and other crates.
const DROPPED: &str =
    "allow clippy deny deprecated doc expect forbid must_use non_exhaustive rustfmt warn";

struct Strip<'a> {
    program: &'a Program<'a>,
}

impl VisitMut for Strip<'_> {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain(|attribute| {
            let path = attribute.path();
            if path.is_ident("cfg") || path.is_ident("cfg_attr") {
                // Remove a `cfg` that always holds, and a `cfg_attr` that never holds. Items whose `cfg` never
                // holds are already gone.
                return self.condition(&attribute.meta) != Some(path.is_ident("cfg"));
            }
            !is_dropped(&path.segments[0].ident.to_string())
        });
        for attribute in attributes {
            if attribute.path().is_ident("cfg") {
                self.shorten(&mut attribute.meta);
            }
        }
    }

    fn visit_item_const_mut(&mut self, item: &mut syn::ItemConst) {
        let mut constants = self.program.constants.iter();
        if let Some((_, value)) = constants.find(|(name, _)| item.ident == name) {
            *item.expr = parse_quote!(#value);
        }
        visit_mut::visit_item_const_mut(self, item);
    }

    fn visit_macro_mut(&mut self, called: &mut syn::Macro) {
        called.tokens = without_attributes(called.tokens.clone());
    }

    fn visit_visibility_mut(&mut self, visibility: &mut Visibility) {
        if !matches!(visibility, Visibility::Inherited) {
            *visibility = parse_quote!(pub(crate));
        }
    }

    fn visit_file_mut(&mut self, file: &mut syn::File) {
        file.items.retain(|item| self.is_included(item));
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            items.retain(|item| self.is_included(item));
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block
            .stmts
            .retain(|statement| !is_debug_assertion(statement) && self.is_included(statement));
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_item_impl_mut(&mut self, block: &mut syn::ItemImpl) {
        block.items.retain(|item| self.is_included(item));
        visit_mut::visit_item_impl_mut(self, block);
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        item.items.retain(|item| self.is_included(item));
        visit_mut::visit_item_trait_mut(self, item);
    }

    fn visit_fields_named_mut(&mut self, fields: &mut syn::FieldsNamed) {
        let named = mem::take(&mut fields.named).into_pairs();
        fields.named = named
            .filter(|pair| self.is_included(pair.value()))
            .collect();
        visit_mut::visit_fields_named_mut(self, fields);
    }

    fn visit_expr_struct_mut(&mut self, value: &mut syn::ExprStruct) {
        // The commas remain, since `..` may follow.
        let fields = mem::take(&mut value.fields).into_pairs();
        value.fields = fields
            .filter(|pair| self.is_included(pair.value()))
            .collect();
        visit_mut::visit_expr_struct_mut(self, value);
    }
}

fn is_dropped(name: &str) -> bool {
    DROPPED.split(' ').any(|dropped| dropped == name)
}

/// Returns the tokens of a macro call without documentation and lint settings.
fn without_attributes(tokens: TokenStream) -> TokenStream {
    replaced(tokens, &mut |tokens, i| {
        let meta = tokens
            .get(i + 1)
            .filter(|_| is(tokens, i, '#'))?
            .to_string();
        let word = meta
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .find(|word| !word.is_empty())?;
        (is_dropped(word) && !meta.contains('$')).then(|| (2, TokenStream::new()))
    })
}

/// True for a call of `debug_assert!`, `debug_assert_eq!` or `debug_assert_ne!`.
fn is_debug_assertion(statement: &syn::Stmt) -> bool {
    matches!(statement, syn::Stmt::Macro(call) if call.mac.path.segments.last().is_some_and(|name| {
        name.ident.to_string().starts_with("debug_assert")
    }))
}

/// Returns the node that `parse` reads from the front of `tokens`, and the remaining tokens.
///
/// # Errors
/// Returns the errors of `parse`.
fn front<T>(
    tokens: TokenStream,
    parse: impl FnOnce(ParseStream) -> syn::Result<T>,
) -> syn::Result<(T, TokenStream)> {
    let both = |input: ParseStream| Ok((parse(input)?, input.parse()?));
    both.parse2(tokens)
}

impl Strip<'_> {
    /// True if no `cfg` of an item, a field or a statement excludes it from the bundle.
    fn is_included(&self, node: &impl ToTokens) -> bool {
        let attributes = front(node.to_token_stream(), Attribute::parse_outer);
        let mut attributes = attributes.map_or(Vec::new(), |(list, _)| list).into_iter();
        attributes.all(|a| !a.path().is_ident("cfg") || self.condition(&a.meta) != Some(false))
    }

    /// True if the condition of a `cfg(…)` or `cfg_attr(…, …)` holds in the bundle; `None` if
    /// that depends on the machine.
    fn condition(&self, attribute: &Meta) -> Option<bool> {
        let Meta::List(list) = attribute else {
            return None;
        };
        let (condition, _) = front(list.tokens.clone(), Meta::parse).ok()?;
        self.holds(&condition)
    }

    /// Removes the parts of a condition that never hold from `any(…)`, and those that always hold
    /// from `all(…)`. A list of one condition becomes that condition.
    fn shorten(&self, condition: &mut Meta) {
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
            parts.retain(|part| self.holds(part) != Some(without_effect));
        }
        for part in &mut parts {
            self.shorten(part);
        }
        match &parts[..] {
            [part] if !list.path.is_ident("not") && !list.path.is_ident("cfg") => {
                *condition = part.clone();
            }
            _ => list.tokens = quote!(#(#parts),*),
        }
    }

    /// True if a condition holds in the bundle; `None` if that depends on the machine.
    fn holds(&self, condition: &Meta) -> Option<bool> {
        let condition = Expression::parse(&condition.to_token_stream().to_string()).ok()?;
        condition.eval(|part| match part {
            Predicate::Feature(name) => Some(self.program.features.contains(name)),
            Predicate::Test => Some(false),
            // A file for WebAssembly would need exports, not `main`.
            Predicate::Target(TargetPredicate::Arch(arch)) if arch.as_str() == "wasm32" => {
                Some(false)
            }
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Root;

    fn stripped(text: &str) -> String {
        let mut file = syn::parse_file(text).unwrap();
        strip(&mut file, &Program::new(Root::Function("main")));
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
                g();
            }
            macro_rules! m {
                ($($(#[doc = $what:literal])* $name:ident;)*) => {
                    /// A function.
                    $(fn $name() -> &'static str { concat!($($what),*) })*
                };
            }
            m! {
                /// A row.
                row;
            }
            #[cfg(test)]
            mod tests { #[test] fn t() {} }
        "#;
        let expected = r"
            #[derive(Debug, PartialEq, Eq, Clone)]
            pub(crate) struct Thing { pub(crate) kept: u8, }
            impl Thing { fn kept() {} }
            impl std::error::Error for Thing {}
            #[derive(Debug)]
            enum Kind { #[default] A }
            #[inline(always)]
            fn f(x: u8) {
                let z = Thing { kept: x, };
                g();
            }
            macro_rules! m {
                ($($(#[doc = $what:literal])* $name:ident;)*) => {
                    $(fn $name() -> &'static str { concat!($($what),*) })*
                };
            }
            m! { row; }
        ";
        assert_eq!(stripped(text), plain(expected));
    }

    #[test]
    fn every_visibility_becomes_pub_crate() {
        let text = "
            pub(crate) mod a {
                pub(crate) struct A(pub(crate) u8, pub (u8, u8), pub(super) u8);
                impl A { pub(in crate::a) fn f(&self) { crate::g() } }
            }
        ";
        let expected = "
            pub(crate) mod a {
                pub(crate) struct A(pub(crate) u8, pub(crate) (u8, u8), pub(crate) u8);
                impl A { pub(crate) fn f(&self) { crate::g() } }
            }
        ";
        assert_eq!(stripped(text), plain(expected));
    }

    #[test]
    fn debug_assertions_are_removed() {
        let text = "fn f(x: u8) { debug_assert!(x > 1); if x > 2 { debug_assert_eq!(x, 3, \"{x}\"); } assert!(x < 9); }";
        let expected = "fn f(x: u8) { if x > 2 { } assert!(x < 9); }";
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
