//! Unpacks a recorded machine, written in one file, into a folder that stands for `/`.
//!
//! The format of `fixtures/*.tree`, made to be read and written by people:
//!
//! ```text
//! # a comment
//! /path/to/file: its single line
//! /path/cpu{0-63}/file: repeated for every CPU of the list, {} being its number
//! /path/to/file <<
//! several lines, up to one with nothing but
//! >>
//! /path/to/file {0-63} <<
//! several lines, once for every CPU of the list, {} being its number
//! >>
//! ```

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::Machine;
use super::cpu_list::parse_cpu_list;

/// The recorded machines, by the name of their file.
pub(super) const MACHINES: &[(&str, &str)] = &[
    ("xeon-2s", include_str!("../fixtures/xeon-2s.tree")),
    ("graviton3", include_str!("../fixtures/graviton3.tree")),
    ("altra", include_str!("../fixtures/altra.tree")),
    ("ampereone", include_str!("../fixtures/ampereone.tree")),
    ("epyc-container", include_str!("../fixtures/epyc-container.tree")),
    ("cgroup-v1", include_str!("../fixtures/cgroup-v1.tree")),
    ("epyc-bare-metal", include_str!("../fixtures/epyc-bare-metal.tree")),
    ("zen5-vm", include_str!("../fixtures/zen5-vm.tree")),
    ("hybrid-laptop", include_str!("../fixtures/hybrid-laptop.tree")),
];

/// The recorded machine of that name as it is read; unpacked once for all tests.
pub fn machine(name: &str) -> Machine {
    static READ: OnceLock<Vec<(&str, Machine)>> = OnceLock::new();
    let read = |(name, tree): &(&'static str, &str)| (*name, Fixture::unpack(tree).machine());
    let all = READ.get_or_init(|| MACHINES.iter().map(read).collect());
    let found = all.iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("no fixture {name}")).1.clone()
}

/// A machine's files, removed when it is dropped.
pub struct Fixture {
    folder: tempfile::TempDir,
    /// The paths that were written, as they are on the machine.
    pub(super) paths: Vec<String>,
}

impl Fixture {
    /// The recorded machine of that name.
    pub fn named(name: &str) -> Fixture {
        let machine = MACHINES.iter().find(|(known, _)| *known == name);
        Fixture::unpack(machine.unwrap_or_else(|| panic!("no fixture {name}")).1)
    }

    /// The machine whose tree this is.
    pub fn unpack(tree: &str) -> Fixture {
        let mut fixture = Fixture { folder: tempfile::tempdir().unwrap(), paths: Vec::new() };
        let mut lines = tree.lines();
        while let Some(line) = lines.next() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(head) = line.strip_suffix(" <<") {
                let block: Vec<&str> = lines.by_ref().take_while(|line| *line != ">>").collect();
                fixture.write_block(head, &(block.join("\n") + "\n"));
            } else {
                let (path, value) = line.split_once(": ").unwrap_or_else(|| panic!("{line}"));
                fixture.write_value(path, &format!("{value}\n"));
            }
        }
        fixture
    }

    fn write_block(&mut self, head: &str, block: &str) {
        match head.split_once(" {") {
            Some((path, list)) => {
                for cpu in parse_cpu_list(list.trim_end_matches('}')).unwrap() {
                    self.append(path, &block.replace("{}", &cpu.to_string()));
                }
            }
            None => self.append(head, block),
        }
    }

    fn write_value(&mut self, path: &str, value: &str) {
        match path.split_once('{') {
            Some((before, rest)) => {
                let (list, after) = rest.split_once('}').unwrap();
                for cpu in parse_cpu_list(list).unwrap() {
                    let value = value.replace("{}", &cpu.to_string());
                    self.append(&format!("{before}{cpu}{after}"), &value);
                }
            }
            None => self.append(path, value),
        }
    }

    #[allow(clippy::disallowed_methods, reason = "writes")]
    fn append(&mut self, path: &str, content: &str) {
        assert!(path.starts_with('/'), "{path}");
        let file = self.locate(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let mut open = OpenOptions::new();
        let mut file = open.create(true).append(true).open(file).unwrap();
        file.write_all(content.as_bytes()).unwrap();
        if !self.paths.iter().any(|known| known == path) {
            self.paths.push(path.to_owned());
        }
    }

    /// The folder that stands for `/`.
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Where a path of the machine lies.
    pub fn locate(&self, path: &str) -> PathBuf {
        self.root().join(path.trim_start_matches('/'))
    }

    /// The machine as it is read.
    pub fn machine(&self) -> Machine {
        Machine::read(self.root())
    }
}
