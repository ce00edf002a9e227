//! Removes unused code.
//!
//! Each round removes the items, members and imports that the compiler's warnings name as unused. The implementations for a removed
//! type or trait then fail to compile, and the next round removes them. The rounds end when the compiler reports nothing more.
//!
//! Each round compiles the program for x86-64 and for other processors, and removes only code that is unused on both. Fields and
//! variants stay.
//!
//! The compiler never reports an implementation of `Display` or `From` as unused. Such an implementation is removed if the program
//! compiles without it.
//!
//! Another version of the compiler may find a little more or less unused code. This does not change what the program does.

use super::compiler::{diagnose, errors};
use super::names;
use super::print::Printed;
use super::source::Source;
use anyhow::Result;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashMap;
use std::ops::Range;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Item, UseTree};

/// Removes the unused code of a program.
///
/// # Errors
/// Returns an error if the compiler cannot be run, or if the program does not compile.
pub(crate) fn prune(source: &mut Source) -> Result<()> {
    loop {
        let printed = Printed::new(source.program.to_token_stream());
        let mut prune = Prune {
            places: Places::new(&printed),
            unused: Vec::new(),
            unresolved: Vec::new(),
            conditional: false,
            removed: 0,
        };
        let mut error = None;
        for message in diagnose(&printed)? {
            let spans = message.spans.clone().into_iter();
            if message.is_error {
                prune.unresolved.extend(spans);
                error.get_or_insert_with(|| source.explain(&message, &printed));
            } else {
                prune.unused.extend(spans.map(|span| (message.on, span)));
            }
        }
        prune.visit_file_mut(&mut source.program);
        match (prune.removed, error) {
            (0, Some(error)) => return Err(error),
            (0, None) if !prune_impl(&mut source.program)? => return Ok(()),
            _ => {}
        }
    }
}

/// The traits whose implementations are removed if the program compiles without them.
const OPTIONAL: [&str; 2] = ["Display", "From"];

