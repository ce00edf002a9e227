//! Reads packages through cargo: editions, features, and the libraries that a program may use.
//!
//! Cargo prints its plan of a build, the *unit graph*. A unit is a target of a package, such as a library or
//! a binary, with its features and the units that it depends on.

use super::program::{Crate, Program, Root};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

impl Program {
    /// Reads the program with this root file: its edition, its features, and its libraries.
    ///
    /// The nearest `Cargo.toml` above the file gives the edition, the library of the same package, and
    /// dependencies with a path, except dev-dependencies. Without a package, the edition is 2021. The program
    /// may also use the libraries of the packages with the manifests `offered`.
    ///
    /// # Errors
    /// Returns an error if the file does not exist, if cargo cannot read its package or a dependency, or if
    /// an offered package has no library.
    pub fn from_file(file: &Path, offered: &[PathBuf]) -> Result<Self> {
        let mut program = Self::new(Root::File(file.to_path_buf()));
        let place = file
            .canonicalize()
            .with_context(|| file.display().to_string())?;
        if let Some(manifest) = manifest_above(&place) {
            let graph = UnitGraph::read(&manifest, &[])?;
            let of_package =
                |unit: &&Value| manifest_above(&root_file(unit)).as_ref() == Some(&manifest);
            let units = graph.roots().filter(of_package);
            // A file that is no target of its package is compiled as a binary of the package would be.
            if let Some(unit) =
                units.min_by_key(|unit| (root_file(unit) != place, is_library(unit)))
            {
                let own = graph.add_crate(unit, &mut program.libraries);
                program.main.edition.clone_from(&own.edition);
                program.main.features.clone_from(&own.features);
                program.main.externs.clone_from(&own.externs);
                if is_library(unit) && root_file(unit) != place {
                    program.offer(own);
                }
            }
        }
        for manifest in offered {
            program.offer_library(manifest, &[])?;
        }
        Ok(program)
    }

    /// Reads the program that begins in `function` of the library with this manifest, built with these
    /// features.
    ///
    /// # Errors
    /// Returns an error if cargo cannot read the package or a dependency, or if the package has no library.
    pub fn from_library(function: &str, manifest: &Path, features: &[&str]) -> Result<Self> {
        let mut program = Self::new(Root::Function(function.to_string()));
        let features = features.join(",");
        program.offer_library(
            manifest,
            &["--no-default-features", "--features", &features],
        )?;
        Ok(program)
    }

    /// Makes the library of the package with this manifest available to the program.
    fn offer_library(&mut self, manifest: &Path, options: &[&str]) -> Result<()> {
        let graph = UnitGraph::read(manifest, &[&["--lib"], options].concat())?;
        let root = graph.roots().next();
        let root = root.with_context(|| format!("{}: no library", manifest.display()))?;
        let library = graph.add_crate(root, &mut self.libraries);
        self.offer(library);
        Ok(())
    }

    /// Makes a library available to the program, unless the program has one of this name.
    fn offer(&mut self, library: Crate) {
        let externs = &mut self.main.externs;
        if !externs.iter().any(|(name, _)| *name == library.name) {
            externs.push((library.name.clone(), library.name.clone()));
            add_library(&mut self.libraries, library);
        }
    }
}

/// The units of a build, as cargo prints them.
struct UnitGraph(Value);

impl UnitGraph {
    /// Asks cargo for the units of a build of this package, without building it.
    fn read(manifest: &Path, options: &[&str]) -> Result<Self> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["build", "--quiet", "--unit-graph", "-Zunstable-options"])
            .args(options)
            .arg("--manifest-path")
            .arg(manifest)
            .env("RUSTC_BOOTSTRAP", "1") // allows -Z
            .output()
            .context("cargo")?;
        let errors = String::from_utf8_lossy(&output.stderr);
        // Cargo prints the causes of an error on lines of their own.
        let error = errors.split_whitespace().collect::<Vec<_>>().join(" ");
        ensure!(output.status.success(), "{}: {error}", manifest.display());
        Ok(Self(serde_json::from_slice(&output.stdout)?))
    }

    fn unit(&self, index: &Value) -> &Value {
        &self.0["units"][index.as_u64().unwrap_or_default() as usize]
    }

    /// Returns the units that the build is for: the library and the binaries of a package.
    fn roots(&self) -> impl Iterator<Item = &Value> {
        list(&self.0, "roots").map(|index| self.unit(index))
    }

    /// Returns the crate of a unit. Adds to `libraries` the libraries that the crate depends on by path.
    fn add_crate(&self, unit: &Value, libraries: &mut Vec<Crate>) -> Crate {
        let target = &unit["target"];
        let name = text(target, "name").replace('-', "_");
        let mut krate = Crate::new(&name, root_file(unit), &text(target, "edition"));
        krate.features = strings(unit, "features").collect();
        for dependency in list(unit, "dependencies") {
            let unit = self.unit(&dependency["index"]);
            if is_library(unit) && text(unit, "pkg_id").contains("path+file:") {
                let library = self.add_crate(unit, libraries);
                let known = text(dependency, "extern_crate_name");
                krate.externs.push((known, library.name.clone()));
                add_library(libraries, library);
            }
        }
        krate
    }
}

fn add_library(libraries: &mut Vec<Crate>, library: Crate) {
    if !libraries.iter().any(|known| known.name == library.name) {
        libraries.push(library);
    }
}

/// Returns the nearest `Cargo.toml` above a file.
fn manifest_above(file: &Path) -> Option<PathBuf> {
    let folders = file.ancestors().skip(1);
    let mut manifests = folders.map(|folder| folder.join("Cargo.toml"));
    manifests.find(|manifest| manifest.is_file())
}

/// Returns the root file of a unit, such as `src/main.rs`.
fn root_file(unit: &Value) -> PathBuf {
    let path = PathBuf::from(text(&unit["target"], "src_path"));
    path.canonicalize().unwrap_or(path)
}

/// True if the unit is a library that a program can use, not a procedural macro or a binary.
fn is_library(unit: &Value) -> bool {
    strings(&unit["target"], "kind").any(|kind| kind.ends_with("lib"))
}

fn list<'a>(of: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    of[key].as_array().into_iter().flatten()
}

fn strings<'a>(of: &'a Value, key: &str) -> impl Iterator<Item = String> + use<'a> {
    list(of, key).filter_map(|text| text.as_str().map(String::from))
}

fn text(of: &Value, key: &str) -> String {
    of[key].as_str().unwrap_or_default().to_string()
}
