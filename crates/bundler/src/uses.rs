//! Finds where a program uses its names.
//!
//! Names that cannot be confused may share a short word: a field and a method, the fields of two
//! structs, the variables of two functions.
//!
//! ```text
//! struct Deck { cards: u8 }                    struct a { a: u8 }
//! impl Deck { fn shuffle(&self) {} }           impl a { fn a(&self) {} }
//! fn play(deck: Deck) { deck.shuffle() }       fn a(a: a) { a.a() }
//! ```

use super::aliases::{ALIAS_PREFIX, DETECTION_MACRO, is_value_alias};
use super::names::MARK_PREFIX;
use super::tokens::{begins_path, find_semicolon, identifiers, is_colons, is_punct};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A namespace. Two names in the same namespace need different words. The exceptions are `Constants` and
/// `Variables`: two constants or two variables may share a word, but a constant and a variable may not.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Namespace {
    /// Types, traits and modules.
    Types,
    /// Functions, constants and constructors.
    Values,
    /// Names after `macro_rules!`, and names before a `!`.
    Macros,
    /// Macro variables, such as `$value`.
    Metavariables,
    /// The values that one function uses. A macro call outside of functions also counts as a function.
    Function(usize),
    /// The fields of one struct.
    Struct(usize),
    /// The members of one type or trait.
    Owner(String),
    /// Names of constants, statics, and unit or tuple structs. In a pattern, such a name does not
    /// declare a variable.
    Constants,
    /// Names that a pattern may declare as variables.
    Variables,
}

/// The number of times that a name occurs in the program, and the namespaces that it belongs to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses {
    pub(crate) count: usize,
    namespaces: BTreeSet<Namespace>,
}

impl Uses {
    /// True if the two names need different words.
    pub(crate) fn conflicts_with(&self, other: &Self) -> bool {
        let mixed = |one: &Self, other: &Self| {
            one.namespaces.contains(&Namespace::Constants)
                && other.namespaces.contains(&Namespace::Variables)
        };
        let is_own = |namespace: &Namespace| {
            !matches!(namespace, Namespace::Constants | Namespace::Variables)
        };
        let mut common = self.namespaces.intersection(&other.namespaces);
        common.any(is_own) || mixed(self, other) || mixed(other, self)
    }

    /// Adds the namespaces of another name that has the same word.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.namespaces.extend(other.namespaces.iter().cloned());
    }
}

/// Finds the uses of each marked name.
pub(crate) fn find_uses(tokens: TokenStream) -> BTreeMap<String, Uses> {
    let mut finder = Finder::default();
    finder.walk(tokens, &Scope::default());
    let Finder {
        mut names,
        implementations,
        ..
    } = finder;
    for (name, uses) in &mut names {
        // A member of a trait is also a member of each type that implements the trait.
        let implementors = |namespace: &Namespace| match namespace {
            Namespace::Owner(owner) => implementations.get(owner).cloned(),
            _ => None,
        };
        let owners: Vec<String> = uses
            .namespaces
            .iter()
            .filter_map(implementors)
            .flatten()
            .collect();
        uses.namespaces
            .extend(owners.into_iter().map(Namespace::Owner));
        let name = name.trim_start_matches(MARK_PREFIX);
        let has = |is_wanted: fn(&Namespace) -> bool| uses.namespaces.iter().any(is_wanted);
        let is_value = has(|namespace| {
            matches!(
                namespace,
                Namespace::Values | Namespace::Constants | Namespace::Variables
            )
        });
        let is_member = has(|namespace| matches!(namespace, Namespace::Owner(_)));
        let is_used = has(|namespace| matches!(namespace, Namespace::Function(_)));
        let is_macro = name.strip_prefix(ALIAS_PREFIX) == Some(DETECTION_MACRO);
        if name.starts_with(ALIAS_PREFIX) && !is_macro
            || name.starts_with(char::is_uppercase) && !is_value
        {
            if !is_member || is_used {
                uses.namespaces.insert(Namespace::Types);
            }
            // An imported variant occurs without the name of its enum, even in a pattern, so it counts as a
            // constant.
            if is_member && is_used {
                uses.namespaces
                    .extend([Namespace::Values, Namespace::Constants]);
            }
            if !is_member {
                uses.namespaces.retain(|namespace| {
                    !matches!(namespace, Namespace::Function(_) | Namespace::Variables)
                });
            }
        }
        if is_value_alias(name) {
            uses.namespaces
                .extend([Namespace::Values, Namespace::Constants]);
        }
        if uses.namespaces.is_empty() {
            uses.namespaces.insert(Namespace::Function(0));
        }
    }
    names
}

