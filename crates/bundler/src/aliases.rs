//! Short aliases for the frequent types, variants and processor intrinsics of the standard library.
//!
//! Each alias is declared under a long name, which is later shortened like every other declared name:
//!
//! ```text
//! fn f(first: Option<u32>)      use std::prelude::v1::Option as alias_of_Option;      use … as a;
//!                               type alias_of_u32 = u32;                              type b = u32;
//!                               fn f(first: alias_of_Option<alias_of_u32>)            fn f(c: a<b>)
//! ```

use super::tokens::{
    begins_path, derives_trait, find_semicolon, has_word, identifiers, is_attribute, is_colons,
    is_punct, item_end, replace_tokens,
};
use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};
use std::collections::{BTreeSet, HashMap};

/// The prefix of each alias until names are shortened, as in `alias_of_u32`.
pub(crate) const ALIAS_PREFIX: &str = "alias_of_";

/// The primitive types that may get an alias.
const PRIMITIVE_TYPES: &str = "bool f64 i32 i64 u32 u64 usize";

/// The names of the prelude that may get an alias.
const PRELUDE: &str = "Default Err Iterator None Ok Option Result Some String Vec";

/// The enum variants in [`PRELUDE`]. They are functions or constants, not types.
pub(crate) const PRELUDE_VARIANTS: &str = "Err None Ok Some";

/// The keywords that directly precede the name of an item, member or module. `macro_rules` is not one of
/// them, since a `!` separates it from the name.
const ITEM_AND_MODULE_KEYWORDS: &str = "const enum fn mod static struct trait type union";

/// The length in bytes of the import that declares the aliases of intrinsics, without the names.
const INTRINSICS_IMPORT_BYTES: usize = 58;

/// The macro that checks whether the processor supports a feature such as AVX2.
pub(crate) const DETECTION_MACRO: &str = "is_x86_feature_detected";

/// True if `name` is an alias that may be a value: the alias of an enum variant, a function, or an imported
/// struct such as `PhantomData`.
pub(crate) fn is_value_alias(name: &str) -> bool {
    name.strip_prefix(ALIAS_PREFIX).is_some_and(|name| {
        has_word(PRELUDE_VARIANTS, name)
            || !has_word(PRELUDE, name) && !has_word(PRIMITIVE_TYPES, name)
    })
}

/// True if `name` may be an x86-64 intrinsic, such as `_mm_add_epi8`, or a vector type, such as `__m128i`.
fn is_intrinsic(name: &str) -> bool {
    name.starts_with("_mm") || name.starts_with("__m")
}

