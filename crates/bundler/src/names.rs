//! The names that a program declares, and the form of a marked name.

use super::tokens::has_word;
use proc_macro2::{Ident, TokenTree};
use quote::ToTokens;

/// The prefix that marks a name: `zz_count`.
pub(crate) const MARK_PREFIX: &str = "zz_";

/// The keywords that precede the name of an item or member, except `mod`.
const ITEM_KEYWORDS: &str = "const enum fn macro_rules static struct trait type union";

/// Returns the name that an item or a member declares; `None` for a module, an import or an `impl` block.
pub(crate) fn declared_name(item: &impl ToTokens) -> Option<Ident> {
    let words = item.to_token_stream().into_iter();
    let words = words.filter_map(|token| match token {
        TokenTree::Ident(word) => Some(word),
        _ => None,
    });
    let is_keyword = |word: &Ident| has_word(ITEM_KEYWORDS, &word.to_string());
    let mut words = words.skip_while(|word| !is_keyword(word) && word != "impl");
    if words.next()? == "impl" {
        return None;
    }
    // `const fn` and `static mut` have two keywords.
    words.find(|word| !has_word("async const extern fn mut static unsafe", &word.to_string()))
}
