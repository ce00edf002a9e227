//! Calls of the crate's own `macro_rules!` in the place of items, replaced by
//! what they stand for, so that what is not reached of it can go.
//!
//! Calls in expressions stay as they are, and their macros with them.

use super::source::{front, strip};
use anyhow::{bail, ensure, Context, Result};
use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, TokenStream, TokenTree};
use quote::{format_ident, quote, ToTokens};
use std::collections::HashMap;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::Item;

/// How many macros may call each other in turn.
const DEPTH: usize = 32;

/// Expands the calls in the items of the crate `name`, and in their modules.
///
/// # Errors
/// Names a macro that uses what is not provided for, or no arm of which fits.
pub(crate) fn expand(items: &mut Vec<Item>, name: &str) -> Result<()> {
    let mut known = HashMap::new();
    collect(items, &mut known)?;
    expand_in(items, &known, name, 0)
}

fn collect(items: &[Item], known: &mut HashMap<String, Vec<Rule>>) -> Result<()> {
    for item in items {
        match item {
            Item::Macro(call) => {
                if let Some(name) = &call.ident {
                    let rules = rules(call.mac.tokens.clone())
                        .with_context(|| format!("the macro {name}"))?;
                    let before = known.insert(name.to_string(), rules);
                    ensure!(before.is_none(), "two macros are called {name}");
                }
            }
            Item::Mod(module) => {
                let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
                collect(items, known)?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn expand_in(
    items: &mut Vec<Item>,
    known: &HashMap<String, Vec<Rule>>,
    name: &str,
    depth: usize,
) -> Result<()> {
    ensure!(depth < DEPTH, "macros call each other without end");
    for mut item in std::mem::take(items) {
        match &mut item {
            Item::Mod(module) => {
                if let Some((_, items)) = &mut module.content {
                    expand_in(items, known, name, depth)?;
                }
            }
            Item::Macro(call) if call.ident.is_none() => {
                let called = call.mac.path.segments.last().map(|s| s.ident.to_string());
                if let Some((called, rules)) = called
                    .as_ref()
                    .and_then(|called| known.get_key_value(called))
                {
                    let tokens = call_macro(rules, &call.mac.tokens, name)
                        .with_context(|| format!("a call of the macro {called}"))?;
                    let mut new = syn::parse2::<syn::File>(tokens)
                        .with_context(|| format!("what the macro {called} makes"))?
                        .items;
                    strip(&mut new)?;
                    expand_in(&mut new, known, name, depth + 1)?;
                    items.append(&mut new);
                    continue;
                }
            }
            _ => {}
        }
        items.push(item);
    }
    Ok(())
}

/// An arm of a macro.
struct Rule {
    pattern: Vec<Pattern>,
    body: TokenStream,
}

enum Pattern {
    /// This very token.
    Token(TokenTree),
    /// A group of tokens.
    Group(Delimiter, Vec<Pattern>),
    /// `$name:kind`.
    Variable(String, String),
    /// `$( … ) separator *`.
    Repeat {
        inner: Vec<Pattern>,
        separator: Option<TokenTree>,
        times: char,
    },
}

/// What a variable stands for.
#[derive(Clone)]
enum Bound {
    One(TokenStream),
    Many(Vec<Bound>),
}

type Bindings = HashMap<String, Bound>;

fn rules(tokens: TokenStream) -> Result<Vec<Rule>> {
    let mut rules = Vec::new();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        let arrow: String = tokens.by_ref().take(2).map(|t| t.to_string()).collect();
        match (token, arrow.as_str(), tokens.next()) {
            (TokenTree::Group(pattern), "=>", Some(TokenTree::Group(body))) => rules.push(Rule {
                pattern: patterns(pattern.stream())?,
                body: body.stream(),
            }),
            _ => bail!("expected (pattern) => {{body}}"),
        }
        // The semicolon after it.
        tokens.next();
    }
    Ok(rules)
}

fn is_punct(token: Option<&TokenTree>, c: char) -> bool {
    matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == c)
}

/// The separator and the `*`, `+` or `?` that follow `$( … )` at the front.
fn repetition(rest: &[TokenTree]) -> Result<(Option<TokenTree>, char, &[TokenTree])> {
    let times = |token: Option<&TokenTree>| match token {
        Some(TokenTree::Punct(p)) if "*+?".contains(p.as_char()) => Some(p.as_char()),
        _ => None,
    };
    if let Some(times) = times(rest.first()) {
        return Ok((None, times, &rest[1..]));
    }
    match times(rest.get(1)) {
        // It stands alone in what it separates.
        Some(times) => match &rest[0] {
            TokenTree::Punct(p) => {
                let separator = Punct::new(p.as_char(), Spacing::Alone);
                Ok((Some(separator.into()), times, &rest[2..]))
            }
            other => Ok((Some(other.clone()), times, &rest[2..])),
        },
        None => bail!("expected a separator of one token and *, + or ?"),
    }
}

fn patterns(tokens: TokenStream) -> Result<Vec<Pattern>> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut rest = &tokens[..];
    let mut patterns = Vec::new();
    while let Some((token, after)) = rest.split_first() {
        rest = after;
        patterns.push(match (token, after.first()) {
            (TokenTree::Punct(p), Some(TokenTree::Group(group))) if p.as_char() == '$' => {
                let (separator, times, after) = repetition(&after[1..])?;
                rest = after;
                Pattern::Repeat {
                    inner: patterns_of(group)?,
                    separator,
                    times,
                }
            }
            (TokenTree::Punct(p), Some(TokenTree::Ident(name))) if p.as_char() == '$' => {
                ensure!(is_punct(after.get(1), ':'), "expected ${name}:kind");
                let Some(TokenTree::Ident(kind)) = after.get(2) else {
                    bail!("expected ${name}:kind")
                };
                rest = &after[3..];
                Pattern::Variable(name.to_string(), kind.to_string())
            }
            (TokenTree::Group(group), _) => Pattern::Group(group.delimiter(), patterns_of(group)?),
            _ => Pattern::Token(token.clone()),
        });
    }
    Ok(patterns)
}

fn patterns_of(group: &Group) -> Result<Vec<Pattern>> {
    patterns(group.stream())
}

/// What a call stands for.
fn call_macro(rules: &[Rule], input: &TokenStream, name: &str) -> Result<TokenStream> {
    for rule in rules {
        let mut bindings = Bindings::new();
        match matched(&rule.pattern, input.clone(), &mut bindings)? {
            Some(rest) if rest.is_empty() => {
                return transcribed(rule.body.clone(), &bindings, name);
            }
            _ => {}
        }
    }
    bail!("no arm fits: {input}")
}

/// Matches the front of `input` and returns the rest; `None` where it does not fit.
fn matched(
    patterns: &[Pattern],
    mut input: TokenStream,
    bindings: &mut Bindings,
) -> Result<Option<TokenStream>> {
    for pattern in patterns {
        match pattern {
            Pattern::Repeat {
                inner,
                separator,
                times,
            } => match repeated(inner, separator.as_ref(), *times, input, bindings)? {
                Some(rest) => input = rest,
                None => return Ok(None),
            },
            Pattern::Variable(name, kind) => match fragment(kind, input)? {
                Some((found, rest)) => {
                    bindings.insert(name.clone(), Bound::One(found));
                    input = rest;
                }
                None => return Ok(None),
            },
            Pattern::Token(expected) => {
                let mut tokens = input.into_iter();
                match tokens.next() {
                    Some(found) if found.to_string() == expected.to_string() => {}
                    _ => return Ok(None),
                }
                input = tokens.collect();
            }
            Pattern::Group(delimiter, inner) => {
                let mut tokens = input.into_iter();
                let Some(TokenTree::Group(group)) = tokens.next() else {
                    return Ok(None);
                };
                if group.delimiter() != *delimiter {
                    return Ok(None);
                }
                match matched(inner, group.stream(), bindings)? {
                    Some(rest) if rest.is_empty() => {}
                    _ => return Ok(None),
                }
                input = tokens.collect();
            }
        }
    }
    Ok(Some(input))
}

fn repeated(
    inner: &[Pattern],
    separator: Option<&TokenTree>,
    times: char,
    mut input: TokenStream,
    bindings: &mut Bindings,
) -> Result<Option<TokenStream>> {
    let mut rounds: Vec<Bindings> = Vec::new();
    while times != '?' || rounds.is_empty() {
        let mut next = input.clone();
        if let (Some(separator), false) = (separator, rounds.is_empty()) {
            let mut tokens = next.into_iter();
            match tokens.next() {
                Some(found) if found.to_string() == separator.to_string() => {}
                _ => break,
            }
            next = tokens.collect();
        }
        let mut round = Bindings::new();
        let before = next.clone().into_iter().count();
        match matched(inner, next, &mut round)? {
            Some(rest) if rest.clone().into_iter().count() < before => input = rest,
            _ => break,
        }
        rounds.push(round);
    }
    if times == '+' && rounds.is_empty() {
        return Ok(None);
    }
    let mut names = Vec::new();
    variables(inner, &mut names);
    for name in names {
        let values = rounds.iter().map(|round| round[name].clone()).collect();
        bindings.insert(name.to_string(), Bound::Many(values));
    }
    Ok(Some(input))
}

fn variables<'a>(patterns: &'a [Pattern], names: &mut Vec<&'a str>) {
    for pattern in patterns {
        match pattern {
            Pattern::Variable(name, _) => names.push(name),
            Pattern::Group(_, inner) | Pattern::Repeat { inner, .. } => variables(inner, names),
            Pattern::Token(_) => {}
        }
    }
}

