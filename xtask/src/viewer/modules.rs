//! JavaScript modules as one script.
//!
//! A module becomes a function that is called at once and returns what it exports, so
//! that its other names stay its own. Only the forms that the page's modules use are
//! understood: `import { a, b } from "./c.js";` and `export` before a declaration. Anything
//! else is refused rather than guessed.

use anyhow::{bail, ensure, Context, Result};
use regex::Regex;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// An import, an export, and what else may be one.
const FORMS: [&str; 3] = [
    r#"(?m)^import \{([^}]*)\} from "\./([a-z-]+)\.js";\n"#,
    r"(?m)^export ((?:async )?function\*?|class|const) (\w+)",
    r"(?m)^\s*(import|export)\b.*$",
];

/// The module `entry` of a folder with all that it imports, each once.
///
/// # Errors
/// A module that is not there, one that imports itself by a detour, or a form that is
/// not understood.
pub(super) fn bundle(folder: &Path, entry: &str) -> Result<String> {
    let mut bundle = Bundle {
        folder,
        forms: FORMS.map(|form| Regex::new(form).expect("a form is a regular expression")),
        done: Vec::new(),
        open: Vec::new(),
        text: String::from("\"use strict\";\n"),
    };
    bundle.add(entry)?;
    Ok(bundle.text)
}

struct Bundle<'a> {
    folder: &'a Path,
    /// [`FORMS`].
    forms: [Regex; 3],
    done: Vec<String>,
    open: Vec<String>,
    text: String,
}

/// The name of a module's function in the bundle.
fn name(module: &str) -> String {
    format!("${}", module.replace('-', "_"))
}

impl Bundle<'_> {
    fn add(&mut self, module: &str) -> Result<()> {
        if self.done.iter().any(|done| done == module) {
            return Ok(());
        }
        ensure!(
            !self.open.iter().any(|open| open == module),
            "{module}.js imports itself, by {}.js",
            self.open.join(".js, ")
        );
        self.open.push(module.to_string());
        let path = self.folder.join(format!("{module}.js"));
        let source = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let [import, export, other] = self.forms.clone();
        let mut imports = String::new();
        for found in import.captures_iter(&source) {
            let names = found[1].trim();
            ensure!(
                !names.contains(" as "),
                "{}: imports under another name are not understood",
                path.display()
            );
            self.add(&found[2])?;
            let names = names.trim_end_matches(',');
            writeln!(imports, "const {{ {names} }} = {};", name(&found[2]))?;
        }
        let body = import.replace_all(&source, "");
        let exports = export.captures_iter(&body);
        let exports: Vec<String> = exports.map(|found| found[2].to_string()).collect();
        let body = export.replace_all(&body, "$1 $2");
        if let Some(line) = other.find(&body) {
            bail!("{}: not understood: {}", path.display(), line.as_str());
        }
        write!(
            self.text,
            "const {} = (() => {{\n{imports}{body}return {{ {} }};\n}})();\n",
            name(module),
            exports.join(", ")
        )?;
        self.open.pop();
        self.done.push(module.to_string());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundled(files: &[(&str, &str)]) -> Result<String> {
        let folder = tempfile::tempdir()?;
        for (name, text) in files {
            fs::write(folder.path().join(name), text)?;
        }
        bundle(folder.path(), "main")
    }

    #[test]
    fn every_module_comes_once_and_before_those_that_need_it() {
        let text = bundled(&[
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
                "const own = 1;\nexport const b = own;\nexport class C {}\n",
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
    fn what_is_not_understood_is_refused() {
        for (source, told) in [
            ("import a from \"./b.js\";\n", "not understood: import a"),
            ("export default 1;\n", "not understood: export default"),
            (
                "import { a as b } from \"./main.js\";\n",
                "under another name",
            ),
            ("import { a } from \"./main.js\";\n", "imports itself"),
            ("import { a } from \"./none.js\";\n", "none.js"),
        ] {
            let error = format!("{:#}", bundled(&[("main.js", source)]).unwrap_err());
            assert!(error.contains(told), "{error}");
        }
    }
}
