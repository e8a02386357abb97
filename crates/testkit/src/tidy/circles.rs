//! Files of a crate that import from each other in a circle: none of them can be read alone.

use super::sources::Module;
use std::collections::{BTreeMap, BTreeSet};
use syn::{Item, UseTree, Visibility};

/// A file's imports and reexports.
#[derive(Default)]
struct Imports {
    /// Paths from the crate's root.
    used: Vec<Module>,
    /// Name → path from the crate's root, of what the module hands on from its children.
    handed_on: BTreeMap<String, Module>,
}

fn imports(file: &syn::File, module: &Module) -> Imports {
    let mut imports = Imports::default();
    for item in &file.items {
        let Item::Use(item) = item else { continue };
        let mut paths = Vec::new();
        spread(&item.tree, Vec::new(), &mut paths);
        for path in paths {
            let is_own = matches!(item.vis, Visibility::Inherited);
            match (absolute(&path, module), is_own) {
                (Some(path), true) => imports.used.push(path),
                (None, false) => {
                    let name = path.last().cloned().unwrap_or_default();
                    let path = module.iter().cloned().chain(path).collect();
                    imports.handed_on.insert(name, path);
                }
                _ => {}
            }
        }
    }
    imports
}

fn spread(tree: &UseTree, before: Module, paths: &mut Vec<Module>) {
    let with = |name: String| before.iter().cloned().chain([name]).collect::<Module>();
    match tree {
        UseTree::Path(path) => spread(&path.tree, with(path.ident.to_string()), paths),
        UseTree::Name(name) => paths.push(with(name.ident.to_string())),
        UseTree::Rename(rename) => paths.push(with(rename.ident.to_string())),
        UseTree::Glob(_) => paths.push(before),
        UseTree::Group(group) => {
            group.items.iter().for_each(|tree| spread(tree, before.clone(), paths));
        }
    }
}

/// From the crate's root; `None` for what is another crate's or a child's.
fn absolute(path: &[String], module: &Module) -> Option<Module> {
    let ups = path.iter().take_while(|name| *name == "super").count();
    match path.first().map(String::as_str) {
        Some("crate") => Some(path[1..].to_vec()),
        Some("super") => Some([&module[..module.len().checked_sub(ups)?], &path[ups..]].concat()),
        _ => None,
    }
}

/// The file that holds what a path names.
fn home(path: &Module, files: &BTreeMap<Module, Imports>) -> Option<Module> {
    let at = (0..=path.len()).rev().find(|at| files.contains_key(&path[..*at]))?;
    let module = path[..at].to_vec();
    match path.get(at).and_then(|name| files[&module].handed_on.get(name)) {
        Some(path) => home(path, files),
        None => Some(module),
    }
}

/// Every file of a crate that can be reached from itself, with where it leads.
pub fn circles(sources: &BTreeMap<Module, syn::File>) -> Vec<String> {
    let files_of: BTreeMap<Module, Imports> =
        sources.iter().map(|(module, file)| (module.clone(), imports(file, module))).collect();
    let edges: BTreeMap<&Module, BTreeSet<Module>> = files_of
        .iter()
        .map(|(module, imports)| {
            let homes = imports.used.iter().filter_map(|path| home(path, &files_of));
            (module, homes.filter(|home| home != module).collect())
        })
        .collect();
    let reached = |from: &Module| {
        let (mut reached, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(module) = next.pop() {
            next.extend(edges[module].iter().filter(|to| reached.insert((*to).clone())));
        }
        reached
    };
    let named = |module: &Module| module.join("/");
    let mut found = Vec::new();
    for (module, to) in &edges {
        let back: Vec<String> =
            to.iter().filter(|to| reached(to).contains(*module)).map(named).collect();
        if !back.is_empty() {
            found.push(format!("{} → {}", named(module), back.join(", ")));
        }
    }
    found
}
