//! Bundles small, ordinary Rust programs, and compares their output with that of the sources.
//!
//! `cargo test` runs ten programs, without optimisation. With `COLUMNS_CORPUS=all`, as in `.ci/run`, it runs
//! all of them.

use columns_bundler::{CONTEST_MAX_BYTES, Goal, Program, Root, bundle};
use rayon::prelude::*;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use tempfile::TempDir;

/// The programs that `cargo test` runs: one for each known cause of faults.
const SHORT_LIST: [&str; 10] = [
    "autoref_specialisation",
    "cfg_twin",
    "doc_in_macro",
    "extern_crate",
    "include",
    "lock_2024",
    "macro_member",
    "one_name_many_modules",
    "package",
    "stringify",
];

/// Programs for which the bundler leaves a step out, because the bundle would behave differently. For all
/// other programs, it applies every step.
const LEFT_OUT: [&str; 7] = [
    "debug_print",
    "deref",
    "doc_in_macro",
    "exported_macros",
    "package",
    "stringify",
    "trait_in_one_module",
];

/// The standard input of each program.
const INPUT: &str = "hello";

/// The folder with `columns_core`, compiled by plain rustc for the programs that use it.
static LIBRARY: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let root = crates().join("core/src/lib.rs");
    compile(
        &root,
        "columns_core",
        "2021",
        &["--crate-type", "rlib"],
        folder.path(),
    );
    folder
});

/// Returns the folder with the crates of the workspace.
fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .unwrap()
}

/// Compiles a crate with plain rustc into `folder`.
fn compile(root: &Path, name: &str, edition: &str, options: &[&str], folder: &Path) {
    let output = Command::new("rustc")
        .args([
            "--crate-name",
            name,
            "--edition",
            edition,
            "-Awarnings",
            "-Cdebug-assertions=off",
            "-Coverflow-checks=off",
            "--out-dir",
        ])
        .args([folder, root])
        .args(options)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", root.display());
}

/// Runs a program on [`INPUT`].
fn run(program: &Path) -> Output {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program may exit without reading its input.
    let _ = child.stdin.take().unwrap().write_all(INPUT.as_bytes());
    child.wait_with_output().unwrap()
}

/// A program of the corpus and its sources.
struct Entry {
    name: String,
    root: PathBuf,
    /// The root file of the package's library; `None` for a program without a package.
    library: Option<PathBuf>,
    edition: String,
}

impl Entry {
    /// Reads the program in a file, or in a folder with `main.rs` or a package.
    fn new(place: &Path) -> Self {
        let library = place.join("src/lib.rs");
        let roots = [
            place.join("src/main.rs"),
            place.join("main.rs"),
            place.to_path_buf(),
        ];
        let root = roots.into_iter().find(|root| root.is_file()).unwrap();
        let text = fs::read_to_string(&root).unwrap();
        let is_package = library.is_file();
        let edition = if is_package { "2024" } else { "2021" };
        let edition = text
            .strip_prefix("// edition ")
            .map_or(edition, |rest| &rest[..4]);
        Self {
            name: place.file_stem().unwrap().to_str().unwrap().to_string(),
            library: is_package.then_some(library),
            edition: edition.to_string(),
            root,
        }
    }

    fn program(&self) -> Program {
        if self.library.is_some() {
            return Program::from_file(&self.root, &[]).unwrap();
        }
        // `Program::from_file` would find the package of this test, which does not belong to the program.
        let mut program = Program::new(Root::File(self.root.clone()));
        let core = crates().join("core/Cargo.toml");
        let with_core =
            Program::from_file(&crates().join("core/examples/greedy.rs"), &[core]).unwrap();
        program.libraries = with_core.libraries;
        program.main.externs = vec![("columns_core".to_string(), "columns_core".to_string())];
        program.main.edition.clone_from(&self.edition);
        program
    }

