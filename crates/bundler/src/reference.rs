//! The proof's reference: each crate of the program, as cargo compiles it.
//!
//! Each crate is compiled from copies of its files, with the edition, the `--cfg` options, the libraries and
//! the environment of cargo's build, but with the contest's flags. In the copies, the custom `cfg`
//! [`ARCH_CFG`] replaces `target_arch`, and macros such as `line!` have fixed values.
//!
//! The crate of a module `util` in the bundle gets the name `util`. In MIR, its own paths then omit the
//! part `util`, and paths into other crates may lead through imports:
//!
//! ```text
//! bundle       util::inner::score    in `util`, and in the program
//! reference    inner::score          in the crate `util`
//!              util::score           in the program, if `util` has `pub use inner::score`
//! ```

use super::compiler::{ARCH_CFG, ARCHITECTURES};
use super::flat::Declarations;
use super::mir::{self, Body, Token};
use super::proof::{self, Bodies, FIXED_MACROS};
use super::source::{Source, SourceCrate};
use super::strip;
use anyhow::{Context, Result, ensure};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::{Attribute, Item};

/// The functions of the program's crates.
pub(crate) struct Reference {
    /// The functions of each crate, keyed by its module.
    crates: HashMap<String, HashSet<Body>>,
    closures: Closures,
}

impl Reference {
    /// Compiles the crates of a program.
    ///
    /// # Errors
    /// Returns an error if a crate does not compile, or if the compiler cannot be run.
    pub(crate) fn compile(source: &Source) -> Result<Self> {
        let mut reference = Self {
            crates: HashMap::new(),
            closures: Closures::new(),
        };
        let folder =
            tempfile::tempdir_in(&source.compiler.scratch).context("a folder for the compiler")?;
        let whole = source.program.to_token_stream().to_string();
        let is_conditional = whole.contains("target_arch");
        for arch in source.compiler.arches(is_conditional) {
            let folder = folder.path().join(ARCHITECTURES[arch]);
            let modules = source.crates.iter().map(|krate| krate.module.clone());
            let mut resolver = PathResolver {
                declarations: Declarations::new(&without_absent_items(
                    &source.program.items,
                    arch == 0,
                )),
                modules: modules.filter(|module| !module.is_empty()).collect(),
                closures: Closures::new(),
            };
            let mut copies = Copies::default();
            for krate in &source.crates {
                let root = copies.add(krate, &folder)?;
                let emitted =
                    source
                        .compiler
                        .emit_crate(krate, &root, &folder, arch, is_conditional)?;
                let bodies =
                    mir::parse(&emitted, &|location: &str| copies.source_location(location));
                resolver.add_closures(&bodies, &krate.module);
                let bodies = bodies
                    .iter()
                    .map(|body| resolver.to_bundle_paths(body, krate));
                let module = krate.module.clone();
                reference.crates.entry(module).or_default().extend(bodies);
            }
            reference.closures.extend(resolver.closures);
        }
        Ok(reference)
    }

    /// Checks that the crates contain each function of `bundle`.
    ///
    /// # Errors
    /// Returns an error if a function is not in its crate. The error names the function.
    pub(crate) fn check_contains(&self, bundle: &Bodies, source: &Source) -> Result<()> {
        let mentioned_names = bundle.mentioned_names();
        for function in &bundle.0 {
            let module = function.path.first().filter(|_| function.path.len() > 1);
            let module = module.filter(|module| self.crates.contains_key(*module));
            let module = module.map_or("", String::as_str);
            let is_same = self
                .crates
                .get(module)
                .is_some_and(|own| own.contains(&to_crate_paths(function, module, &self.closures)));
            ensure!(
                is_same || proof::is_unused(function, &mentioned_names),
                "{} would not do the same",
                source.describe_item(&function.path)
            );
        }
        Ok(())
    }
}

/// The declarations and closures that a path into another crate may refer to.
struct PathResolver {
    declarations: Declarations,
    /// The names of the modules that contain the libraries.
    modules: HashSet<String>,
    closures: Closures,
}

