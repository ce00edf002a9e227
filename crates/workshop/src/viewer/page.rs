//! Makes the file `columns.html`: inserts style, scripts and the WebAssembly module into the template.

use super::modules;
use anyhow::{Context, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// Makes the page from the sources in the folder `web` and the WebAssembly module.
///
/// The content security policy of the page allows only two kinds of script: the main script, identified by
/// its hash, and blobs, from which the page starts its workers. It forbids all connections. So text from an
/// opened file or from the page's URL never runs as code, and no data leaves the page.
pub(super) fn make_page(web: &Path, wasm: &[u8]) -> Result<String> {
    let read = |name: &str| {
        let path = web.join(name);
        fs::read_to_string(&path).with_context(|| path.display().to_string())
    };
    let script = modules::bundle_modules(web, "main")?;
    let worker = modules::bundle_modules(web, "worker")?;
    let style = read("style.css")?;
    for (name, text) in [("main", &script), ("worker", &worker), ("style", &style)] {
        let has_end_tag = text.to_lowercase().contains("</s");
        ensure!(
            !has_end_tag,
            "{name}: contains `</s`, which would end its element in the page"
        );
    }
    let policy = format!(
        "default-src 'none'; script-src '{}' 'wasm-unsafe-eval' blob:; style-src '{}'; \
         worker-src blob:; img-src data: blob:; base-uri 'none'; form-action 'none'",
        hash(&script),
        hash(&style)
    );
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(wasm)?;
    let wasm = BASE64.encode(packed.finish()?);
    let mut page = read("index.html")?;
    for (placeholder, text) in [
        ("{{policy}}", policy),
        ("{{style}}", style),
        ("{{script}}", script),
        ("{{worker}}", worker),
        ("{{wasm}}", wasm),
    ] {
        ensure!(
            page.matches(placeholder).count() == 1,
            "index.html: expected {placeholder} once"
        );
        page = page.replace(placeholder, &text);
    }
    Ok(page)
}

/// Returns the hash of an inline script or style in the notation of a content security policy.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_complete_and_loads_nothing() {
        let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../viewer/web");
        let page = make_page(&web, b"not really").unwrap();
        assert!(!page.contains("{{"));
        assert!(
            !page.contains("src=\"") && !page.contains("=\"http"),
            "the page loads another file"
        );
        // A known value: the hash of the empty string.
        assert_eq!(
            hash(""),
            "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        );
    }
}
