//! Moves the items of modules into the root of the file.
//!
//! In a single file, modules only cost bytes, for imports, paths and visibilities. A module stays if it has
//! an attribute, such as a condition on the processor. It also stays if the root already uses one of its
//! names for another item. A remaining module imports the items of the root. If no names clash, the root also
//! imports the items of the module; otherwise, paths to them still name the module.
//!
//! ```text
//! mod a { pub fn score() {} pub fn a() {} }        fn score() {} fn a() {}
//! mod b { pub fn score() {} pub fn b() {} }        mod b { use super::*; pub fn score() {} pub fn b() {} }
//! fn main() { a::score(); b::score(); b::b() }     fn main() { score(); crate::b::score(); crate::b::b() }
//! ```

use super::names;
use super::strip::cfg_attributes;
use super::tokens::{begins_path, find_semicolon, is_colons, is_punct, replace_tokens};
use anyhow::{Result, ensure};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use syn::visit_mut::VisitMut;
use syn::{Attribute, Item, UseTree, Visibility, parse_quote};

/// Maps each module of the sources to the module of the flat program that holds its items. Both are paths.
pub(crate) type Homes = HashMap<ItemPath, ItemPath>;

/// The segments of a path from the root of the program.
pub(crate) type ItemPath = Vec<String>;

/// The maximum number of imports to follow from a name to its item.
const MAX_IMPORTS: usize = 8;

/// Names that are visible in every module without an import.
const PRELUDE: &str = "\
    AsMut AsRef Box Clone Copy Debug Default DoubleEndedIterator Drop Eq Err ExactSizeIterator Extend Fn \
    FnMut FnOnce From Hash Into IntoIterator Iterator None Ok Option Ord PartialEq PartialOrd Result \
    Send Sized Some String Sync ToOwned ToString Unpin Vec bool char core drop f32 f64 i128 i16 i32 i64 \
    i8 isize std str u128 u16 u32 u64 u8 usize";

