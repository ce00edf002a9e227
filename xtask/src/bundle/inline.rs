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
    let attribute = quote!([inline(always)]).to_string();
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let is_attribute = matches!(token, TokenTree::Punct(p) if p.as_char() == '#')
            && matches!(tokens.get(at + 1), Some(next) if next.to_string() == attribute);
        let body = |token: &TokenTree| match token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            _ => false,
        };
        let end = tokens[at..].iter().position(body).map(|body| at + body);
        match (token, end) {
            (_, Some(end)) if is_attribute => {
                let function: TokenStream = tokens[at + 2..=end].iter().cloned().collect();
                let function = wrapped(function);
                out.extend(quote!(#name! { #function }));
                at = end;
            }
            (TokenTree::Group(group), _) => {
                let inner = wrapped(group.stream());
                out.extend([TokenTree::Group(Group::new(group.delimiter(), inner))]);
            }
            _ => out.extend([token.clone()]),
        }
        at += 1;
    }
    out
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
