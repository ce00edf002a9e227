//! Bundles small, ordinary Rust programs. A bundle must print the same as the program that
//! `cargo build --release` builds.
//!
//! `cargo test` runs ten programs. With `COLUMNS_CORPUS=all`, as in `.ci/run`, it runs all of them.

use columns_bundler::{BuildOptions, Bundle, CONTEST_MAX_BYTES, Goal, Program, bundle};
use rayon::prelude::*;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// The programs that `cargo test` runs: one for each known cause of faulty bundles.
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

/// Programs whose behaviour one of the steps would change. The bundler leaves out this step; for all other
/// programs, it applies every step.
const WITH_SKIPPED_STEP: [&str; 7] = [
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

/// Returns the workspace's folder `crates`.
fn crates() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    folder.canonicalize().unwrap()
}

/// Runs a command. If it fails, panics with its standard error.
#[track_caller]
fn assert_succeeds(command: &mut Command) {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
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

/// Copies a file, or a folder with its contents.
fn copy(from: &Path, to: &Path) {
    if from.is_file() {
        fs::copy(from, to).unwrap();
        return;
    }
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        copy(&entry.path(), &to.join(entry.file_name()));
    }
}

/// A program of the corpus: a package in a temporary folder.
struct Entry {
    name: String,
    folder: TempDir,
    root: PathBuf,
}

impl Entry {
    /// Copies a program into a temporary package. `source` is a file, a folder with `main.rs`, or a package.
    fn new(source: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("package");
        if source.is_file() {
            fs::create_dir(&package).unwrap();
            copy(source, &package.join("main.rs"));
        } else {
            copy(source, &package);
        }
        let roots = ["src/main.rs", "main.rs"].map(|root| package.join(root));
        let root = roots.into_iter().find(|root| root.is_file()).unwrap();
        if !package.join("Cargo.toml").is_file() {
            let text = fs::read_to_string(&root).unwrap();
            let edition = text
                .strip_prefix("// edition ")
                .map_or("2021", |rest| &rest[..4]);
            let core = crates().join("core").display().to_string();
            let dependency = format!("[dependencies]\ncolumns-core = {{ path = {core:?} }}\n");
            let dependency = if text.contains("columns_core") {
                &dependency
            } else {
                ""
            };
            let manifest = format!(
                "[package]\nname = \"program\"\nedition = \"{edition}\"\n[[bin]]\nname = \"program\"\n\
                 path = \"main.rs\"\n{dependency}[workspace]\n"
            );
            fs::write(package.join("Cargo.toml"), manifest).unwrap();
        }
        Self {
            name: source.file_stem().unwrap().to_str().unwrap().to_string(),
            folder,
            root,
        }
    }

    fn bundle(&self, goal: Goal) -> Bundle {
        let name = &self.name;
        let program = Program::from_file(&self.root, &BuildOptions::default());
        let mut program = program.unwrap_or_else(|error| panic!("{name}: {error:#}"));
        program.goal = goal;
        bundle(&program).unwrap_or_else(|error| panic!("{name}: {error:#}"))
    }

    /// Returns the output of the program that cargo builds.
    fn expected_output(&self) -> Output {
        let target = self.folder.path().join("target");
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(["build", "--release", "--quiet", "--bins", "--manifest-path"])
            .arg(self.folder.path().join("package/Cargo.toml"))
            .env("CARGO_TARGET_DIR", &target);
        assert_succeeds(&mut cargo);
        let entries = fs::read_dir(target.join("release")).unwrap();
        let names = entries.map(|entry| entry.unwrap().path());
        // Executables have no extension.
        let mut programs = names.filter(|path| path.is_file() && path.extension().is_none());
        let is_lock = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with('.');
        run(&programs.find(|path| !is_lock(path)).unwrap())
    }

