//! The names that a program declares, and their marks on the way to short ones.

use proc_macro2::{Ident, TokenTree};
use quote::ToTokens;

/// Begins each renamed name.
pub(crate) const MARK: &str = "zz_";

/// Stands before the number of the function in the name of a variable.
pub(crate) const FUNCTION: &str = "_of_function_";

/// Stands behind the name of what is neither called nor in a path, such as a field.
pub(crate) const FIELD: &str = "_of_fields";

/// The words that stand before the name of an item or a member.
const KEYWORDS: &str = "const enum fn macro_rules static struct trait type";

/// The name that an item or a member declares; `None` for a module, an import and a block of
/// members.
pub(crate) fn of(item: &impl ToTokens) -> Option<Ident> {
    let words = item.to_token_stream().into_iter();
    let words = words.filter_map(|token| match token {
        TokenTree::Ident(word) => Some(word),
        _ => None,
    });
    let is_keyword = |word: &Ident| KEYWORDS.split(' ').any(|keyword| word == keyword);
    let mut words = words.skip_while(|word| !is_keyword(word) && word != "impl");
    if words.next()? == "impl" {
        return None;
    }
    // Such as that of `const fn`.
    words.find(|word| !is_keyword(word))
}
