package nginx

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

const (
	rootsID     = 0
	groupWrites = 0o020
	othersWrite = 0o002
)

// WouldBeRoot reports whether NGINX's master would be root.
func WouldBeRoot() bool { return os.Geteuid() == rootsID }

// trusted returns why root must not read a file, or nil: somebody else could change it, or put
// another in its place. The path must not contain links, because a link could be redirected between
// this check and NGINX's use.
func trusted(path string) error {
	if err := onlyRootWrites(path, false); err != nil {
		return err
	}
	for parent := filepath.Dir(path); parent != path; path, parent = parent, filepath.Dir(parent) {
		// In a sticky folder such as /tmp only the owner can move a file.
		if err := onlyRootWrites(parent, true); err != nil {
			return err
		}
	}
	return nil
}

// onlyRootWrites checks one file or folder, but not the folders that contain it.
func onlyRootWrites(path string, mayBeSticky bool) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	status, isKnown := info.Sys().(*syscall.Stat_t)
	if !isKnown || status.Uid != rootsID {
		return fmt.Errorf("%s does not belong to root", path)
	}
	isLink := info.Mode()&fs.ModeSymlink != 0 // its bits have no effect
	if isLink || mayBeSticky && info.Mode()&fs.ModeSticky != 0 {
		return nil
	}
	// Whatever the group: for a file with an access list, these bits are the most that the list
	// allows.
	if info.Mode().Perm()&(groupWrites|othersWrite) != 0 {
		return fmt.Errorf("users other than root can write %s", path)
	}
	return nil
}

// trustedTree checks a folder, its parents, and everything that it contains or that its links lead
// to.
func trustedTree(folder string) error {
	if err := trusted(folder); err != nil {
		return err
	}
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := onlyRootWrites(path, false); err != nil || entry.Type()&fs.ModeSymlink == 0 {
			return err
		}
		target, err := filepath.EvalSymlinks(path)
		if err != nil { // somebody else could create a missing target
			return err
		}
		return trusted(target)
	})
}

// refuseForeign refuses an installation that somebody other than root could change, if NGINX's
// master would be root. The folder is the one that SIZEUP_NGINX names, or empty.
func (in *Installation) refuseForeign(folder string) error {
	if !WouldBeRoot() {
		return nil
	}
	var err error
	for _, path := range append([]string{in.program}, in.modules...) {
		err = cmp.Or(err, trusted(path))
	}
	if folder != "" {
		err = cmp.Or(err, trustedTree(folder))
	}
	if err != nil {
		return unavailable("%v, and NGINX would run as root; run sizeup as another user, or make root the owner of NGINX's files", err)
	}
	return nil
}
