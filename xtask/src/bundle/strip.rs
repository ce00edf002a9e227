//! What a judge's compiler need not see, taken away: tests, optional features, docs, lints, traits
//! that only tests and other programs need.

use anyhow::{bail, Result};
use proc_macro2::{Span, TokenStream};
use quote::{quote, ToTokens};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, ExprLit, Item, Lit, Meta, MetaNameValue, Token, Visibility};

/// Removes everything that is only for tests and optional features, the attributes that mean
/// nothing to a judge, and debug assertions. What is visible in some modules becomes visible in
/// all.
///
/// # Errors
/// Names an attribute that is in neither of the two lists.
pub(crate) fn strip(items: &mut Vec<Item>) -> Result<()> {
    let mut strip = Strip { unknown: None };
    strip.items(items);
    match strip.unknown {
        None => Ok(()),
        Some(attribute) => bail!("the bundler does not know the attribute {attribute}"),
    }
}

/// Attributes that change what the program does or how fast it is.
const KEPT: [&str; 9] = [
    "cold",
    "default",
    "derive",
    "inline",
    "macro_use",
    "no_mangle",
    "repr",
    "target_feature",
    "track_caller",
];

/// Attributes for readers, lints and the test runner.
const DROPPED: [&str; 11] = [
    "allow",
    "clippy",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "forbid",
    "must_use",
    "non_exhaustive",
    "rustfmt",
    "warn",
];

/// Traits that types derive for tests and other programs. If the program needs one of them, its
/// compiler says so.
const NOT_DERIVED: [&str; 5] = ["Debug", "Eq", "Hash", "Ord", "PartialOrd"];

struct Strip {
    unknown: Option<String>,
}

impl Strip {
    fn items(&mut self, items: &mut Vec<Item>) {
        items.retain(|item| is_built(item) && !is_error(item));
        for item in items {
            self.visit_item_mut(item);
        }
    }

    fn is_kept(&mut self, attribute: &Attribute) -> bool {
        let path = attribute.path();
        if path.is_ident("cfg") {
            return condition(&attribute.meta) == Holds::Unknown;
        }
        if path.is_ident("cfg_attr") {
            match condition(&attribute.meta) {
                Holds::No => return false,
                Holds::Unknown => return true,
                Holds::Yes => {}
            }
        }
        let name = path.segments[0].ident.to_string();
        if !KEPT.contains(&name.as_str()) && !DROPPED.contains(&name.as_str()) {
            let shown = attribute.to_token_stream().to_string();
            self.unknown.get_or_insert(shown);
        }
        let is_empty = matches!(&attribute.meta, Meta::List(list) if list.tokens.is_empty());
        KEPT.contains(&name.as_str()) && !is_empty
    }
}

impl VisitMut for Strip {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain_mut(|attribute| {
            self.visit_attribute_mut(attribute);
            self.is_kept(attribute)
        });
    }

    fn visit_attribute_mut(&mut self, attribute: &mut Attribute) {
        let Meta::List(list) = &mut attribute.meta else {
            return;
        };
        let parts = list.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated);
        if let (true, Ok(traits)) = (list.path.is_ident("derive"), parts) {
            let is_needed = |path: &syn::Path| !NOT_DERIVED.iter().any(|name| path.is_ident(name));
            let mut traits: Vec<_> = traits.into_iter().filter(is_needed).collect();
            // Lists with the same traits become the same text.
            traits.sort_by_key(|path| path.to_token_stream().to_string());
            list.tokens = quote!(#(#traits),*);
        }
    }

    fn visit_visibility_mut(&mut self, visibility: &mut Visibility) {
        if matches!(visibility, Visibility::Restricted(_)) {
            *visibility = Visibility::Public(Token![pub](Span::call_site()));
        }
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        self.visit_attributes_mut(&mut module.attrs);
        self.visit_visibility_mut(&mut module.vis);
        if let Some((_, items)) = &mut module.content {
            self.items(items);
        }
    }

    fn visit_item_impl_mut(&mut self, block: &mut syn::ItemImpl) {
        block.items.retain(is_built);
        visit_mut::visit_item_impl_mut(self, block);
    }

    fn visit_item_trait_mut(&mut self, block: &mut syn::ItemTrait) {
        block.items.retain(is_built);
        visit_mut::visit_item_trait_mut(self, block);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block
            .stmts
            .retain(|statement| is_built(statement) && !is_debug_assertion(statement));
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_match_mut(&mut self, expression: &mut syn::ExprMatch) {
        expression.arms.retain(is_built);
        visit_mut::visit_expr_match_mut(self, expression);
    }

    fn visit_item_enum_mut(&mut self, item: &mut syn::ItemEnum) {
        retain(&mut item.variants);
        visit_mut::visit_item_enum_mut(self, item);
    }

    fn visit_fields_named_mut(&mut self, fields: &mut syn::FieldsNamed) {
        retain(&mut fields.named);
        visit_mut::visit_fields_named_mut(self, fields);
    }

    fn visit_fields_unnamed_mut(&mut self, fields: &mut syn::FieldsUnnamed) {
        retain(&mut fields.unnamed);
        visit_mut::visit_fields_unnamed_mut(self, fields);
    }

    fn visit_expr_struct_mut(&mut self, expression: &mut syn::ExprStruct) {
        retain(&mut expression.fields);
        visit_mut::visit_expr_struct_mut(self, expression);
    }
}

