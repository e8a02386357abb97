package nginx

import (
	"fmt"
	"net"

	"golang.org/x/sys/unix"
)

// reserve finds a free port at an address and keeps it: while the socket is open, no other process
// gets the port. NGINX shares it, because both set SO_REUSEPORT; ours does not listen, so every
// connection goes to NGINX. Without it, two launches that happened to draw the same port would get
// each other's requests.
func reserve(address net.IP) (socket, port int, err error) {
	family, at := unix.AF_INET6, unix.Sockaddr(&unix.SockaddrInet6{Addr: [16]byte(address.To16())})
	if four := address.To4(); four != nil {
		family, at = unix.AF_INET, &unix.SockaddrInet4{Addr: [4]byte(four)}
	}
	socket, err = unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, 0, err
	}
	defer func() {
		if err != nil {
			unix.Close(socket)
		}
	}()
	// Bind first: a port that is shared from the beginning could be another launch's.
	if err = unix.Bind(socket, at); err != nil {
		return 0, 0, fmt.Errorf("no free port at %v: %w", address, err)
	}
	if err = unix.SetsockoptInt(socket, unix.SOL_SOCKET, unix.SO_REUSEPORT, 1); err != nil {
		return 0, 0, err
	}
	bound, err := unix.Getsockname(socket)
	if err != nil {
		return 0, 0, err
	}
	switch bound := bound.(type) {
	case *unix.SockaddrInet4:
		return socket, bound.Port, nil
	case *unix.SockaddrInet6:
		return socket, bound.Port, nil
	}
	return 0, 0, fmt.Errorf("a socket at %T", bound)
}
