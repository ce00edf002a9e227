//! Removes unused code.
//!
//! Each round removes the items, members and imports that the compiler's lints report as unused. The `impl`
//! blocks of a removed type or trait then fail to compile, and the next round removes them. The last round
//! finds nothing to remove.
//!
//! Each round compiles the program for x86-64 and for other processors, and removes only code that is unused
//! on every processor where it exists. Fields and variants stay. Two kinds of unused code also stay: items
//! that are named in code for another system, which this compiler never sees, and trait members that a macro
//! may implement. They get `#[allow(dead_code)]`, so the compiler also treats everything that they use as
//! used.
//!
//! Another version of the compiler may find a little more or less unused code. This does not change what the
//! program does.

use super::compiler::Message;
use super::names;
use super::print::PrintedProgram;
use super::source::Source;
use super::strip::{self, without_attributes};
use super::tokens::{group, identifiers, is_punct, item_end, replace_tokens};
use anyhow::Result;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use syn::parse::Parse;
use syn::visit_mut::{self, VisitMut};
use syn::{Item, Meta, MetaList, UseTree, Visibility, parse_quote};

/// Returns the program without unused code.
///
/// # Errors
/// Returns an error if the compiler cannot be run, or if the remaining program does not compile.
pub(crate) fn prune(mut program: syn::File, source: &Source) -> Result<TokenStream> {
    let mut macro_members = MacroMembers::default();
    macro_members.visit_file_mut(&mut program);
    let absent_everywhere = source.compiler.architectures.map(|compiles| !compiles);
    loop {
        let printed = PrintedProgram::new(program.to_token_stream());
        let mut pruner = Pruner {
            ranges: TokenRanges::new(&printed),
            called_macros: called_macros(program.to_token_stream()),
            unseen: HashSet::new(),
            macro_members: &macro_members,
            unused: Vec::new(),
            absent: vec![(absent_everywhere, 0..usize::MAX)],
            unresolved: Vec::new(),
            removes: false,
            changes: 0,
        };
        pruner.record_cfgs(program.to_token_stream());
        let mut error: Option<Message> = None;
        let messages = source.compiler.diagnose(&printed)?;
        for message in messages {
            let spans = message.spans.clone().into_iter();
            if message.is_error {
                pruner.unresolved.extend(spans);
                error.get_or_insert(message);
            } else {
                let spans = spans.map(|span| (message.architectures, span));
                pruner.unused.extend(spans);
            }
        }
        pruner.visit_file_mut(&mut program);
        if pruner.changes == 0 {
            pruner.removes = true;
            pruner.visit_file_mut(&mut program);
        }
        match (pruner.changes, error) {
            (0, Some(error)) => return Err(source.to_source_error(&error, &printed)),
            (0, None) => return Ok(without_attributes(program.into_token_stream(), false)),
            _ => {}
        }
    }
}

/// Returns the names of the macros that the program calls.
fn called_macros(tokens: TokenStream) -> HashSet<String> {
    let mut called_macros = HashSet::new();
    replace_tokens(tokens, &mut |tokens, i| {
        if is_punct(tokens, i + 1, '!') {
            called_macros.insert(tokens[i].to_string());
        }
        None
    });
    called_macros
}

/// Replaces every visibility, such as `pub`, with `pub(crate)`, since the compiler does not report unused
/// imports that are public.
pub(crate) struct NarrowVisibility;

impl VisitMut for NarrowVisibility {
    fn visit_visibility_mut(&mut self, visibility: &mut Visibility) {
        if !matches!(visibility, Visibility::Inherited) {
            *visibility = parse_quote!(pub(crate));
        }
    }
}

/// Returns whether code with this `#[cfg]` exists on x86-64, and whether it exists on other processors. Each
/// value is `None` if it also depends on something else. For any other attribute, returns `None` instead of
/// the pair.
fn evaluate_cfg_attribute(attribute: &Group) -> Option<[Option<bool>; 2]> {
    let list: MetaList = syn::parse2(attribute.stream()).ok()?;
    let condition = list.parse_args().ok();
    let condition: Meta = condition.filter(|_| list.path.is_ident("cfg"))?;
    Some([true, false].map(|is_x86| strip::evaluate_cfg(&condition, is_x86)))
}

