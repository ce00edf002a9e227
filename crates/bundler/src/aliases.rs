//! Short aliases for the frequent names of the standard library.
//!
//! Each alias is declared under a long name, and gets a short name like every other declared name:
//!
//! ```text
//! use std::sync::Mutex;         use std::sync::Mutex as alias_of_Mutex;      use std::sync::Mutex as a;
//! fn f(first: Mutex<u32>)       fn f(first: alias_of_Mutex<alias_of_u32>)    fn f(c: a<b>)
//!                               type alias_of_u32 = u32;                     type b = u32;
//! ```

use super::tokens::{begins_path, is, is_attribute, is_colons, item_end, replaced};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::collections::HashMap;

/// The prefix of an alias.
pub(crate) const ALIAS: &str = "alias_of_";

/// The primitive types that may get an alias.
const TYPES: &str = "bool f64 i32 u32 u64 usize";

/// The names of the prelude that may get an alias.
const PRELUDE: &str = "Default Err Iterator None Ok Option Result Some String Vec";

/// The enum variants in [`PRELUDE`]. They are functions or constants, not types.
const VARIANTS: &str = "Err None Ok Some";

/// The keywords that precede the name of a declaration.
const KEYWORDS: &str = "const enum fn mod static struct trait type union";

/// True if a name is the alias of a variant.
pub(crate) fn is_variant(name: &str) -> bool {
    let name = name.strip_prefix(ALIAS);
    name.is_some_and(|name| has(VARIANTS, name))
}

/// True if a list of words has this word.
fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|of| of == word)
}

