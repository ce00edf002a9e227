//! How the files of a crate stand to each other: none imports itself in a circle, and the file of a
//! folder is the `mod.rs` in it.

use columns_tests::root;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use syn::{Attribute, Item, UseTree};

/// Rooms that still have circles, or a folder beside a file of its name.
const NOT_YET: [&str; 6] = ["bot", "generator", "judge", "tuner", "viewer", "xtask"];

/// A module, which is a file or stands in one.
struct Module {
    parent: Option<usize>,
    file: PathBuf,
    children: HashMap<String, usize>,
    /// The names that `use` brings in, and their paths.
    imports: HashMap<String, Vec<String>>,
    /// What its items name by paths.
    paths: Vec<Vec<String>>,
}

/// The modules of one crate, the root first.
#[derive(Default)]
struct Crate {
    modules: Vec<Module>,
    /// Files that are named as a folder beside them.
    misplaced: Vec<PathBuf>,
}

/// For each file the files that it imports, and a name that it takes from there.
type Imports = BTreeMap<PathBuf, BTreeMap<PathBuf, String>>;

impl Crate {
    fn read(root: &Path) -> Self {
        let mut read = Self::default();
        read.file(root, root.parent().unwrap(), None);
        read
    }

    /// Reads a file whose children lie in a folder, and returns the number of its module.
    fn file(&mut self, file: &Path, folder: &Path, parent: Option<usize>) -> usize {
        let text = std::fs::read_to_string(file).unwrap();
        let items = syn::parse_file(&text).unwrap().items;
        self.module(items, file, folder, parent)
    }

    fn module(
        &mut self,
        items: Vec<Item>,
        file: &Path,
        folder: &Path,
        parent: Option<usize>,
    ) -> usize {
        let number = self.modules.len();
        self.modules.push(Module {
            parent,
            file: file.to_path_buf(),
            children: HashMap::new(),
            imports: HashMap::new(),
            paths: Vec::new(),
        });
        let mut handed_on = Vec::new();
        let mut words = Vec::new();
        for item in items {
            match item {
                Item::Mod(module) if is_for_tests(&module.attrs) => {}
                Item::Mod(module) => {
                    let name = module.ident.to_string();
                    let below = folder.join(&name);
                    let child = if let Some((_, items)) = module.content {
                        self.module(items, file, &below, Some(number))
                    } else {
                        let (beside, inside) = (below.with_extension("rs"), below.join("mod.rs"));
                        if below.is_dir() && beside.is_file() {
                            self.misplaced.push(beside.clone());
                        }
                        let file = if beside.is_file() { beside } else { inside };
                        self.file(&file, &below, Some(number))
                    };
                    self.modules[number].children.insert(name, child);
                }
                Item::Use(item) if is_for_tests(&item.attrs) => {}
                Item::Use(item) => {
                    let own = matches!(item.vis, syn::Visibility::Inherited);
                    for (name, path) in flattened(&item.tree) {
                        let module = &mut self.modules[number];
                        if own {
                            module.paths.push(path.clone());
                        } else {
                            handed_on.push((name.clone(), path.clone()));
                        }
                        module.imports.insert(name, path);
                    }
                }
                item => paths_in(
                    item.to_token_stream(),
                    &[],
                    &mut self.modules[number].paths,
                    &mut words,
                ),
            }
        }
        // To hand a name on is no import; to use it as well is one.
        handed_on.retain(|(name, _)| words.contains(name));
        let handed_on = handed_on.into_iter().map(|(_, path)| path);
        self.modules[number].paths.extend(handed_on);
        number
    }

    /// The module that defines what a path in a module leads to, if it is of this crate and no
    /// module itself.
    fn definer(&self, module: usize, path: &[String]) -> Option<usize> {
        match self.resolve(module, path, 0)? {
            (module, true) => Some(module),
            _ => None,
        }
    }

