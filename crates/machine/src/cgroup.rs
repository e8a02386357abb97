//! Finds this process's control groups and the values of their ancestors.
//!
//! `man 7 cgroups` describes both versions; `/proc/self/cgroup` gives the group's path within a
//! hierarchy, `/proc/self/mountinfo` (`man 5 proc`) where a part of that hierarchy is mounted. A
//! container may have only its own part mounted, with or without a namespace that hides the rest of
//! the path.
//!
//! Paths of groups hold user ids and container ids, so no reason and no value made here names them.

use super::fact::Read;
use super::files::Files;

/// The interface version of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    V1,
    V2,
}

/// This process's group under a controller, and its ancestors.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ControlGroup {
    pub(super) version: Version,
    /// The folders from the process's own group up to the topmost that is mounted.
    folders: Vec<String>,
}

impl ControlGroup {
    /// Applies `read` to each folder, own group first, and leaves out folders without a value.
    pub(super) fn each<T>(&self, read: impl Fn(&str) -> Option<T>) -> Vec<T> {
        self.folders.iter().filter_map(|folder| read(folder)).collect()
    }
}

/// The group under a controller's name (`cpu`, `cpuset`, `memory`, `pids`).
pub(super) fn find(files: &Files, controller: &str) -> Read<ControlGroup> {
    let memberships = files.text("/proc/self/cgroup")?;
    let mounts = files.text("/proc/self/mountinfo")?;
    locate(&memberships, &mounts, controller)
        .ok_or_else(|| format!("no control group for '{controller}' is mounted"))
}

fn locate(memberships: &str, mounts: &str, controller: &str) -> Option<ControlGroup> {
    let (version, path) = membership(memberships, controller)?;
    let mounts = mounts.lines().filter_map(Mount::parse);
    let mut mounts: Vec<Mount> =
        mounts.filter(|mount| mount.version == version && mount.carries(controller)).collect();
    // Among several mounts prefer the one that shows the most ancestors; the sort keeps their order otherwise.
    mounts.sort_by_key(|mount| (!is_below(&path, &mount.root), mount.root.len()));
    let mount = mounts.first()?;
    Some(ControlGroup { version, folders: folders(mount, &path) })
}

/// The version that has the controller and the group's path there. A controller is in one hierarchy
/// only: an old one that lists it by name, or else the unified one.
fn membership(memberships: &str, controller: &str) -> Option<(Version, String)> {
    let mut unified = None;
    for line in memberships.lines() {
        let mut fields = line.splitn(3, ':');
        let (_, Some(names), Some(path)) = (fields.next()?, fields.next(), fields.next()) else {
            continue;
        };
        if names.split(',').any(|name| name == controller) {
            return Some((Version::V1, path.to_owned()));
        }
        if names.is_empty() {
            unified = Some((Version::V2, path.to_owned()));
        }
    }
    unified
}

/// One line of mountinfo that mounts a hierarchy.
struct Mount {
    version: Version,
    /// The group that the mount shows at its top.
    root: String,
    point: String,
    options: String,
}

impl Mount {
    fn parse(line: &str) -> Option<Mount> {
        // The optional fields in the middle end with a dash.
        let (before, after) = line.split_once(" - ")?;
        let mut before = before.split(' ').skip(3);
        let mut after = after.split(' ');
        Some(Mount {
            root: unescape(before.next()?),
            point: unescape(before.next()?),
            version: match after.next()? {
                "cgroup" => Version::V1,
                "cgroup2" => Version::V2,
                _ => return None,
            },
            options: after.nth(1).unwrap_or_default().to_owned(),
        })
    }

    fn carries(&self, controller: &str) -> bool {
        let named = || self.options.split(',').any(|option| option == controller);
        self.version == Version::V2 || named()
    }
}

/// Blanks, tabs, line feeds and backslashes are written in octal.
fn unescape(field: &str) -> String {
    let codes = [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")];
    codes.iter().fold(field.to_owned(), |text, (code, plain)| text.replace(code, plain))
}

fn is_below(path: &str, root: &str) -> bool {
    relative(path, root).is_some()
}

/// The path below a mount's root. Paths that climb (`/../x`: the group lies outside of the
/// namespace) are below nothing.
fn relative<'a>(path: &'a str, root: &str) -> Option<&'a str> {
    if path.split('/').any(|part| part == "..") {
        return None;
    }
    let rest = path.strip_prefix(root.trim_end_matches('/'))?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

