//! Reads a program from the command lines that cargo passes to the compiler.
//!
//! `cargo check --release -vv` prints each command line with its environment. Each command line describes a
//! crate: its root file, edition, `--cfg`, `--extern`, and environment. Cargo uses a separate target folder,
//! since it prints no command lines for crates that it has already built. It writes only to a temporary
//! folder, and reads a copy of the workspace's lock file there.

use super::process::RunningProcess;
use super::program::{BuildOptions, Crate, Program};
use anyhow::{Context, Result, anyhow, bail, ensure};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;

/// The prefixes of the variables that cargo sets for each package. Inherited ones are removed: the cargo that
/// runs the bundler has set them for another package.
const PACKAGE_VARIABLE_PREFIXES: [&str; 6] = [
    "CARGO_BIN_",
    "CARGO_CRATE_",
    "CARGO_MANIFEST_",
    "CARGO_PKG_",
    "CARGO_PRIMARY_",
    "OUT_DIR",
];

/// Compiler options that change what a program does, but are not set in the contest's build.
const OMITTED_OPTIONS: [&str; 5] = [
    "debug-assertions",
    "overflow-checks",
    "panic",
    "target-cpu",
    "target-feature",
];

impl Program {
    /// Reads the program with this root file, as cargo builds it.
    ///
    /// If the file is a target of a package, such as `src/main.rs`, the program is that target. Otherwise,
    /// the program may use the packages in [`BuildOptions::offered_packages`], and has edition 2021 unless
    /// `build` names another.
    ///
    /// # Errors
    /// Returns an error if the file does not exist, if cargo cannot build the program, or after a request
    /// to stop. The message about an error in the sources begins with the file and the line.
    pub fn from_file(file: &Path, build: &BuildOptions) -> Result<Self> {
        let root = file
            .canonicalize()
            .with_context(|| file.display().to_string())?;
        let folder = tempfile::tempdir().context("a folder for cargo")?;
        let cargo = CargoRunner {
            user_path: file,
            root,
            folder: &folder,
            options: build,
        };
        let (workspace, units) = cargo.compile_units()?;
        let main = units
            .iter()
            .find(|unit| unit.root(&workspace) == cargo.root);
        let Some(main) = main else {
            bail!("{}: cargo compiles no such program", file.display());
        };
        let mut libraries = Vec::new();
        let mut krate = main.to_crate(&units, &workspace, &mut libraries)?;
        krate.file = file.to_path_buf();
        if let Some(edition) = build.edition {
            krate.edition = edition.to_string();
        }
        Ok(Self {
            main: krate,
            libraries,
            omitted_options: main.omitted_options(),
            stop: build.stop,
            scratch: folder.path().to_path_buf(),
            _scratch_guard: Some(Arc::new(folder)),
            ..Self::new(file)
        })
    }
}

/// The settings for running cargo on one program.
struct CargoRunner<'a> {
    /// The root file as the user named it.
    user_path: &'a Path,
    root: PathBuf,
    folder: &'a TempDir,
    options: &'a BuildOptions<'a>,
}