    /// The module that a path leads into, and whether it leads to an item there.
    fn resolve(&self, from: usize, path: &[String], depth: usize) -> Option<(usize, bool)> {
        assert!(depth < 50, "names that are handed on in a circle: {path:?}");
        let (first, mut rest) = path.split_first()?;
        let here = &self.modules[from];
        let mut at = match first.as_str() {
            "crate" => 0,
            "self" => from,
            "super" => here.parent?,
            name => match (here.children.get(name), here.imports.get(name)) {
                (Some(&child), _) => child,
                (None, Some(import)) if import.first() != Some(first) => {
                    match self.resolve(from, import, depth + 1)? {
                        (module, false) => module,
                        // The import itself is counted.
                        (_, true) => return None,
                    }
                }
                _ => return None,
            },
        };
        while let Some((name, further)) = rest.split_first() {
            rest = further;
            let module = &self.modules[at];
            if name == "super" {
                at = module.parent?;
            } else if name == "self" {
            } else if let Some(&child) = module.children.get(name) {
                at = child;
            } else if let Some(import) = module.imports.get(name) {
                match self.resolve(at, import, depth + 1)? {
                    (module, false) => at = module,
                    item => return Some(item),
                }
            } else {
                return Some((at, true));
            }
        }
        Some((at, false))
    }

    fn imports(&self) -> Imports {
        let mut imports = Imports::new();
        for (number, module) in self.modules.iter().enumerate() {
            for path in &module.paths {
                if let Some(definer) = self.definer(number, path) {
                    let file = &self.modules[definer].file;
                    if *file != module.file {
                        let from = imports.entry(module.file.clone()).or_default();
                        from.insert(file.clone(), path.last().unwrap().clone());
                    }
                }
            }
        }
        imports
    }
}

/// Whether an item is compiled for tests alone.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = attribute.to_token_stream().to_string();
        attribute.path().is_ident("cfg") && text.contains("test") && !text.contains("not")
    })
}

/// The names that a `use` brings in, and their paths; all names of a module are `*`.
fn flattened(tree: &UseTree) -> Vec<(String, Vec<String>)> {
    let one = |name: String, path: &str| vec![(name, vec![path.to_string()])];
    match tree {
        UseTree::Path(path) => {
            let mut below = flattened(&path.tree);
            for (name, segments) in &mut below {
                if segments == &["self"] {
                    segments.clear();
                    if name == "self" {
                        *name = path.ident.to_string();
                    }
                }
                segments.insert(0, path.ident.to_string());
            }
            below
        }
        UseTree::Name(name) => one(name.ident.to_string(), &name.ident.to_string()),
        UseTree::Rename(name) => one(name.rename.to_string(), &name.ident.to_string()),
        UseTree::Glob(_) => one("*".to_string(), "*"),
        UseTree::Group(group) => group.items.iter().flat_map(flattened).collect(),
    }
}

/// The paths of two names or more in some code, and all its words.
fn paths_in(
    code: TokenStream,
    before: &[String],
    paths: &mut Vec<Vec<String>>,
    words: &mut Vec<String>,
) {
    let mut path = before.to_vec();
    let mut colons = 2;
    let mut push = |path: &mut Vec<String>| {
        if path.len() > 1 {
            paths.push(path.clone());
        }
        path.clear();
    };
    let mut groups = Vec::new();
    for token in code {
        match token {
            TokenTree::Ident(name) => {
                if colons != 2 {
                    push(&mut path);
                }
                path.push(name.to_string());
                words.push(name.to_string());
                colons = 0;
            }
            TokenTree::Punct(sign) if sign.as_char() == ':' && !path.is_empty() => colons += 1,
            TokenTree::Group(group) => {
                let of_use = group.delimiter() == Delimiter::Brace && colons == 2;
                let inside = if of_use { path.clone() } else { Vec::new() };
                groups.push((group.stream(), inside));
                push(&mut path);
            }
            _ => {
                push(&mut path);
                path.extend_from_slice(before);
                colons = 2;
            }
        }
    }
    push(&mut path);
    for (stream, before) in groups {
        paths_in(stream, &before, paths, words);
    }
}

