//! A short name for `usize`, which stands in six hundred places.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// The type.
const TYPE: &str = "usize";
/// Its name for now: that becomes a short one with all others that the program declares.
const ALIAS: &str = "UnsignedSize";

/// The same program, given as a file's tokens, with an alias for the type, which each module that
/// needs it imports.
pub(crate) fn for_size(tokens: TokenStream) -> TokenStream {
    let alias = format_ident!("{ALIAS}");
    let (mut out, _) = renamed(tokens);
    out.extend(quote!(type #alias = usize;));
    out
}

/// The tokens with the alias, and whether it is needed outside of their modules.
fn renamed(tokens: TokenStream) -> (TokenStream, bool) {
    let alias = format_ident!("{ALIAS}");
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut needed = false;
    for (i, token) in tokens.iter().enumerate() {
        let token = match token {
            TokenTree::Ident(name) if name == TYPE => {
                needed = true;
                Ident::new(ALIAS, name.span()).into()
            }
            TokenTree::Group(group) => {
                let (mut inner, needs) = renamed(group.stream());
                if !is_module(&tokens, i) {
                    needed |= needs;
                } else if needs {
                    inner = quote!(use crate::#alias; #inner);
                }
                Group::new(group.delimiter(), inner).into()
            }
            other => other.clone(),
        };
        out.extend([token]);
    }
    (out, needed)
}

/// Whether the token at `i` is what a module holds.
fn is_module(tokens: &[TokenTree], i: usize) -> bool {
    matches!(
        tokens[..=i],
        [.., TokenTree::Ident(ref word), TokenTree::Ident(_), TokenTree::Group(ref group)]
            if word == "mod" && group.delimiter() == Delimiter::Brace
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_that_need_the_alias_import_it() {
        let before = quote! {
            #![allow(warnings)]
            mod a {
                use std::fmt;
                pub mod b {
                    pub struct B<const N: usize>([usize; N]);
                    fn most() -> u64 { usize::MAX as u64 }
                }
                mod c { fn f() {} }
            }
            fn main() { let x = 0_usize; }
        };
        let after = quote! {
            #![allow(warnings)]
            mod a {
                use std::fmt;
                pub mod b {
                    use crate::UnsignedSize;
                    pub struct B<const N: UnsignedSize>([UnsignedSize; N]);
                    fn most() -> u64 { UnsignedSize::MAX as u64 }
                }
                mod c { fn f() {} }
            }
            fn main() { let x = 0_usize; }
            type UnsignedSize = usize;
        };
        assert_eq!(for_size(before).to_string(), after.to_string());
    }
}