impl CargoRunner<'_> {
    /// Builds the program. Returns the folder of its workspace, and the command lines of the compiler.
    fn compile_units(&self) -> Result<(PathBuf, Vec<Unit>)> {
        let mut folders = self.root.ancestors().skip(1);
        let manifest = folders.find_map(|folder| {
            let manifest = folder.join("Cargo.toml");
            manifest.is_file().then_some(manifest)
        });
        if let Some(manifest) = manifest {
            let arguments = ["metadata", "--no-deps", "--format-version", "1"];
            let json = self.run(&arguments, &manifest, self.folder.path())?.0;
            let json: Value = serde_json::from_str(&json).context("cargo metadata")?;
            let workspace = PathBuf::from(json["workspace_root"].as_str().unwrap_or_default());
            if let Some((manifest, target_options)) = self.find_target(&json) {
                let target_options: Vec<&str> = target_options.iter().map(String::as_str).collect();
                let units = self.check(
                    &manifest,
                    &workspace,
                    &[&target_options, self.options.cargo_args].concat(),
                )?;
                return Ok((workspace, units));
            }
        }
        let manifest = self.write_manifest()?;
        let units = self.check(&manifest, self.folder.path(), &[])?;
        Ok((self.folder.path().to_path_buf(), units))
    }

    /// Returns the manifest of the target with this root file, and the cargo options that select the target.
    fn find_target(&self, json: &Value) -> Option<(PathBuf, Vec<String>)> {
        let path = |value: &Value| PathBuf::from(value.as_str().unwrap_or_default());
        for package in json["packages"].as_array()? {
            for target in package["targets"].as_array()? {
                let root = path(&target["src_path"]);
                if root.canonicalize().is_ok_and(|root| root == self.root) {
                    let kind = target["kind"][0].as_str()?.to_string();
                    let name = target["name"].as_str()?.to_string();
                    let options = match kind.as_str() {
                        "bin" | "example" | "test" | "bench" => vec![format!("--{kind}"), name],
                        _ => vec!["--lib".to_string()],
                    };
                    return Some((path(&package["manifest_path"]), options));
                }
            }
        }
        None
    }

    /// Writes a manifest for a file that is not a target of a package, and returns its path.
    fn write_manifest(&self) -> Result<PathBuf> {
        let mut text = format!(
            "[package]\nname = \"program\"\nversion = \"0.0.0\"\nedition = \"{}\"\nautobins = false\n\
             [[bin]]\nname = \"program\"\npath = {}\n[workspace]\n[dependencies]\n",
            self.options.edition.unwrap_or("2021"),
            toml_string(&self.root)
        );
        for (name, folder) in self.options.offered_packages {
            let _ = writeln!(text, "{name} = {{ path = {} }}", toml_string(folder));
        }
        let manifest = self.folder.path().join("Cargo.toml");
        fs::write(&manifest, text).with_context(|| manifest.display().to_string())?;
        Ok(manifest)
    }

    /// Runs `cargo check --release` on the program. Returns the command lines of the compiler.
    fn check(
        &self,
        manifest: &Path,
        workspace: &Path,
        target_options: &[&str],
    ) -> Result<Vec<Unit>> {
        let lock = self.folder.path().join("lock/Cargo.lock");
        fs::create_dir_all(self.folder.path().join("lock")).context("a folder for cargo")?;
        let own = workspace.join("Cargo.lock");
        if own.is_file() {
            fs::copy(&own, &lock).with_context(|| own.display().to_string())?;
        }
        let lock_config = format!("resolver.lockfile-path={}", toml_string(&lock));
        let lock = lock.display().to_string();
        // The first form is for cargo 1.95 and later, the second one for earlier versions.
        let forms = [
            ["-Zlockfile-path", "--config", &lock_config],
            ["-Zunstable-options", "--lockfile-path", &lock],
        ];
        let check = ["check", "--release", "-vv", "--message-format", "json"];
        let mut result = Err(anyhow!("cargo"));
        for form in &forms {
            result = self.run(
                &[&check, &form[..], target_options].concat(),
                manifest,
                workspace,
            );
            let is_unknown =
                |error: &anyhow::Error| error.to_string().contains("unknown `-Z` flag");
            if !result.as_ref().is_err_and(is_unknown) {
                break;
            }
        }
        Ok(Unit::parse_all(&result?.1))
    }

    /// Runs cargo, and returns what it prints to standard output and standard error. The messages of the
    /// compiler name files relative to `workspace`.
    fn run(
        &self,
        arguments: &[&str],
        manifest: &Path,
        workspace: &Path,
    ) -> Result<(String, String)> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        for (name, _) in std::env::vars_os() {
            let is_package_variable = |prefix: &&str| name.to_string_lossy().starts_with(*prefix);
            if PACKAGE_VARIABLE_PREFIXES.iter().any(is_package_variable) {
                command.env_remove(name);
            }
        }
        let target = self.folder.path().join("target");
        command
            .args(arguments)
            .args(["--color", "never", "--manifest-path"])
            .arg(manifest)
            .current_dir(self.root.parent().unwrap_or(&self.root))
            .envs(["CARGO_TARGET_DIR", "CARGO_BUILD_BUILD_DIR"].map(|name| (name, &target)))
            .env("RUSTC_BOOTSTRAP", "1"); // allows -Z
        let running =
            RunningProcess::start(&mut command, self.folder.path(), "cargo", self.options.stop);
        let (status, output, errors) = running.context("cargo")?.finish()?;
        if status.success() {
            return Ok((output, errors));
        }
        if let Some(error) = output
            .lines()
            .find_map(|line| self.source_error(line, workspace))
        {
            bail!(error);
        }
        // Cargo prints each cause of an error on a separate line: join the lines.
        let start = errors.lines().position(|line| line.starts_with("error"));
        let lines = errors.lines().skip(start.unwrap_or_default());
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        let error = words.join(" ");
        let is_forbidden = error.contains("build-script-build") && error.contains("os error 13");
        let hint =
            ["", ": set TMPDIR to a folder where programs can run"][usize::from(is_forbidden)];
        let manifest = manifest
            .strip_prefix(self.folder.path())
            .map_or(manifest, |_| self.user_path);
        Err(anyhow!("{}: {error}{hint}", manifest.display()))
    }

    /// Formats a compiler error as a line that begins with its file and its line number.
    fn source_error(&self, line: &str, workspace: &Path) -> Option<String> {
        let json: Value = serde_json::from_str(line).ok()?;
        let message = &json["message"];
        let mut error = Some(message)
            .filter(|message| message["level"] == "error")?
            .clone();
        let text = error["message"].as_str()?.to_string();
        let spans = error["spans"].as_array_mut()?;
        let mut span = spans
            .iter()
            .find(|span| span["is_primary"] == true)?
            .clone();
        // For an error in a macro of the standard library, report the location of the call.
        while !workspace.join(span["file_name"].as_str()?).is_file() && !span["expansion"].is_null()
        {
            span = span["expansion"]["span"].take();
        }
        let file = workspace.join(span["file_name"].as_str()?);
        let file = file.canonicalize().unwrap_or(file);
        let (root_folder, user_folder) = (self.root.parent()?, self.user_path.parent()?);
        let file = file
            .strip_prefix(root_folder)
            .map_or(file.clone(), |relative| user_folder.join(relative));
        Some(format!("{}:{}: {text}", file.display(), span["line_start"]))
    }
}