/// Maps the locations of the closures in libraries to their names, such as `util::count::{closure#0}`: the
/// module, the function and the closure.
///
/// In another crate, MIR shows the path of a closure instead of its location.
type Closures = HashMap<String, String>;

impl PathResolver {
    /// Returns `function`, a function of `krate`, with its paths into other crates rewritten as in the
    /// bundle.
    fn to_bundle_paths(&self, function: &Body, krate: &SourceCrate) -> Body {
        function.map(&|token| match token {
            Token::Path(path) if path.len() > 1 => {
                let mut path = path.clone();
                let alias = krate.aliases.iter().find(|(name, _)| *name == path[0]);
                if let Some((_, module)) = alias {
                    path[0].clone_from(module);
                }
                // No crate declares the name of a library's module, so such a path leads into the library.
                let is_foreign = self.modules.contains(&path[0]);
                let resolved = is_foreign
                    .then(|| self.declarations.resolve(&path))
                    .flatten();
                Token::Path(with_std(resolved.unwrap_or(path)))
            }
            token => with_closure(token, &self.closures),
        })
    }

    /// Adds the closures of a library. Does nothing for the program's own crate, whose `module` is empty.
    fn add_closures(&mut self, bodies: &[Body], module: &str) {
        for body in bodies {
            // The first argument of a closure is the closure itself, so the first location is its own.
            let location = body
                .closure_locations()
                .next()
                .filter(|_| is_closure(body.path.last()));
            if let Some(location) = location.filter(|_| !module.is_empty()) {
                let name = closure_name(module, &body.path);
                self.closures.insert(location.clone(), name);
            }
        }
    }
}

/// Replaces the location or the path of a library's closure with the closure's name. Returns any other token
/// unchanged.
fn with_closure(token: &Token, closures: &Closures) -> Token {
    match token {
        Token::Location(path) if path.ends_with('}') => {
            let names: Vec<String> = path.split("::").map(String::from).collect();
            Token::Location(closure_name(&names[0], &names))
        }
        Token::Location(location) => {
            Token::Location(closures.get(location).unwrap_or(location).clone())
        }
        token => token.clone(),
    }
}

fn is_closure(name: Option<&String>) -> bool {
    name.is_some_and(|name| name.starts_with("{closure#"))
}

/// Returns the name of a closure: its module, and the last names in its path, starting with the function.
fn closure_name(module: &str, path: &[String]) -> String {
    let closures = path
        .iter()
        .rev()
        .take_while(|name| is_closure(Some(*name)))
        .count();
    let start = path.len().saturating_sub(closures + 1);
    format!("{module}::{}", path[start..].join("::"))
}

/// Converts a function of the bundle to the paths of its original crate: removes the prefix `module`,
/// replaces `core` and `alloc` with `std`, and replaces the locations of closures with their names.
fn to_crate_paths(function: &Body, module: &str, closures: &Closures) -> Body {
    function.map(&|token| match token {
        Token::Path(path) if path.len() > 1 => {
            let is_own = path[0] == module && !module.is_empty();
            Token::Path(if is_own {
                path[1..].to_vec()
            } else {
                with_std(path.clone())
            })
        }
        token => with_closure(token, closures),
    })
}

/// Replaces `core` and `alloc`, the names of the standard library in a `no_std` crate, with `std`.
fn with_std(mut path: Vec<String>) -> Vec<String> {
    if matches!(&path[0][..], "core" | "alloc") {
        path[0] = "std".to_string();
    }
    path
}

