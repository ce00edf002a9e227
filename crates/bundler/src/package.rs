//! Reads packages as cargo does: editions, features, and the libraries that a program may use.

use super::program::{Crate, Program, Root};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The feature that cargo turns on unless a manifest turns it off.
const DEFAULT_FEATURE: &str = "default";

impl Program {
    /// Reads the program with this root file: its edition, its features, and its libraries.
    ///
    /// The nearest `Cargo.toml` above the file gives the edition, the library of the same package, and
    /// dependencies with a path. Without a package, the edition is 2021. The program may also use the
    /// libraries of the packages with the manifests `offered`.
    ///
    /// # Errors
    /// Returns an error if the file does not exist, if cargo cannot read its package or that of a dependency
    /// with a path, or if an offered package has no library.
    pub fn from_file(file: &Path, offered: &[PathBuf]) -> Result<Self> {
        let mut program = Self::new(Root::File(file.to_path_buf()));
        let place = file
            .canonicalize()
            .with_context(|| file.display().to_string())?;
        let main = &mut program.main;
        let mut packages = Packages(Vec::new());
        let mut manifests = place
            .ancestors()
            .skip(1)
            .map(|above| above.join("Cargo.toml"));
        if let Some(manifest) = manifests.find(|manifest| manifest.is_file())
            && let Some(package) = package(&manifest)?
        {
            let target = list(&package, "targets").find(|target| is_at(target, &place));
            main.edition = text(target.unwrap_or(&package), "edition");
            main.features = enabled(&package, &[DEFAULT_FEATURE.to_string()]);
            if library(&package).is_some_and(|library| !is_at(library, &place)) {
                let name = packages.add(&manifest, &main.features)?;
                main.externs.push((name.clone(), name));
            }
            main.externs
                .extend(packages.dependencies(&package, &main.features, true)?);
        }
        for manifest in offered {
            let name = Packages(Vec::new()).add(manifest, &[])?;
            if !main.externs.iter().any(|(known, _)| *known == name) {
                packages.add(manifest, &[DEFAULT_FEATURE.to_string()])?;
                main.externs.push((name.clone(), name));
            }
        }
        program.libraries = packages.0;
        Ok(program)
    }

    /// Reads the program that begins in `function` of the library with this manifest, built with these
    /// features.
    ///
    /// # Errors
    /// Returns an error if cargo cannot read the package or that of a dependency with a path, or if the
    /// package has no library.
    pub fn from_library(function: &str, manifest: &Path, features: &[&str]) -> Result<Self> {
        let mut program = Self::new(Root::Function(function.to_string()));
        let mut packages = Packages(Vec::new());
        let features: Vec<String> = features.iter().map(ToString::to_string).collect();
        let name = packages.add(manifest, &features)?;
        program.main.externs.push((name.clone(), name));
        program.libraries = packages.0;
        Ok(program)
    }
}

/// The libraries found so far.
struct Packages(Vec<Crate>);

impl Packages {
    /// Adds the library of a package with these features, and the libraries that it uses. Returns the name of
    /// the first.
    fn add(&mut self, manifest: &Path, features: &[String]) -> Result<String> {
        let name = self.add_if_library(manifest, features)?;
        name.with_context(|| format!("{}: no library", manifest.display()))
    }

    /// Adds the library of a package as [`Packages::add`] does. Returns `None` if the package has no library.
    fn add_if_library(&mut self, manifest: &Path, features: &[String]) -> Result<Option<String>> {
        let path_text = manifest.display();
        let package = package(manifest)?.with_context(|| format!("{path_text}: no package"))?;
        let Some(library) = library(&package) else {
            return Ok(None);
        };
        let name = text(library, "name");
        let at = self.0.iter().position(|krate| krate.name == name);
        let at = at.unwrap_or_else(|| {
            let file = PathBuf::from(text(library, "src_path"));
            self.0
                .push(Crate::new(&name, file, &text(library, "edition")));
            self.0.len() - 1
        });
        let mut features = enabled(&package, features);
        features.retain(|feature| !self.0[at].features.contains(feature));
        self.0[at].features.extend(features);
        let features = self.0[at].features.clone();
        self.0[at].externs = self.dependencies(&package, &features, false)?;
        Ok(Some(name))
    }

    /// Adds the dependencies of a package that have a path and a library. Returns for each the name in the
    /// code of the package, and the library's own name.
    fn dependencies(
        &mut self,
        package: &Value,
        features: &[String],
        with_dev: bool,
    ) -> Result<Vec<(String, String)>> {
        let mut externs = Vec::new();
        for dependency in list(package, "dependencies") {
            let is_used = dependency["kind"].is_null() || with_dev && dependency["kind"] == "dev";
            let Some(folder) = dependency["path"].as_str().filter(|_| is_used) else {
                continue;
            };
            let own = text(dependency, "name");
            let known = dependency["rename"].as_str().unwrap_or(&own);
            let forwarded = features
                .iter()
                .flat_map(|feature| forwards(package, feature, known));
            let mut wanted: Vec<String> =
                strings(dependency, "features").chain(forwarded).collect();
            if dependency["uses_default_features"] == true {
                wanted.push(DEFAULT_FEATURE.to_string());
            }
            let manifest = Path::new(folder).join("Cargo.toml");
            // A package may depend on itself to turn on features for its tests.
            if manifest == Path::new(&text(package, "manifest_path")) {
                continue;
            }
            // A package may have only a binary, and no library.
            if let Some(name) = self.add_if_library(&manifest, &wanted)? {
                let renamed = dependency["rename"]
                    .as_str()
                    .map(|known| known.replace('-', "_"));
                externs.push((renamed.unwrap_or_else(|| name.clone()), name));
            }
        }
        Ok(externs)
    }
}

/// Returns the metadata of the package with this manifest, as cargo reports it; `None` for a workspace
/// without a package.
fn package(manifest: &Path) -> Result<Option<Value>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
            "--manifest-path",
        ])
        .arg(manifest)
        .output()
        .context("cargo")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "{}: {}",
        manifest.display(),
        errors.trim()
    );
    let all: Value = serde_json::from_slice(&output.stdout)?;
    let manifest = manifest.canonicalize()?;
    let is_own = |package: &&Value| Path::new(&text(package, "manifest_path")) == manifest;
    Ok(list(&all, "packages").find(is_own).cloned())
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

/// Returns the library among the targets of a package.
fn library(package: &Value) -> Option<&Value> {
    list(package, "targets")
        .find(|target| strings(target, "kind").any(|kind| kind.ends_with("lib")))
}

/// True if `place` is the root file of the target.
fn is_at(target: &Value, place: &Path) -> bool {
    Path::new(&text(target, "src_path"))
        .canonicalize()
        .is_ok_and(|path| path == place)
}

/// Returns the features in `wanted` that the package has, and all features that they turn on.
fn enabled(package: &Value, wanted: &[String]) -> Vec<String> {
    let mut features: Vec<String> = Vec::new();
    let mut open = wanted.to_vec();
    while let Some(feature) = open.pop() {
        if !features.contains(&feature) && !package["features"][&feature].is_null() {
            open.extend(strings(&package["features"], &feature));
            features.push(feature);
        }
    }
    features
}

/// Returns the features of a dependency that this feature of a package turns on, as in `dependency/feature`.
fn forwards<'a>(
    package: &'a Value,
    feature: &str,
    dependency: &'a str,
) -> impl Iterator<Item = String> + use<'a> {
    strings(&package["features"], feature).filter_map(move |on| {
        let (name, feature) = on.split_once('/')?;
        (name.trim_end_matches('?') == dependency).then(|| feature.to_string())
    })
}