    /// Asserts that the smallest bundle has the exit status and the standard output of the program, and that
    /// the bundler left out no step, except for the programs in [`WITH_SKIPPED_STEP`]. A thorough check also
    /// tests a bundle that only has to meet the contest's size limit.
    fn check(&self, is_thorough: bool) {
        let name = &self.name;
        let expected = self.expected_output();
        let count = if is_thorough { 2 } else { 1 };
        for goal in &[Goal::Smallest, Goal::Bytes(CONTEST_MAX_BYTES)][..count] {
            let bundle = self.bundle(*goal);
            let skipped_steps: Vec<&String> = bundle
                .log
                .iter()
                .filter(|line| line.contains(" stay"))
                .collect();
            assert!(
                WITH_SKIPPED_STEP.contains(&name.as_str()) || skipped_steps.is_empty(),
                "{name}: {skipped_steps:?}"
            );
            let actual = run_bundle(&bundle);
            assert_eq!(actual.status, expected.status, "{name}");
            let [actual, expected] =
                [&actual.stdout, &expected.stdout].map(|out| String::from_utf8_lossy(out));
            assert_eq!(actual, expected, "{name}");
        }
    }
}

/// Compiles a bundle as the contest does, and runs it.
fn run_bundle(bundle: &Bundle) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bot.rs");
    fs::write(&file, &bundle.text).unwrap();
    let program = folder.path().join("program");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", &bundle.edition, "-O", "-o"]);
    assert_succeeds(rustc.args([&program, &file]));
    run(&program)
}

#[test]
fn a_bundle_prints_what_its_program_prints() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let entries = fs::read_dir(folder).unwrap();
    let mut sources: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    sources.extend(["greedy.rs", "beam.rs"].map(|name| crates().join("core/examples").join(name)));
    assert!(sources.len() >= 60);
    let chosen = std::env::var("COLUMNS_CORPUS").unwrap_or_default();
    let entries: Vec<Entry> = sources.iter().map(|source| Entry::new(source)).collect();
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

/// Returns the error message of the bundler for this program.
fn refusal(root: &Path) -> String {
    let bundled =
        Program::from_file(root, &BuildOptions::default()).and_then(|program| bundle(&program));
    format!("{:#}", bundled.err().expect("the program is refused"))
}

/// Asserts that bundling this program fails with a message that begins with its file and `expected`.
#[track_caller]
fn assert_refused(root: &Path, expected: &str) {
    let message = refusal(root);
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
        ("fn main() {}\n\n/// Gone.\nmod gone;", "4: file not found"),
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
    ] {
        fs::write(&root, text).unwrap();
        assert_refused(&root, expected);
    }
    fs::write(
        folder.path().join("gone.rs"),
        "fn x() {}\nmod gone { fn x( }",
    )
    .unwrap();
    fs::write(&root, "mod gone;\nfn main() {}").unwrap();
    let error = refusal(&root);
    let expected = format!("{}/gone.rs:2: ", folder.path().display());
    assert!(error.starts_with(&expected), "{error}");
}

/// Writes a file and its parent folders into `folder`, and returns the path of the file.
fn write(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let file = folder.path().join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, text).unwrap();
    file
}

/// Returns the manifest of a package; it ends with the lines `rest`.
fn manifest(name: &str, edition: &str, rest: &str) -> String {
    format!("[package]\nname = \"{name}\"\nedition = \"{edition}\"\n[workspace]\n{rest}")
}

#[test]
fn a_path_dependency_without_a_library_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let rest = "[dependencies]\ntool = { path = \"../tool\" }\n";
    write(&folder, "new/Cargo.toml", &manifest("new", "2024", rest));
    let main = write(&folder, "new/src/main.rs", "fn main() {}");
    let tool = write(&folder, "tool/Cargo.toml", &manifest("tool", "2024", ""));
    write(&folder, "tool/src/main.rs", "fn main() {}");
    let program = Program::from_file(&main, &BuildOptions::default()).unwrap();
    assert!(program.libraries.is_empty() && program.main.externs.is_empty());
    // The manifest of `new` is correct, so the error must also name the missing or invalid manifest.
    let rest = "[dependencies]\ngone = { path = \"../gone\" }\n";
    for (text, named) in [
        (&manifest("tool", "2024", rest)[..], "gone/Cargo.toml"),
        ("[workspace]\n", "tool/Cargo.toml"),
    ] {
        fs::write(&tool, text).unwrap();
        let message = refusal(&main);
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
    let message = refusal(&main);
    let expected = "old::a::push would not do the same, since the program has edition 2024: ";
    let expected = format!("{}:5: {expected}", library.display());
    assert!(message.starts_with(&expected), "{message}");
}

