//! Removes unneeded derived traits, empty implementations of `Error`, and implementations of `Display`.
//!
//! The first attempt removes all of `OPTIONAL_TRAITS`. If the program needs one of them, the compiler reports
//! an error that points at the type, and often suggests the trait to derive. The suggested trait is restored.
//! Without a suggestion, `Display` is restored first, then all traits of the type. If an error does not point
//! at a type, the types get their traits back one by one. The attempts end when the program compiles.

use super::compiler::Message;
use super::dead::TokenRanges;
use super::print::PrintedProgram;
use super::source::Source;
use super::tokens::{derives_trait, identifiers, item_end, replace_tokens};
use anyhow::Result;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use std::collections::HashSet;
use std::ops::Range;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Item, Meta, Path, Token, Type};

/// The traits that the first attempt removes from every type that does not implement `Deref`.
const OPTIONAL_TRAITS: [&str; 8] = [
    "Debug",
    "Display",
    "Eq",
    "Error",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
];

/// The name that stands for all traits of a type in [`Derives::needed`].
const WILDCARD: &str = "*";

/// Returns the identifiers in the declarations of types that derive `Debug`: the program may print them.
pub(crate) fn debug_names(program: &TokenStream) -> HashSet<String> {
    let mut names = HashSet::new();
    replace_tokens(program.clone(), &mut |tokens, i| {
        if derives_trait(tokens, i, "Debug") {
            let item = &tokens[i + 2..=item_end(tokens, i + 2)?];
            names.extend(identifiers(item.iter().cloned().collect()));
        }
        None
    });
    names
}

/// Returns the program without unneeded derived traits, implementations of `Display`, and empty
/// implementations of `Error`.
///
/// # Errors
/// Returns an error if the compiler cannot be run, or if the program does not compile with all its traits.
pub(crate) fn remove_derives(program: &TokenStream, source: &Source) -> Result<syn::File> {
    let mut derives = Derives::default();
    let program: syn::File = syn::parse2(program.clone())?;
    // A type that implements `Deref` keeps its derived traits. Without them, it would silently use the traits
    // of its target.
    let words = identifiers(program.to_token_stream());
    for words in words.windows(3) {
        if words[0] == "Deref" && words[1] == "for" {
            derives.need(&words[2], WILDCARD);
        }
    }
    loop {
        let mut stripped = program.clone();
        derives.types.clear();
        derives.without_display.clear();
        derives.visit_file_mut(&mut stripped);
        stripped.items.retain(|item| derives.retain_impl(item));
        let printed = PrintedProgram::new(stripped.to_token_stream());
        let errors = source.compiler.find_errors(&printed)?;
        let Some(error) = errors.first() else {
            return Ok(stripped);
        };
        let ranges = TokenRanges::new(&printed);
        let types = derives.types.iter();
        let types = types.map(|name| (ranges.range_of(name.span()), name.to_string()));
        let types: Vec<(Range<usize>, String)> = types.collect();
        let (mut is_new, mut pointed_types) = (false, Vec::new());
        for (at, suggested) in errors.iter().flat_map(|error| &error.notes) {
            // The span of a suggestion to derive a trait is at the start of the declaration. The span of any
            // other note ends with the name of the type.
            let is_derive = suggested.contains("derive");
            let points_at =
                |name: &Range<usize>| at.start <= name.start && (is_derive || at.end == name.end);
            let Some((_, name)) = types.iter().find(|(name, _)| points_at(name)) else {
                continue;
            };
            if !is_derive {
                pointed_types.push(name.clone());
            }
            let suggested = suggested.split(|c: char| !c.is_alphanumeric());
            for trait_name in suggested.filter(|trait_name| OPTIONAL_TRAITS.contains(trait_name)) {
                is_new |= derives.need(name, trait_name);
            }
        }
        // Without a new suggestion, restore the traits of one type, preferably one that an error points to.
        let quoted = errors.iter().flat_map(Message::quoted_words);
        let is_type = |word: &String| types.iter().any(|(_, name)| name == word);
        let others = types.iter().map(|(_, name)| name.clone());
        let mut candidates = pointed_types
            .into_iter()
            .chain(quoted.filter(is_type))
            .chain(others);
        if !is_new && !candidates.any(|name| derives.restore(&name)) {
            return Err(source.to_source_error(error, &printed));
        }
    }
}

/// The traits that the types of the program need, according to the errors so far.
#[derive(Default)]
struct Derives {
    /// Pairs of a type and a trait that it needs.
    needed: HashSet<(String, String)>,
    /// The structs and enums of the program.
    types: Vec<Ident>,
    /// The types whose implementation of `Display` is removed.
    without_display: HashSet<String>,
}

impl Derives {
    /// Records that the type `name` needs the trait `trait_name`. Returns true if the pair is new.
    fn need(&mut self, name: &str, trait_name: &str) -> bool {
        self.needed
            .insert((name.to_string(), trait_name.to_string()))
    }

    /// Restores the type's implementation of `Display` if it was removed; otherwise restores all traits of
    /// the type. Returns false if they were already restored.
    fn restore(&mut self, name: &str) -> bool {
        let trait_name = if self.without_display.contains(name) {
            "Display"
        } else {
            WILDCARD
        };
        self.need(name, trait_name)
    }

    fn is_needed(&self, name: &str, trait_name: &str) -> bool {
        let needs = |trait_name: &str| {
            self.needed
                .contains(&(name.to_string(), trait_name.to_string()))
        };
        !OPTIONAL_TRAITS.contains(&trait_name) || needs(WILDCARD) || needs(trait_name)
    }