/// The items that surround a group of tokens.
#[derive(Clone, Default)]
struct Scope {
    /// The number of the function, or of the macro call outside of functions; otherwise 0.
    function: usize,
    /// True inside a function; false in a macro call outside of functions, although such a call also has a
    /// number.
    in_function: bool,
    /// True if the innermost group around these tokens is `{…}`, not `(…)` or `[…]`.
    in_braces: bool,
    /// The type or trait whose members these tokens declare; in `impl Trait for Type`, both.
    owners: Vec<String>,
    /// The number of the struct or variant whose fields these tokens declare.
    struct_number: Option<usize>,
    /// The enum whose variants these tokens declare.
    enum_name: Option<String>,
}

#[derive(Default)]
struct Finder {
    names: BTreeMap<String, Uses>,
    /// The types that implement each trait.
    implementations: HashMap<String, BTreeSet<String>>,
    /// The last number that [`Self::next_number`] gave to a function, a macro call, a struct or a variant.
    number: usize,
}

impl Finder {
    fn next_number(&mut self) -> usize {
        self.number += 1;
        self.number
    }

    fn walk(&mut self, tokens: TokenStream, scope: &Scope) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        // The index of the keyword that begins the current item, such as `fn`.
        let mut header: Option<usize> = None;
        let mut function = (scope.function, scope.in_function);
        for (i, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => {
                    let in_braces = group.delimiter() == Delimiter::Brace;
                    let inner = Scope {
                        function: function.0,
                        in_function: function.1,
                        in_braces,
                        ..scope.clone()
                    };
                    let inner = self.enter_group(&tokens, i, header, inner);
                    self.walk(group.stream(), &inner);
                    if in_braces {
                        header = None;
                        function = (scope.function, scope.in_function);
                    }
                }
                TokenTree::Punct(_) if is_punct(&tokens, i, ';') => {
                    header = None;
                    function = (scope.function, scope.in_function);
                }
                TokenTree::Ident(word) => {
                    let word = word.to_string();
                    let begins_item = match &word[..] {
                        "fn" => matches!(tokens.get(i + 1), Some(TokenTree::Ident(_))),
                        "impl" => header.is_none() && !scope.in_function,
                        // `set.union(other)` calls a method.
                        "union" => begins_path(&tokens, i),
                        word => ["trait", "struct", "enum"].contains(&word),
                    };
                    let rest = || &tokens[i + 1..find_semicolon(&tokens, i).unwrap_or(i + 1)];
                    match &word[..] {
                        "use" => self.add_import(rest()),
                        "type" => self.add_alias(rest()),
                        _ => {}
                    }
                    if begins_item {
                        header = Some(i);
                        if word == "fn" && !function.1 {
                            function = (self.next_number(), true);
                        }
                    }
                    self.add(&word, namespaces(&tokens, i, scope, function.0));
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// Completes and returns `inner`, the scope of the tokens in the group at `i`.
    ///
    /// `header` is the index of the keyword that begins the group's item.
    fn enter_group(
        &mut self,
        tokens: &[TokenTree],
        i: usize,
        header: Option<usize>,
        mut inner: Scope,
    ) -> Scope {
        let Some(start) = header.filter(|_| inner.in_braces) else {
            let is_macro = is_punct(tokens, i.wrapping_sub(1), '!')
                || is_punct(tokens, i.wrapping_sub(2), '!');
            let is_outside =
                header.is_none() && !inner.in_function && inner.struct_number.is_none();
            if is_macro && is_outside {
                inner.function = self.next_number();
            }
            if inner.enum_name.take().is_some() {
                inner.struct_number = Some(self.next_number()).filter(|_| inner.in_braces);
            }
            return inner;
        };
        let owners = owners(&tokens[start + 1..i]);
        match (tokens[start].to_string().as_str(), &owners[..]) {
            ("fn", _) => inner.owners.clear(),
            ("struct" | "union", _) => inner.struct_number = Some(self.next_number()),
            ("enum", owners) => inner.enum_name = owners.first().cloned(),
            (_, [trait_name, type_name]) => {
                let types = self.implementations.entry(trait_name.clone()).or_default();
                types.insert(type_name.clone());
                inner.owners = owners;
            }
            _ => inner.owners = owners,
        }
        inner
    }

    /// Adds an alias of a type, `Alias = Type<A>`. A member of the alias is also a member of the type.
    fn add_alias(&mut self, tokens: &[TokenTree]) {
        let Some(alias) = tokens.first() else { return };
        let types = self.implementations.entry(alias.to_string());
        types.or_default().extend(owners(tokens));
    }

    /// Adds the names of an import; `tokens` are the tokens after `use`. Each name belongs to several
    /// namespaces, since an import covers every item with this name: a type, a value and a macro.
    fn add_import(&mut self, tokens: &[TokenTree]) {
        let words = identifiers(tokens.iter().cloned().collect());
        let is_own = words.first().is_some_and(|first| first != "std");
        for name in words
            .iter()
            .filter(|name| is_own && name.starts_with(MARK_PREFIX))
        {
            let uses = self.names.entry(name.clone()).or_default();
            uses.namespaces.extend([
                Namespace::Types,
                Namespace::Values,
                Namespace::Constants,
                Namespace::Macros,
            ]);
        }
    }

    fn add(&mut self, name: &str, namespaces: impl IntoIterator<Item = Namespace>) {
        if name.starts_with(MARK_PREFIX) {
            let uses = self.names.entry(name.to_string()).or_default();
            uses.count += 1;
            uses.namespaces.extend(namespaces);
        }
    }
}

/// Returns the namespaces of the name at `i`, as far as this occurrence shows. `function` is the number of
/// the enclosing function.
fn namespaces(tokens: &[TokenTree], i: usize, scope: &Scope, function: usize) -> Vec<Namespace> {
    let name = tokens[i].to_string();
    let before = |n: usize| {
        let before = i.checked_sub(n);
        before.map_or(String::new(), |i| tokens[i].to_string())
    };
    let is_first = i == 0 || is_punct(tokens, i - 1, ',');
    let argument = tokens.get(i + 2);
    let has_argument = matches!(argument, Some(TokenTree::Group(_) | TokenTree::Ident(_)));
    let bare = name.trim_start_matches(MARK_PREFIX);
    let is_lower = !bare.starts_with(char::is_uppercase);
    if before(1) == "$" {
        return vec![Namespace::Metavariables];
    }
    if before(2) == "macro_rules" || is_punct(tokens, i + 1, '!') && has_argument {
        return vec![Namespace::Macros];
    }
    let is_member = !scope.owners.is_empty() && !scope.in_function;
    let is_typed = is_punct(tokens, i + 1, ':') && !is_colons(tokens, i + 1);
    match (before(1).as_str(), &scope.struct_number, &scope.enum_name) {
        // A const parameter may be a generic argument, where the compiler looks for a type first.
        ("const", _, _) if ["<", ","].contains(&before(2).as_str()) => {
            vec![Namespace::Values, Namespace::Constants, Namespace::Types]
        }
        ("fn" | "const" | "type", _, _) if is_member => {
            scope.owners.iter().cloned().map(Namespace::Owner).collect()
        }
        ("fn", _, _) => vec![Namespace::Values],
        ("const" | "static", _, _) => vec![Namespace::Values, Namespace::Constants],
        ("mut", _, _) if before(2) == "static" => vec![Namespace::Values, Namespace::Constants],
        ("struct", _, _) => {
            let mut ends = tokens[i..].iter().map(ToString::to_string);
            let end = ends.find(|text| text.starts_with(['{', '(', ';']));
            let is_plain = end.is_some_and(|text| text.starts_with('{'));
            let all = [Namespace::Types, Namespace::Values, Namespace::Constants];
            all.into_iter().take(if is_plain { 1 } else { 3 }).collect()
        }
        ("enum" | "union" | "trait" | "type" | "mod", _, _) => vec![Namespace::Types],
        (_, Some(number), _) if is_typed => vec![Namespace::Struct(*number)],
        (_, _, Some(enum_name)) if is_first || before(1).starts_with('[') => {
            vec![Namespace::Owner(enum_name.clone())]
        }
        _ if !begins_path(tokens, i)
            || scope.in_function && scope.in_braces && is_first && is_typed =>
        {
            Vec::new()
        }
        _ => {
            let mut namespaces = vec![Namespace::Function(function)];
            // The compiler looks for a type first when it reads `LENGTH` in `Type<1, LENGTH>`.
            let is_argument =
                matches!(before(1).as_str(), "<" | ",") && is_punct(tokens, i + 1, '>');
            namespaces.extend(Some(Namespace::Types).filter(|_| !is_lower && is_argument));
            let is_let = before(1) == "let" || before(1) == "mut" && before(2) == "let";
            let is_variable = is_lower || is_let;
            namespaces.extend(Some(Namespace::Variables).filter(|_| is_variable));
            namespaces
        }
    }
}

/// Returns the names of the trait and the type in `impl Trait<A> for Type<B>`, or the single name in any
/// other header.
fn owners(header: &[TokenTree]) -> Vec<String> {
    let mut depth = 0_i32;
    let mut names = vec![String::new()];
    for (i, token) in header.iter().enumerate() {
        let is_arrow = i > 0 && is_punct(header, i - 1, '-');
        let is_path = is_colons(header, i) || i > 0 && is_colons(header, i - 1);
        match token.to_string().as_str() {
            "<" => depth += 1,
            ">" if !is_arrow => depth -= 1,
            _ if depth > 0 => {}
            ":" if !is_path => break,
            "where" => break,
            "for" if is_punct(header, i + 1, '<') => {}
            "for" => names.push(String::new()),
            word if !matches!(token, TokenTree::Punct(_)) => {
                names.pop();
                names.push(word.to_string());
            }
            _ => {}
        }
    }
    names
}
