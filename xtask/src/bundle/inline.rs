//! `#[inline(always)]` written once: a macro of one letter puts it before a function.
//!
//! The attribute stands before more than a hundred functions, which would take up two kilobytes.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// The macro's name.
const NAME: &str = "i";

/// The same program, given as a file's tokens, with the macro.
pub(crate) fn by_macro(tokens: TokenStream) -> TokenStream {
    let name = format_ident!("{NAME}");
    let mut tokens = tokens.into_iter().peekable();
    // What holds for the whole file stands first.
    let mut out = TokenStream::new();
    while let Some(token) = tokens.next_if(|token| !matches!(token, TokenTree::Ident(_))) {
        out.extend([token]);
    }
    out.extend(quote!(macro_rules! #name { ($($t:tt)*) => { #[inline(always)] $($t)* } }));
    out.extend(wrapped(tokens.collect()));
    out
}

/// The functions in a block of items, each in a call of the macro that has the attribute.
fn wrapped(tokens: TokenStream) -> TokenStream {
    let name = format_ident!("{NAME}");
    let mut tokens = tokens.into_iter().peekable();
    let mut out = TokenStream::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(p) if p.as_char() == '#' && tokens.next_if(is_inline).is_some() => {
                // Up to its body.
                let mut function = TokenStream::new();
                for token in tokens.by_ref() {
                    let is_body = matches!(&token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
                    function.extend([token]);
                    if is_body {
                        break;
                    }
                }
                let function = wrapped(function);
                out.extend(quote!(#name! { #function }));
            }
            TokenTree::Group(group) => {
                let inner = wrapped(group.stream());
                out.extend([TokenTree::Group(Group::new(group.delimiter(), inner))]);
            }
            token => out.extend([token]),
        }
    }
    out
}

/// Whether this is what follows the `#` of the attribute.
fn is_inline(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket
        && group.stream().to_string() == quote!(inline(always)).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_with_the_attribute_are_put_into_calls() {
        let before = quote! {
            #![allow(warnings)]
            mod a {
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
            }
        };
        let after = quote! {
            #![allow(warnings)]
            macro_rules! i { ($($t:tt)*) => { #[inline(always)] $($t)* } }
            mod a {
                impl<const N: usize> A<N> {
                    i! {
                        pub fn f<T: Copy>(&self, [x, y]: [T; 2]) -> T where T: B {
                            i! { fn inner() {} }
                            if true { x } else { y }
                        }
                    }
                    #[inline]
                    fn g() {}
                }
                i! {
                    #[target_feature(enable = "avx2")]
                    unsafe fn h() {}
                }
            }
        };
        assert_eq!(by_macro(before).to_string(), after.to_string());
    }
}
