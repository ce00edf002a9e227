//! Names in format strings.

use std::collections::HashMap;

/// A format string, as a literal, with the names in its braces replaced: `{x:>wide$}`.
pub(crate) fn variables_renamed(literal: &str, map: &HashMap<String, String>) -> String {
    let short = |name: &str| map.get(name).map_or(name, String::as_str).to_string();
    let mut out = String::new();
    let mut rest = literal;
    while let Some(at) = rest.find(['{', '}']) {
        out += &rest[..at];
        let (brace, after) = rest[at..].split_at(1);
        out += brace;
        rest = after;
        if rest.starts_with(brace) {
            out += brace;
            rest = &rest[1..];
        } else if let ("{", Some(end)) = (brace, rest.find('}')) {
            let (argument, after) = rest.split_at(end);
            let (name, format) = match argument.split_once(':') {
                Some((name, format)) => (name, Some(format)),
                None => (argument, None),
            };
            out += &short(name);
            if let Some(format) = format {
                out.push(':');
                // Names of widths and precisions end with a dollar.
                let parts: Vec<&str> = format.split('$').collect();
                for (i, part) in parts.iter().enumerate() {
                    if i + 1 == parts.len() {
                        out += part;
                        continue;
                    }
                    let is_part = |c: char| c.is_alphanumeric() || c == '_';
                    let start = part.trim_end_matches(is_part).len();
                    let (front, name) = part.split_at(start);
                    out += front;
                    out += &short(name);
                    out.push('$');
                }
            }
            rest = after;
        }
    }
    out + rest
}
