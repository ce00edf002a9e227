//! `#[inline(always)]`, written once: a macro of one letter puts it before an item.
//!
//! It stands before more than a hundred functions, which would take up two kilobytes.

use super::tokens::{is, replaced};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// The tokens of a file in which a macro stands for the attribute.
pub(crate) fn by_macro(tokens: TokenStream) -> TokenStream {
    let text = tokens.to_string();
    let is_free = |letter: &char| !text.contains(&format!("macro_rules ! {letter} "));
    let letter = ('a'..='z').find(is_free);
    let name = format_ident!("{}", letter.expect("no program declares 26 macros"));
    let items = wrapped(tokens, &name);
    quote!(macro_rules! #name { ($($t:tt)*) => { #[inline(always)] $($t)* } } #items)
}

/// The tokens in which each item with the attribute is in a call of the macro.
fn wrapped(tokens: TokenStream, name: &Ident) -> TokenStream {
    replaced(tokens, &mut |tokens, i| {
        let attribute = tokens.get(i + 1)?.to_string().replace(' ', "");
        if !is(tokens, i, '#') || attribute != "[inline(always)]" {
            return None;
        }
        let is_body = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        let item = &tokens[i + 2..];
        let item = &item[..=item.iter().position(is_body)?];
        let inner = wrapped(item.iter().cloned().collect(), name);
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
        };
        let after = quote! {
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
        };
        assert_eq!(by_macro(before).to_string(), after.to_string());
    }
}
