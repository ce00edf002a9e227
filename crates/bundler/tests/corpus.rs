//! Bundles small programs of ordinary Rust, and compares their output with that of the sources.

use columns_bundler::{Program, Root, bundle};
use rayon::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Programs whose bundle keeps the modules or the names, because the short program would not do the same.
///
/// All other programs become short.
const KEPT: [&str; 10] = [
    "conditions",
    "deref",
    "float_module",
    "prelude_shadowed",
    "same_function",
    "statics_and_unsafe",
    "stringify",
    "trait_in_one_module",
    "two_macros_one_name",
    "two_writes",
];

/// Compiles `source`, runs the program, and returns its output.
fn run(source: &Path, program: &Path) -> Output {
    let compiled = Command::new("rustc")
        .args([
            "--edition",
            "2021",
            "-Awarnings",
            "-Copt-level=0",
            "-Cdebug-assertions=off",
            "-o",
        ])
        .args([program, source])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{}: {errors}", source.display());
    Command::new(program).output().unwrap()
}

/// Asserts that the bundle of `source` prints what `source` prints, and is short unless [`KEPT`] lists it.
fn check(source: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let [file, before, after] = ["bot.rs", "before", "after"].map(|name| folder.path().join(name));
    let name = source.file_stem().unwrap().to_str().unwrap();
    let bundle = bundle(&Program::new(Root::File(source)));
    let bundle = bundle.unwrap_or_else(|error| panic!("{name}: {error:#}"));
    fs::write(&file, &bundle.text).unwrap();
    assert!(
        KEPT.contains(&name) || bundle.kept.is_empty(),
        "{name}: {:?}",
        bundle.kept
    );
    assert_eq!(run(source, &before), run(&file, &after), "{name}");
}

#[test]
fn a_bundle_prints_what_its_program_prints() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let files = fs::read_dir(folder).unwrap();
    let files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    assert!(files.len() >= 40);
    files.par_iter().for_each(|file| check(file));
}

#[test]
fn an_error_names_the_line_of_the_source() {
    let faults = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults");
    let source = faults.join("unresolved_import.rs");
    let error = bundle(&Program::new(Root::File(&source))).err().unwrap();
    let message = format!("{error:#}");
    let expected = format!("{}:1: unresolved import `rand`", source.display());
    assert!(message.starts_with(&expected), "{message}");
}
