//! Bundles JavaScript modules into one script.
//!
//! Each module becomes a function that is called immediately and returns the exports, so that all other
//! names stay private:
//!
//! ```text
//! import { a } from "./one.js";         const $main = (() => {
//! export const b = a + 1;               const { a } = $one;
//!                                       const b = a + 1;
//!                                       return { b };
//!                                       })();
//! ```
//!
//! Only the forms that the page's modules use are supported: `import { a, b } from "./c.js";` and
//! `export` before a declaration. Any other import or export is an error.

use anyhow::{Context, Result, bail, ensure};
use regex::Regex;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Regular expressions: an import; an export; any other line that imports or exports; the indentation of a
/// line, or a whole comment line. Removing the matches of the last pattern is safe, since no string of the
/// page spans lines.
const LINE_PATTERNS: [&str; 4] = [
    r#"(?m)^import \{([^}]*)\} from "\./([a-z-]+)\.js";\n"#,
    r"(?m)^export ((?:async )?function\*?|class|const) (\w+)",
    r"(?m)^\s*(import|export)\b.*$",
    r"(?m)^[ \t]*(//.*\n)?",
];

/// Bundles the module `entry` of a folder with all modules that it imports, directly or indirectly.
///
/// # Errors
/// Returns an error if a module is missing, imports itself (even indirectly), or imports a name that the
/// other module does not export. Also returns an error if an import or export has an unsupported form.
pub(super) fn bundle_modules(folder: &Path, entry: &str) -> Result<String> {
    let mut bundle = Bundle {
        folder,
        patterns: LINE_PATTERNS
            .map(|pattern| Regex::new(pattern).expect("a pattern is a regular expression")),
        exports: BTreeMap::new(),
        import_chain: Vec::new(),
        text: String::from("\"use strict\";\n"),
    };
    bundle.add(entry)?;
    Ok(bundle.text)
}

struct Bundle<'a> {
    folder: &'a Path,
    /// The compiled [`LINE_PATTERNS`].
    patterns: [Regex; 4],
    /// The modules in `text`, each with the names that it exports.
    exports: BTreeMap<String, Vec<String>>,
    /// The chain of imports that ends with the module in progress.
    import_chain: Vec<String>,
    /// The script so far.
    text: String,
}

/// Returns the name of the constant that holds a module's exports in the bundle.
fn constant_name(module: &str) -> String {
    format!("${}", module.replace('-', "_"))
}

