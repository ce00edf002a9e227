//! `pub` instead of `pub(crate)`: in a program of one file they say the same.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The same program with the shorter word.
pub(crate) fn to_all(tokens: TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut out = TokenStream::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(ref word) if word == "pub" => {
                out.extend([token]);
                tokens.next_if(is_crate);
            }
            TokenTree::Group(group) => {
                let inner = to_all(group.stream());
                out.extend([TokenTree::Group(Group::new(group.delimiter(), inner))]);
            }
            token => out.extend([token]),
        }
    }
    out
}

/// Whether this is what follows the `pub`; a field may begin with a parenthesis as well.
fn is_crate(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis
        && group.stream().to_string() == "crate")
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn only_the_crate_is_left_out() {
        let before = quote! {
            mod a {
                pub(crate) struct A(pub(crate) u8, pub (u8, u8), pub(super) u8);
                impl A { pub(crate) fn f(&self) { crate::g(crate) } }
            }
        };
        let after = quote! {
            mod a {
                pub struct A(pub u8, pub (u8, u8), pub(super) u8);
                impl A { pub fn f(&self) { crate::g(crate) } }
            }
        };
        assert_eq!(to_all(before).to_string(), after.to_string());
    }
}