/// Removes the first implementation of an [`OPTIONAL`] trait that the program compiles without.
/// Returns false if the program needs all of them.
fn prune_impl(program: &mut syn::File) -> Result<bool> {
    for index in 0.. {
        let mut shorter = program.clone();
        let mut optional = Optional { index, seen: 0 };
        optional.visit_file_mut(&mut shorter);
        if optional.seen <= index {
            break;
        }
        if errors(&Printed::new(shorter.to_token_stream()))?.is_empty() {
            *program = shorter;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Removes one implementation of an [`OPTIONAL`] trait: the one with this index among all of them.
struct Optional {
    index: usize,
    /// The number of such implementations that the visitor has seen.
    seen: usize,
}

impl Optional {
    fn items(&mut self, items: &mut Vec<Item>) {
        items.retain(|item| {
            let Item::Impl(block) = item else { return true };
            let of = block.trait_.as_ref();
            let name = of.and_then(|(path, ..)| path.segments.last());
            let is_optional =
                name.is_some_and(|name| OPTIONAL.iter().any(|optional| name.ident == optional));
            self.seen += usize::from(is_optional);
            !is_optional || self.seen - 1 != self.index
        });
    }
}

impl VisitMut for Optional {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        self.items(&mut file.items);
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            self.items(items);
        }
        visit_mut::visit_item_mod_mut(self, module);
    }
}

/// The byte ranges of the sources' tokens in a printed program.
pub(crate) struct Places(HashMap<(String, usize), Range<usize>>);

impl Places {
    pub(crate) fn new(printed: &Printed) -> Self {
        let tokens = printed.tokens.iter();
        let tokens = tokens.filter(|(_, span)| !span.byte_range().is_empty());
        Self(tokens.map(|(at, span)| (key(*span), at.clone())).collect())
    }

    /// Returns the byte range of the token with this span; empty if the text does not contain the token.
    pub(crate) fn of(&self, span: Span) -> Range<usize> {
        self.0.get(&key(span)).cloned().unwrap_or_default()
    }

    /// Returns the byte range of consecutive tokens.
    pub(crate) fn of_all(&self, tokens: impl ToTokens) -> Range<usize> {
        let spans = spans(tokens.to_token_stream());
        let places = || {
            spans
                .iter()
                .map(|span| self.of(*span))
                .filter(|at| at.end > 0)
        };
        let start = places().map(|at| at.start).min();
        start.unwrap_or(0)..places().map(|at| at.end).max().unwrap_or(0)
    }
}

/// Returns the spans of tokens, and of the brackets of groups.
fn spans(tokens: TokenStream) -> Vec<Span> {
    let tokens = tokens.into_iter();
    let ends = tokens.flat_map(|token| match token {
        TokenTree::Group(group) => [group.span_open(), group.span_close()],
        token => [token.span(); 2],
    });
    ends.collect()
}

/// Returns a key that identifies a token among all files.
fn key(span: Span) -> (String, usize) {
    (span.file(), span.byte_range().start)
}

struct Prune {
    places: Places,
    /// The byte ranges that a warning names as unused, with `Message::on` of the warning.
    unused: Vec<([bool; 2], Range<usize>)>,
    /// The byte ranges of names that the compiler cannot resolve.
    unresolved: Vec<Range<usize>>,
    /// True while the visitor is in a module with a `cfg`.
    conditional: bool,
    removed: usize,
}

impl Prune {
    /// True if a warning names this byte range as unused.
    fn is_unused(&self, at: &Range<usize>) -> bool {
        let on = |kind: usize| {
            let mut unused = self.unused.iter();
            at.end > 0 && unused.any(|(on, span)| on[kind] && is_in(at, span))
        };
        // Code in a module with a `cfg` is compiled for one kind of processor only.
        on(0) && on(1) || self.conditional && (on(0) || on(1))
    }

    /// True if the item or member with this name is unused.
    fn is_dead(&self, name: &Ident) -> bool {
        self.is_unused(&self.places.of(name.span()))
    }

    fn retain<T>(&mut self, items: &mut Vec<T>, mut stays: impl FnMut(&mut Self, &mut T) -> bool) {
        let before = items.len();
        items.retain_mut(|item| stays(self, item));
        self.removed += before - items.len();
    }

    fn items(&mut self, items: &mut Vec<Item>) {
        self.retain(items, |prune, item| match item {
            Item::Use(item) => prune.is_tree_used(&mut item.tree),
            Item::Impl(block) => {
                let brace = prune.places.of(block.brace_token.span.open()).start;
                let header = prune.places.of_all(&*block).start..brace;
                let is_empty = block.trait_.is_none() && block.items.is_empty();
                !is_empty && !prune.unresolved.iter().any(|span| is_in(span, &header))
            }
            item => names::of(item).is_none_or(|name| !prune.is_dead(&name)),
        });
    }

    /// Removes the unused names of an import. Returns true if used names remain.
    fn is_tree_used(&mut self, tree: &mut UseTree) -> bool {
        match tree {
            UseTree::Path(path) => self.is_tree_used(&mut path.tree),
            UseTree::Group(group) => {
                let mut trees: Vec<UseTree> =
                    std::mem::take(&mut group.items).into_iter().collect();
                self.retain(&mut trees, Self::is_tree_used);
                group.items = trees.into_iter().collect();
                !group.items.is_empty()
            }
            leaf => {
                let at = self.places.of_all(&*leaf);
                let is_unresolved = |span| is_in(&at, span);
                !self.is_unused(&at) && !self.unresolved.iter().any(is_unresolved)
            }
        }
    }
}

fn is_in(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

impl VisitMut for Prune {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        self.items(&mut file.items);
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        let outside = self.conditional;
        self.conditional |= is_conditional(&module.attrs);
        if let Some((_, items)) = &mut module.content {
            self.items(items);
        }
        visit_mut::visit_item_mod_mut(self, module);
        self.conditional = outside;
    }

    fn visit_item_impl_mut(&mut self, block: &mut syn::ItemImpl) {
        self.retain(&mut block.items, |prune, item| {
            names::of(item).is_none_or(|name| {
                // If the trait no longer has this member, the error's span is the whole member.
                let start = prune.places.of(name.span()).start;
                let member = start..prune.places.of_all(&*item).end;
                !prune.unresolved.iter().any(|span| is_in(&member, span)) && !prune.is_dead(&name)
            })
        });
        visit_mut::visit_item_impl_mut(self, block);
    }

    fn visit_item_trait_mut(&mut self, block: &mut syn::ItemTrait) {
        self.retain(&mut block.items, |prune, item| {
            names::of(item).is_none_or(|name| !prune.is_dead(&name))
        });
        visit_mut::visit_item_trait_mut(self, block);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        self.retain(&mut block.stmts, |prune, statement| match statement {
            syn::Stmt::Item(Item::Use(item)) => prune.is_tree_used(&mut item.tree),
            _ => true,
        });
        visit_mut::visit_block_mut(self, block);
    }
}

fn is_conditional(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|attribute| attribute.path().is_ident("cfg"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts that exactly the lines that end with `// -` are removed.
    fn check(text: &str) {
        let program = |text: &str| syn::parse_file(text).unwrap();
        let expected: Vec<&str> = text
            .lines()
            .filter(|line| !line.ends_with("// -"))
            .collect();
        let mut pruned = Source::of(text);
        prune(&mut pruned).unwrap();
        let text =
            |file: syn::File| prettyplease::unparse(&program(&file.to_token_stream().to_string()));
        assert_eq!(text(pruned.program), text(program(&expected.join("\n"))));
    }

    #[test]
    fn unused_code_is_removed() {
        check(
            r"
            fn main() { a::used(b::Kept { named: 1, unread: 2 }); }
            pub(crate) mod a {
                use crate::b::Kept;
                use crate::b::Gone; // -
                use std::fmt::{
                    self,
                    Write, // -
                };
                pub(crate) fn used(kept: Kept) -> Result<u8, fmt::Error> { Ok(kept.method()) }
                pub(crate) fn unused() -> Gone { unused_too() } // -
                fn unused_too() -> Gone { Gone } // -
                pub(crate) trait Unused { fn f(&self); } // -
                impl Unused for Kept { fn f(&self) {} } // -
                pub(crate) trait Used {
                    fn called(&self) -> u8;
                    fn never(&self) {} // -
                }
                impl Used for Kept {
                    fn called(&self) -> u8 { self.named }
                    fn never(&self) { self.other() } // -
                }
                macro_rules! unused { () => {} } // -
            }
            pub(crate) mod b {
                use crate::a::Used;
                pub(crate) struct Kept { pub(crate) named: u8, pub(crate) unread: u8 }
                impl Kept {
                    pub(crate) fn method(&self) -> u8 { self.called() }
                    pub(crate) fn other(&self) {} // -
                }
                impl Kept { // -
                    pub(crate) const UNUSED: u8 = 1; // -
                } // -
                impl std::fmt::Display for Kept { // -
                    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { // -
                        f.pad(name()) // -
                    } // -
                } // -
                fn name() -> &'static str { NAME } // -
                pub(crate) struct Gone; // -
                impl std::fmt::Display for Gone { // -
                    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { f.pad(NAME) } // -
                } // -
                const NAME: &str = r; // -
            }
            "
            .replace("= r;", "= \"gone\";")
            .as_str(),
        );
    }

    #[test]
    fn a_trait_that_the_program_uses_stays() {
        check(
            r#"
            use std::fmt;
            struct Inner(Other);
            struct Other;
            struct Unused;
            fn main() { println!("{}", Inner(Other)); drop(Unused); }
            impl fmt::Display for Other {
                fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { f.pad("other") }
            }
            impl From<u8> for Unused { // -
                fn from(_: u8) -> Self { Self } // -
            } // -
            impl fmt::Display for Unused { // -
                fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { f.pad("unused") } // -
            } // -
            impl fmt::Display for Inner {
                fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { self.0.fmt(f) }
            }
            "#,
        );
    }

    #[test]
    fn code_that_one_processor_needs_stays() {
        check(
            r#"
            fn main() { here(); }
            #[cfg(target_arch = "x86_64")] use x86::here;
            #[cfg(not(target_arch = "x86_64"))] use other::here;
            fn for_x86() {}
            fn for_others() {}
            fn for_none() {} // -
            #[cfg(target_arch = "x86_64")]
            mod x86 {
                pub(crate) fn here() { crate::for_x86(); }
                fn unused() {} // -
            }
            #[cfg(not(target_arch = "x86_64"))]
            mod other {
                pub(crate) fn here() { crate::for_others(); }
                use std::fmt; // -
            }
            "#,
        );
    }

    #[test]
    fn a_program_that_does_not_compile_is_refused() {
        for text in [
            "fn main() { other() }",
            "fn main() { 1 }",
            "use a::b; fn main() { b() }",
        ] {
            let error = prune(&mut Source::of(text)).unwrap_err();
            assert!(error.to_string().starts_with("rustc: "), "{error}");
        }
    }
}
