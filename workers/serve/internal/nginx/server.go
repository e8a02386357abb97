package nginx

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"sizeup/worker-serve/internal/child"
	"sizeup/worker-serve/internal/daemon"
)

// How long NGINX may take to start, and to end after a signal.
const (
	startPatience = 20 * time.Second
	endPatience   = 5 * time.Second
)

// Server is a running NGINX. None of its files is left while it runs: they are removed as soon as
// it has opened them, so that nothing remains however it ends.
type Server struct {
	Address     string // where it listens, with the port
	Certificate []byte // PEM
	master      *os.Process
	ended       <-chan struct{} // closed when the master has ended
	output      *output
	workers     []int // process numbers
	port        int   // the socket that keeps the port
}

// Start starts NGINX and waits until all its workers are ready.
func (in *Installation) Start(settings Settings) (*Server, error) {
	folder, err := os.MkdirTemp("", "sizeup-nginx-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	if folder, err = resolve(folder); err != nil {
		return nil, err
	}
	if WouldBeRoot() {
		if err := trusted(folder); err != nil {
			return nil, fmt.Errorf("%w, and NGINX would read its configuration there as root; "+
				"set TMPDIR to a folder that belongs to root", err)
		}
	}
	socket, port, err := reserve(settings.Address)
	if err != nil {
		return nil, err
	}
	s := &Server{
		Address: net.JoinHostPort(settings.Address.String(), strconv.Itoa(port)),
		port:    socket,
	}
	if err := in.write(settings, folder, s); err != nil {
		unix.Close(socket)
		return nil, err
	}
	if err := s.run(in, folder); err != nil {
		unix.Close(socket)
		return nil, err
	}
	if err := s.await(len(settings.CPUs)); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// write puts NGINX's files into the folder.
func (in *Installation) write(settings Settings, folder string, s *Server) error {
	certificate, key, err := newCertificate(settings.Address)
	if err != nil {
		return err
	}
	s.Certificate = certificate
	owner, err := workersUser()
	if err != nil {
		return err
	}
	text, err := in.config(settings, folder, s.Address, owner.config())
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"certificate.pem": certificate, "key.pem": key, "page.html": settings.Page, "nginx.conf": []byte(text),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			return err
		}
	}
	if owner == nil {
		return nil
	}
	// The workers open the page themselves: they may pass through the folder and read that one
	// file. Everything else is read by the master, which is root, and therefore belongs to root:
	// files that belong to the workers' user could be changed by that user.
	page := filepath.Join(folder, "page.html")
	return errors.Join(os.Chown(page, rootsID, owner.gid), os.Chmod(page, 0o640), os.Chmod(folder, 0o711))
}

// unprivileged is the user that NGINX's workers run as.
type unprivileged struct {
	name, group string
	gid         int
}

// workersUser is nobody if we are root, and nil, for no change, otherwise.
func workersUser() (*unprivileged, error) {
	if !WouldBeRoot() {
		return nil, nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return nil, fmt.Errorf("NGINX's workers need an unprivileged user: %w", err)
	}
	group, err := user.LookupGroupId(nobody.Gid)
	if err != nil {
		return nil, fmt.Errorf("NGINX's workers need an unprivileged user: %w", err)
	}
	gid, err := strconv.Atoi(nobody.Gid)
	return &unprivileged{name: nobody.Username, group: group.Name, gid: gid}, err
}

func (u *unprivileged) config() string {
	if u == nil {
		return ""
	}
	return u.name + " " + u.group
}

// run starts the master.
func (s *Server) run(in *Installation, folder string) error {
	// -e keeps NGINX from opening its default log file.
	command := exec.Command(in.program, "-p", folder, "-c", filepath.Join(folder, "nginx.conf"), "-e", "stderr")
	command.Env = in.environment
	// Lua also looks for its files in the current folder.
	command.Dir = folder
	var err error
	if s.output, err = newOutput(command); err != nil {
		return err
	}
	s.ended, err = child.Start(command, syscall.SIGTERM)
	s.output.started()
	if err != nil {
		s.output.close()
		return unavailable("cannot start %s: %v", in.program, err)
	}
	s.master = command.Process
	return nil
}

// await waits until this many workers are ready.
func (s *Server) await(workers int) error {
	patience := time.After(startPatience)
	for len(s.workers) < workers {
		select {
		case pid := <-s.output.ready:
			s.workers = append(s.workers, pid)
		case <-s.ended:
			return s.output.whyNot()
		case <-patience:
			return fmt.Errorf("%d of %d NGINX workers are ready after %v: %s",
				len(s.workers), workers, startPatience, s.output.last())
		}
	}
	return nil
}

// Check checks that the server is still the one that was started: none of its processes has ended
// and been replaced.
func (s *Server) Check() error {
	select {
	case <-s.ended:
		return fmt.Errorf("NGINX has ended: %s", s.output.last())
	case pid := <-s.output.ready:
		s.workers = append(s.workers, pid)
		return fmt.Errorf("an NGINX worker has ended (replaced by process %d): %s", pid, s.output.last())
	default:
		return nil
	}
}

// Stop ends NGINX and waits until all of it has ended.
func (s *Server) Stop() {
	defer unix.Close(s.port)
	defer s.output.close()
	_ = s.master.Signal(syscall.SIGTERM) // it may have ended already
	select {
	case <-s.ended:
	case <-time.After(endPatience):
		_ = s.master.Kill()
		<-s.ended
	}
	// Workers end before their master, unless it was killed.
	for _, pid := range s.workers {
		if isWorker(pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// CPUNS is the CPU time of all of NGINX's processes in ns.
func (s *Server) CPUNS() (int64, error) { return daemon.CPUNS(s.processes()) }

// ResidentBytes is the resident memory of all of NGINX's processes; shared memory counts for each.
func (s *Server) ResidentBytes() (int64, error) { return daemon.ResidentBytes(s.processes()) }

// processes is the master and its workers.
func (s *Server) processes() []int { return append([]int{s.master.Pid}, s.workers...) }

// isWorker reports whether a process is one of NGINX's workers. It checks process numbers of our
// workers, in case their master was killed.
func isWorker(pid int) bool {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && bytes.HasPrefix(content, []byte("nginx: worker process"))
}
