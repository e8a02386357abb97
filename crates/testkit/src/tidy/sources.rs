//! The files of a crate, parsed, without its tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A module by its path in the crate.
pub type Module = Vec<String>;

/// The files below a folder by what they are as modules.
pub fn sources(folder: &Path) -> BTreeMap<Module, syn::File> {
    let mut found = BTreeMap::new();
    collect(folder, &Vec::new(), &mut found);
    found
}

fn collect(folder: &Path, module: &Module, found: &mut BTreeMap<Module, syn::File>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        let inner = |name: String| module.iter().cloned().chain([name]).collect::<Module>();
        if name == "tests" {
            continue;
        } else if path.is_dir() {
            collect(&path, &inner(name), found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let is_folders_own = ["mod", "lib", "main"].contains(&name.as_str());
            let module = if is_folders_own { module.clone() } else { inner(name) };
            let text = fs::read_to_string(&path).expect("text");
            found.insert(module, syn::parse_file(&text).expect("Rust"));
        }
    }
}