/// The group's folder and those above it. A group outside of what is mounted leaves the mount's
/// top, which binds whatever is below it.
fn folders(mount: &Mount, path: &str) -> Vec<String> {
    let point = mount.point.trim_end_matches('/');
    let mut folder = format!("{point}{}", relative(path, &mount.root).unwrap_or(""));
    let mut folders = Vec::new();
    loop {
        let trimmed = folder.trim_end_matches('/').len();
        folder.truncate(trimmed);
        if folder.len() <= point.len() {
            break;
        }
        folders.push(folder.clone());
        folder.truncate(folder.rfind('/').unwrap_or(0));
    }
    folders.push(point.to_owned());
    folders
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn mount(root: &str, point: &str, kind: &str, options: &str) -> String {
        format!(
            "31 23 0:28 {root} {point} rw,nosuid shared:9 master:2 - {kind} {kind} rw,{options}\n"
        )
    }

    fn folders_of(memberships: &str, mounts: &str, controller: &str) -> Vec<String> {
        locate(memberships, mounts, controller).unwrap().folders
    }

    #[test]
    fn the_unified_hierarchy_is_walked_up_to_its_mount() {
        let mounts = mount("/", "/sys/fs/cgroup", "cgroup2", "nsdelegate");
        assert_eq!(
            folders_of("0::/a.slice/b.service\n", &mounts, "cpu"),
            ["/sys/fs/cgroup/a.slice/b.service", "/sys/fs/cgroup/a.slice", "/sys/fs/cgroup"]
        );
    }

    #[test]
    fn an_old_hierarchy_is_found_by_a_controller_that_it_shares() {
        let memberships = "5:memory:/\n4:cpu,cpuacct:/batch\n0::/x\n";
        let mounts = mount("/", "/sys/fs/cgroup/unified", "cgroup2", "nsdelegate")
            + &mount("/", "/sys/fs/cgroup/memory", "cgroup", "memory")
            + &mount("/", "/sys/fs/cgroup/cpu,cpuacct", "cgroup", "cpu,cpuacct");
        let group = locate(memberships, &mounts, "cpu").unwrap();
        assert_eq!(group.version, Version::V1);
        assert_eq!(
            group.folders,
            ["/sys/fs/cgroup/cpu,cpuacct/batch", "/sys/fs/cgroup/cpu,cpuacct"]
        );
        // No old hierarchy lists it, so it can only be in the unified one.
        assert_eq!(locate(memberships, &mounts, "pids").unwrap().version, Version::V2);
    }

    #[test]
    fn cpu_is_not_taken_for_cpuset_or_cpuacct() {
        let mounts = mount("/", "/c/cpuset", "cgroup", "cpuset")
            + &mount("/", "/c/cpuacct", "cgroup", "cpuacct")
            + &mount("/", "/c/cpu", "cgroup", "cpu");
        let memberships = "3:cpuset:/\n2:cpuacct:/\n1:cpu:/\n";
        assert_eq!(folders_of(memberships, &mounts, "cpu"), ["/c/cpu"]);
    }

    #[test]
    fn a_container_that_sees_only_its_own_part_finds_it_at_the_mount() {
        let mounts = mount("/docker/abc", "/sys/fs/cgroup/cpu", "cgroup", "cpu");
        assert_eq!(
            folders_of("4:cpu:/docker/abc/sub\n", &mounts, "cpu"),
            ["/sys/fs/cgroup/cpu/sub", "/sys/fs/cgroup/cpu"]
        );
    }

    #[test]
    fn of_several_mounts_the_one_with_the_most_ancestors_is_taken() {
        let mounts =
            mount("/a/b", "/narrow", "cgroup2", "x") + &mount("/a", "/wide", "cgroup2", "x");
        assert_eq!(folders_of("0::/a/b\n", &mounts, "cpu"), ["/wide/b", "/wide"]);
    }

    #[test]
    fn a_mount_that_shows_the_group_is_taken_before_one_that_does_not() {
        let mounts = mount("/x", "/other", "cgroup2", "x") + &mount("/a/b", "/own", "cgroup2", "x");
        assert_eq!(folders_of("0::/a/b\n", &mounts, "cpu"), ["/own"]);
    }

    #[test]
    fn a_group_outside_of_what_is_mounted_leaves_the_mounts_top() {
        let mounts = mount("/docker/abc", "/sys/fs/cgroup", "cgroup2", "x");
        for path in ["/docker/abcd", "/other", "/../../etc"] {
            let folders = folders_of(&format!("0::{path}\n"), &mounts, "cpu");
            assert_eq!(folders, ["/sys/fs/cgroup"], "{path}");
        }
    }

    #[test]
    fn blanks_in_a_mount_point_are_read_back() {
        let mounts = mount("/", "/my\\040groups", "cgroup2", "x");
        assert_eq!(folders_of("0::/\n", &mounts, "cpu"), ["/my groups"]);
    }

    #[test]
    fn a_group_name_with_a_colon_is_kept_whole() {
        let mounts = mount("/", "/m", "cgroup2", "x");
        assert_eq!(folders_of("0::/a:b\n", &mounts, "cpu"), ["/m/a:b", "/m"]);
    }

    #[test]
    fn without_a_mount_there_is_no_group() {
        assert_eq!(locate("0::/\n", "", "cpu"), None);
        let proc = "22 27 0:21 / /proc rw - proc proc rw\n";
        assert_eq!(locate("0::/\n", proc, "cpu"), None);
    }

    proptest! {
        #[test]
        fn the_walk_ends_at_the_mount_and_never_leaves_it(path in "(/[a-z.]{0,4}){0,6}/?") {
            let mounts = mount("/", "/m", "cgroup2", "x");
            let folders = folders_of(&format!("0::{path}\n"), &mounts, "cpu");
            prop_assert_eq!(folders.last().unwrap(), "/m");
            for folder in &folders {
                prop_assert!(folder.starts_with("/m"));
                prop_assert!(folder.split('/').all(|part| part != ".."));
            }
        }
    }
}
