//! Attributes that many items have, written once: a macro of one letter puts the attribute before
//! an item.
//!
//! `#[inline(always)]` alone stands before more than a hundred functions, which would take up two
//! kilobytes.

use super::tokens::punct;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use std::collections::BTreeMap;
use std::iter::Peekable;

/// The bytes of a macro without its attribute, and those of a call without its item.
const MACRO: usize = "macro_rules!i{($($t:tt)*)=>{#$($t)*}}".len();
const CALL: usize = "i!{}".len();

/// The attributes that have macros, as text, and the names of the macros.
type Macros = BTreeMap<String, Ident>;

/// The tokens of a file in which the macros stand for frequent attributes.
pub(crate) fn by_macros(tokens: TokenStream) -> TokenStream {
    let mut counts = BTreeMap::new();
    count(tokens.clone(), &mut counts);
    counts.retain(|text, (uses, _)| {
        let attribute = text.replace(' ', "").len() + 1;
        *uses * (attribute - CALL) > MACRO + attribute
    });
    let text = tokens.to_string();
    let is_free = |letter: &char| !text.contains(&format!("macro_rules ! {letter} "));
    let letters = ('a'..='z').filter(is_free);
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    // Attributes of the whole file come first.
    let mut first = 0;
    let is = |i, c| punct(&tokens, i).is_some_and(|(found, _)| found == c);
    while is(first, '#') && is(first + 1, '!') {
        first += 3;
    }
    let mut out: TokenStream = tokens.drain(..first).collect();
    let mut macros = Macros::new();
    for ((text, (_, group)), letter) in counts.into_iter().zip(letters) {
        let name = Ident::new(&letter.to_string(), Span::call_site());
        out.extend(quote!(macro_rules! #name { ($($t:tt)*) => { # #group $($t)* } }));
        macros.insert(text, name);
    }
    out.extend(wrapped(tokens.into_iter().collect(), &macros));
    out
}

/// Counts the attributes that may have macros.
fn count(tokens: TokenStream, counts: &mut BTreeMap<String, (usize, Group)>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        if let Some(attribute) = attribute(&token, &mut tokens) {
            let text = attribute.to_string();
            counts.entry(text).or_insert((0, attribute)).0 += 1;
        } else if let TokenTree::Group(group) = token {
            count(group.stream(), counts);
        }
    }
}

/// The tokens of a block in which each item with a frequent attribute is in a call of its macro.
fn wrapped(tokens: TokenStream, macros: &Macros) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut out = TokenStream::new();
    while let Some(token) = tokens.next() {
        let Some(attribute) = attribute(&token, &mut tokens) else {
            out.extend([match token {
                TokenTree::Group(group) => {
                    let inner = wrapped(group.stream(), macros);
                    TokenTree::Group(Group::new(group.delimiter(), inner))
                }
                token => token,
            }]);
            continue;
        };
        let Some(name) = macros.get(&attribute.to_string()) else {
            out.extend([token, attribute.into()]);
            continue;
        };
        let mut item = TokenStream::new();
        for token in tokens.by_ref() {
            let is_end = match &token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                TokenTree::Punct(p) => p.as_char() == ';',
                _ => false,
            };
            item.extend([token]);
            if is_end {
                break;
            }
        }
        let item = wrapped(item, macros);
        out.extend(quote!(#name! { #item }));
    }
    out
}

/// If `token` begins an attribute that may have a macro: its brackets, taken from `rest`.
fn attribute(
    token: &TokenTree,
    rest: &mut Peekable<impl Iterator<Item = TokenTree>>,
) -> Option<Group> {
    if !matches!(token, TokenTree::Punct(p) if p.as_char() == '#') {
        return None;
    }
    let is_known = |token: &TokenTree| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
            let text = group.stream().to_string();
            text.starts_with("inline") || text.starts_with("derive")
        }
        _ => false,
    };
    match rest.next_if(is_known)? {
        TokenTree::Group(group) => Some(group),
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
            #![allow(warnings)]
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
            #![allow(warnings)]
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
