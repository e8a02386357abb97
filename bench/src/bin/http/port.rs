//! Where a worker's server listens: the worker does not report it, so the kernel is queried.

use anyhow::Context;
use std::collections::BTreeSet;
use std::fs;

/// The port on which a child of a process listens on the loopback.
pub fn of_child_of(parent: u32) -> anyhow::Result<u16> {
    let sockets: BTreeSet<String> = children(parent)?.iter().flat_map(|pid| sockets(pid)).collect();
    let table = fs::read_to_string("/proc/net/tcp")?;
    // sl, local_address, rem_address, st, …; the inode is the tenth. 0A: listening.
    let listening = table.lines().skip(1).find_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let is_it = fields.get(3) == Some(&"0A") && sockets.contains(*fields.get(9)?);
        let (_, port) = fields[1].split_once(':')?;
        is_it.then(|| u16::from_str_radix(port, 16).ok()).flatten()
    });
    listening.with_context(|| format!("no child of process {parent} listens"))
}

fn children(parent: u32) -> anyhow::Result<Vec<String>> {
    let processes = fs::read_dir("/proc")?.flatten();
    let names = processes.filter_map(|entry| entry.file_name().into_string().ok());
    let is_child = |pid: &String| {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        status.lines().any(|line| line == format!("PPid:\t{parent}"))
    };
    Ok(names.filter(is_child).collect())
}

/// The inodes of a process's sockets.
fn sockets(pid: &str) -> Vec<String> {
    let files = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let targets = files.filter_map(|file| fs::read_link(file.path()).ok());
    let text = |target: std::path::PathBuf| target.into_os_string().into_string().ok();
    targets
        .filter_map(text)
        .filter_map(|target| Some(target.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned()))
        .collect()
}