fn retain<T: ToTokens + Clone, P: Clone + Default>(list: &mut Punctuated<T, P>) {
    if !list.iter().all(is_built) {
        *list = list
            .iter()
            .filter(|node| is_built(*node))
            .cloned()
            .collect();
    }
}

/// Whether a node is there when the crate is built without tests and features.
fn is_built<T: ToTokens>(node: &T) -> bool {
    attributes(node)
        .iter()
        .all(|a| !a.path().is_ident("cfg") || condition(&a.meta) != Holds::No)
}

/// Whether an item is an empty implementation of the trait `Error`.
fn is_error(item: &Item) -> bool {
    let Item::Impl(block) = item else {
        return false;
    };
    let of = block
        .trait_
        .as_ref()
        .and_then(|(path, _)| path.segments.last());
    of.is_some_and(|name| name.ident == "Error") && block.items.is_empty()
}

/// Whether a statement is compiled only without optimisation.
fn is_debug_assertion(statement: &syn::Stmt) -> bool {
    matches!(statement, syn::Stmt::Macro(call) if call.mac.path.segments.last().is_some_and(|name| {
        name.ident.to_string().starts_with("debug_assert")
    }))
}

/// The attributes in front of any node.
fn attributes<T: ToTokens>(node: &T) -> Vec<Attribute> {
    front(node.to_token_stream(), Attribute::parse_outer).map_or(Vec::new(), |(list, _)| list)
}

/// What `parse` takes from the front of `tokens`, and the rest.
///
/// # Errors
/// Those of `parse`.
fn front<T>(
    tokens: TokenStream,
    parse: impl FnOnce(ParseStream) -> syn::Result<T>,
) -> syn::Result<(T, TokenStream)> {
    let both = |input: ParseStream| Ok((parse(input)?, input.parse()?));
    both.parse2(tokens)
}

/// Whether a condition of `cfg` holds in the submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Yes,
    No,
    /// It depends on the judge's machine.
    Unknown,
}

/// The condition of a `cfg(…)` or `cfg_attr(…, …)`.
fn condition(attribute: &Meta) -> Holds {
    match attribute {
        Meta::List(list) => front(list.tokens.clone(), Meta::parse)
            .map_or(Holds::Unknown, |(condition, _)| holds(&condition)),
        _ => Holds::Unknown,
    }
}

/// Whether a `name = "value"` has that value.
fn is(what: &MetaNameValue, value: &str) -> bool {
    matches!(&what.value, Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if text.value() == value)
}

