//! What a path means: the names that modules declare and import.

use super::uses::leaves;
use std::collections::{HashMap, HashSet};
use syn::Item;

/// Where an item or a module is: the modules from the root on, and its name.
pub(crate) type Place = Vec<String>;

/// Crates that every compiler brings.
pub(crate) const BUILT_IN: [&str; 3] = ["std", "core", "alloc"];

/// The most imports that may lead from one to the next.
const HOPS: usize = 16;

/// The modules of a program. Each crate is a module of the root.
#[derive(Default)]
pub(crate) struct Scopes {
    modules: HashMap<Place, Scope>,
}

/// What a module holds.
#[derive(Default)]
struct Scope {
    /// Names of its items, modules left out.
    items: HashSet<String>,
    /// The imported paths as written, by the name that they have here.
    imports: HashMap<String, Vec<Vec<String>>>,
    /// The paths of glob imports, as written.
    globs: Vec<Vec<String>>,
}

impl Scopes {
    /// The scopes of a program whose crates are the modules `items`.
    pub(crate) fn of(items: &[Item]) -> Self {
        let mut scopes = Self::default();
        scopes.survey(items, &mut Vec::new());
        scopes
    }

    fn survey(&mut self, items: &[Item], here: &mut Place) {
        let mut scope = Scope::default();
        for item in items {
            match item {
                Item::Use(item) => {
                    for leaf in leaves(item) {
                        if leaf.alias == "*" {
                            scope.globs.push(leaf.path);
                        } else {
                            scope.imports.entry(leaf.alias).or_default().push(leaf.path);
                        }
                    }
                }
                Item::Mod(module) => {
                    here.push(module.ident.to_string());
                    let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
                    self.survey(items, here);
                    here.pop();
                }
                _ => scope.items.extend(name(item)),
            }
        }
        self.modules.insert(here.clone(), scope);
    }

    /// Whether the place is a module.
    pub(crate) fn is_module(&self, place: &[String]) -> bool {
        self.modules.contains_key(place)
    }

    /// The places of all items and modules in a module.
    pub(crate) fn all_of(&self, module: &[String]) -> HashSet<Place> {
        let inside = |name: &String| [module, std::slice::from_ref(name)].concat();
        let items = self
            .modules
            .get(module)
            .map(|scope| scope.items.iter().map(inside));
        let below = self.modules.keys().filter(|place| {
            place
                .split_last()
                .is_some_and(|(_, parent)| parent == module)
        });
        items.into_iter().flatten().chain(below.cloned()).collect()
    }

    /// Whether the methods of the trait at `place` can be called in a module.
    pub(crate) fn is_in_scope(&self, place: &Place, module: &[String]) -> bool {
        let Some(name) = place.last() else {
            return false;
        };
        let is_it = |path: &[String]| self.resolve(path, module).contains(place);
        // It may have another name there, or none: `use a::Trait as _`.
        is_it(std::slice::from_ref(name))
            || self.modules.get(module).is_some_and(|scope| {
                let mut paths = scope.imports.values().flatten();
                paths.any(|path| is_it(path))
            })
    }

    /// The items and modules that a path in module `here` leads to; several where a name is that
    /// of, say, a type and a function. For a path to a variant or a method, the enum or type is
    /// found. Nothing is found for items of other programs.
    pub(crate) fn resolve(&self, path: &[String], here: &[String]) -> HashSet<Place> {
        let mut found = HashSet::new();
        self.follow(path, here, HOPS, &mut found);
        found
    }

    /// Whether a module imports this name.
    pub(crate) fn is_imported(&self, name: &str, module: &[String]) -> bool {
        let scope = self.modules.get(module);
        scope.is_some_and(|scope| scope.imports.contains_key(name))
    }

    fn follow(&self, path: &[String], here: &[String], hops: usize, found: &mut HashSet<Place>) {
        let Some((first, mut rest)) = path.split_first() else {
            return;
        };
        let mut places = HashSet::new();
        match first.as_str() {
            "crate" => drop(places.insert(here[..here.len().min(1)].to_vec())),
            "self" => drop(places.insert(here.to_vec())),
            "super" => {
                let mut up = &here[..here.len().saturating_sub(1)];
                while let Some((_, after)) = rest.split_first().filter(|(s, _)| *s == "super") {
                    up = &up[..up.len().saturating_sub(1)];
                    rest = after;
                }
                places.insert(up.to_vec());
            }
            name => {
                self.look_up(name, here, hops, &mut places);
                let krate = vec![name.to_string()];
                if places.is_empty() && self.is_module(&krate) {
                    places.insert(krate);
                }
            }
        }
        for segment in rest {
            let mut next = HashSet::new();
            for place in places {
                if self.is_module(&place) {
                    self.look_up(segment, &place, hops, &mut next);
                } else {
                    next.insert(place);
                }
            }
            places = next;
        }
        found.extend(places);
    }

    /// What a name means in a module.
    fn look_up(&self, name: &str, module: &[String], hops: usize, found: &mut HashSet<Place>) {
        let (Some(scope), Some(hops)) = (self.modules.get(module), hops.checked_sub(1)) else {
            return;
        };
        let place = [module, &[name.to_string()]].concat();
        let here = scope.items.contains(name) || self.is_module(&place);
        if here {
            found.insert(place);
        }
        if let Some(paths) = scope.imports.get(name) {
            for path in paths {
                // In `use a::a`, the first `a` is not the one that is imported.
                if path[0] != name || here {
                    self.follow(path, module, hops, found);
                } else if let (true, rest) = (self.is_module(&path[..1]), &path[1..]) {
                    if rest.is_empty() {
                        found.insert(path.clone());
                    }
                    self.follow(rest, &path[..1], hops, found);
                }
            }
        } else if !here {
            for glob in &scope.globs {
                let mut from = HashSet::new();
                self.follow(glob, module, hops, &mut from);
                for place in from {
                    if self.is_module(&place) {
                        self.look_up(name, &place, hops, found);
                    }
                }
            }
        }
    }
}

/// The name of an item that has one.
pub(crate) fn name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Mod(item) => &item.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}