/// Returns the program with the items of its modules in its root, and the new homes of the modules.
///
/// # Errors
/// Returns an error if two modules that cannot be flattened have the same name.
pub(crate) fn flatten(program: &TokenStream) -> Result<(TokenStream, Homes)> {
    let syn::File { attrs, items, .. } = syn::parse2(program.clone())?;
    let mut flat = Flattener::default();
    flat.add_declarations(&items, &ItemPath::new());
    flat.find_homes()?;
    let (imports, body) = flat.lift(&items, &ItemPath::new(), &Visibility::Inherited);
    let imports = use_declarations(&imports);
    Ok((quote!(#(#attrs)* #imports #body), flat.homes))
}

/// The declarations of a program, for resolving paths to items.
pub(crate) struct Declarations(Flattener);

impl Declarations {
    /// Collects the declarations of the root of a program, and of all modules below it.
    pub(crate) fn new(items: &[Item]) -> Self {
        let mut flat = Flattener::default();
        flat.add_declarations(items, &ItemPath::new());
        Self(flat)
    }

    /// Follows a path to its item, through imports if necessary. Returns the item's path from the root of the
    /// program.
    pub(crate) fn resolve(&self, path: &[String]) -> Option<ItemPath> {
        let found = self.0.resolve(&[], path, MAX_IMPORTS)?;
        // A module and a function may have the same name: `pub use search::search`. In MIR, such a path leads
        // to the function.
        let (name, parent) = found.split_last()?;
        let modules = &self.0.modules;
        let module = modules.get(parent).filter(|_| modules.contains_key(&found));
        let import = module.and_then(|module| {
            module
                .imports
                .iter()
                .find(|(_, local_name)| local_name == name)
        });
        let item = import.and_then(|(path, _)| self.0.resolve(parent, path, MAX_IMPORTS));
        item.filter(|item| !modules.contains_key(item))
            .or(Some(found))
    }
}

fn items_of(module: &syn::ItemMod) -> &[Item] {
    module.content.as_ref().map_or(&[], |(_, items)| items)
}

fn child(parent: &[String], name: &str) -> ItemPath {
    [parent, &[name.to_string()]].concat()
}

/// The declarations of a module: its items and its imports.
#[derive(Default)]
struct Module {
    has_attributes: bool,
    items: BTreeSet<String>,
    /// The variants of the enums, as `Enum::Variant`.
    variants: BTreeSet<String>,
    imports: Vec<Import>,
}

/// An import: the path as written, and the local name of the item. The name is `*` for a glob import.
type Import = (ItemPath, String);

#[derive(Default)]
struct Flattener {
    modules: BTreeMap<ItemPath, Module>,
    homes: HashMap<ItemPath, ItemPath>,
    /// The names that each module of the flat program declares or imports, each with the path of its item in
    /// the sources.
    names: HashMap<ItemPath, HashMap<String, ItemPath>>,
    /// The modules of the flat program whose items the root imports with a glob.
    glob_imported: HashSet<ItemPath>,
}

impl Flattener {
    fn add_declarations(&mut self, items: &[Item], module_path: &ItemPath) {
        for item in items {
            if let Item::Mod(inner) = item {
                let path = child(module_path, &inner.ident.to_string());
                self.add_declarations(items_of(inner), &path);
                let module = self.modules.entry(path).or_default();
                let is_macro_use = |attribute: &Attribute| attribute.path().is_ident("macro_use");
                module.has_attributes |= !inner.attrs.iter().all(is_macro_use);
                continue;
            }
            let module = self.modules.entry(module_path.clone()).or_default();
            match item {
                // Imports with an attribute such as `#[cfg]` are not recorded: two of them may import
                // different items under the same name.
                Item::Use(item) if item.attrs.is_empty() => {
                    module.imports.extend(split_use_tree(&item.tree, &[]));
                }
                item => {
                    if let Item::Enum(item) = item {
                        let variants = item.variants.iter();
                        let variants =
                            variants.map(|variant| format!("{}::{}", item.ident, variant.ident));
                        module.variants.extend(variants);
                    }
                    let name = names::declared_name(item);
                    module.items.extend(name.map(|name| name.to_string()));
                }
            }
        }
        self.modules.entry(module_path.clone()).or_default();
    }

    /// Resolves a name in the module `module_path` to an item of the module, or to the target of an import.
    /// Returns `None` if the module has no such name.
    fn resolve_name(&self, module_path: &[String], name: &str, depth: usize) -> Option<ItemPath> {
        let (module, path) = (self.modules.get(module_path)?, child(module_path, name));
        if module.items.contains(name) || self.modules.contains_key(&path) {
            return Some(path);
        }
        let follow = |import: &Import| self.resolve(module_path, &import.0, depth);
        let mut imports = module.imports.iter();
        if let Some(import) = imports.find(|(_, local_name)| local_name == name) {
            return follow(import);
        }
        let globs = module
            .imports
            .iter()
            .filter(|(_, local_name)| local_name == "*");
        let mut globs = globs.filter_map(follow);
        globs.find_map(|glob| {
            let variant = glob.split_last().and_then(|(enum_name, module)| {
                let variants = &self.modules.get(module)?.variants;
                variants
                    .contains(&format!("{enum_name}::{name}"))
                    .then(|| child(&glob, name))
            });
            variant.or_else(|| self.resolve_name(&glob, name, depth.checked_sub(1)?))
        })
    }

    /// Resolves `path`, as written in the module `module_path`, to a path from the root. Returns `None` if
    /// the path leads out of the program, or through too many imports.
    fn resolve(&self, module_path: &[String], path: &[String], depth: usize) -> Option<ItemPath> {
        let depth = depth.checked_sub(1)?;
        let mut base = module_path.to_vec();
        for (i, name) in path.iter().enumerate() {
            base = match name.as_str() {
                "crate" => ItemPath::new(),
                "self" => base,
                "super" => base[..base.len().checked_sub(1)?].to_vec(),
                // `base` is a type: the remaining names are its members.
                name if !self.modules.contains_key(&base) => child(&base, name),
                name => match self.resolve_name(&base, name, depth) {
                    None if i > 0 => child(&base, name),
                    path => path?,
                },
            };
        }
        Some(base)
    }

    /// Decides for each module whether it stays, and where its items move.
    fn find_homes(&mut self) -> Result<()> {
        let prelude = PRELUDE.split_whitespace().map(String::from);
        let prelude = prelude.map(|name| (name.clone(), vec!["std".to_string(), name]));
        let mut all = HashMap::from([(ItemPath::new(), prelude.collect::<HashMap<_, _>>())]);
        for (path, module) in &self.modules {
            let own = module.items.iter();
            let own = own.map(|name| (name.clone(), child(path, name)));
            let imports = module.imports.iter();
            let imports = imports.filter(|(_, local_name)| local_name != "*" && local_name != "_");
            let imports = imports.map(|(import, local_name)| {
                let target = self.resolve(path, import, MAX_IMPORTS);
                (local_name.clone(), target.unwrap_or_else(|| import.clone()))
            });
            let imports = imports.filter(|(_, target)| !self.modules.contains_key(target));
            let names: HashMap<String, ItemPath> = imports.chain(own).collect();
            let mut home = path.clone();
            if let Some((name, parent)) = path.split_last() {
                home.clone_from(&self.homes[parent]);
                let home_names = all.entry(home.clone()).or_default();
                // A module and a function may have the same name, so modules are entered as `name::`.
                let module_name = format!("{name}::");
                let mut own = names.iter();
                let is_free = own
                    .all(|(name, target)| home_names.get(name).is_none_or(|path| path == target));
                if module.has_attributes || !is_free {
                    ensure!(
                        !home_names.contains_key(&module_name),
                        "the name {name} is declared twice"
                    );
                    home_names.insert(module_name, path.clone());
                    let is_in_root = home.is_empty();
                    home.push(name.clone());
                    self.glob_imported
                        .extend((is_free && is_in_root).then(|| home.clone()));
                }
            }
            all.entry(home.clone()).or_default().extend(names);
            self.homes.insert(path.clone(), home);
        }
        self.names = all;
        Ok(())
    }

    /// Returns the path to an item, as seen from the module `module_path` of the flat program. `source_path`
    /// is the item's path in the sources.
    fn path_to(&self, source_path: &[String], module_path: &ItemPath) -> String {
        let mut ends = (0..source_path.len()).rev();
        let modules = ends.find(|end| self.homes.contains_key(&source_path[..*end]));
        let (module, item) = source_path.split_at(modules.unwrap_or_default());
        let home = &self.homes[module];
        // An item of the root is in scope only if no module from the root to `module_path` has another item
        // of this name.
        let mut namesakes = (0..=module_path.len())
            .filter_map(|end| self.names.get(&module_path[..end])?.get(&item[0]));
        let is_in_scope = home == module_path
            || self.is_in_root(home)
                && namesakes.all(|target| **target == source_path[..=module.len()]);
        let root = (!is_in_scope).then_some("crate").into_iter();
        let modules: &[String] = if is_in_scope { &[] } else { home };
        let path = root.chain(modules.iter().chain(item).map(String::as_str));
        path.collect::<Vec<_>>().join("::")
    }

    /// True if the root of the flat program sees the items of this module: the module is the root, or the
    /// root imports its items.
    fn is_in_root(&self, home: &ItemPath) -> bool {
        home.is_empty() || self.glob_imported.contains(home)
    }

    /// Returns the imports and the items of the module `module_path`. Items that are not private get the
    /// visibility `visibility`.
    fn lift(
        &self,
        items: &[Item],
        module_path: &ItemPath,
        visibility: &Visibility,
    ) -> (BTreeSet<String>, TokenStream) {
        let (mut imports, mut out) = (BTreeSet::new(), TokenStream::new());
        for item in items {
            match item {
                Item::Use(item) if item.attrs.is_empty() => {
                    imports.extend(self.import(&item.tree, module_path));
                }
                Item::Use(item) => {
                    let attributes = &item.attrs;
                    for path in self.import(&item.tree, module_path) {
                        let import = use_declarations(&BTreeSet::from([path]));
                        out.extend(quote!(#(#attributes)* #import));
                    }
                }
                Item::Mod(module) => {
                    let path = child(module_path, &module.ident.to_string());
                    let items = items_of(module);
                    if self.homes[&path] == self.homes[module_path] {
                        let (own, inner) = self.lift(items, &path, visibility);
                        imports.extend(own);
                        out.extend(inner);
                        continue;
                    }
                    let (attributes, name) = (&module.attrs, &module.ident);
                    let (own, inner) = self.lift(items, &path, &parse_quote!(pub));
                    let own = use_declarations(&own);
                    out.extend(
                        quote!(#(#attributes)* #visibility mod #name { use super::*; #own #inner }),
                    );
                    if self.glob_imported.contains(&self.homes[&path]) {
                        let conditions = cfg_attributes(attributes);
                        out.extend(quote!(#(#conditions)* use #name::*;));
                    }
                }
                item => {
                    let mut item = item.clone();
                    SetVisibility(visibility).visit_item_mut(&mut item);
                    out.extend(self.without_modules(item.to_token_stream(), module_path));
                }
            }
        }
        (imports, out)
    }

    /// Replaces paths through modules: `crate::rules::score` becomes `score`.
    fn without_modules(&self, tokens: TokenStream, module_path: &ItemPath) -> TokenStream {
        replace_tokens(tokens, &mut |tokens, i| {
            if tokens[i].to_string() == "use" {
                let end = find_semicolon(tokens, i)?;
                let import = tokens[i..=end].iter().cloned().collect();
                let import: syn::ItemUse = syn::parse2(import).ok()?;
                let imports = self.import(&import.tree, module_path);
                return Some((end + 1 - i, use_declarations(&imports)));
            }
            // In a macro, `pub(in crate::module)` becomes `pub(crate)`.
            if i == 0 && tokens[0].to_string() == "in" {
                return Some((tokens.len(), quote!(crate)));
            }
            // The `$` of `$crate::module::item` is removed together with the module.
            let is_crate = |word: &TokenTree| word.to_string() == "crate";
            let is_dollar = is_punct(tokens, i, '$') && tokens.get(i + 1).is_some_and(is_crate);
            let start = i + usize::from(is_dollar);
            let (mut path, mut end) = (vec![tokens[start].to_string()], start);
            while is_colons(tokens, end + 1)
                && matches!(tokens.get(end + 3), Some(TokenTree::Ident(_)))
            {
                end += 3;
                path.push(tokens[end].to_string());
            }
            if path.len() == 1 || !begins_path(tokens, i) {
                return None;
            }
            let is_keyword = ["crate", "self", "super"].contains(&path[0].as_str());
            let first = || self.resolve_name(module_path, &path[0], MAX_IMPORTS);
            let is_module = is_keyword || self.modules.contains_key(&first()?);
            let path = self
                .resolve(module_path, &path, MAX_IMPORTS)
                .filter(|_| is_module)?;
            let path = self.path_to(&path, &self.homes[module_path]).parse().ok()?;
            Some((end + 1 - i, path))
        })
    }

    /// Returns the paths of an import, except those of items that the module sees without an import.
    fn import(&self, tree: &UseTree, module_path: &ItemPath) -> BTreeSet<String> {
        let (here, mut out) = (&self.homes[module_path], BTreeSet::new());
        for (path, local_name) in split_use_tree(tree, &[]) {
            let Some(own) = self.resolve(module_path, &path, MAX_IMPORTS) else {
                out.insert(format_import(&path.join("::"), &local_name));
                continue;
            };
            if !self.modules.contains_key(&own) {
                let import = format_import(&self.path_to(&own, here), &local_name);
                // A name without a path is visible without an import.
                out.extend(Some(import).filter(|import| import.contains([':', ' '])));
                continue;
            }
            // The import of a module is not needed, since paths through the module become paths to its items.
            // Only a glob import that adds names has to stay.
            let home = &self.homes[&own];
            if local_name == "*" && home != here && !self.is_in_root(home) {
                out.insert(format!("crate::{}::*", home.join("::")));
            }
        }
        out
    }
}

/// Splits a `use` tree below the path `prefix` into single imports.
fn split_use_tree(tree: &UseTree, prefix: &[String]) -> Vec<Import> {
    let path = |name: &syn::Ident| {
        if name == "self" {
            prefix.to_vec()
        } else {
            child(prefix, &name.to_string())
        }
    };
    match tree {
        UseTree::Path(tree) => split_use_tree(&tree.tree, &path(&tree.ident)),
        UseTree::Group(group) => group
            .items
            .iter()
            .flat_map(|tree| split_use_tree(tree, prefix))
            .collect(),
        UseTree::Glob(_) => vec![(prefix.to_vec(), "*".to_string())],
        UseTree::Rename(tree) => vec![(path(&tree.ident), tree.rename.to_string())],
        UseTree::Name(name) => {
            let path = path(&name.ident);
            let local_name = path.last().cloned().unwrap_or_default();
            vec![(path, local_name)]
        }
    }
}

/// Returns the import of a path under the name `local_name`, without the keyword `use`.
fn format_import(path: &str, local_name: &str) -> String {
    match path.rsplit("::").next() {
        _ if local_name == "*" => format!("{path}::*"),
        Some(name) if name == local_name => path.to_string(),
        _ => format!("{path} as {local_name}"),
    }
}

/// Returns the `use` declarations of these paths: one for all paths into the standard library, and one for
/// each other path.
fn use_declarations(paths: &BTreeSet<String>) -> TokenStream {
    let paths = paths.iter().map(String::as_str);
    let (std, own): (Vec<&str>, Vec<&str>) = paths.partition(|path| path.starts_with("std::"));
    let std = use_tree(&std);
    let all = Some(&std[..]).filter(|std| !std.is_empty());
    let all = all.into_iter().chain(own);
    let text: String = all.map(|path| format!("use {path};")).collect();
    text.parse().unwrap_or_default()
}

/// Joins sorted paths: `a::b` and `a::c` become `a::{b,c}`.
fn use_tree(paths: &[&str]) -> String {
    // The length of the first part of a path, with its colons; 0 if the path has only one part.
    let head = |path: &&str| path.find("::").map_or(0, |end| end + 2);
    let groups = paths.chunk_by(|a, b| head(a) > 0 && a[..head(a)] == b[..head(b)]);
    let trees = groups.map(|group| match group {
        [path] => (*path).to_string(),
        group => {
            let (first, _) = group[0].split_at(head(&group[0]));
            let tails: Vec<&str> = group.iter().map(|path| &path[first.len()..]).collect();
            format!("{first}{{{}}}", use_tree(&tails))
        }
    });
    trees.collect::<Vec<_>>().join(",")
}

/// Gives this visibility to every item that is not private.
struct SetVisibility<'a>(&'a Visibility);

impl VisitMut for SetVisibility<'_> {
    // Items inside functions keep their visibilities.
    fn visit_block_mut(&mut self, _: &mut syn::Block) {}

    fn visit_visibility_mut(&mut self, visibility: &mut Visibility) {
        if !matches!(visibility, Visibility::Inherited) {
            *visibility = self.0.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let program = syn::parse_file(text).unwrap();
        let plain = |tokens: TokenStream| prettyplease::unparse(&syn::parse2(tokens).unwrap());
        let (flat, _) = flatten(&program.to_token_stream()).unwrap();
        assert_eq!(
            prettyplease::unparse(&syn::parse2(flat).unwrap()),
            plain(expected.parse().unwrap())
        );
    }

    #[test]
    fn items_of_all_modules_move_to_the_root() {
        check(
            r#"
            mod lib {
                pub(crate) mod a {
                    use crate::lib::b::{self, Far as Other};
                    use std::fmt::{self, Write as _};
                    pub(crate) const SIZE: u8 = 1;
                    pub(crate) fn run(b: Other) -> fmt::Result {
                        let _ = format!("{SIZE}"); b::local(b.b, super::b::NUMBER, b::Far::NONE)
                    }
                }
                pub(crate) mod b {
                    use std::fmt;
                    pub(crate) const NUMBER: u8 = 2;
                    pub(crate) enum Kind { One, Two }
                    pub(crate) struct Far { pub(crate) b: u8 }
                    impl Far { pub(crate) const NONE: u8 = NUMBER; fn run(&self) { other() } }
                    fn other() {}
                    fn deep<T>() {}
                    pub(crate) fn local(_: u8, _: u8, _: u8) -> fmt::Result {
                        use self::Kind::*; deep::<u8>(); self::deep::inner::<Kind>(Two)
                    }
                    mod deep { pub(in crate::lib) fn inner<T>(_: T) -> std::fmt::Result { Ok(()) } }
                }
            }
            mod bot {
                use crate::lib::{a, b::Far};
                use crate::lib::b::Kind::One;
                pub(crate) fn main() { let _ = (a::run(Far { b: a::SIZE }), One); }
            }
            "#,
            r#"
            use std::{fmt, fmt::Write as _};
            use Far as Other;
            use Kind::One;
            const SIZE: u8 = 1;
            fn run(b: Other) -> fmt::Result { let _ = format!("{SIZE}"); local(b.b, NUMBER, Far::NONE) }
            const NUMBER: u8 = 2;
            enum Kind { One, Two }
            struct Far { b: u8 }
            impl Far { const NONE: u8 = NUMBER; fn run(&self) { other() } }
            fn other() {}
            fn deep<T>() {}
            fn local(_: u8, _: u8, _: u8) -> fmt::Result { use Kind::*; deep::<u8>(); inner::<Kind>(Two) }
            fn inner<T>(_: T) -> std::fmt::Result { Ok(()) }
            fn main() { let _ = (run(Far { b: SIZE }), One); }
            "#,
        );
    }

    #[test]
    fn modules_under_a_condition_remain() {
        check(
            r#"
            mod lib {
                mod a {
                    pub(crate) trait T { fn f(&self); }
                    fn shared() {}
                    #[cfg(target_arch = "x86_64")]
                    mod one {
                        use super::{shared, T}; use std::fmt;
                        pub(crate) struct Fast; impl T for Fast { fn f(&self) { shared() } }
                    }
                    #[cfg(not(target_arch = "x86_64"))]
                    mod two { use super::T; pub(crate) struct Fast; impl T for Fast { fn f(&self) {} } }
                    #[cfg(target_arch = "x86_64")]
                    use one::Fast;
                    #[cfg(not(target_arch = "x86_64"))]
                    use two::Fast;
                    fn f() { Fast.f() }
                }
            }
            "#,
            r#"
            trait T { fn f(&self); }
            fn shared() {}
            #[cfg(target_arch = "x86_64")]
            mod one {
                use super::*; use std::fmt; pub struct Fast; impl T for Fast { fn f(&self) { shared() } }
            }
            #[cfg(target_arch = "x86_64")]
            use one::*;
            #[cfg(not(target_arch = "x86_64"))]
            mod two { use super::*; pub struct Fast; impl T for Fast { fn f(&self) {} } }
            #[cfg(not(target_arch = "x86_64"))]
            use two::*;
            fn f() { Fast.f() }
            "#,
        );
    }

    #[test]
    fn imports_under_a_condition_keep_it() {
        check(
            r"
            mod lib {
                pub(crate) struct One;
                mod a {
                    #[cfg(unix)]
                    use super::One as Other;
                    #[cfg(unix)]
                    use std::{fmt, io};
                    fn f() {}
                }
            }
            ",
            r"
            struct One;
            #[cfg(unix)]
            use One as Other;
            #[cfg(unix)]
            use std::fmt;
            #[cfg(unix)]
            use std::io;
            fn f() {}
            ",
        );
    }

    #[test]
    fn a_module_with_a_name_of_another_remains() {
        check(
            "
            mod a { pub fn score() {} pub fn a() {} }
            mod b {
                use super::a::score as other;
                pub fn score() { other() }
                pub fn b() { self::deep::score(); super::a::score(); score() }
                mod deep { pub fn score() { super::score() } pub fn only() {} }
            }
            mod c { use std::fmt::Result; pub fn shown() -> Result { super::b::b(); Ok(()) } }
            use b::{b, score as renamed};
            fn main() { a::score(); crate::b::score(); b::b(); b(); renamed(); c::shown() }
            ",
            "
            use crate::b::b;
            use crate::b::score as renamed;
            fn score() {}
            fn a() {}
            mod b {
                use super::*;
                use crate::score as other;
                pub fn score() { other() }
                pub fn b() { crate::b::deep::score(); crate::score(); score() }
                pub mod deep { use super::*; pub fn score() { crate::b::score() } pub fn only() {} }
            }
            mod c { use super::*; use std::fmt::Result; pub fn shown() -> Result { crate::b::b(); Ok(()) } }
            fn main() { score(); crate::b::score(); crate::b::b(); b(); renamed(); crate::c::shown() }
            ",
        );
    }
}