fn holds(condition: &Meta) -> Holds {
    let name = condition.path().get_ident().map(ToString::to_string);
    match (name.as_deref(), condition) {
        (Some("test" | "doc" | "doctest" | "miri"), Meta::Path(_))
        | (Some("feature"), Meta::NameValue(_)) => Holds::No,
        // No judge makes WebAssembly of it.
        (Some("target_arch"), Meta::NameValue(what)) if is(what, "wasm32") => Holds::No,
        (Some(name @ ("not" | "all" | "any")), Meta::List(list)) => {
            let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
            let Ok(parts) = parts else {
                return Holds::Unknown;
            };
            let parts: Vec<Holds> = parts.iter().map(holds).collect();
            // One part of this kind decides, else all must be of the other kind.
            let (deciding, other) = match name {
                "any" => (Holds::Yes, Holds::No),
                _ => (Holds::No, Holds::Yes),
            };
            let joined = if parts.contains(&deciding) {
                deciding
            } else if parts.contains(&Holds::Unknown) {
                Holds::Unknown
            } else {
                other
            };
            match (name, joined) {
                ("not", Holds::Yes) => Holds::No,
                ("not", Holds::No) => Holds::Yes,
                _ => joined,
            }
        }
        _ => Holds::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn stripped(text: &str) -> Result<String> {
        let mut items = syn::parse_file(text)?.items;
        strip(&mut items)?;
        Ok(quote!(#(#items)*).to_string())
    }

    fn plain(text: &str) -> String {
        syn::parse_file(text).unwrap().to_token_stream().to_string()
    }

    #[test]
    fn tests_features_docs_and_lints_go() {
        let text = r#"
            //! A module.
            /// A thing.
            #[derive(Debug, PartialEq, Eq, Clone)]
            #[must_use]
            #[cfg_attr(feature = "serde", derive(Serialize))]
            pub struct Thing {
                /// A field.
                pub kept: u8,
                #[cfg(test)]
                pub gone: u8,
            }
            impl std::error::Error for Thing {}
            /** Another. */
            #[derive(Debug)]
            enum Kind { #[default] A, #[cfg(feature = "b")] B }
            #[cfg(feature = "cli")]
            pub mod cli;
            #[allow(clippy::pedantic)]
            #[inline(always)]
            fn f(x: u8) {
                // A comment with "quotes".
                #[cfg(test)]
                let y = 1;
                #[allow(unused)]
                let z = match x {
                    #[cfg(not(test))]
                    0 => 1,
                    #[cfg(any(test, feature = "x"))]
                    1 => 2,
                    _ => 3,
                };
                /// Not documentation of anything.
                g();
            }
            #[cfg(test)]
            mod tests { #[test] fn t() {} }
        "#;
        let expected = r"
            #[derive(Clone, PartialEq)]
            pub struct Thing { pub kept: u8 }
            enum Kind { #[default] A }
            #[inline(always)]
            fn f(x: u8) {
                let z = match x { 0 => 1, _ => 3, };
                g();
            }
        ";
        assert_eq!(stripped(text).unwrap(), plain(expected));
    }

    #[test]
    fn what_some_modules_see_is_seen_by_all() {
        let text = "
            pub(crate) mod a {
                pub(crate) struct A(pub(crate) u8, pub (u8, u8), pub(super) u8);
                impl A { pub(in crate::a) fn f(&self) { crate::g() } }
            }
        ";
        let expected = "
            pub mod a {
                pub struct A(pub u8, pub (u8, u8), pub u8);
                impl A { pub fn f(&self) { crate::g() } }
            }
        ";
        assert_eq!(stripped(text).unwrap(), plain(expected));
    }

    #[test]
    fn debug_assertions_go() {
        let text = "fn f(x: u8) { debug_assert!(x > 1); if x > 2 { debug_assert_eq!(x, 3, \"{x}\"); } assert!(x < 9); }";
        let expected = "fn f(x: u8) { if x > 2 { } assert!(x < 9); }";
        assert_eq!(stripped(text).unwrap(), plain(expected));
    }

    #[test]
    fn conditions_on_the_machine_stay() {
        let text = r#"
            #[cfg(all(target_arch = "x86_64", not(test)))] mod x86 {}
            #[cfg(not(target_arch = "x86_64"))] mod other {}
            #[cfg(all(unix, test))] mod gone {}
            #[cfg_attr(target_os = "linux", inline)] fn f() {}
        "#;
        let expected = r#"
            #[cfg(all(target_arch = "x86_64", not(test)))] mod x86 {}
            #[cfg(not(target_arch = "x86_64"))] mod other {}
            #[cfg_attr(target_os = "linux", inline)] fn f() {}
        "#;
        assert_eq!(stripped(text).unwrap(), plain(expected));
    }

    #[test]
    fn an_attribute_that_nobody_thought_of_is_named() {
        let error = stripped("fn f() { #[strange(1)] let x = 2; }").unwrap_err();
        assert!(error.to_string().contains("strange"), "{error}");
    }
}