#[test]
fn the_limit_decides_how_many_steps_are_taken() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/two_utils.rs");
    let entry = Entry::new(&root);
    let bundle_for = |goal| entry.bundle(goal);
    let whole = bundle_for(Goal::Bytes(CONTEST_MAX_BYTES));
    assert_eq!(whole.log, Vec::<String>::new());
    assert!(
        whole.text.contains("mod left") && whole.text.contains("only_left"),
        "{}",
        whole.text
    );
    let smallest = bundle_for(Goal::Smallest);
    assert!(!smallest.text.contains("only_left"), "{}", smallest.text);
    let limit = whole.text.len() - 1;
    let middle = bundle_for(Goal::Bytes(limit));
    assert!(middle.text.len() <= limit, "{}", middle.text);
    assert!(
        !middle.log.is_empty() && middle.log.len() < smallest.log.len(),
        "{:?}",
        middle.log
    );
}

/// Creates a package in a temporary folder. The manifest ends with the lines `rest`. Returns the folder and
/// the root file.
fn package(main: &str, rest: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "app/Cargo.toml", &manifest("app", "2021", rest));
    let root = write(&folder, "app/src/main.rs", main);
    (folder, root)
}

/// Returns the standard output of the smallest bundle of this program, and the bundle.
fn run_smallest_bundle(root: &Path) -> (String, Bundle) {
    let mut program = Program::from_file(root, &BuildOptions::default()).unwrap();
    program.goal = Goal::Smallest;
    let bundle = bundle(&program).unwrap();
    let output = run_bundle(&bundle);
    (String::from_utf8(output.stdout).unwrap(), bundle)
}

#[test]
fn two_libraries_of_one_name_are_two_modules() {
    let rest = "[dependencies]\nfirst = { path = \"../1\", package = \"one\" }\n\
                second = { path = \"../2\", package = \"two\" }\n";
    let main = "fn main() { println!(\"{} {}\", first::value().0, second::value().0);\n\
                println!(\"{}\", matches!(first::closure()(1), first::One)); }";
    let (folder, root) = package(main, rest);
    for (number, name) in [("1", "one"), ("2", "two")] {
        let manifest = manifest(name, "2021", "[lib]\nname = \"util\"\n");
        write(&folder, &format!("{number}/Cargo.toml"), &manifest);
        let text = format!(
            "mod inner {{ pub struct Value(pub u8); pub enum Kind {{ One, Two }} }}\n\
             pub use inner::{{Kind, Value}};\npub use Kind::*;\n\
             pub fn value() -> Value {{ Value({number}) }}\n\
             pub fn closure() -> impl Fn(u8) -> Kind {{ |x| if x == 1 {{ One }} else {{ Two }} }}"
        );
        write(&folder, &format!("{number}/src/lib.rs"), &text);
    }
    assert_eq!(run_smallest_bundle(&root).0, "1 2\ntrue\n");
}

#[test]
fn the_bundle_keeps_what_cargo_passes_to_the_compiler() {
    let main = "#[cfg(fast)] const N: u32 = 5;\n#[cfg(not(fast))] const N: u32 = 1;\n\
                include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));\n\
                fn main() { println!(\"{} {} {:?} {:?} {} {}\", N, cfg!(fast), option_env!(\"DEPTH\"), \
                ::core::option_env!(\"UNSET\"), std::env!(\"CARGO_PKG_NAME\"), made()); }";
    let (folder, root) = package(main, "");
    let script = "fn main() { println!(\"cargo:rustc-cfg=fast\"); println!(\"cargo:rustc-env=DEPTH=5 6\");\n\
                  let folder = std::env::var(\"OUT_DIR\").unwrap();\n\
                  std::fs::write(folder + \"/made.rs\", \"fn made() -> u8 { 7 }\").unwrap(); }";
    write(&folder, "app/build.rs", script);
    assert_eq!(
        run_smallest_bundle(&root).0,
        "5 true Some(\"5 6\") None app 7\n"
    );
    // Cargo's configuration can also set environment variables and flags.
    write(&folder, "app/build.rs", "fn main() {}");
    let config = "[env]\nDEPTH = \"8\"\n[build]\nrustflags = [\"--cfg\", \"fast\"]\n\
                  build-dir = \"target\"\n";
    write(&folder, "app/.cargo/config.toml", config);
    let main = main.replace(
        "include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));",
        "fn made() -> u8 { 9 }",
    );
    fs::write(&root, main).unwrap();
    assert_eq!(
        run_smallest_bundle(&root).0,
        "5 true Some(\"8\") None app 9\n"
    );
    let names = fs::read_dir(folder.path().join("app")).unwrap();
    assert!(
        names
            .map(|name| name.unwrap().file_name())
            .all(|name| name != "Cargo.lock" && name != "target")
    );
}

