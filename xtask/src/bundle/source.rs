//! A crate as one tree of modules.

use super::strip::strip;
use anyhow::{anyhow, Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use syn::Item;

/// Reads the crate whose root file is `root`.
///
/// # Errors
/// Names the file that is missing, is not Rust, or holds an attribute that
/// [`strip`] does not know.
pub(crate) fn load(root: &Path) -> Result<Vec<Item>> {
    let children = root.parent().unwrap_or(Path::new("")).to_path_buf();
    load_file(root, &children)
}

/// Reads a file whose child modules lie in the folder `children`.
fn load_file(path: &Path, children: &Path) -> Result<Vec<Item>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let file = syn::parse_file(&text).map_err(|error| {
        let at = error.span().start();
        anyhow!("{}:{}: {error}", path.display(), at.line)
    })?;
    let mut items = file.items;
    strip(&mut items).with_context(|| path.display().to_string())?;
    load_children(&mut items, children)?;
    Ok(items)
}

/// Fills in the modules that lie in files of their own.
fn load_children(items: &mut [Item], children: &Path) -> Result<()> {
    for item in items {
        let Item::Mod(module) = item else { continue };
        let name = module.ident.to_string();
        let below = children.join(&name);
        if let Some((_, items)) = &mut module.content {
            load_children(items, &below)?;
            continue;
        }
        let places = [children.join(format!("{name}.rs")), below.join("mod.rs")];
        let file: &PathBuf = places
            .iter()
            .find(|place| place.is_file())
            .with_context(|| format!("there is no {}", places[0].display()))?;
        module.content = Some((syn::token::Brace::default(), load_file(file, &below)?));
        module.semi = None;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::{quote, ToTokens};

    fn plain(text: &str) -> String {
        syn::parse_file(text).unwrap().to_token_stream().to_string()
    }

    #[test]
    fn modules_are_read_from_their_files() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            "lib.rs",
            "mod a; mod b; #[cfg(test)] mod missing; mod c { mod d; }",
        );
        write("a.rs", "mod e;");
        write("a/e.rs", "fn e() {}");
        write("b/mod.rs", "fn b() {}");
        write("c/d.rs", "fn d() {}");
        let items = load(&folder.path().join("lib.rs")).unwrap();
        assert_eq!(
            quote!(#(#items)*).to_string(),
            plain(
                "mod a { mod e { fn e() {} } } mod b { fn b() {} } mod c { mod d { fn d() {} } }"
            )
        );
        write("lib.rs", "\nmod a; fn (");
        let error = load(&folder.path().join("lib.rs")).err().unwrap();
        assert!(format!("{error:#}").contains("lib.rs:2: "), "{error:#}");
        write("lib.rs", "mod missing;");
        let error = load(&folder.path().join("lib.rs")).err().unwrap();
        assert!(format!("{error:#}").contains("missing.rs"), "{error:#}");
    }
}
