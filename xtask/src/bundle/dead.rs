//! What the program does not use goes. The compiler says what that is.
//!
//! Its lints name items, members and imports without a use; what names them in turn, such as an
//! implementation for a type that has gone, is an error the next time. So rounds follow each other
//! until the compiler has nothing to say. Each round looks at the program as it is on x86-64 and
//! as it is elsewhere: what goes is used on neither. Fields and variants stay.
//!
//! Another version of the compiler may see a little less or more; the program is the same.

use super::compiler::diagnose;
use super::names;
use anyhow::{bail, Result};
use proc_macro2::Span;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Item, UseTree};

/// Removes what the program does not use.
///
/// # Errors
/// If the program does not compile.
pub(crate) fn prune(program: &mut syn::File) -> Result<()> {
    loop {
        let text = prettyplease::unparse(program);
        *program = syn::parse_file(&text)?;
        let messages = diagnose(&text)?;
        let mut prune = Prune {
            unused: Vec::new(),
            unresolved: Vec::new(),
            conditional: false,
            removed: 0,
        };
        let mut error = None;
        for message in messages {
            if message.is_error {
                prune.unresolved.extend(message.spans);
                error.get_or_insert(message.rendered);
            } else {
                let spans = message.spans.into_iter();
                prune
                    .unused
                    .extend(spans.map(|span| (message.on_x86, span)));
            }
        }
        prune.visit_file_mut(program);
        match (prune.removed, error) {
            (0, Some(error)) => bail!("rustc: {error}"),
            (0, None) => return Ok(()),
            _ => {}
        }
    }
}

struct Prune {
    /// Places in the text that a lint names, and whether on x86-64.
    unused: Vec<(bool, Range<usize>)>,
    /// Places in the text where a name means nothing.
    unresolved: Vec<Range<usize>>,
    /// Whether the visitor is in something that is compiled under a condition.
    conditional: bool,
    removed: usize,
}

impl Prune {
    /// Whether nothing uses what is at this place.
    fn is_unused(&self, at: Span) -> bool {
        let at = at.byte_range();
        let on = |x86| {
            self.unused
                .iter()
                .any(|(on, span)| *on == x86 && is_in(&at, span))
        };
        // What stands under a condition is compiled only once.
        on(true) && on(false) || self.conditional && (on(true) || on(false))
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
                let brace = block.brace_token.span.open().byte_range().start;
                let header = block.span().byte_range().start..brace;
                let is_empty = block.trait_.is_none() && block.items.is_empty();
                !is_empty && !prune.unresolved.iter().any(|span| is_in(span, &header))
            }
            item => names::of(item).is_none_or(|name| !prune.is_unused(name.span())),
        });
    }

    /// Whether an import brings something that is used; what is not goes.
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
                let at = leaf.span();
                let is_unresolved = |span| is_in(&at.byte_range(), span);
                !self.is_unused(at) && !self.unresolved.iter().any(is_unresolved)
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
                // That the trait has no such member is an error of the whole member.
                let (name, item) = (name.span(), item.span().byte_range());
                let member = name.byte_range().start..item.end;
                !prune.unresolved.iter().any(|span| is_in(&member, span)) && !prune.is_unused(name)
            })
        });
        visit_mut::visit_item_impl_mut(self, block);
    }

    fn visit_item_trait_mut(&mut self, block: &mut syn::ItemTrait) {
        self.retain(&mut block.items, |prune, item| {
            names::of(item).is_none_or(|name| !prune.is_unused(name.span()))
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
    use quote::ToTokens;

    /// Lines with `// -` go, the others stay.
    fn check(text: &str) {
        let program = |text: &str| syn::parse_file(text).unwrap();
        let expected: Vec<&str> = text
            .lines()
            .filter(|line| !line.ends_with("// -"))
            .collect();
        let mut pruned = program(text);
        prune(&mut pruned).unwrap();
        let text =
            |file: syn::File| prettyplease::unparse(&program(&file.to_token_stream().to_string()));
        assert_eq!(text(pruned), text(program(&expected.join("\n"))));
    }

    #[test]
    fn what_nothing_uses_goes() {
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
    fn what_one_processor_needs_stays() {
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
            let error = prune(&mut syn::parse_file(text).unwrap()).unwrap_err();
            assert!(error.to_string().starts_with("rustc: error"), "{error}");
        }
    }
}
