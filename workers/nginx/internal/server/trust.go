package server

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

// WouldBeRoot says whether NGINX's master would be root.
func WouldBeRoot() bool { return os.Geteuid() == rootsID }

// trusted says why a file is not one that a root may read, or nil: somebody else could
// change it, or put another in its place. The path must not hold links, for a link could
// be turned elsewhere between this look and NGINX's.
func trusted(path string) error {
	if err := onlyRootWrites(path, false); err != nil {
		return err
	}
	for parent := filepath.Dir(path); parent != path; path, parent = parent, filepath.Dir(parent) {
		// In a sticky folder such as /tmp nobody moves what is another's.
		if err := onlyRootWrites(parent, true); err != nil {
			return err
		}
	}
	return nil
}

// onlyRootWrites looks at one file or folder, and not at those that it lies in.
func onlyRootWrites(path string, mayBeSticky bool) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	status, isKnown := info.Sys().(*syscall.Stat_t)
	if !isKnown || status.Uid != rootsID {
		return fmt.Errorf("%s does not belong to root", path)
	}
	isLink := info.Mode()&fs.ModeSymlink != 0 // its bits say nothing
	if isLink || mayBeSticky && info.Mode()&fs.ModeSticky != 0 {
		return nil
	}
	// Whatever the group: the bits of a file with an access list are what the list allows at most.
	if info.Mode().Perm()&(groupWrites|othersWrite) != 0 {
		return fmt.Errorf("users other than root can write %s", path)
	}
	return nil
}

// trustedTree looks at a folder, all that it lies in, and all that lies in it or that its
// links lead to.
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
		if err != nil { // what is not there, somebody else may put there
			return err
		}
		return trusted(target)
	})
}

// refuseForeign refuses an installation that somebody other than root could change, if
// NGINX's master would be root. The folder is the one that SIZEUP_NGINX names, or empty.
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
		return unavailable("%v, and root would run what NGINX loads; run sizeup as another user, or give NGINX to root", err)
	}
	return nil
}
