//! Lock files: they say what is built, not where somebody fetched it.

use std::fs;
use std::path::Path;

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn the_packages_of_npm_are_pinned_by_digest_and_by_no_address() {
    assert!(text("report/.npmrc").contains("omit-lockfile-registry-resolved=true"));
    let lock = text("report/package-lock.json");
    let addresses: Vec<&str> = lock
        .lines()
        .filter(|line| line.contains("\"resolved\":") || line.contains("http://"))
        .collect();
    assert!(addresses.is_empty(), "{addresses:#?}");
    let pinned = |name: &str| lock.lines().filter(|line| line.contains(name)).count();
    let packages = pinned("\"node_modules/");
    assert!(packages > 0 && pinned("\"integrity\": \"sha512-") == packages, "{packages} packages");
}

#[test]
fn crates_come_from_one_registry_with_their_digests() {
    let lock: toml::Table = text("Cargo.lock").parse().expect("TOML");
    for package in lock["package"].as_array().expect("packages") {
        let Some(source) = package.get("source") else { continue };
        let is_registry = source.as_str().is_some_and(|source| source.starts_with("registry+"));
        assert!(is_registry && package.get("checksum").is_some(), "{package}");
    }
}

/// A worker opens the versions that it names, and no others.
#[test]
fn workers_open_the_libraries_that_the_apps_pack_has() {
    let (java, python) = (text("workers/jvm/Packed.java"), text("workers/python/python.py"));
    let jars = text("release/apps-jars.txt");
    for line in jars.lines() {
        let artifact = line.split_whitespace().next().expect("an artifact");
        let [_, name, version] = artifact.split(':').collect::<Vec<_>>()[..] else {
            panic!("{line}: GROUP:NAME:VERSION");
        };
        assert!(java.contains(&format!("\"{name}-{version}\"")), "{name} {version}");
    }
    assert!(jars.contains("jackson") && jars.contains("lucene"));
    let wheels = text("release/apps-python.txt");
    let jinja = wheels.lines().find_map(|line| line.strip_prefix("jinja2==")?.split(' ').next());
    let version = jinja.expect("Jinja is in it");
    assert!(python.contains(&format!("VERSION = \"{version}\"")), "Jinja {version}");
}

#[test]
fn what_ci_is_made_of_is_named_by_digest() {
    let is_hex = |text: &str, digits: usize| {
        text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let mut named = 0;
    for line in
        text(".github/workflows/ci.yml").lines().map(|line| line.trim_start_matches(['-', ' ']))
    {
        let word = |key: &str| line.strip_prefix(key)?.split_whitespace().next();
        if let Some(action) = word("uses:") {
            assert!(action.split_once('@').is_some_and(|(_, commit)| is_hex(commit, 40)), "{line}");
            named += 1;
        }
        if let Some(image) = word("container:") {
            let digest = image.split_once("@sha256:");
            assert!(digest.is_some_and(|(_, digest)| is_hex(digest, 64)), "{line}");
            named += 1;
        }
    }
    assert_eq!(named, 5);
    assert!(text("report/.npmrc").contains("\nignore-scripts=true\n"));
    let (pip, hashes) = ("pip install", "--require-hashes");
    for script in [".ci/run", "crates/sizeup/tests/readers/install", "release/toolchain"] {
        let script_text = text(script).replace("pip\" install", pip);
        let mut installs = script_text.lines().filter(|line| line.contains(pip));
        assert!(
            installs.clone().count() > 0 && installs.all(|line| line.contains(hashes)),
            "{script}"
        );
    }
}