    /// Compiles the sources as cargo would, and returns the output of the program.
    fn expected(&self, options: &[&str]) -> Output {
        let folder = tempfile::tempdir().unwrap();
        let core = format!(
            "columns_core={}/libcolumns_core.rlib",
            LIBRARY.path().display()
        );
        let own = format!("my_bot={}/libmy_bot.rlib", folder.path().display());
        let mut all = [options, &["--extern", &core, "--cfg", "feature=\"wide\""]].concat();
        if let Some(library) = &self.library {
            let as_library = [
                options,
                &["--crate-type", "rlib", "--cfg", "feature=\"wide\""],
            ]
            .concat();
            compile(library, "my_bot", &self.edition, &as_library, folder.path());
            all.extend(["--extern", &own]);
        }
        compile(&self.root, "program", &self.edition, &all, folder.path());
        run(&folder.path().join("program"))
    }

    /// Asserts that the smallest bundle exits and prints as the sources do. A thorough check repeats this
    /// with optimisation, and for the bundle with the contest's limit.
    fn check(&self, is_thorough: bool) {
        let name = &self.name;
        let count = if is_thorough { 2 } else { 1 };
        let modes = &[("plain", &[][..]), ("-O", &["-O"][..])][..count];
        let expected: Vec<Output> = modes
            .iter()
            .map(|(_, options)| self.expected(options))
            .collect();
        for goal in &[Goal::Smallest, Goal::Bytes(CONTEST_MAX_BYTES)][..count] {
            let goal = *goal;
            let program = Program {
                goal,
                ..self.program()
            };
            let bundle = bundle(&program).unwrap_or_else(|error| panic!("{name}: {error:#}"));
            let stay: Vec<&String> = bundle
                .log
                .iter()
                .filter(|line| line.contains(" stay"))
                .collect();
            assert!(
                LEFT_OUT.contains(&name.as_str()) || stay.is_empty(),
                "{name}: {stay:?}"
            );
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("bot.rs");
            fs::write(&file, &bundle.text).unwrap();
            for ((mode, options), expected) in modes.iter().zip(&expected) {
                compile(&file, "program", &self.edition, options, folder.path());
                let actual = run(&folder.path().join("program"));
                assert_eq!(actual.status, expected.status, "{name} {mode}");
                let [actual, expected] =
                    [&actual.stdout, &expected.stdout].map(|out| String::from_utf8_lossy(out));
                assert_eq!(actual, expected, "{name} {mode}");
            }
        }
    }
}

#[test]
fn a_bundle_prints_what_its_program_prints() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let entries = fs::read_dir(folder).unwrap();
    let mut places: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    places.extend(["greedy.rs", "beam.rs"].map(|name| crates().join("core/examples").join(name)));
    assert!(places.len() >= 60);
    let chosen = std::env::var("COLUMNS_CORPUS").unwrap_or_default();
    let entries: Vec<Entry> = places.iter().map(|place| Entry::new(place)).collect();
    let mut entries: Vec<&Entry> = entries
        .iter()
        .filter(|entry| match chosen.as_str() {
            "all" => true,
            "" => SHORT_LIST.contains(&entry.name.as_str()),
            names => names.split(',').any(|name| name == entry.name),
        })
        .collect();
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(!entries.is_empty(), "no program is called {chosen}");
    entries
        .par_iter()
        .for_each(|entry| entry.check(!chosen.is_empty()));
}

/// Asserts that bundling this program fails with a message that begins with `expected`.
fn refused(root: &Path, expected: &str) {
    let error = bundle(&Program::new(Root::File(root.to_path_buf()))).err();
    let message = format!("{:#}", error.expect("the program is refused"));
    let expected = format!("{}:{expected}", root.display());
    assert!(message.starts_with(&expected), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
}

#[test]
fn a_refusal_names_the_line_of_the_source() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("main.rs");
    for (text, expected) in [
        (
            "use rand::random;\nfn main() {}",
            "1: unresolved import `rand`",
        ),
        ("fn main() {}\n\n/// Gone.\nmod gone;", "4: the file "),
        (
            "fn main() {}\nconst T: &str =\n    include_str!(\"gone.txt\");",
            "3: ",
        ),
        (
            "fn main() {\n    let x: u8 = 1.0;\n}",
            "2: mismatched types",
        ),
        ("fn main() {\n", "1: "),
        ("fn other() {}", "1: `main` function not found"),
        (
            "fn main() {\n    println!(\"{}\", env!(\"CARGO_MANIFEST_DIR\"));\n}",
            "2: environment variable",
        ),
    ] {
        fs::write(&root, text).unwrap();
        refused(&root, expected);
    }
    fs::write(
        folder.path().join("gone.rs"),
        "fn x() {}\nmod gone { fn x( }",
    )
    .unwrap();
    fs::write(&root, "mod gone;\nfn main() {}").unwrap();
    let error = bundle(&Program::new(Root::File(root.clone())))
        .err()
        .unwrap()
        .to_string();
    assert!(
        error.starts_with(&format!("{}/gone.rs:2: ", folder.path().display())),
        "{error}"
    );
}

