//! Redirects paths into a library to the module that contains the library.
//!
//! ```text
//! use columns_core::rules;               use crate::columns_core::rules;
//! extern crate columns_core as c;        use crate::columns_core as c;
//! crate::rules (in the library)          crate::columns_core::rules
//! ```

use super::program::Crate;
use super::strip::cfg_attributes;
use super::tokens::{
    begins_path, find_semicolon, has_word, identifiers, is_colons, is_punct, replace_tokens,
};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::collections::{BTreeSet, HashMap};
use syn::{Attribute, Item, parse_quote};

/// The keywords before a name that an item declares or imports.
const BINDING_KEYWORDS: &str = "as crate enum fn mod struct trait type union";

/// Returns the name of a library's module: the library's own name, or a longer one if that name is in `taken`
/// or a crate declares it.
pub(crate) fn free_name(library: &str, crates: &[&TokenStream], taken: &[String]) -> String {
    let mut name = library.to_string();
    let is_declared = |name: &str| {
        let mut crates = crates.iter();
        crates.any(|tokens| declares(tokens, name, BINDING_KEYWORDS))
    };
    while taken.contains(&name) || is_declared(&name) {
        name.push('_');
    }
    name
}

/// Returns the names that `extern crate` gives to libraries of the crate, each with the library's `id`.
pub(crate) fn aliases(tokens: &TokenStream, krate: &Crate) -> Vec<(String, String)> {
    let mut aliases = Vec::new();
    replace_tokens(tokens.clone(), &mut |tokens, i| {
        let (_, library, alias) = parse_extern_crate(tokens, i, &krate.externs)?;
        aliases.push((alias.to_string(), library));
        None
    });
    aliases
}

/// True if `name` directly follows one of `keywords` somewhere in the tokens. Punctuation is ignored.
fn declares(tokens: &TokenStream, name: &str, keywords: &str) -> bool {
    let words = identifiers(tokens.clone());
    let mut pairs = words.windows(2);
    pairs.any(|pair| has_word(keywords, &pair[0]) && pair[1] == name)
}