/// The names that macros may declare as members: the names after `fn`, `const` or `type` in a macro
/// definition, and all names in a macro call outside of functions.
#[derive(Default)]
struct MacroMembers(HashSet<String>);

impl VisitMut for MacroMembers {
    fn visit_macro_mut(&mut self, called: &mut syn::Macro) {
        let words = identifiers(called.tokens.clone());
        if called.path.is_ident("macro_rules") {
            let pairs = words.windows(2);
            let declared = pairs.filter(|pair| ["const", "fn", "type"].contains(&&pair[0][..]));
            self.0.extend(declared.map(|pair| pair[1].clone()));
        } else {
            self.0.extend(words);
        }
    }

    fn visit_expr_macro_mut(&mut self, _: &mut syn::ExprMacro) {}

    fn visit_stmt_macro_mut(&mut self, _: &mut syn::StmtMacro) {}
}

/// Maps each token of the sources to its byte range in a printed program.
pub(crate) struct TokenRanges(HashMap<(String, usize), Range<usize>>);

impl TokenRanges {
    pub(crate) fn new(printed: &PrintedProgram) -> Self {
        let tokens = printed.tokens.iter();
        let tokens = tokens.filter(|(_, span)| !span.byte_range().is_empty());
        Self(
            tokens
                .map(|(range, span)| (key(*span), range.clone()))
                .collect(),
        )
    }

    /// Returns the byte range of the token with this span; empty if the printed program does not contain it.
    pub(crate) fn range_of(&self, span: Span) -> Range<usize> {
        self.0.get(&key(span)).cloned().unwrap_or_default()
    }

    /// Returns the byte range from the first to the last of these tokens.
    pub(crate) fn range_of_all(&self, tokens: impl ToTokens) -> Range<usize> {
        let spans = tokens
            .to_token_stream()
            .into_iter()
            .flat_map(|token| match token {
                TokenTree::Group(group) => [group.span_open(), group.span_close()],
                token => [token.span(); 2],
            });
        let ranges = spans.map(|span| self.range_of(span));
        let ranges = ranges.filter(|range| range.end > 0);
        let whole = ranges.reduce(|all, range| all.start.min(range.start)..all.end.max(range.end));
        whole.unwrap_or_default()
    }
}

/// Returns a key that identifies a token across all files.
fn key(span: Span) -> (String, usize) {
    (span.file(), span.byte_range().start)
}

struct Pruner<'a> {
    ranges: TokenRanges,
    called_macros: HashSet<String>,
    /// The names in code that this compiler may never see: code whose `#[cfg]` depends on something other
    /// than the processor.
    unseen: HashSet<String>,
    macro_members: &'a MacroMembers,
    /// The byte ranges that warnings report as unused, each with the architectures of its warning.
    unused: Vec<([bool; 2], Range<usize>)>,
    /// The byte ranges of code under a condition, each with the architectures where the code does not exist.
    absent: Vec<([bool; 2], Range<usize>)>,
    /// The byte ranges of the compiler's errors, mostly names that the compiler cannot resolve.
    unresolved: Vec<Range<usize>>,
    /// True to remove unused code; false to add `#[allow(dead_code)]` to unused code that has to stay.
    removes: bool,
    /// The number of items that this round removed or marked with `#[allow(dead_code)]`.
    changes: usize,
}