#[test]
fn an_option_of_the_profile_that_changes_meaning_is_reported() {
    let rest = "[profile.release]\noverflow-checks = true\npanic = \"abort\"\n";
    let (folder, root) = package("fn main() { println!(\"{}\", 1 + 1); }", rest);
    let config = "[build]\nrustflags = [\"-Ctarget-cpu=x86-64\"]\n";
    write(&folder, "app/.cargo/config.toml", config);
    let (output, bundle) = run_smallest_bundle(&root);
    assert_eq!(output, "2\n");
    let omitted = "cargo's overflow-checks=on, panic=abort, target-cpu=x86-64";
    assert!(bundle.log[0].starts_with(omitted), "{:?}", bundle.log);
    assert!(
        bundle.text.lines().next().unwrap().ends_with(omitted),
        "{}",
        bundle.text
    );
}

#[test]
fn what_cannot_be_carried_over_is_refused_with_its_package_and_line() {
    let rest = "[dependencies]\nmaker = { path = \"../maker\" }\n";
    let main = "use maker::Made;\n#[derive(Made)]\nstruct S;\nfn main() { let _ = S; }";
    let (folder, root) = package(main, rest);
    let maker = manifest("maker", "2021", "[lib]\nproc-macro = true\n");
    write(&folder, "maker/Cargo.toml", &maker);
    let text = "use proc_macro::TokenStream;\n#[proc_macro_derive(Made)]\n\
                pub fn made(_: TokenStream) -> TokenStream { TokenStream::new() }";
    write(&folder, "maker/src/lib.rs", text);
    assert_refused(&root, "1: the package maker is a procedural macro, which");
    let file = "fn main() {\n    let name = env!(\"OUT_DIR\");\n    drop(name);\n}";
    fs::write(&root, file).unwrap();
    write(&folder, "app/build.rs", "fn main() {}");
    assert_refused(
        &root,
        "2: env!(\"OUT_DIR\") is the folder of a build script",
    );
    fs::write(
        &root,
        "macro_rules! name { () => { \"main.rs\" } }\nfn main() {\n    include_str!(name!());\n}",
    )
    .unwrap();
    assert_refused(&root, "3: include_str!: expected a text");
}

#[test]
fn a_location_macro_with_a_path_is_refused() {
    let (_folder, root) = package("fn main() {\n    println!(\"{}\", std::line!());\n}", "");
    assert_refused(
        &root,
        "1: main would not do the same: write macros such as line! and dbg! without std::",
    );
    // A variable of the same name is not the cause.
    let main = "fn main() {\n    let line = util::name();\n    println!(\"{line}\");\n}";
    let (folder, root) = package(main, "[dependencies]\nutil = { path = \"../1\" }\n");
    write(&folder, "1/Cargo.toml", &manifest("util", "2021", ""));
    let library = "pub fn name() -> &'static str { stringify!(crate::name) }";
    write(&folder, "1/src/lib.rs", library);
    let message = refusal(&root);
    assert!(message.ends_with("would not do the same"), "{message}");
}

#[test]
fn a_failed_build_script_is_reported() {
    let (folder, root) = package("fn main() {}", "");
    write(&folder, "app/build.rs", "fn main() { panic!() }");
    let manifest = folder.path().join("app/Cargo.toml");
    let expected = format!(
        "{}: error: failed to run custom build command",
        manifest.display()
    );
    let message = refusal(&root);
    assert!(message.starts_with(&expected), "{message}");
}

