//! Attributes that many items have, written once: a macro of one letter puts the attribute before
//! an item.
//!
//! `#[inline(always)]` alone stands before more than a hundred functions, which would take up two
//! kilobytes.

use super::tokens::{is, replaced};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use std::collections::BTreeMap;

/// The bytes of a macro without its attribute, and those of a call without its item.
const MACRO: usize = "macro_rules!i{($($t:tt)*)=>{#$($t)*}}".len();
const CALL: usize = "i!{}".len();

/// The tokens of a file in which macros stand for frequent attributes.
pub(crate) fn by_macros(tokens: TokenStream) -> TokenStream {
    let mut counts: BTreeMap<String, (usize, TokenTree)> = BTreeMap::new();
    replaced(tokens.clone(), &mut |tokens, i| {
        let text = attribute(tokens, i)?;
        counts
            .entry(text)
            .or_insert_with(|| (0, tokens[i + 1].clone()))
            .0 += 1;
        None
    });
    counts.retain(|text, (uses, _)| {
        let attribute = text.replace(' ', "").len() + 1;
        *uses * (attribute - CALL) > MACRO + attribute
    });
    let text = tokens.to_string();
    let is_free = |letter: &char| !text.contains(&format!("macro_rules ! {letter} "));
    let mut out = TokenStream::new();
    let mut macros = BTreeMap::new();
    for ((text, (_, group)), letter) in counts.into_iter().zip(('a'..='z').filter(is_free)) {
        let name = Ident::new(&letter.to_string(), Span::call_site());
        out.extend(quote!(macro_rules! #name { ($($t:tt)*) => { # #group $($t)* } }));
        macros.insert(text, name);
    }
    out.extend(wrapped(tokens, &macros));
    out
}

/// The tokens in which each item with a frequent attribute is in a call of its macro.
fn wrapped(tokens: TokenStream, macros: &BTreeMap<String, Ident>) -> TokenStream {
    replaced(tokens, &mut |tokens, i| {
        let name = macros.get(&attribute(tokens, i)?)?;
        let is_end = |token: &TokenTree| match token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            token => token.to_string() == ";",
        };
        let item = &tokens[i + 2..];
        let item = &item[..=item.iter().position(is_end)?];
        let inner = wrapped(item.iter().cloned().collect(), macros);
        Some((2 + item.len(), quote!(#name! { #inner })))
    })
}

/// The text in the brackets of an attribute that may have a macro, if one begins here.
fn attribute(tokens: &[TokenTree], i: usize) -> Option<String> {
    match tokens.get(i + 1)? {
        TokenTree::Group(group)
            if is(tokens, i, '#') && group.delimiter() == Delimiter::Bracket =>
        {
            let text = group.stream().to_string();
            (text.starts_with("inline") || text.starts_with("derive")).then_some(text)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_with_frequent_attributes_are_put_into_calls() {
        let structs = (0..8).map(|i| {
            let name = quote::format_ident!("S{i}");
            quote!(#[derive(Clone, Copy)] struct #name<const N: usize>([u8; N]);)
        });
        let functions = (0..8).map(|i| {
            let name = quote::format_ident!("f{i}");
            quote! {
                #[inline(always)]
                pub fn #name<T: Copy>(&self, [x, y]: [T; 2]) -> T where T: B {
                    #[inline(always)]
                    fn inner() {}
                    if true { x } else { y }
                }
            }
        });
        let before = quote! {
            #(#structs)*
            impl<const N: usize> A<N> {
                #(#functions)*
                #[inline]
                fn g() {}
            }
            #[inline(always)]
            #[target_feature(enable = "avx2")]
            unsafe fn h() {}
        };
        let structs = (0..8).map(|i| {
            let name = quote::format_ident!("S{i}");
            quote!(a! { struct #name<const N: usize>([u8; N]); })
        });
        let functions = (0..8).map(|i| {
            let name = quote::format_ident!("f{i}");
            quote! {
                b! {
                    pub fn #name<T: Copy>(&self, [x, y]: [T; 2]) -> T where T: B {
                        b! { fn inner() {} }
                        if true { x } else { y }
                    }
                }
            }
        });
        let after = quote! {
            macro_rules! a { ($($t:tt)*) => { #[derive(Clone, Copy)] $($t)* } }
            macro_rules! b { ($($t:tt)*) => { #[inline(always)] $($t)* } }
            #(#structs)*
            impl<const N: usize> A<N> {
                #(#functions)*
                #[inline]
                fn g() {}
            }
            b! {
                #[target_feature(enable = "avx2")]
                unsafe fn h() {}
            }
        };
        assert_eq!(by_macros(before).to_string(), after.to_string());
    }
}