/// Writes a file and its parent folders into `folder`, and returns the path of the file.
fn write(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let file = folder.path().join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, text).unwrap();
    file
}

/// Returns the manifest of a package, with the lines `rest` at its end.
fn manifest(name: &str, edition: &str, rest: &str) -> String {
    format!("[package]\nname = \"{name}\"\nedition = \"{edition}\"\n[workspace]\n{rest}")
}

#[test]
fn of_the_path_dependencies_only_a_package_without_a_library_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let rest = "[dependencies]\ntool = { path = \"../tool\" }\n";
    write(&folder, "new/Cargo.toml", &manifest("new", "2024", rest));
    let main = write(&folder, "new/src/main.rs", "fn main() {}");
    let tool = write(&folder, "tool/Cargo.toml", &manifest("tool", "2024", ""));
    write(&folder, "tool/src/main.rs", "fn main() {}");
    let program = Program::from_file(&main, &[]).unwrap();
    assert!(program.libraries.is_empty() && program.main.externs.is_empty());
    // The manifest of `new` is correct: the error names the file that is not.
    let rest = "[dependencies]\ngone = { path = \"../gone\" }\n";
    for (text, named) in [
        (&manifest("tool", "2024", rest)[..], "gone/Cargo.toml"),
        ("[workspace]\n", "tool/Cargo.toml"),
    ] {
        fs::write(&tool, text).unwrap();
        let error = Program::from_file(&main, &[]).err();
        let message = format!("{:#}", error.expect("the manifest is refused"));
        let expected = format!("{}: ", folder.path().join("new/Cargo.toml").display());
        assert!(message.starts_with(&expected), "{message}");
        let named = folder.path().join(named).display().to_string();
        assert!(message.contains(&named), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn a_library_that_differs_in_the_edition_of_the_program_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "old/Cargo.toml", &manifest("old", "2021", ""));
    let library = write(
        &folder,
        "old/src/lib.rs",
        "pub mod a {\n    pub struct Queue(pub std::sync::Mutex<Vec<u8>>);\n    impl Queue {\n        \
         pub fn new() -> Self { Self(Vec::new().into()) }
        pub fn push(&self) {
            if let Some(last) = self.0.lock().unwrap().last() { print!(\"{last}\") } else { print!(\"none\") }
        }\n    }\n}\n",
    );
    let rest = "[dependencies]\nold = { path = \"../old\" }\n";
    write(&folder, "new/Cargo.toml", &manifest("new", "2024", rest));
    let main = "fn main() { old::a::Queue::new().push() }";
    let main = write(&folder, "new/src/main.rs", main);
    let error = bundle(&Program::from_file(&main, &[]).unwrap()).err();
    let message = format!("{:#}", error.expect("the program is refused"));
    let expected = "old::a::push would not do the same, since the program has edition 2024: ";
    let expected = format!("{}:5: {expected}", library.display());
    assert!(message.starts_with(&expected), "{message}");
}

#[test]
fn the_limit_decides_how_many_steps_are_taken() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/two_utils.rs");
    let with = |goal| {
        bundle(&Program {
            goal,
            ..Program::new(Root::File(root.clone()))
        })
        .unwrap()
    };
    let whole = with(Goal::Bytes(CONTEST_MAX_BYTES));
    assert_eq!(whole.log, Vec::<String>::new());
    assert!(
        whole.text.contains("mod left") && whole.text.contains("only_left"),
        "{}",
        whole.text
    );
    let smallest = with(Goal::Smallest);
    assert!(!smallest.text.contains("only_left"), "{}", smallest.text);
    let limit = whole.text.len() - 1;
    let middle = with(Goal::Bytes(limit));
    assert!(middle.text.len() <= limit, "{}", middle.text);
    assert!(
        !middle.log.is_empty() && middle.log.len() < smallest.log.len(),
        "{:?}",
        middle.log
    );
}