impl Pruner<'_> {
    /// True if the program still calls this macro.
    fn is_called(&self, definition: &syn::ItemMacro) -> bool {
        let name = definition.ident.as_ref().map(ToString::to_string);
        name.is_some_and(|name| self.called_macros.contains(&name))
    }

    /// Records the code that a `#[cfg]` excludes from an architecture. If the `#[cfg]` depends on anything
    /// else, also records the names in the code, since this compiler may never see that code.
    fn record_cfgs(&mut self, tokens: TokenStream) {
        replace_tokens(tokens, &mut |tokens, i| {
            let attribute = group(tokens, i + 1).filter(|_| is_punct(tokens, i, '#'))?;
            let exists = evaluate_cfg_attribute(attribute)?;
            let end = item_end(tokens, i + 2).unwrap_or(tokens.len() - 1);
            let item: TokenStream = tokens[i + 2..=end].iter().cloned().collect();
            let is_absent = exists.map(|exists| exists == Some(false));
            let range = self.ranges.range_of_all(&item);
            self.absent.push((is_absent, range));
            if exists.contains(&None) {
                self.unseen.extend(identifiers(item));
            }
            None
        });
    }

    /// True if lints report this byte range as unused on every architecture where the code exists.
    fn is_unused(&self, range: &Range<usize>) -> bool {
        let has = |ranges: &[([bool; 2], Range<usize>)], arch: usize| {
            let mut ranges = ranges.iter();
            ranges.any(|(architectures, outer)| architectures[arch] && is_in(range, outer))
        };
        let is_reported = |arch| range.end > 0 && has(&self.unused, arch);
        (0..2).any(is_reported) && (0..2).all(|arch| is_reported(arch) || has(&self.absent, arch))
    }

    /// Returns true if the item or member with this name is used, or has to stay although it is unused. In
    /// the latter case, adds `#[allow(dead_code)]`.
    fn keep_or_allow<T: Parse + ToTokens>(
        &mut self,
        name: &Ident,
        item: &mut T,
        is_member: bool,
    ) -> bool {
        if !self.is_unused(&self.ranges.range_of(name.span())) {
            return true;
        }
        let word = name.to_string();
        let stays =
            self.unseen.contains(&word) || is_member && self.macro_members.0.contains(&word);
        if stays && let Ok(allowed) = syn::parse2(quote!(#[allow(dead_code)] #item)) {
            *item = allowed;
            self.changes += 1;
        }
        stays
    }

    /// Removes the items for which `keep` returns false. If [`Self::removes`] is false, only calls `keep`,
    /// which may add `#[allow(dead_code)]`.
    fn retain<T>(&mut self, items: &mut Vec<T>, mut keep: impl FnMut(&mut Self, &mut T) -> bool) {
        let before = items.len();
        items.retain_mut(|item| keep(self, item) || !self.removes);
        self.changes += before - items.len();
    }

    fn prune_items(&mut self, items: &mut Vec<Item>) {
        self.retain(items, |pruner, item| match item {
            Item::Use(item) => pruner.prune_tree(&mut item.tree),
            // The compiler may report a macro as unused if the program calls it only by its exported name.
            Item::Macro(item) if pruner.is_called(item) => true,
            Item::Impl(block) => {
                let brace = pruner.ranges.range_of(block.brace_token.span.open()).start;
                let header = pruner.ranges.range_of_all(&*block).start..brace;
                let is_empty = block.trait_.is_none() && block.items.is_empty();
                !is_empty && !pruner.unresolved.iter().any(|span| is_in(span, &header))
            }
            Item::Mod(module) => !matches!(&module.content, Some((_, items)) if items.is_empty()),
            item => names::declared_name(&*item)
                .is_none_or(|name| pruner.keep_or_allow(&name, item, false)),
        });
    }

    /// Removes the unused names from an import. Returns true if used names remain.
    fn prune_tree(&mut self, tree: &mut UseTree) -> bool {
        match tree {
            UseTree::Path(path) => self.prune_tree(&mut path.tree),
            UseTree::Group(group) => {
                let mut trees: Vec<UseTree> =
                    std::mem::take(&mut group.items).into_iter().collect();
                self.retain(&mut trees, Self::prune_tree);
                group.items = trees.into_iter().collect();
                !group.items.is_empty()
            }
            leaf => {
                let range = self.ranges.range_of_all(&*leaf);
                let is_unresolved = |span| is_in(&range, span);
                let words = identifiers(leaf.to_token_stream());
                let is_unseen = words.iter().any(|word| self.unseen.contains(word));
                (is_unseen || !self.is_unused(&range)) && !self.unresolved.iter().any(is_unresolved)
            }
        }
    }
}