/// Returns a path as a text in TOML. JSON escapes only what TOML escapes in the same way.
fn toml_string(path: &Path) -> Value {
    path.display().to_string().into()
}

/// A command line of the compiler.
struct Unit {
    environment: HashMap<String, String>,
    arguments: Vec<String>,
}

impl Unit {
    /// Reads the command lines from the output of `cargo -vv`, which quotes them for a shell.
    fn parse_all(text: &str) -> Vec<Self> {
        let commands = text.split("Running `").skip(1);
        let commands = commands.filter_map(|rest| {
            // The value of a variable may contain a backtick and a newline, so try each such pair as the end.
            let mut ends = rest.match_indices("`\n").map(|(end, _)| end);
            let words = ends.find_map(|end| shell_words::split(&rest[..end]).ok())?;
            let start = words.iter().position(|word| word == "--crate-name")?;
            let variables = words[..start]
                .iter()
                .filter_map(|word| word.split_once('='));
            let variables = variables.map(|(name, value)| (name.to_string(), value.to_string()));
            Some(Self {
                environment: variables.collect(),
                arguments: words[start..].to_vec(),
            })
        });
        commands.collect()
    }

    /// Returns the values of an option such as `--cfg`, from both `--cfg value` and `--cfg=value`.
    fn values<'a>(&'a self, option: &'a str) -> impl Iterator<Item = &'a str> {
        let pairs = self.arguments.windows(2);
        let separate_values = pairs
            .filter(move |pair| pair[0] == option)
            .map(|pair| &pair[1][..]);
        let joined_values = self.arguments.iter();
        let joined_values = joined_values.filter_map(move |word| {
            let value = word
                .strip_prefix(option)
                .filter(|value| !value.is_empty())?;
            Some(value.strip_prefix('=').unwrap_or(value))
        });
        separate_values.chain(joined_values)
    }

    fn value(&self, option: &str) -> String {
        self.values(option).next().unwrap_or_default().to_string()
    }

    /// Returns the value of a `-C` option.
    fn codegen(&self, option: &str) -> Option<&str> {
        let mut values = self.values("-C").filter_map(|value| value.split_once('='));
        values
            .find(|(name, _)| *name == option)
            .map(|(_, value)| value)
    }

    fn root(&self, workspace: &Path) -> PathBuf {
        let mut files = self.arguments.iter().skip(2);
        let file = files.find(|word| !word.starts_with('-'));
        let file = workspace.join(file.map_or("", String::as_str));
        file.canonicalize().unwrap_or(file)
    }