/// What a variable of the kind takes from the front of `input`, and the rest.
fn fragment(kind: &str, input: TokenStream) -> Result<Option<(TokenStream, TokenStream)>> {
    fn parsed<T: ToTokens>(
        input: TokenStream,
        parse: impl FnOnce(ParseStream) -> syn::Result<T>,
    ) -> Option<(TokenStream, TokenStream)> {
        let (node, rest) = front(input, parse).ok()?;
        Some((node.to_token_stream(), rest))
    }
    if input.is_empty() && kind != "vis" {
        return Ok(None);
    }
    Ok(match kind {
        "ident" => parsed(input, Ident::parse_any),
        "literal" => parsed(input, syn::Lit::parse),
        "lifetime" => parsed(input, syn::Lifetime::parse),
        "ty" => parsed(input, syn::Type::parse),
        "path" => parsed(input, syn::Path::parse),
        "vis" => parsed(input, syn::Visibility::parse),
        "block" => parsed(input, syn::Block::parse),
        "tt" => parsed(input, TokenTree::parse),
        // Whatever is put next to it, it stays one expression.
        "expr" => parsed(input, syn::Expr::parse).map(|(found, rest)| {
            let single = found.clone().into_iter().count() == 1;
            (if single { found } else { quote!((#found)) }, rest)
        }),
        _ => bail!("variables of the kind {kind} are not provided for"),
    })
}

/// The body of an arm with the variables filled in.
fn transcribed(body: TokenStream, bindings: &Bindings, name: &str) -> Result<TokenStream> {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let mut rest = &tokens[..];
    let mut out = TokenStream::new();
    while let Some((token, after)) = rest.split_first() {
        rest = after;
        match (token, after.first()) {
            (TokenTree::Punct(p), Some(TokenTree::Ident(variable))) if p.as_char() == '$' => {
                rest = &after[1..];
                match bindings.get(&variable.to_string()) {
                    Some(Bound::One(tokens)) => out.extend(tokens.clone()),
                    Some(Bound::Many(_)) => bail!("${variable} is not repeated in the body"),
                    // The crate that the macro is of.
                    None if variable == "crate" => {
                        out.extend(format_ident!("{name}").to_token_stream());
                    }
                    None => bail!("${variable} is not in the pattern"),
                }
            }
            (TokenTree::Punct(p), Some(TokenTree::Group(group))) if p.as_char() == '$' => {
                let (separator, _, after) = repetition(&after[1..])?;
                rest = after;
                for (index, round) in rounds(group, bindings)?.iter().enumerate() {
                    if index > 0 {
                        out.extend(separator.to_token_stream());
                    }
                    out.extend(transcribed(group.stream(), round, name)?);
                }
            }
            (TokenTree::Group(group), _) => {
                let inner = transcribed(group.stream(), bindings, name)?;
                out.extend([TokenTree::Group(Group::new(group.delimiter(), inner))]);
            }
            _ => out.extend([token.clone()]),
        }
    }
    Ok(out)
}

/// The bindings of each round of a repetition.
fn rounds(group: &Group, bindings: &Bindings) -> Result<Vec<Bindings>> {
    let mut used = Vec::new();
    used_variables(group.stream(), &mut used);
    let mut many = Vec::new();
    for name in used {
        if let Some(Bound::Many(values)) = bindings.get(&name) {
            many.push((name, values));
        }
    }
    let Some((_, first)) = many.first() else {
        bail!("a repetition holds no repeated variable");
    };
    let count = first.len();
    ensure!(
        many.iter().all(|(_, values)| values.len() == count),
        "variables of one repetition occur different numbers of times"
    );
    let round = |index: usize| {
        let mut round = bindings.clone();
        for (name, values) in &many {
            round.insert(name.clone(), values[index].clone());
        }
        round
    };
    Ok((0..count).map(round).collect())
}

fn used_variables(body: TokenStream, names: &mut Vec<String>) {
    let mut dollar = false;
    for token in body {
        match &token {
            TokenTree::Ident(name) if dollar => names.push(name.to_string()),
            TokenTree::Group(group) => used_variables(group.stream(), names),
            _ => {}
        }
        dollar = is_punct(Some(&token), '$');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> Result<String> {
        let mut items = syn::parse_file(text)?.items;
        expand(&mut items, "this_crate")?;
        items.retain(|item| !matches!(item, Item::Macro(call) if call.ident.is_some()));
        Ok(quote!(#(#items)*).to_string())
    }

    fn plain(text: &str) -> String {
        syn::parse_file(text).unwrap().to_token_stream().to_string()
    }

    #[test]
    fn a_table_becomes_items() {
        let text = r"
            macro_rules! table {
                ($($(#[doc = $meaning:literal])+ $name:ident = $start:literal in $low:literal..=$high:literal;)+) => {
                    /// All of them.
                    pub struct Values { $($(#[doc = $meaning])+ pub $name: f64,)+ }
                    pub const LIST: &[(&str, &str, f64, f64, f64)] =
                        &[$((stringify!($name), concat!($($meaning),+), $start, $low, $high)),+];
                };
            }
            mod inner {
                table! {
                    /// One,
                    /// and more.
                    one = 1.5 in -2.0..=3.0;
                    /// Two.
                    two = -0.5 in 0.0..=1e3;
                }
            }
        ";
        let expected = r#"
            mod inner {
                pub struct Values { pub one: f64, pub two: f64, }
                pub const LIST: &[(&str, &str, f64, f64, f64)] = &[
                    (stringify!(one), concat!(" One,", " and more."), 1.5, -2.0, 3.0),
                    (stringify!(two), concat!(" Two."), -0.5, 0.0, 1e3)
                ];
            }
        "#;
        assert_eq!(expanded(text).unwrap(), plain(expected));
    }

    #[test]
    fn arms_kinds_and_nested_calls() {
        let text = r"
            macro_rules! make {
                (twice $f:ident $e:expr) => { make!($f, u8, $e * 2); make! { [$f] $crate::T } };
                ($f:ident, $t:ty, $e:expr $(,)?) => { fn $f() -> $t { $e } };
                ([$($f:tt),*] $p:path) => { impl $p { $(fn $f() {})* } };
                () => {};
            }
            make!(twice f 1 + 2);
            make!();
            make!(g, Vec<Vec<u8>>, h(),);
            other!(x);
        ";
        let expected = r"
            fn f() -> u8 { ((1 + 2) * 2) }
            impl this_crate::T { fn f() {} }
            fn g() -> Vec<Vec<u8>> { (h()) }
            other!(x);
        ";
        assert_eq!(expanded(text).unwrap(), plain(expected));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        for (text, shown) in [
            ("macro_rules! m { (a) => {}; } m!(b);", "no arm fits: b"),
            ("macro_rules! m { ($x:item) => {}; } m!(b);", "kind item"),
            ("macro_rules! m { () => { m!(); }; } m!();", "without end"),
            (
                "macro_rules! m { () => { fn }; } m!();",
                "what the macro m makes",
            ),
            (
                "macro_rules! m { () => {}; } mod a { macro_rules! m { () => {}; } }",
                "two macros",
            ),
        ] {
            let error = format!("{:#}", expanded(text).unwrap_err());
            assert!(error.contains(shown), "{text}: {error}");
        }
    }
}