fn is_in(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

impl VisitMut for Pruner<'_> {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        self.prune_items(&mut file.items);
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            self.prune_items(items);
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_item_impl_mut(&mut self, block: &mut syn::ItemImpl) {
        self.retain(&mut block.items, |pruner, item| {
            names::declared_name(&*item).is_none_or(|name| {
                // If the trait no longer has this member, the error's span is the whole member.
                let start = pruner.ranges.range_of(name.span()).start;
                let member = start..pruner.ranges.range_of_all(&*item).end;
                !pruner.unresolved.iter().any(|span| is_in(&member, span))
                    && pruner.keep_or_allow(&name, item, false)
            })
        });
        visit_mut::visit_item_impl_mut(self, block);
    }

    fn visit_item_trait_mut(&mut self, block: &mut syn::ItemTrait) {
        self.retain(&mut block.items, |pruner, item| {
            names::declared_name(&*item).is_none_or(|name| pruner.keep_or_allow(&name, item, true))
        });
        visit_mut::visit_item_trait_mut(self, block);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        self.retain(&mut block.stmts, |pruner, statement| match statement {
            syn::Stmt::Item(Item::Use(item)) => pruner.prune_tree(&mut item.tree),
            _ => true,
        });
        visit_mut::visit_block_mut(self, block);
    }
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
        let source = Source::from_text(text);
        let pruned = prune(source.program.clone(), &source).unwrap();
        let text = |text: &str| prettyplease::unparse(&program(text));
        assert_eq!(text(&pruned.to_string()), text(&expected.join("\n")));
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
            mod unused { // -
                pub fn f() {} // -
            } // -
            pub(crate) mod b {
                use crate::a::Used;
                pub(crate) struct Kept { pub(crate) named: u8, pub(crate) unread: u8 }
                impl Kept {
                    pub(crate) fn method(&self) -> u8 { self.called() }
                    pub(crate) fn other(&self) {} // -
                }
                impl Kept { // -
                    pub(crate) const UNUSED_CONSTANT: u8 = 1; // -
                } // -
                impl std::fmt::Display for Kept {
                    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                        f.pad(name())
                    }
                }
                fn name() -> &'static str { NAME }
                pub(crate) struct Gone; // -
                impl std::fmt::Display for Gone { // -
                    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { f.pad(NAME) } // -
                } // -
                const NAME: &str = r;
            }
            "
            .replace("= r;", "= \"gone\";")
            .as_str(),
        );
    }

    #[test]
    fn implementations_of_foreign_traits_stay_with_their_types() {
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
            impl From<u8> for Unused {
                fn from(_: u8) -> Self { Self }
            }
            impl fmt::Display for Unused {
                fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { f.pad("unused") }
            }
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
            #[cfg(not(target_arch = "x86_64"))] fn only_there() { for_none_either() } // -
            fn for_none_either() {} // -
            #[cfg(target_os = "other")] fn on_other() { for_another_system() }
            fn for_another_system() { and_its_helper() }
            fn and_its_helper() {}
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
    fn members_that_a_macro_may_implement_stay() {
        check(
            r"
            trait Shape { fn area(&self) -> u32; fn unused(&self) -> u32 { 0 } fn gone(&self) -> u8 { 1 } }
            macro_rules! unused { ($v:expr) => { fn unused(&self) -> u32 { helper($v) } } }
            fn helper(x: u32) -> u32 { x }
            fn other() {} // -
            mod with_the_same_names { // -
                pub(crate) fn helper(v: u32) -> u32 { unused(v) } // -
                fn unused(x: u32) -> u32 { x } // -
            } // -
            struct S;
            impl Shape for S { fn area(&self) -> u32 { 3 } unused! { 4 } }
            fn main() { S.area(); }
            "
            .replace("fn gone(&self) -> u8 { 1 }", "\nfn gone(&self) -> u8 { 1 } // -\n")
            .as_str(),
        );
    }

    #[test]
    fn lints_that_are_not_about_unused_code_remove_nothing() {
        check(
            "fn calcScore(X: u8) -> u8 { X } struct node; const dx: u8 = 1; \
             fn inf() { inf() } fn main() { calcScore(dx); node; inf(); }",
        );
    }

    #[test]
    fn a_program_that_does_not_compile_is_refused() {
        for text in [
            "fn main() { other() }",
            "fn main() { 1 }",
            "use a::b; fn main() { b() }",
        ] {
            let source = Source::from_text(text);
            let error = prune(source.program.clone(), &source).err().unwrap();
            assert!(error.to_string().starts_with("rustc: "), "{error}");
        }
    }
}