#[test]
fn a_native_library_and_a_package_of_a_registry_are_refused() {
    let rest = "[dependencies]\nnative = { path = \"../native\" }\n";
    let (folder, root) = package("fn main() {\n    native::f();\n}", rest);
    write(
        &folder,
        "native/Cargo.toml",
        &manifest("native", "2021", ""),
    );
    write(&folder, "native/src/lib.rs", "pub fn f() {}");
    let script = "fn main() { println!(\"cargo:rustc-link-lib=m\"); }";
    write(&folder, "native/build.rs", script);
    assert_refused(
        &root,
        "2: the package native links the native library m, which",
    );
    // A local folder replaces crates.io.
    let rest = "[dependencies]\nfar = \"1\"\n";
    write(&folder, "app/Cargo.toml", &manifest("app", "2021", rest));
    let config =
        "[source.crates-io]\nreplace-with = \"here\"\n[source.here]\ndirectory = \"vendor\"\n";
    write(&folder, "app/.cargo/config.toml", config);
    let far = "[package]\nname = \"far\"\nversion = \"1.0.0\"\nedition = \"2021\"\n";
    write(&folder, "app/vendor/far/Cargo.toml", far);
    write(
        &folder,
        "app/vendor/far/.cargo-checksum.json",
        "{\"files\":{}}",
    );
    write(&folder, "app/vendor/far/src/lib.rs", "pub fn f() {}");
    fs::write(&root, "use far::f;\nfn main() { f() }").unwrap();
    assert_refused(
        &root,
        "1: the package far is not in a folder of yours, which",
    );
}

#[test]
fn a_package_from_git_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    // Cargo clones the repository into CARGO_HOME, so the test runs in a new process with another CARGO_HOME.
    if std::env::var_os("CARGO_HOME").is_none_or(|home| !Path::new(&home).ends_with("git-test")) {
        let mut test = Command::new(std::env::current_exe().unwrap());
        test.args(["--exact", "a_package_from_git_is_refused"]);
        return assert_succeeds(test.env("CARGO_HOME", folder.path().join("git-test")));
    }
    write(&folder, "far/Cargo.toml", &manifest("far", "2021", ""));
    write(&folder, "far/src/lib.rs", "pub fn f() {}");
    let far = folder.path().join("far");
    let identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
    for arguments in [
        &["init", "-q"][..],
        &["add", "."],
        &["commit", "-qm", "far"],
    ] {
        let mut git = Command::new("git");
        assert_succeeds(git.current_dir(&far).args(identity).args(arguments));
    }
    let rest = format!(
        "[dependencies]\nfar = {{ git = \"file://{}\" }}\n",
        far.display()
    );
    write(&folder, "app/Cargo.toml", &manifest("app", "2021", &rest));
    let main = "use far::f;\nfn main() { f() }";
    let root = write(&folder, "app/src/main.rs", main);
    assert_refused(
        &root,
        "1: the package far is not in a folder of yours, which",
    );
}

#[test]
fn a_file_that_is_no_target_may_use_the_offered_packages() {
    let folder = tempfile::tempdir().unwrap();
    let own = manifest("own", "2021", "[lib]\npath = \"lib.rs\"\n");
    write(&folder, "e\u{301}/Cargo.toml", &own);
    let main = "fn main() { println!(\"{}\", offered::VALUE); }";
    // A combining accent in the name of the folder.
    let root = write(&folder, "e\u{301}/main.rs", main);
    write(
        &folder,
        "e\u{301}/other/Cargo.toml",
        &manifest("offered", "2021", ""),
    );
    write(
        &folder,
        "e\u{301}/other/src/lib.rs",
        "pub const VALUE: u8 = 47;",
    );
    let other = folder.path().join("e\u{301}/other");
    let build = BuildOptions {
        offered_packages: &[("offered", &other)],
        ..BuildOptions::default()
    };
    let program = Program::from_file(&root, &build).unwrap();
    let output = run_bundle(&bundle(&program).unwrap());
    assert_eq!(output.stdout, b"47\n");
}
