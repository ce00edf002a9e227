//! Finds the names of variables that only one function uses.

use super::names::{FUNCTION, MARK};
use super::tokens::{begins_path, is, is_colons, replaced};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The functions that use each name of a program, and the roles of the names: members, items or fields.
#[derive(Default)]
pub(crate) struct Places {
    /// The numbers of the functions that use each name; 0 for uses outside of functions.
    functions: HashMap<String, BTreeSet<usize>>,
    /// Each name that a function may use as a member, with the number of the function.
    members: HashSet<(String, usize)>,
    /// Names that are imported, or declared as anything but a field, a method or a variable.
    items: HashSet<String>,
    /// Names that are followed by a colon between braces: all fields, and a few variables.
    fields: HashSet<String>,
}

impl Places {
    pub(crate) fn find(tokens: TokenStream) -> Self {
        let mut places = Self::default();
        places.add_items(tokens.clone());
        places.add_fields(tokens.clone(), false);
        let outside = functions(tokens, &mut |function, tokens| {
            places.add(function, tokens, false);
            TokenStream::new()
        });
        places.add(0, outside, false);
        places
    }

    fn add_items(&mut self, tokens: TokenStream) {
        let mut imports = false;
        replaced(tokens, &mut |tokens, i| {
            if let TokenTree::Ident(name) = &tokens[i] {
                imports = name == "use" || imports;
                let before = i.checked_sub(1).map(|i| tokens[i].to_string());
                let is_item = before.is_some_and(|before| {
                    let is_macro = i > 1 && tokens[i - 2].to_string() == "macro_rules";
                    let is_function = before == "fn" && !is_method(tokens, i);
                    is_macro
                        || is_function
                        || ["mod", "type", "static", "const", "$"].contains(&&before[..])
                });
                if imports || is_item {
                    self.items.insert(name.to_string());
                }
            }
            imports &= !is(tokens, i, ';');
            None
        });
    }

    fn add_fields(&mut self, tokens: TokenStream, in_braces: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (i, token) in tokens.iter().enumerate() {
            if let TokenTree::Group(group) = token {
                self.add_fields(group.stream(), group.delimiter() == Delimiter::Brace);
            }
            if in_braces && is(&tokens, i + 1, ':') && !is_colons(&tokens, i + 1) {
                self.fields.insert(token.to_string());
            }
        }
    }

    /// Adds the names of a function. `in_braces` is true if the tokens are between braces.
    fn add(&mut self, function: usize, tokens: TokenStream, in_braces: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (i, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => {
                    let in_braces = group.delimiter() == Delimiter::Brace;
                    self.add(function, group.stream(), in_braces);
                }
                TokenTree::Ident(name) if is_name(&tokens, i) => {
                    let name = name.to_string();
                    let is_first = i == 0 || is(&tokens, i - 1, ',');
                    let is_last =
                        i + 1 == tokens.len() || is(&tokens, i + 1, ',') || is(&tokens, i + 1, ':');
                    let is_word = i > 0 && ["mut", "ref"].contains(&&tokens[i - 1].to_string()[..]);
                    let is_field = in_braces && (is_first || is_word) && is_last;
                    let is_field = is_field && self.fields.contains(&name);
                    if is_field || is_colons(&tokens, i + 1) {
                        self.members.insert((name.clone(), function));
                    }
                    // A name after a dot or colons is never a variable.
                    if begins_path(&tokens, i) {
                        self.functions.entry(name).or_default().insert(function);
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns the names of the variables of each function, with the number of the function.
    pub(crate) fn locals(&self) -> impl Iterator<Item = String> + '_ {
        self.functions.iter().flat_map(|(name, functions)| {
            let own = functions
                .iter()
                .filter(|function| **function > 0 && self.is_local(name, **function));
            own.map(move |function| format!("{name}{FUNCTION}{function}"))
        })
    }

    /// True if a name is a variable of this function.
    fn is_local(&self, name: &str, function: usize) -> bool {
        let is_here = self
            .functions
            .get(name)
            .is_some_and(|all| all.contains(&function));
        is_here
            && is_variable(name)
            && !self.items.contains(name)
            && !self.members.contains(&(name.to_string(), function))
    }
}

/// Maps the parameters and the body of each outermost function through `change`, which receives the number of the function, from 1.
pub(crate) fn functions(
    tokens: TokenStream,
    change: &mut impl FnMut(usize, TokenStream) -> TokenStream,
) -> TokenStream {
    let mut number = 0;
    replaced(tokens, &mut |tokens, i| {
        let (TokenTree::Ident(word), Some(TokenTree::Ident(_))) = (&tokens[i], tokens.get(i + 1))
        else {
            return None;
        };
        if word != "fn" {
            return None;
        }
        let is_body = |token: &TokenTree| token.to_string().starts_with('{');
        let end = (i + 2..tokens.len()).find(|&i| is_body(&tokens[i]) || is(tokens, i, ';'))?;
        number += 1;
        let mut out: TokenStream = tokens[i..i + 2].iter().cloned().collect();
        out.extend(change(
            number,
            tokens[i + 2..=end].iter().cloned().collect(),
        ));
        Some((end + 1 - i, out))
    })
}

/// True if the function whose name is at `i` has a `self` parameter.
fn is_method(tokens: &[TokenTree], i: usize) -> bool {
    let mut groups = tokens[i..].iter().filter_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some(group),
        _ => None,
    });
    let is_self = |token: TokenTree| token.to_string() == "self";
    groups
        .next()
        .is_some_and(|group| group.stream().into_iter().take(5).any(is_self))
}

/// True if the token at `i` is a name, and not a keyword or a lifetime.
pub(crate) fn is_name(tokens: &[TokenTree], i: usize) -> bool {
    let word = tokens[i].to_string();
    let is_lifetime = i > 0 && is(tokens, i - 1, '\'');
    !is_lifetime && !word.starts_with("r#") && syn::parse_str::<Ident>(&word).is_ok()
}

/// True if a name starts with a lowercase letter or an underscore, as the names of variables, fields,
/// functions and modules do.
pub(crate) fn is_variable(name: &str) -> bool {
    let name = name.strip_prefix(MARK).unwrap_or(name);
    name.starts_with(|c: char| c.is_lowercase() || c == '_')
}