/// Makes each path that leads into a library begin at the root of the program. In a library, this includes
/// paths into the library itself.
///
/// `own` is the module of the library; `None` for the program's own crate. `modules` maps the `id` of each
/// library to its module. Returns the new tokens, and the `id`s of the libraries that the paths lead to.
///
/// # Errors
/// Returns an error if a path leads into a library that cannot be part of the bundle. The error holds the
/// location of the path, and the reason.
pub(crate) fn rewrite_paths(
    tokens: TokenStream,
    own: Option<&str>,
    krate: &Crate,
    modules: &HashMap<String, String>,
) -> Result<(TokenStream, BTreeSet<String>), (Span, String)> {
    // `refused_externs` holds a reason instead of an `id`. The reason is not a key of `modules`, so a path
    // into such a library is an error.
    let all = [&krate.externs[..], &krate.refused_externs].concat();
    // `extern crate a as b;` makes `b` another name for the library `a`.
    let externs = [&all[..], &aliases(&tokens, krate)].concat();
    let mut refusal = None;
    // A module of the program hides a library of the same name, except in `::library`.
    let externs = externs.into_iter().map(|(name, library)| {
        let is_hidden = declares(&tokens, &name, "mod");
        (name, (library, is_hidden))
    });
    let externs: HashMap<String, (String, bool)> = externs.collect();
    let mut used = BTreeSet::new();
    let tokens = replace_tokens(tokens, &mut |tokens, i| {
        let span = tokens[i].span();
        let root = format_ident!("crate", span = span);
        let mut module = |library: &String| {
            used.insert(library.clone());
            let module = modules.get(library).or_else(|| {
                refusal.get_or_insert((span, library.clone()));
                None
            })?;
            Some(format_ident!("{module}", span = span))
        };
        if let Some((count, library, alias)) = parse_extern_crate(tokens, i, &all) {
            let module = module(&library)?;
            let import = (module != alias).then(|| quote!(use #root::#module as #alias;));
            return Some((count, quote!(#import)));
        }
        // A path into a library begins with `::library` or `library`.
        let is_global = is_colons(tokens, i) && begins_global_path(tokens, i);
        let at = if is_global { i + 2 } else { i };
        let word = tokens.get(at)?.to_string();
        if let (Some(own), "crate", false) = (own, word.as_str(), is_global) {
            let own = format_ident!("{own}", span = span);
            // `pub(crate)` in a library becomes `pub(in crate::library)`.
            let within = (tokens.len() == 1).then(|| quote!(in));
            return Some((1, quote!(#within #root::#own)));
        }
        let (library, is_hidden) = externs.get(&word)?;
        let is_path = is_colons(tokens, at + 1);
        let is_import = i > 0 && tokens[i - 1].to_string() == "use";
        let is_visible = is_global || begins_path(tokens, i) && !is_hidden;
        if !is_visible || !(is_path || is_import) {
            return None;
        }
        let module = module(library)?;
        let is_renamed = tokens
            .get(at + 1)
            .is_some_and(|next| next.to_string() == "as");
        let name = format_ident!("{word}", span = span);
        let alias = (!is_path && !is_renamed).then(|| quote!(as #name));
        Some((at + 1 - i, quote!(#root::#module #alias)))
    });
    match refusal {
        Some(refusal) => Err(refusal),
        None => Ok((tokens, used)),
    }
}

/// Reads `extern crate library;` or `extern crate library as alias;` at `i`. Returns the number of tokens,
/// the library and the alias.
fn parse_extern_crate(
    tokens: &[TokenTree],
    i: usize,
    externs: &[(String, String)],
) -> Option<(usize, String, Ident)> {
    if tokens[i].to_string() != "extern" {
        return None;
    }
    let end = find_semicolon(tokens, i)?;
    let item: TokenStream = tokens[i..=end].iter().cloned().collect();
    let item: syn::ItemExternCrate = syn::parse2(item).ok()?;
    let (_, library) = externs.iter().find(|(name, _)| item.ident == name)?;
    let alias = item.rename.map_or(item.ident, |(_, alias)| alias);
    Some((end + 1 - i, library.clone(), alias))
}

/// True if the `::` at `i` begins a path instead of continuing one.
fn begins_global_path(tokens: &[TokenTree], i: usize) -> bool {
    let Some(before) = i.checked_sub(1).map(|i| &tokens[i]) else {
        return true;
    };
    match before {
        // After a keyword that is not a path segment, such as `return`, the colons begin a path.
        TokenTree::Ident(word) => {
            let word = word.to_string();
            let begins = ["crate", "self", "super", "Self"].contains(&word.as_str());
            !begins && syn::parse_str::<syn::Ident>(&word).is_err()
        }
        TokenTree::Punct(punct) if punct.as_char() == '>' => i > 1 && is_punct(tokens, i - 2, '-'),
        TokenTree::Punct(_) => true,
        TokenTree::Group(group) => group.delimiter() != Delimiter::Parenthesis,
        TokenTree::Literal(_) => false,
    }
}

/// Turns the exported macros of a library into items of the library's root. With `#[macro_export]`, they
/// would become items of the root of the program.
///
/// A macro of an inner module moves to the start of the root. If its name is not unique in the library, it
/// stays, and a copy moves instead: a call without a path refers to the last definition above it.
pub(crate) fn export_macros(file: &mut syn::File) {
    let words = identifiers(file.to_token_stream());
    let is_only = |name: &Ident| {
        let pairs = words.windows(2);
        let definitions = pairs.filter(|pair| pair[0] == "macro_rules" && name == &pair[1]);
        definitions.count() == 1
    };
    let (mut moved, mut items) = (Vec::new(), Vec::new());
    for mut item in std::mem::take(&mut file.items) {
        let import = take_exported_macro(&mut item, &[]).map(|(_, import)| import);
        move_exported(&mut item, &[], &is_only, &mut moved);
        items.extend([Some(item), import].into_iter().flatten());
    }
    file.items = moved.into_iter().chain(items).collect();
}

/// Moves the exported macros of a module to `moved`, with the `#[cfg]` attributes of the enclosing modules.
fn move_exported(
    item: &mut Item,
    conditions: &[Attribute],
    is_only: &impl Fn(&Ident) -> bool,
    moved: &mut Vec<Item>,
) {
    let Item::Mod(module) = item else { return };
    let Some((_, items)) = &mut module.content else {
        return;
    };
    let conditions = [conditions, &cfg_attributes(&module.attrs)].concat();
    items.retain_mut(|item| {
        move_exported(item, &conditions, is_only, moved);
        let Some((definition, import)) = take_exported_macro(item, &conditions) else {
            return true;
        };
        let stays = definition.ident.as_ref().is_some_and(|name| !is_only(name));
        moved.extend([Item::Macro(definition), import]);
        stays
    });
}

/// Removes `#[macro_export]` from an item. Returns the macro and its import, both with the given conditions.
/// Returns `None` if the item is not an exported macro.
fn take_exported_macro(
    item: &mut Item,
    conditions: &[Attribute],
) -> Option<(syn::ItemMacro, Item)> {
    let Item::Macro(definition) = item else {
        return None;
    };
    let is_export = |attribute: &Attribute| attribute.path().is_ident("macro_export");
    let at = definition.attrs.iter().position(is_export)?;
    definition.attrs.remove(at);
    let mut definition = definition.clone();
    definition.attrs.extend_from_slice(conditions);
    let (conditions, name) = (cfg_attributes(&definition.attrs), &definition.ident);
    let import = parse_quote!(#(#conditions)* pub(super) use #name;);
    Some((definition, import))
}