/// Returns the items without the imports and modules that do not exist on x86-64, or on other processors if
/// `is_x86` is false. The remaining imports have no attributes.
fn without_absent_items(items: &[Item], is_x86: bool) -> Vec<Item> {
    let exists = |attributes: &[Attribute]| {
        let conditions = strip::cfg_attributes(attributes);
        conditions.iter().all(|attribute| {
            let condition = attribute.parse_args().ok();
            condition.is_none_or(|condition| strip::evaluate_cfg(&condition, is_x86) != Some(false))
        })
    };
    let items = items.iter().filter_map(|item| match item {
        Item::Use(item) => exists(&item.attrs).then(|| {
            let mut item = item.clone();
            item.attrs.clear();
            Item::Use(item)
        }),
        Item::Mod(item) => exists(&item.attrs).then(|| {
            let mut item = item.clone();
            if let Some((_, items)) = &mut item.content {
                *items = without_absent_items(items, is_x86);
            }
            Item::Mod(item)
        }),
        item => Some(item.clone()),
    });
    items.collect()
}

/// Maps the path of each copied file, and the path of its copy, to the original.
#[derive(Default)]
struct Copies(HashMap<PathBuf, Original>);

/// The original of a copied file.
struct Original {
    canonical: PathBuf,
    /// The position at which [`FIXED_MACROS`] were inserted into the copy: the line and the column, both
    /// counted from 1, and the number of inserted columns. All are 0 if nothing was inserted.
    inserted: (usize, usize, usize),
}

impl Copies {
    /// Copies the files of a crate. Returns the copy of its root file.
    fn add(&mut self, krate: &SourceCrate, folder: &Path) -> Result<PathBuf> {
        // Each copy keeps its absolute path, but below this folder. So relative paths between the files stay
        // valid, even to files outside the package.
        let copies_folder = Path::new("files").join(format!("{}_", krate.module));
        let copy_of = |path: &Path| copies_folder.join(path.strip_prefix("/").unwrap_or(path));
        let root = std::path::absolute(&krate.input.file)?;
        for file in &krate.files {
            let path = std::path::absolute(file)?;
            let copy = folder.join(copy_of(&path));
            let mut bytes = fs::read(&path).with_context(|| path.display().to_string())?;
            let mut inserted = (0, 0, 0);
            let is_source = path.extension().is_some_and(|extension| extension == "rs");
            if let (true, Ok(text)) = (is_source, std::str::from_utf8(&bytes)) {
                let mut text = text.replace("target_arch", ARCH_CFG);
                if path == root && krate.uses_locations {
                    let (line, column) = krate.first_item;
                    text = insert(&text, line, column, FIXED_MACROS);
                    inserted = (line + 1, column + 1, FIXED_MACROS.chars().count());
                }
                bytes = text.into_bytes();
            }
            let parent = copy.parent().unwrap_or(&copy);
            fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
            fs::write(&copy, bytes).with_context(|| copy.display().to_string())?;
            let canonical = path.canonicalize().unwrap_or_else(|_| path.clone());
            // The compiler reads the output of a build script from its original location, not from a copy, so
            // record that location, too.
            let original = Original {
                canonical: canonical.clone(),
                inserted: (0, 0, 0),
            };
            self.0.insert(
                copy_of(&path),
                Original {
                    canonical,
                    inserted,
                },
            );
            self.0.insert(path, original);
        }
        Ok(folder.join(copy_of(&root)))
    }

    /// Maps a location in a copy, such as `files/_/game/src/main.rs:1:2: 3:4`, to the sources.
    fn source_location(&self, location: &str) -> String {
        let Some((file, line, mut column)) = proof::line_and_column(location) else {
            return location.to_string();
        };
        let Some(original) = self.0.get(Path::new(file)) else {
            // The location is in a file of the standard library.
            return location.to_string();
        };
        let (at_line, at_column, count) = original.inserted;
        if line == at_line && column >= at_column + count {
            column -= count;
        }
        format!("{}:{line}:{column}", original.canonical.display())
    }
}

/// Inserts a text at a line and a column, both counted from 0.
fn insert(text: &str, line: usize, column: usize, inserted: &str) -> String {
    let text = text.trim_start_matches('\u{feff}');
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let before = text[start..].char_indices().nth(column);
    let at = before.map_or(text.len(), |(at, _)| start + at);
    format!("{}{inserted}{}", &text[..at], &text[at..])
}