/// For each file the shortest way along the imports back to itself, if there is one, told where the
/// file is the first of them in the alphabet.
fn circles(imports: &Imports) -> Vec<String> {
    let mut told = Vec::new();
    for start in imports.keys() {
        let mut ways = VecDeque::from([vec![start]]);
        let mut seen = Vec::new();
        while let Some(way) = ways.pop_front() {
            if way.len() > 1 && way[way.len() - 1] == start {
                if way.iter().all(|file| *file >= start) {
                    told.push(told_by_names(&way, imports));
                }
                break;
            }
            for next in imports.get(way[way.len() - 1]).into_iter().flatten() {
                if !seen.contains(&next.0) {
                    seen.push(next.0);
                    ways.push_back(way.iter().copied().chain([next.0]).collect());
                }
            }
        }
    }
    told
}

/// A way along the imports, with what each file takes from the next.
fn told_by_names(way: &[&PathBuf], imports: &Imports) -> String {
    let mut text = shown(way[0]);
    for pair in way.windows(2) {
        let name = &imports[pair[0]][pair[1]];
        let _ = write!(text, " uses {name} of {}", shown(pair[1]));
    }
    text
}

/// A path from the workspace on.
fn shown(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap_or(path);
    path.display().to_string()
}

/// The root files of a room's crates.
fn roots(room: &str) -> Vec<PathBuf> {
    let sources = root().join(room).join("src");
    let mut roots: Vec<PathBuf> = ["lib.rs", "main.rs"].map(|name| sources.join(name)).into();
    if let Ok(programs) = std::fs::read_dir(sources.join("bin")) {
        roots.extend(programs.map(|program| program.unwrap().path()));
    }
    roots.retain(|root| root.is_file());
    roots
}

/// The folders of the workspace's members.
fn rooms() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let manifest: toml::Table = text.parse().unwrap();
    let members = manifest["workspace"]["members"].as_array().unwrap();
    let names = members
        .iter()
        .map(|name| name.as_str().unwrap().to_string());
    names.collect()
}

/// What is wrong with a crate.
fn faults(root: &Path) -> Vec<String> {
    let read = Crate::read(root);
    let misplaced = read.misplaced.iter();
    let mut faults: Vec<String> = misplaced
        .map(|file| format!("{} belongs into its folder as mod.rs", shown(file)))
        .collect();
    let circles = circles(&read.imports()).into_iter();
    faults.extend(circles.map(|circle| format!("a circle: {circle}")));
    faults
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut all = Vec::new();
    let rooms = rooms();
    for room in rooms
        .iter()
        .filter(|room| !NOT_YET.contains(&room.as_str()))
    {
        all.extend(roots(room).iter().flat_map(|root| faults(root)));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn circles_are_found_and_what_is_handed_on_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let root = folder.path().join("lib.rs");
    write("lib.rs", "mod a; mod b; mod c;");
    write(
        "a.rs",
        "use crate::b::{B, self}; fn a() { b::c(); } struct A;",
    );
    // b hands on what is in its folder, and is used from there.
    write(
        "b/mod.rs",
        "mod d; pub use d::D; pub struct B; pub fn c() {}",
    );
    write("b/d.rs", "use super::B; pub struct D(B);");
    write("c.rs", "#[cfg(test)] mod tests { use crate::a::A; }");
    assert_eq!(faults(&root), Vec::<String>::new());
    // Through a name that is handed on, within a function.
    write("c.rs", "fn c() { use crate::{a::A, b::D}; } pub struct C;");
    write("b/d.rs", "pub struct D(crate::c::C);");
    let found = faults(&root).join("\n");
    assert!(
        found.contains("c.rs uses") && found.contains("d.rs"),
        "{found}"
    );
    // A folder's file that uses what it hands on.
    write("c.rs", "");
    write("b/d.rs", "use super::B; pub struct D(B);");
    write(
        "b/mod.rs",
        "mod d; pub use d::D; pub struct B; fn c(_: D) {}",
    );
    assert!(faults(&root).join("\n").contains("d.rs uses B of"));
    write("b.rs", "");
    assert!(faults(&root)
        .join("\n")
        .contains("b.rs belongs into its folder"));
}
