//! A short name for `usize`, which stands in six hundred places.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// The type that gets another name.
const TYPE: &str = "usize";
/// Its name for now; it gets a short one together with all names that the program declares.
const ALIAS: &str = "UnsignedSize";

/// The same program, given as a file's tokens, with an alias for the type.
pub(crate) fn for_size(tokens: TokenStream) -> TokenStream {
    let alias = format_ident!("{ALIAS}");
    let mut out = renamed(tokens);
    out.extend(quote!(type #alias = usize;));
    out
}

fn renamed(tokens: TokenStream) -> TokenStream {
    let token = |token| match token {
        TokenTree::Ident(name) if name == TYPE => Ident::new(ALIAS, name.span()).into(),
        TokenTree::Group(group) => Group::new(group.delimiter(), renamed(group.stream())).into(),
        other => other,
    };
    tokens.into_iter().map(token).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_alias_stands_for_the_type() {
        let before = quote! {
            struct B<const N: usize>([usize; N]);
            fn most() -> u64 { let x = 0_usize; usize::MAX as u64 }
        };
        let after = quote! {
            struct B<const N: UnsignedSize>([UnsignedSize; N]);
            fn most() -> u64 { let x = 0_usize; UnsignedSize::MAX as u64 }
            type UnsignedSize = usize;
        };
        assert_eq!(for_size(before).to_string(), after.to_string());
    }
}