/// Replaces frequent names of the standard library, and frequent primitive types, with aliases. The modules
/// must have been merged first, since the aliases are declared in the root of the program.
pub(crate) fn add_aliases(tokens: TokenStream) -> TokenStream {
    // The capitalised names that the root of the program imports from the standard library without `as`.
    let root: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut imported = BTreeSet::new();
    let has_intrinsics = identifiers(tokens.clone())
        .windows(2)
        .any(|words| words == ["arch", "x86_64"]);
    for i in (0..root.len()).filter(|i| root[*i].to_string() == "use") {
        let end = skipped_length(&root, i).map_or(i, |count| i + count);
        let import = identifiers(root[i..end].iter().cloned().collect());
        let is_plain = import.get(1).is_some_and(|first| first == "std");
        let is_plain = is_plain && !import.contains(&"as".to_string());
        let is_upper = |name: &String| name.starts_with(char::is_uppercase);
        imported.extend(import.into_iter().filter(|name| is_plain && is_upper(name)));
    }
    // The number of uses of each name; `None` if an item of the program may have the same name.
    let mut uses: HashMap<String, Option<usize>> = HashMap::new();
    replace_tokens(tokens.clone(), &mut |tokens, i| {
        let name = tokens[i].to_string();
        let may_have_alias = has_word(PRIMITIVE_TYPES, &name)
            || has_word(PRELUDE, &name)
            || imported.contains(&name);
        let is_processor_specific = is_intrinsic(&name) || name == DETECTION_MACRO;
        let may_have_alias = may_have_alias || has_intrinsics && is_processor_specific;
        if may_have_alias && skipped_length(tokens, i).is_none() {
            let uses = uses.entry(name).or_insert(Some(0));
            let is_declared =
                i > 0 && has_word(ITEM_AND_MODULE_KEYWORDS, &tokens[i - 1].to_string());
            let is_last = i > 1 && is_colons(tokens, i - 2) && !is_in_std(tokens, i);
            *uses = uses.filter(|_| !is_declared && !is_last);
            *uses = uses.map(|uses| uses + usize::from(is_reference(tokens, i)));
        }
        skipped_length(tokens, i).map(|count| (count, TokenStream::new()))
    });
    // With an alias of two letters, the declaration `type xx=name;` has `name.len() + 9` bytes.
    let saves = |name: &str, uses: usize| uses * (name.len() - 2) > name.len() + 9;
    uses.retain(|name, uses| uses.is_some_and(|uses| saves(name, uses)));
    let intrinsics = uses.iter().filter(|(name, _)| is_intrinsic(name));
    let saved =
        intrinsics.map(|(name, uses)| uses.unwrap_or(0) * (name.len() - 2) - (name.len() + 9));
    if saved.sum::<usize>() < INTRINSICS_IMPORT_BYTES {
        uses.retain(|name, _| !is_intrinsic(name) && name != DETECTION_MACRO);
    }
    let tokens = replace_tokens(tokens, &mut |tokens, i| {
        let name = tokens[i].to_string();
        if let Some(count) = skipped_length(tokens, i) {
            let skipped: TokenStream = tokens[i..i + count].iter().cloned().collect();
            // `use std::sync::Mutex` becomes `use std::sync::Mutex as alias_of_Mutex`.
            let skipped = replace_tokens(skipped, &mut |tokens, i| {
                let leaf = tokens[i].to_string();
                let is_frequent = imported.contains(&leaf) && uses.contains_key(&leaf);
                let is_last = name == "use" && !is_colons(tokens, i + 1);
                let (plain, alias) = (&tokens[i], format!("{ALIAS_PREFIX}{leaf}"));
                let alias: TokenStream = alias.parse().ok()?;
                (is_frequent && is_last).then(|| (1, quote!(#plain as #alias)))
            });
            return Some((count, skipped));
        }
        let is_used = uses.contains_key(&name) && is_reference(tokens, i);
        let alias = || format_ident!("{ALIAS_PREFIX}{name}", span = tokens[i].span());
        is_used.then(|| (1, TokenTree::from(alias()).into()))
    });
    let (imports, types) = declarations(&uses);
    quote!(#imports #tokens #types)
}

/// Returns the imports and type aliases that declare the aliases of these names.
fn declarations(uses: &HashMap<String, Option<usize>>) -> (TokenStream, TokenStream) {
    let plain_and_alias =
        |name: &str| ["", ALIAS_PREFIX].map(|prefix| format_ident!("{prefix}{name}"));
    let with_alias = |name: &str| {
        let [name, alias] = plain_and_alias(name);
        quote!(#name as #alias)
    };
    let used = |list: &'static str| list.split(' ').filter(|name| uses.contains_key(*name));
    let prelude: Vec<TokenStream> = used(PRELUDE).map(with_alias).collect();
    let prelude = (!prelude.is_empty()).then(|| quote!(use std::prelude::v1::{#(#prelude),*};));
    let detection = used(DETECTION_MACRO).map(with_alias);
    let intrinsics: BTreeSet<&String> = uses.keys().filter(|name| is_intrinsic(name)).collect();
    let intrinsics = intrinsics.into_iter().map(|name| with_alias(name));
    let intrinsics: Vec<TokenStream> = intrinsics.collect();
    let intrinsics = (!intrinsics.is_empty()).then(|| {
        quote!(#[cfg(target_arch = "x86_64")] use std::arch::{#(#detection,)* x86_64::{#(#intrinsics),*}};)
    });
    let types = used(PRIMITIVE_TYPES).map(|name| {
        let [name, alias] = plain_and_alias(name);
        quote!(type #alias = #name;)
    });
    (quote!(#prelude #intrinsics), quote!(#(#types)*))
}

/// Returns the number of tokens of an attribute, an import, or a type that derives `PartialEq`, if one begins
/// at `i`; otherwise `None`. Aliases do not replace names in these tokens.
fn skipped_length(tokens: &[TokenTree], i: usize) -> Option<usize> {
    let end = if is_attribute(tokens, i) {
        i
    } else if tokens[i].to_string() == "use" {
        find_semicolon(tokens, i)?
    } else if derives_trait(tokens, i, "PartialEq") {
        // `#[derive(PartialEq)]` compares fields of primitive types first, and recognises these types only by
        // their own names. An alias would change the order of the comparisons.
        item_end(tokens, i)?
    } else {
        return None;
    };
    Some(end + 1 - i)
}

/// True if the name at `i` is part of a path that begins with `::std`. The bundler replaces `option_env!`
/// with such paths.
fn is_in_std(tokens: &[TokenTree], i: usize) -> bool {
    let is_after_name = |i: usize| {
        i > 2 && is_colons(tokens, i - 2) && matches!(tokens[i - 3], TokenTree::Ident(_))
    };
    let mut first = i;
    while is_after_name(first) {
        first -= 3;
    }
    first > 1 && is_colons(tokens, first - 2) && tokens[first].to_string() == "std"
}

/// True if the name at `i` is a complete path, or the type at the start of a path.
fn is_reference(tokens: &[TokenTree], i: usize) -> bool {
    // `f64::consts::PI` begins with a module, not with a type.
    let is_module =
        is_colons(tokens, i + 1) && is_colons(tokens, i + 4) && !is_punct(tokens, i + 6, '<');
    begins_path(tokens, i) && !is_module
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str) {
        let [before, after] = [before, after].map(|text| text.parse::<TokenStream>().unwrap());
        assert_eq!(add_aliases(before).to_string(), after.to_string());
    }

    #[test]
    fn frequent_types_get_an_alias() {
        check(
            "use std::{io, sync::{Arc, SyncSender}};
            fn f(a: usize, b: [usize; usize::MAX], c: SyncSender<Arc<u8>>, d: u64) -> SyncSender<usize> {
                g::<SyncSender<usize>>()
            }",
            "use std::{io, sync::{Arc, SyncSender as alias_of_SyncSender}};
            fn f(a: alias_of_usize, b: [alias_of_usize; alias_of_usize::MAX], c: alias_of_SyncSender<Arc<u8>>,
                d: u64) -> alias_of_SyncSender<alias_of_usize> {
                g::<alias_of_SyncSender<alias_of_usize>>()
            }
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
        let own = "fn k() { ::std::option::Option }";
        check(
            &format!("{program} {own}"),
            &format!("use std::prelude::v1::{{Option as alias_of_Option}}; {aliased} {own}"),
        );
    }

    #[test]
    fn frequent_intrinsics_and_their_detection_get_an_alias() {
        let program = |[detects, adds]: [&str; 2]| {
            let detects = format!("{detects}!(\"avx2\")");
            let adds = format!("{adds}(x, x)");
            format!(
                "mod x86 {{ use std::arch::x86_64::*; fn f() -> bool {{ {detects} && {detects} && {detects} }}
                fn g(x: X) {{ ({adds}, {adds}, {adds}, {adds}, {adds}, {adds}, {adds}, {adds}) }} }}"
            )
        };
        let plain = ["is_x86_feature_detected", "_mm256_add_epi64"];
        let [detects, adds] = plain.map(|name| format!("{ALIAS_PREFIX}{name}"));
        let import = format!(
            "#[cfg(target_arch = \"x86_64\")] use std::arch::{{is_x86_feature_detected as {detects}, \
             x86_64::{{_mm256_add_epi64 as {adds}}}}};"
        );
        check(&program(plain), &(import + &program([&detects, &adds])));
        let rare = "use std::arch::x86_64::*; fn f(x: X) { _mm256_add_epi64(x, x) }";
        check(rare, rare);
    }

    #[test]
    fn derived_comparisons_keep_the_names_of_types() {
        let program = "#[derive(PartialEq)] struct A { a: usize, b: usize, c: usize, \
                       d: usize, e: usize, f: usize }";
        check(program, program);
    }
}