    /// Returns the name of the compiled crate's file, without the prefix `lib` and the extension.
    fn id(&self) -> String {
        self.value("--crate-name") + self.codegen("extra-filename").unwrap_or_default()
    }

    /// Returns the reason why the sources of this crate cannot be part of the bundle; `None` if they can.
    fn refusal(&self) -> Option<String> {
        let package = self.environment.get("CARGO_PKG_NAME");
        let package = package.map_or("", String::as_str);
        if self.values("--crate-type").any(|kind| kind == "proc-macro") {
            return Some(format!("the package {package} is a procedural macro"));
        }
        if let Some(library) = self.values("-l").next() {
            return Some(format!(
                "the package {package} links the native library {library}"
            ));
        }
        let is_foreign = self.values("--cap-lints").next().is_some();
        is_foreign.then(|| format!("the package {package} is not in a folder of yours"))
    }

    /// Returns the [`OMITTED_OPTIONS`] that do not have their default value in cargo's build, each with its
    /// value.
    fn omitted_options(&self) -> Vec<String> {
        let omitted = OMITTED_OPTIONS.iter().filter_map(|name| {
            let value = self.codegen(name)?;
            let is_default = matches!(value, "off" | "no" | "n" | "false" | "unwind");
            (!is_default).then(|| format!("{name}={value}"))
        });
        omitted.collect()
    }

    /// Returns the crate that this command line compiles. `units` are the command lines of the build. Adds
    /// the dependencies of the crate to `libraries`.
    fn to_crate(
        &self,
        units: &[Self],
        workspace: &Path,
        libraries: &mut Vec<Crate>,
    ) -> Result<Crate> {
        let edition = self.value("--edition");
        let edition = if edition.is_empty() { "2015" } else { &edition };
        let mut krate = Crate::new(&self.value("--crate-name"), self.root(workspace), edition);
        krate.id = self.id();
        krate.cfgs = self.values("--cfg").map(String::from).collect();
        krate.environment.clone_from(&self.environment);
        let refusal = self.refusal();
        ensure!(refusal.is_none(), refusal.unwrap_or_default());
        for value in self.values("--extern") {
            let Some((name, file)) = value.split_once('=') else {
                continue;
            };
            // Drop the prefix of `priv:name`.
            let name = name.rsplit(':').next().unwrap_or(name).to_string();
            let id = Path::new(file)
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy();
            let id = id.strip_prefix("lib").unwrap_or(&id);
            let library = units.iter().find(|unit| unit.id() == id);
            let library = library.with_context(|| format!("cargo did not compile {name}"))?;
            if let Some(reason) = library.refusal() {
                krate.refused_externs.push((name, reason));
                continue;
            }
            krate.externs.push((name, id.to_string()));
            if !libraries.iter().any(|known| known.id == id) {
                let library = library.to_crate(units, workspace, libraries)?;
                libraries.push(library);
            }
        }
        Ok(krate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_read_with_values_of_several_lines() {
        let text = "   Compiling app v0.1.0\n     Running `CARGO_PKG_NAME=app CARGO_PKG_DESCRIPTION=\
                    'it'\\''s\ntwo `x`\nlines' DEPTH='5 6' /bin/rustc --crate-name app src/main.rs \
                    --crate-type bin -C overflow-checks=on -Cpanic=abort -C extra-filename=-7e \
                    --cfg 'feature=\"a b\"' --cfg=fast --extern priv:first=/t/libutil-6a.rmeta`\n\
                    [app 0.1.0] cargo:rustc-cfg=fast\n";
        let units = Unit::parse_all(text);
        let unit = &units[0];
        assert_eq!(units.len(), 1);
        assert_eq!(unit.environment["DEPTH"], "5 6");
        assert_eq!(
            unit.environment["CARGO_PKG_DESCRIPTION"],
            "it's\ntwo `x`\nlines"
        );
        assert_eq!(
            unit.values("--cfg").collect::<Vec<_>>(),
            ["feature=\"a b\"", "fast"]
        );
        assert_eq!(unit.root(Path::new("/ws")), Path::new("/ws/src/main.rs"));
        assert_eq!(unit.id(), "app-7e");
        assert_eq!(
            unit.omitted_options(),
            ["overflow-checks=on", "panic=abort"]
        );
    }
}
