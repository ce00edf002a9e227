//! A page of sections, and the style of all pages.

use super::text::escaped;
use std::fmt::Write as _;

/// A part of a page: a drawing with its explanation, and tables of its numbers.
pub(super) struct Section {
    pub(super) heading: &'static str,
    /// In HTML.
    pub(super) text: String,
    pub(super) drawing: String,
    /// Tables.
    pub(super) numbers: String,
}

/// A whole page: a title, what stands below it, and sections. A live page loads itself anew every
/// few seconds.
pub(super) fn page(title: &str, top: &str, sections: Vec<Section>, live: bool) -> String {
    let title = escaped(title);
    let mut body = format!("<h1>{title}</h1>\n{top}");
    for section in sections {
        let Section {
            heading,
            text,
            drawing,
            numbers,
        } = section;
        let _ = write!(
            body,
            "<section><h2>{heading}</h2>\n<p>{text}</p>\n{drawing}\n\
             <details><summary>The numbers</summary>\n{numbers}</details></section>\n"
        );
    }
    let (refresh, script) = if live {
        ("<meta http-equiv=refresh content=5>\n", STAY)
    } else {
        ("", "")
    };
    format!(
        "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n{refresh}\
         <meta name=viewport content=\"width=device-width\">\n\
         <meta name=color-scheme content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n{body}{script}</html>\n"
    )
}

/// Colours by Okabe and Ito, which people with colour blindness can tell apart.
const STYLE: &str = include_str!("style.css");

/// Keeps the place on the page, and the tables that are open, when a page is loaded anew.
const STAY: &str = "<script>
const key = 'seen ' + location.pathname, all = [...document.querySelectorAll('details')];
try {
  const [top, open] = JSON.parse(sessionStorage.getItem(key)) ?? [0, []];
  all.forEach((numbers, i) => numbers.open = open[i] ?? false);
  scrollTo(0, top);
} catch {}
addEventListener('pagehide', () => {
  try { sessionStorage.setItem(key, JSON.stringify([scrollY, all.map(it => it.open)])); } catch {}
});
</script>
";
