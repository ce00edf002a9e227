//! Macros with short names for the frequent attributes of functions and types.
//!
//! ```text
//! #[inline] fn first() {}      a! { $ b inline c derive(Clone) }
//! #[inline] fn second() {}     b! { fn first() {} } b! { fn second() {} }
//! ```
//!
//! The macro `a` declares the others. In a program with hot loops, more than a hundred functions may have
//! `#[inline(always)]`: written out, the attribute would take about two kilobytes.

use super::tokens::{is_punct, item_end, replace_tokens};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};
use std::collections::BTreeMap;

/// The length in bytes of the macro that declares the other macros, with its call but without the attributes.
const MACRO_BYTES: usize = 103;

/// Replaces the frequent attributes of a file with macro calls.
pub(crate) fn replace_attributes(tokens: TokenStream) -> TokenStream {
    let text = tokens.to_string();
    let has = |before: &str, letter: &char| text.contains(&format!("{before} {letter} "));
    let is_free = |letter: &char| !has("macro_rules !", letter) && !has(" as", letter);
    let letters = ('a'..='z').filter(is_free);
    let mut names = letters.map(|letter| format_ident!("{letter}"));
    let Some(first) = names.next() else {
        return tokens;
    };
    let (mut items, mut declared) = (tokens.clone(), TokenStream::new());
    for (attribute, name) in frequent_attributes(tokens).iter().zip(names) {
        items = wrap_items(items, attribute, &name);
        let attribute: TokenStream = attribute.parse().unwrap_or_default();
        declared.extend(quote!(#name #attribute));
    }
    if declared.is_empty() {
        return items;
    }
    // `$d` is a dollar sign: a literal `$t` here would be a parameter of the outer macro.
    quote! {
        macro_rules! #first { ($d:tt $($n:ident $a:meta)*) => {
            $(macro_rules! $n { ($d($d t:tt)*) => { #[$a] $d($d t)* } })*
        } }
        #first! { $ #declared }
        #items
    }
}

/// Returns the attributes that are shorter as macro calls; none if the total saving does not pay for the
/// declaring macro.
fn frequent_attributes(tokens: TokenStream) -> Vec<String> {
    let mut counts = BTreeMap::new();
    replace_tokens(tokens, &mut |tokens, i| {
        if let Some(attribute) = attribute(tokens, i) {
            *counts.entry(attribute).or_insert(0) += 1;
        }
        None
    });
    // Each item with `a!{}` in place of `#[attribute]` is `attribute.len() - 1` bytes shorter. The
    // declaration of the macro, such as `c derive(Clone)`, costs `attribute.len() + 2` bytes.
    let saved = |attribute: &str, count: usize| {
        (count * (attribute.len() - 1)).saturating_sub(attribute.len() + 2)
    };
    counts.retain(|attribute, count| saved(attribute, *count) > 0);
    let all = counts
        .iter()
        .map(|(attribute, count)| saved(attribute, *count));
    if all.sum::<usize>() <= MACRO_BYTES {
        counts.clear();
    }
    counts.into_keys().collect()
}

/// Returns the `inline` or `derive` attribute at `i`, without brackets and spaces; `None` if there is none.
fn attribute(tokens: &[TokenTree], i: usize) -> Option<String> {
    let inside = tokens.get(i + 1)?.to_string().replace(' ', "");
    let attribute = inside.strip_prefix('[')?.strip_suffix(']')?;
    let is_common = attribute.starts_with("inline") || attribute.starts_with("derive(");
    (is_punct(tokens, i, '#') && is_common).then(|| attribute.to_string())
}

/// Moves each item with the attribute `wanted` into a call of the macro `name`.
fn wrap_items(tokens: TokenStream, wanted: &str, name: &Ident) -> TokenStream {
    replace_tokens(tokens, &mut |tokens, i| {
        attribute(tokens, i).filter(|attribute| attribute == wanted)?;
        let item = &tokens[i + 2..=item_end(tokens, i + 2)?];
        let inner = wrap_items(item.iter().cloned().collect(), wanted, name);
        Some((2 + item.len(), quote!(#name! { #inner })))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_with_the_attribute_are_put_into_calls() {
        let names: Vec<Ident> = (0..6).map(|i| format_ident!("f{i}")).collect();
        let before = quote! {
            macro_rules! a { () => {} }
            #(#[inline(always)] fn #names() {})*
            impl<const N: usize> A<N> {
                #[inline(always)]
                pub fn f<T: Copy>(&self, [x, y]: [T; 2]) -> T where T: B {
                    #[inline(always)]
                    fn inner() {}
                    if true { x } else { y }
                }
                #[inline]
                fn g() {}
            }
            #[inline(always)]
            #[target_feature(enable = "avx2")]
            unsafe fn h() {}
            #[derive(Clone, Copy)]
            struct B(u8);
            #[derive(Clone, Copy)]
            enum C { A }
        };
        let after = quote! {
            macro_rules! b { ($d:tt $($n:ident $a:meta)*) => {
                $(macro_rules! $n { ($d($d t:tt)*) => { #[$a] $d($d t)* } })*
            } }
            b! { $ c derive(Clone, Copy) d inline(always) }
            macro_rules! a { () => {} }
            #(d! { fn #names() {} })*
            impl<const N: usize> A<N> {
                d! {
                    pub fn f<T: Copy>(&self, [x, y]: [T; 2]) -> T where T: B {
                        d! { fn inner() {} }
                        if true { x } else { y }
                    }
                }
                #[inline]
                fn g() {}
            }
            d! {
                #[target_feature(enable = "avx2")]
                unsafe fn h() {}
            }
            c! { struct B(u8); }
            c! { enum C { A } }
        };
        assert_eq!(replace_attributes(before).to_string(), after.to_string());
    }
}