impl Bundle<'_> {
    /// Appends a module after the modules that it imports, unless the bundle contains it already.
    fn add(&mut self, module: &str) -> Result<()> {
        if self.exports.contains_key(module) {
            return Ok(());
        }
        ensure!(
            !self.import_chain.iter().any(|open| open == module),
            "{module}.js imports itself, through {}.js",
            self.import_chain.join(".js, ")
        );
        self.import_chain.push(module.to_string());
        let path = self.folder.join(format!("{module}.js"));
        let source = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let [import, export, other, comment] = self.patterns.clone();
        let mut imports = String::new();
        for parts in import.captures_iter(&source) {
            let names = parts[1].trim();
            ensure!(
                !names.contains(" as "),
                "{}: an import under another name (`as`) is not supported",
                path.display()
            );
            self.add(&parts[2])?;
            let names = names.trim_end_matches(',');
            for name in names.split(',').map(str::trim) {
                ensure!(
                    self.exports[&parts[2]].iter().any(|export| export == name),
                    "{}: {}.js does not export {name}",
                    path.display(),
                    &parts[2]
                );
            }
            writeln!(
                imports,
                "const {{ {names} }} = {};",
                constant_name(&parts[2])
            )?;
        }
        let body = import.replace_all(&source, "");
        let body = comment.replace_all(&body, "");
        let exports = export.captures_iter(&body);
        let exports: Vec<String> = exports.map(|parts| parts[2].to_string()).collect();
        let body = export.replace_all(&body, "$1 $2");
        if let Some(line) = other.find(&body) {
            bail!("{}: unsupported form: {}", path.display(), line.as_str());
        }
        write!(
            self.text,
            "const {} = (() => {{\n{imports}{body}return {{ {} }};\n}})();\n",
            constant_name(module),
            exports.join(", ")
        )?;
        self.import_chain.pop();
        self.exports.insert(module.to_string(), exports);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn bundle_files(files: &[(&str, &str)]) -> Result<String> {
        let folder = tempfile::tempdir()?;
        for (name, text) in files {
            fs::write(folder.path().join(name), text)?;
        }
        bundle_modules(folder.path(), "main")
    }

    #[test]
    fn every_module_appears_once_before_its_importers() {
        let text = bundle_files(&[
            (
                "main.js",
                "import { a } from \"./one.js\";\nimport {\n  b,\n} from \"./two-b.js\";\na(b);\n",
            ),
            (
                "one.js",
                "import { b } from \"./two-b.js\";\nexport function a() { return b; }\n",
            ),
            (
                "two-b.js",
                "// A comment.\nconst own = 1;\nexport const b = own;\nexport class C {}\n",
            ),
        ])
        .unwrap();
        let expected = "\"use strict\";\n\
            const $two_b = (() => {\nconst own = 1;\nconst b = own;\nclass C {}\nreturn { b, C };\n})();\n\
            const $one = (() => {\nconst { b } = $two_b;\nfunction a() { return b; }\nreturn { a };\n})();\n\
            const $main = (() => {\nconst { a } = $one;\nconst { b } = $two_b;\na(b);\nreturn {  };\n})();\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn unsupported_and_circular_imports_are_refused() {
        for (source, message) in [
            ("import a from \"./b.js\";\n", "unsupported form: import a"),
            ("export default 1;\n", "unsupported form: export default"),
            (
                "import { a as b } from \"./main.js\";\n",
                "under another name",
            ),
            ("import { a } from \"./main.js\";\n", "imports itself"),
            ("import { a } from \"./none.js\";\n", "none.js"),
            (
                "import { a } from \"./other.js\";\n",
                "other.js does not export a",
            ),
        ] {
            let files = [("main.js", source), ("other.js", "const a = 1;\n")];
            let error = format!("{:#}", bundle_files(&files).unwrap_err());
            assert!(error.contains(message), "{error}");
        }
    }

    /// Names that need no declaration: functions of the browser, the keyword `super`, and `var`, which occurs
    /// before a parenthesis in strings.
    const KNOWN: &str = "addEventListener atob cancelAnimationFrame clearInterval clearTimeout \
        getComputedStyle matchMedia requestAnimationFrame scrollBy scrollTo setInterval setTimeout super \
        var";

    #[test]
    fn every_called_function_is_declared_or_imported() {
        let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../viewer/web");
        let [comment, word] =
            [r"(?m)^\s*//.*$", r"[\w$]+"].map(|pattern| Regex::new(pattern).unwrap());
        for file in fs::read_dir(web).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "js") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let text = comment.replace_all(&text, "");
            let mut known: BTreeSet<&str> = KNOWN.split_whitespace().collect();
            let mut called = BTreeSet::new();
            for name in word.find_iter(&text) {
                let (before, after) = (&text[..name.start()], &text[name.end()..]);
                // Skip properties and classes, since the browser declares many of them.
                if before.ends_with(['.', '#', '-'])
                    || name.as_str().starts_with(char::is_uppercase)
                {
                    continue;
                }
                let start = before.rsplit('\n').next().unwrap().trim();
                let is_method = matches!(start, "" | "async" | "get" | "set")
                    && after.lines().next().unwrap().ends_with(") {");
                let is_function = start.ends_with("function") || start.ends_with("function*");
                let is_call = after.starts_with('(') && !is_method && !is_function;
                if is_call { &mut called } else { &mut known }.insert(name.as_str());
            }
            let unknown: Vec<_> = called.difference(&known).collect();
            assert!(unknown.is_empty(), "{}: {unknown:?}", path.display());
        }
    }
}
