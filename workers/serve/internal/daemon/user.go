package daemon

import (
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// User is the user that servers run as: nobody, if we are root, and otherwise nil, for our own.
func User() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return nil, Missing("run sizeup as another user, or create the user nobody",
			"servers do not run as root, and there is no user nobody: %v", err)
	}
	uid, err := strconv.ParseUint(nobody.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(nobody.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, err
}