/// Replaces the frequent names of the standard library in a flat program with aliases.
pub(crate) fn aliased(tokens: TokenStream) -> TokenStream {
    let names = Names::of(tokens.clone());
    let tokens = replaced(tokens, &mut |tokens, i| {
        if let Some(count) = kept(tokens, i) {
            let kept = tokens[i..i + count].iter().cloned().collect();
            return Some((count, names.imported(kept)));
        }
        let name = &tokens[i];
        let is_used = names.have_alias(&name.to_string()) && is_use(tokens, i);
        is_used.then(|| (1, alias(name)))
    });
    let all = |list: &'static str| {
        let list = list.split(' ').filter(|name| names.have_alias(name));
        list.map(|name| format_ident!("{name}"))
    };
    let imports = all(PRELUDE).map(|name| {
        let alias = format_ident!("{ALIAS}{name}");
        quote!(#name as #alias)
    });
    let imports: Vec<TokenStream> = imports.collect();
    let import = (!imports.is_empty()).then(|| quote!(use std::prelude::v1::{#(#imports),*};));
    let types = all(TYPES).map(|name| {
        let alias = format_ident!("{ALIAS}{name}");
        quote!(type #alias = #name;)
    });
    quote!(#import #tokens #(#types)*)
}

/// Returns the alias of a name, with the span of the name.
fn alias(name: &TokenTree) -> TokenStream {
    format_ident!("{ALIAS}{name}", span = name.span()).into_token_stream()
}

/// Returns the number of tokens of the attribute, import, or type with a derived `==` that begins at `i`; `None` elsewhere.
///
/// The names in these tokens are not replaced.
fn kept(tokens: &[TokenTree], i: usize) -> Option<usize> {
    if is_attribute(tokens, i) {
        return Some(1);
    }
    // A derived `==` compares fields of primitive types first, and does not know their aliases.
    if tokens[i].to_string() != "use" && !is_compared(tokens, i) {
        return None;
    }
    let end = item_end(tokens, i)?;
    let ends = |end: &usize| is(tokens, *end, ';');
    let is_import = tokens[i].to_string() == "use";
    let end = if is_import {
        (end..tokens.len()).find(ends)?
    } else {
        end
    };
    Some(end + 1 - i)
}

/// True if the attribute at `i` derives `PartialEq`.
fn is_compared(tokens: &[TokenTree], i: usize) -> bool {
    let attribute = tokens.get(i + 1).map(ToString::to_string);
    let attribute = attribute.filter(|_| is(tokens, i, '#'));
    attribute.is_some_and(|text| text.contains("derive") && text.contains("PartialEq"))
}

/// True if the name at `i` is a whole path, or the type at the start of one.
fn is_use(tokens: &[TokenTree], i: usize) -> bool {
    // `f64::consts::PI` begins with a module, not with a type.
    let is_module = is_colons(tokens, i + 1) && is_colons(tokens, i + 4) && !is(tokens, i + 6, '<');
    begins_path(tokens, i) && !is_module
}

/// The names that may get an alias.
#[derive(Default)]
struct Names {
    /// The number of uses of each name; `None` for a name that may also belong to another item.
    uses: HashMap<String, Option<usize>>,
    /// The names that the program imports from the standard library.
    imports: Vec<String>,
}

impl Names {
    fn of(tokens: TokenStream) -> Self {
        let mut names = Self::default();
        replaced(tokens, &mut |tokens, i| {
            if let Some(count) = kept(tokens, i) {
                let kept: TokenStream = tokens[i..i + count].iter().cloned().collect();
                leaves(kept, &mut |leaf| {
                    names.imports.push(leaf.to_string());
                    None
                });
                return Some((count, TokenStream::new()));
            }
            if let TokenTree::Ident(name) = &tokens[i] {
                let uses = names.uses.entry(name.to_string()).or_insert(Some(0));
                let is_declared = i > 0 && has(KEYWORDS, &tokens[i - 1].to_string());
                if is_declared || i > 1 && is_colons(tokens, i - 2) {
                    *uses = None;
                } else if is_use(tokens, i) {
                    *uses = uses.map(|uses| uses + 1);
                }
            }
            None
        });
        names
    }

    /// True if the name may get an alias, and the alias makes the program shorter.
    fn have_alias(&self, name: &str) -> bool {
        let is_known =
            has(TYPES, name) || has(PRELUDE, name) || self.imports.iter().any(|of| of == name);
        let uses = self.uses.get(name).copied().flatten();
        // With an alias of two letters, the declaration `type xx=name;` has `name.len() + 9` bytes.
        is_known && uses.unwrap_or(0) * (name.len().saturating_sub(2)) > name.len() + 9
    }

    /// Adds aliases to an import: `use std::sync::Mutex` becomes `use std::sync::Mutex as alias_of_Mutex`.
    fn imported(&self, tokens: TokenStream) -> TokenStream {
        leaves(tokens, &mut |name| {
            let alias = self.have_alias(&name.to_string()).then(|| alias(name))?;
            Some(quote!(#name as #alias))
        })
    }
}

/// Maps the imported types and traits of a `use std::…` through `change`. Other tokens remain.
fn leaves(
    tokens: TokenStream,
    change: &mut impl FnMut(&TokenTree) -> Option<TokenStream>,
) -> TokenStream {
    let text = tokens.to_string();
    replaced(tokens, &mut |tokens, i| {
        let is_upper = tokens[i].to_string().starts_with(char::is_uppercase);
        let ends = i + 1 == tokens.len() || is(tokens, i + 1, ',') || is(tokens, i + 1, ';');
        let is_renamed = i > 0 && tokens[i - 1].to_string() == "as";
        let is_leaf = text.starts_with("use std ::") && is_upper && ends && !is_renamed;
        is_leaf
            .then(|| change(&tokens[i]))
            .flatten()
            .map(|by| (1, by))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str) {
        let [before, after] = [before, after].map(|text| text.parse::<TokenStream>().unwrap());
        assert_eq!(aliased(before).to_string(), after.to_string());
    }

    #[test]
    fn frequent_types_and_imports_get_an_alias() {
        check(
            "use std::{io, sync::{Arc, SyncSender}, ops::Add};
            fn f(a: usize, b: [usize; usize::MAX], c: SyncSender<u8>, d: u64) -> SyncSender<usize> { g::<SyncSender<usize>>() }",
            "use std::{io, sync::{Arc, SyncSender as alias_of_SyncSender}, ops::Add};
            fn f(a: alias_of_usize, b: [alias_of_usize; alias_of_usize::MAX], c: alias_of_SyncSender<u8>, d: u64)
                -> alias_of_SyncSender<alias_of_usize> { g::<alias_of_SyncSender<alias_of_usize>>() }
            type alias_of_usize = usize;",
        );
    }

    #[test]
    fn names_of_the_prelude_get_an_alias_unless_another_item_has_the_name() {
        let program = "fn f() -> Option<u8> { g::<Option<u8>, Option<u8>, Option<u8>>() }";
        let aliased = program.replace("Option", "alias_of_Option");
        check(
            program,
            &format!("use std::prelude::v1::{{Option as alias_of_Option}}; {aliased}"),
        );
        for other in ["struct Option;", "fn k() { my::Option }"] {
            let both = format!("{program} {other}");
            check(&both, &both);
        }
    }

    #[test]
    fn derived_comparisons_keep_the_names_of_types() {
        let program = "#[derive(PartialEq)] struct A { a: usize, b: usize, c: usize, d: usize, e: usize, f: usize }";
        check(program, program);
    }
}
