//! Macros with short names for the most frequent attributes.
//!
//!     #[inline(always)] fn first() {}      macro_rules! a { ($($t:tt)*) => { #[inline(always)] $($t)* } }
//!     #[inline(always)] fn second() {}     a! { fn first() {} } a! { fn second() {} }
//!
//! More than a hundred functions have `#[inline(always)]`, which would take two kilobytes.

use super::tokens::{is, item_end, replaced};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The most frequent attributes.
const ATTRIBUTES: [&str; 4] = [
    "inline(always)",
    "derive(Clone)",
    "derive(Clone,Copy)",
    "derive(Clone,Copy,Default)",
];

/// Replaces the frequent attributes of a file by macro calls.
pub(crate) fn by_macros(tokens: TokenStream) -> TokenStream {
    let text = tokens.to_string();
    let is_free = |letter: &char| !text.contains(&format!("macro_rules ! {letter} "));
    let mut letters = ('a'..='z').filter(is_free);
    ATTRIBUTES.into_iter().fold(tokens, |tokens, attribute| {
        let letter = letters.next().expect("no program declares 25 macros");
        let name = format_ident!("{letter}");
        let items = wrapped(tokens, attribute, &name);
        let attribute: TokenStream = attribute.parse().expect("tokens");
        quote!(macro_rules! #name { ($($t:tt)*) => { #[#attribute] $($t)* } } #items)
    })
}

/// Moves each item with the attribute into a call of the macro.
fn wrapped(tokens: TokenStream, attribute: &str, name: &Ident) -> TokenStream {
    replaced(tokens, &mut |tokens, i| {
        let inside = tokens.get(i + 1)?.to_string().replace(' ', "");
        if !is(tokens, i, '#') || inside != format!("[{attribute}]") {
            return None;
        }
        let item = &tokens[i + 2..=item_end(tokens, i + 2)?];
        let inner = wrapped(item.iter().cloned().collect(), attribute, name);
        Some((2 + item.len(), quote!(#name! { #inner })))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_with_the_attribute_are_put_into_calls() {
        let before = quote! {
            macro_rules! a { () => {} }
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
            macro_rules! e { ($($t:tt)*) => { #[derive(Clone,Copy,Default)] $($t)* } }
            macro_rules! d { ($($t:tt)*) => { #[derive(Clone,Copy)] $($t)* } }
            macro_rules! c { ($($t:tt)*) => { #[derive(Clone)] $($t)* } }
            macro_rules! b { ($($t:tt)*) => { #[inline(always)] $($t)* } }
            macro_rules! a { () => {} }
            impl<const N: usize> A<N> {
                b! {
                    pub fn f<T: Copy>(&self, [x, y]: [T; 2]) -> T where T: B {
                        b! { fn inner() {} }
                        if true { x } else { y }
                    }
                }
                #[inline]
                fn g() {}
            }
            b! {
                #[target_feature(enable = "avx2")]
                unsafe fn h() {}
            }
            d! { struct B(u8); }
            d! { enum C { A } }
        };
        assert_eq!(by_macros(before).to_string(), after.to_string());
    }
}
