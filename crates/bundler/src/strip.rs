//! Removes what the program does not need: tests, debug-only code, disabled features, documentation and lint
//! settings.

use super::program::Crate;
use super::tokens::{group, has_word, identifiers, is_punct, item_end, replace_tokens};
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Field, FieldValue, Meta, MetaList, Stmt, Token, parse_quote};

/// Attributes that affect only documentation, lints, `rustfmt` or other crates.
const DROPPED_ATTRIBUTES: &str =
    "allow clippy deny deprecated doc expect forbid must_use non_exhaustive rustfmt warn";

/// Removes tests, debug-only code, disabled features, and attributes without effect on the program.
///
/// In the arguments of macros, simplifies only conditions on features and other values of `--cfg`: a macro
/// may use its arguments in any way.
pub(crate) fn strip_crate(tokens: TokenStream, krate: &Crate) -> TokenStream {
    without_attributes(simplify_cfgs(tokens, krate, true), false)
}

/// Simplifies the conditions of `#[cfg(…)]`, `#[cfg_attr(…)]` and `cfg!(…)`. A condition that always holds
/// becomes `all()`, and a condition that never holds becomes `any()`. If `is_code` is false, as for the
/// arguments of a macro, uses only the values of `--cfg`.
fn simplify_cfgs(tokens: TokenStream, krate: &Crate, is_code: bool) -> TokenStream {
    let part_value = |part: &str| match part {
        // The contest compiles with `-O`, which turns debug assertions off. A bundle is never compiled to
        // WebAssembly, which would need exported functions instead of `main`.
        "test" | "debug_assertions" | "target_arch = \"wasm32\"" if is_code => Some(false),
        part => {
            let without_spaces = |text: &str| text.replace(' ', "");
            let is_part = |cfg: &String| without_spaces(cfg) == without_spaces(part);
            let is_set = krate.cfgs.iter().any(is_part);
            (is_set || part.starts_with("feature = ")).then_some(is_set)
        }
    };
    // The condition is the only argument of `cfg`, and the first argument of `cfg_attr`.
    let short = |arguments: TokenStream| {
        let parts = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(arguments);
        let mut parts: Vec<Meta> = parts.ok()?.into_iter().collect();
        let condition = parts.first_mut()?;
        *condition = simplify(condition, &part_value);
        Some(quote!(#(#parts),*))
    };
    replace_tokens(tokens, &mut |tokens, i| {
        let inside = group(tokens, i)?.stream();
        let before = tokens[i.saturating_sub(2)..i]
            .iter()
            .map(ToString::to_string);
        let before: String = before.collect();
        if before == "cfg!" {
            let condition = short(inside)?;
            return Some((1, quote!((#condition))));
        }
        if before.ends_with('!') && before != "#!" && is_code {
            let inside = simplify_cfgs(inside, krate, false);
            return Some((
                1,
                Group::new(group(tokens, i)?.delimiter(), inside).into_token_stream(),
            ));
        }
        let is_attribute = before.ends_with('#') || before == "#!";
        let mut list: MetaList = syn::parse2(inside).ok().filter(|_| is_attribute)?;
        let is_condition = list.path.is_ident("cfg") || list.path.is_ident("cfg_attr");
        list.tokens = short(list.tokens).filter(|_| is_condition)?;
        Some((1, quote!([#list])))
    })
}

/// Returns a condition without the parts whose value is known: `all()` if it always holds, `any()` if it
/// never holds. `part_value` returns the value of a part such as `test`.
fn simplify(condition: &Meta, part_value: &impl Fn(&str) -> Option<bool>) -> Meta {
    let constant = |holds: bool| {
        let list = format_ident!("{}", ["any", "all"][usize::from(holds)]);
        parse_quote!(#list())
    };
    if let Some(holds) = part_value(&condition.to_token_stream().to_string()) {
        return constant(holds);
    }
    let parse = Punctuated::<Meta, Token![,]>::parse_terminated;
    let list = condition.require_list().cloned();
    let Ok((mut list, parts)) =
        list.and_then(|list| Ok((list.clone(), list.parse_args_with(parse)?)))
    else {
        return condition.clone();
    };
    let mut parts: Vec<Meta> = parts
        .iter()
        .map(|part| simplify(part, part_value))
        .collect();
    // Parts with this value do not affect the value of the list; a part with the other value determines it.
    let neutral = list.path.is_ident("all");
    match (list.path.is_ident("not"), &parts[..]) {
        (true, [part]) if constant_value(part).is_some() => {
            return constant(constant_value(part) == Some(false));
        }
        (true, _) => {}
        _ if parts
            .iter()
            .any(|part| constant_value(part) == Some(!neutral)) =>
        {
            return constant(!neutral);
        }
        _ => parts.retain(|part| constant_value(part).is_none()),
    }
    if let (false, [part]) = (list.path.is_ident("not"), &parts[..]) {
        return part.clone();
    }
    list.tokens = quote!(#(#parts),*);
    Meta::List(list)
}

/// Returns true if code with this condition exists on x86-64, false if it does not, and `None` if that also
/// depends on something else. If `is_x86` is false, the answer is for other processors.
pub(crate) fn evaluate_cfg(condition: &Meta, is_x86: bool) -> Option<bool> {
    let part_value = |part: &str| match part {
        "target_arch = \"x86_64\"" => Some(is_x86),
        part => (is_x86 && part.starts_with("target_arch = ")).then_some(false),
    };
    constant_value(&simplify(condition, &part_value))
}

/// Returns the `#[cfg]` attributes among `attributes`.
pub(crate) fn cfg_attributes(attributes: &[Attribute]) -> Vec<Attribute> {
    let is_cfg = |attribute: &&Attribute| attribute.path().is_ident("cfg");
    attributes.iter().filter(is_cfg).cloned().collect()
}

/// Returns true for the condition `all()`, false for `any()`, and `None` for any other condition.
fn constant_value(condition: &Meta) -> Option<bool> {
    let list = condition.require_list().ok()?;
    list.tokens.is_empty().then(|| list.path.is_ident("all"))
}

/// Removes attributes without effect, and code whose condition never holds.
///
/// Does not change the arguments of macros unless `in_macros` is true. In that case, it also removes macro
/// patterns that match doc comments, such as `$(#[doc = $text:literal])*`.
pub(crate) fn without_attributes(tokens: TokenStream, in_macros: bool) -> TokenStream {
    replace_tokens(tokens, &mut |tokens, i| {
        if is_punct(tokens, i + 1, '!') && matches!(tokens[i], TokenTree::Ident(_)) && !in_macros {
            // `name!(…)` or `macro_rules! name {…}`
            let is_group = |at: &usize| matches!(tokens.get(*at), Some(TokenTree::Group(_)));
            let end = (i + 2..i + 4).find(is_group)?;
            return Some((end + 1 - i, tokens[i..=end].iter().cloned().collect()));
        }
        // A pattern that matches doc comments: `$(#[doc = $text:literal])*`.
        if is_punct(tokens, i, '$') && is_punct(tokens, i + 2, '*') && in_macros {
            let pattern: Vec<TokenTree> = group(tokens, i + 1)?.stream().into_iter().collect();
            let is_doc = pattern.len() == 2 && is_dropped(group(&pattern, 1)?);
            return is_doc.then(|| (3, TokenStream::new()));
        }
        let text = |at: usize| {
            tokens
                .get(at)
                .map(|token| token.to_string().replace(' ', ""))
        };
        let mut attributes = (i..).step_by(2).take_while(|at| is_punct(tokens, *at, '#'));
        if attributes.any(|at| text(at + 1).is_some_and(|text| text == "[cfg(any())]")) {
            // In a macro definition, an item with macro variables cannot be parsed: find its last token.
            let item = |end: &usize| tokens[i..=*end].iter().cloned().collect::<TokenStream>();
            let is_in_macro = |end: &usize| in_macros && item(end).to_string().contains('$');
            let end = || Some(item_end(tokens, i).filter(is_in_macro)? + 1 - i);
            let count = node_length(&tokens[i..]).or_else(end)?;
            return Some((count, TokenStream::new()));
        }
        let at = i + 1 + usize::from(is_punct(tokens, i + 1, '!'));
        let attribute = group(tokens, at).filter(|_| is_punct(tokens, i, '#'))?;
        let text = text(at)?;
        let is_constant = text == "[cfg(all())]" || text.starts_with("[cfg_attr(any(),");
        let is_own = !in_macros || !text.contains('$');
        (is_constant || is_dropped(attribute) && is_own).then(|| (at + 1 - i, TokenStream::new()))
    })
}

/// True if the attribute in this pair of brackets has no effect on the program.
fn is_dropped(attribute: &Group) -> bool {
    let words = identifiers(attribute.stream());
    words
        .first()
        .is_some_and(|word| has_word(DROPPED_ATTRIBUTES, word))
}

/// Returns the number of tokens of the item, statement or field at the start of `tokens`, with its attributes
/// and its comma.
fn node_length(tokens: &[TokenTree]) -> Option<usize> {
    let parsers: [fn(ParseStream) -> syn::Result<()>; 3] = [
        |input| input.parse::<Stmt>().map(drop),
        |input| Field::parse_named(input).map(drop),
        |input| input.parse::<FieldValue>().map(drop),
    ];
    parsers.iter().find_map(|parse| {
        let rest = |input: ParseStream| parse(input).and_then(|()| input.parse::<TokenStream>());
        let rest = rest.parse2(tokens.iter().cloned().collect()).ok()?;
        let end = tokens.len() - rest.into_iter().count();
        let has_comma = is_punct(tokens, end, ',');
        let is_complete =
            has_comma || end == tokens.len() || item_end(tokens, end - 1) == Some(end - 1);
        is_complete.then_some(end + usize::from(has_comma))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripped(text: &str) -> String {
        let mut krate = Crate::new("main", "".into(), "2021");
        krate.cfgs.push("feature=\"on\"".to_string());
        plain(&strip_crate(text.parse().unwrap(), &krate).to_string())
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
                #[cfg(test)]
                other;
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
            m! { #[doc = " A row."] #[cfg(any())] row; #[cfg(test)] other; }
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