    /// False if the item is an unneeded implementation of `Display`, or an unneeded, empty implementation of
    /// `Error`.
    fn retain_impl(&mut self, item: &Item) -> bool {
        let Item::Impl(block) = item else { return true };
        let path = block.trait_.as_ref().map(|(path, _)| path);
        let (Some(trait_name), Type::Path(self_type)) = (path.and_then(last_name), &*block.self_ty)
        else {
            return true;
        };
        let is_optional =
            trait_name == "Display" || trait_name == "Error" && block.items.is_empty();
        let declared = last_name(&self_type.path).filter(|name| self.types.contains(name));
        let Some(name) = declared.filter(|_| is_optional) else {
            return true;
        };
        let (name, trait_name) = (name.to_string(), trait_name.to_string());
        let is_retained = self.is_needed(&name, &trait_name);
        if !is_retained && trait_name == "Display" {
            self.without_display.insert(name);
        }
        is_retained
    }

    /// Removes the unneeded traits from a `derive(…)`. Returns false if no trait remains.
    fn shorten(&self, attribute: &mut Attribute, name: &Ident) -> bool {
        let Meta::List(list) = &mut attribute.meta else {
            return true;
        };
        let traits = list.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated);
        let Some(traits) = traits.ok().filter(|_| list.path.is_ident("derive")) else {
            return true;
        };
        let mut traits: Vec<Path> = traits.into_iter().collect();
        let text = |trait_name: &Path| trait_name.to_token_stream().to_string();
        traits.retain(|trait_name| self.is_needed(&name.to_string(), &text(trait_name)));
        // Sort the list, so that types with the same traits have the same attribute.
        traits.sort_by_key(text);
        list.tokens = quote!(#(#traits),*);
        !traits.is_empty()
    }
}

fn last_name(path: &Path) -> Option<&Ident> {
    path.segments.last().map(|segment| &segment.ident)
}

impl VisitMut for Derives {
    fn visit_item_mut(&mut self, item: &mut Item) {
        let (attributes, name) = match item {
            Item::Struct(item) => (&mut item.attrs, &item.ident),
            Item::Enum(item) => (&mut item.attrs, &item.ident),
            _ => return visit_mut::visit_item_mut(self, item),
        };
        attributes.retain_mut(|attribute| self.shorten(attribute, name));
        self.types.push(name.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unneeded_traits_are_not_derived() {
        let text = "
            #[derive(Debug, PartialEq, Eq, Clone)] struct A(B);
            #[derive(Default, PartialEq, Eq, Clone, Copy)] struct B(u8);
            #[derive(Debug)] struct C;
            #[derive(Debug, Default)] enum D { #[default] E }
            fn main() { let a = A(B::default()); assert!(a.clone() == a); (C, D::E); }
        ";
        let expected = "
            #[derive(Clone, PartialEq)] struct A(B);
            #[derive(Clone, Copy, Default, PartialEq)] struct B(u8);
            struct C;
            #[derive(Default)] enum D { #[default] E }
            fn main() { let a = A(B::default()); assert!(a.clone() == a); (C, D::E); }
        ";
        check(text, expected);
    }

    #[test]
    fn unneeded_implementations_of_display_and_error_are_removed() {
        let display = |name: &str| {
            format!(
                "impl std::fmt::Display for {name} {{ fn fmt(&self, f: &mut std::fmt::Formatter) \
                 -> std::fmt::Result {{ f.write_str(\"shown\") }} }}"
            )
        };
        let types = "
            #[derive(Clone, Debug)] struct Shown;
            #[derive(Clone, Debug)] struct Inner<'a>(&'a u8);
            #[derive(Clone, Debug)] struct Unused;
            #[derive(Debug)] struct Fault;
        ";
        let rest =
            "fn main() { println!(\"{}\", Shown); let _ = (Inner(&1).to_string(), Unused); }"
                .to_string();
        let rest = rest + &display("Shown") + &display("Inner<'_>");
        let unused = display("Unused") + "impl std::error::Error for Fault {}" + &display("Fault");
        let stripped = types.replace(", Debug", "").replace("#[derive(Debug)]", "");
        check(&format!("{unused} {types} {rest}"), &(stripped + &rest));
    }

    fn check(text: &str, expected: &str) {
        let source = Source::from_text(text);
        let stripped = remove_derives(&source.program.to_token_stream(), &source).unwrap();
        let expected = syn::parse_file(expected).unwrap().to_token_stream();
        assert_eq!(
            stripped.into_token_stream().to_string(),
            expected.to_string()
        );
    }

    #[test]
    fn one_type_that_needs_its_traits_keeps_no_traits_of_others() {
        let text = "
            #[derive(Clone, PartialEq, Eq, PartialOrd, Ord)] struct Used(u8);
            #[derive(Clone, PartialEq, Eq, PartialOrd, Ord)] struct Unused(u8);
            fn main() { let _ = (Used(1).cmp(&Used(2)), Unused(1)); }
        ";
        let kept = "#[derive(Clone, Eq, Ord, PartialEq, PartialOrd)] struct Used";
        let used = text.replacen(
            "#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)] struct Used",
            kept,
            1,
        );
        let unused = "#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)] struct Unused";
        check(
            text,
            &used.replace(unused, "#[derive(Clone)] struct Unused"),
        );
        let text = "
            #[derive(PartialEq)] struct Name(String);
            #[derive(PartialEq)] struct Other(u8);
            impl std::ops::Deref for Name {
                type Target = String;
                fn deref(&self) -> &String { &self.0 }
            }
            fn main() { let _ = (Name(String::new()).eq(&String::new()), Other(1)); }
        ";
        let text = text
            .replace("eq(&String", "eq(&Name(String")
            .replace("new()), Other", "new())), Other");
        check(
            &text,
            &text.replace("#[derive(PartialEq)] struct Other", "struct Other"),
        );
    }
}
