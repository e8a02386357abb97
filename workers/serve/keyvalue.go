package main

import (
	"fmt"
	"net"
	"os"
	"regexp"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"sizeup/gokit/protocol"
	"sizeup/worker-serve/internal/daemon"
	"sizeup/worker-serve/internal/drive"
)

// valkeyService is the installed Valkey, or else Redis, as a cache. One op is a GET or SET and its answer.
var valkeyService = cacheService("kv/valkey", &cache{
	dialect: "resp",
	find: func() (*daemon.Program, error) {
		return daemon.Find([]string{"valkey-server", "redis-server"}, nil,
			regexp.MustCompile(`server v=(\S+) .*malloc=(\S+)`), "install Valkey or Redis: on Debian 12 "+
				"`apt-get install redis-server`, on Debian 13 and Ubuntu `apt-get install valkey-server`, on Fedora `dnf install valkey`")
	},
	start: startValkey,
	ask:   drive.ServerVersion,
})

// memcachedService is the installed memcached. One op is a get or set and its answer.
var memcachedService = cacheService("kv/memcached", &cache{
	dialect: "memcached",
	find: func() (*daemon.Program, error) {
		return daemon.Find([]string{"memcached"}, nil, regexp.MustCompile(`memcached (\S+)`),
			"install memcached: on Debian and Ubuntu `apt-get install memcached`, on Fedora `dnf install memcached`")
	},
	start: startMemcached,
	ask:   drive.MemcachedVersion,
})

// cache is a server of keys and values.
type cache struct {
	dialect string // of drive.KeyValueTarget
	find    func() (*daemon.Program, error)
	// start starts one process.
	start func(*daemon.Program, cacheProcess) (*daemon.Process, error)
	// ask asks a process for its version.
	ask func(session *net.TCPConn, password string) (version string, err error)
}

// cacheProcess is the settings of one process.
type cacheProcess struct {
	cpus        []int // all that it may use, each with a thread
	address     net.IP
	port        int
	password    string
	connections int   // at most
	bytes       int64 // of keys and values
}

func cacheService(name string, c *cache) service {
	return service{
		operation: declare(name, protocol.Ranges{
			// A process on each of the server's CPUs, or one with a thread for each.
			"processes":   protocol.OneOf("one-per-cpu", "one"),
			"keys":        protocol.Integers(1, 1<<28), // of each process
			"value_bytes": protocol.Integers(drive.LeastValue, drive.MostValue),
			"get_percent": protocol.Integers(0, 100),
			"pipeline":    protocol.Integers(1, drive.MostPipeline),
		}),
		libraries: func() (map[string]string, []string, error) {
			program, err := c.find()
			if err != nil {
				return nil, nil, err
			}
			return libraryOf(program), nil, nil
		},
		plan: c.plan,
	}
}

// libraryOf is a server's name, without the word for what it is, and its version.
func libraryOf(program *daemon.Program) map[string]string {
	return map[string]string{strings.TrimSuffix(program.Name, "-server"): program.Version}
}

func (c *cache) plan(request *protocol.PrepareRequest, values protocol.Parameters, _ *protocol.Inputs) (*plan, error) {
	target := &drive.KeyValueTarget{
		Dialect: c.dialect, Keys: int64(values.Integer("keys")), ValueBytes: values.Integer("value_bytes"),
		GetPercent: values.Integer("get_percent"), Pipeline: values.Integer("pipeline"),
		Password: daemon.Password(), Seed: uint64(request.Seed),
	}
	err := refuse([]rule{{target.Pipeline == 1 || values.Text("load") == "closed", "pipeline must be 1 unless load is closed"}})
	if err != nil {
		return nil, err
	}
	p := &plan{output: func(f *drive.Fetched) ([]byte, error) { return f.Body, nil }}
	p.expected.phrase = "every value belongs to its key and is as new as what was set, and the server counted the same hits and sets"
	p.start = func(cpus []int, address net.IP) (running, *drive.Target, map[string]string, error) {
		each := [][]int{cpus}
		if values.Text("processes") == "one-per-cpu" {
			each = nil
			for _, number := range cpus {
				each = append(each, []int{number})
			}
		}
		p.expected.output = expectKeys(target, len(each))
		program, err := c.find()
		if err != nil {
			return nil, nil, nil, err
		}
		settings := cacheProcess{
			address: address, password: target.Password,
			connections: values.Integer("connections_per_server_cpu") * len(cpus),
			bytes:       (target.Keys + drive.SpareKeys) * int64(target.ValueBytes+len("key:000000000000")),
		}
		group, addresses, err := c.startEach(program, each, settings)
		if err != nil {
			group.Stop()
			return nil, nil, nil, err
		}
		target.Addresses = addresses
		return group, &drive.Target{KeyValue: target}, libraryOf(program), nil
	}
	return p, nil
}

// expectKeys is what processes hold behind the keys that are set, and that they counted nothing else.
func expectKeys(target *drive.KeyValueTarget, processes int) (output []byte) {
	for range processes {
		for key := target.Keys; key < target.Keys+drive.SpareKeys; key++ {
			output = drive.AppendValue(output, key, target.ValueBytes)
		}
		output = drive.AppendCounts(output, 0, 0, 0)
	}
	return output
}

// startEach starts a process for each list of CPUs and returns where they listen.
func (c *cache) startEach(program *daemon.Program, each [][]int, settings cacheProcess) (daemon.Group, []string, error) {
	var group daemon.Group
	var addresses []string
	for _, cpus := range each {
		settings.cpus = cpus
		err := daemon.OnFreePort(settings.address, func(port int) error {
			settings.port = port
			process, err := c.start(program, settings)
			if err != nil {
				return err
			}
			at := daemon.JoinPort(settings.address, port)
			if err := process.Await(func() error { return c.isRight(program, at, settings.password) }); err != nil {
				process.Stop()
				return err
			}
			group, addresses = append(group, process), append(addresses, at)
			return nil
		})
		if err != nil {
			return group, nil, err
		}
	}
	return group, addresses, nil
}

// isRight is an error until the server answers, to our password, and with its program's version.
func (c *cache) isRight(program *daemon.Program, address, password string) error {
	const patience = 5 * time.Second
	connection, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		return err
	}
	defer connection.Close()
	if err := connection.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	version, err := c.ask(connection.(*net.TCPConn), password)
	if expected, _, _ := strings.Cut(program.Version, ","); err == nil && version != expected {
		err = fmt.Errorf("%s reports version %s, the running server %s", program.Path, expected, version)
	}
	return err
}

// mostIOThreads is as many as Valkey's own benchmarks use.
const mostIOThreads = 9

// startValkey gives it its configuration by stdin: others on the machine could read its command line.
func startValkey(program *daemon.Program, s cacheProcess) (*daemon.Process, error) {
	config := fmt.Sprintf("bind %s\nport %d\nrequirepass %s\nprotected-mode yes\nmaxclients %d\nio-threads %d\n"+
		"daemonize no\nsave \"\"\nappendonly no\ntimeout 0\ntcp-keepalive 0\ndatabases 1\nloglevel warning\n",
		s.address, s.port, s.password, s.connections+32, min(len(s.cpus), mostIOThreads))
	return program.Start(daemon.Settings{Arguments: []string{"-"}, Stdin: strings.NewReader(config), CPUs: s.cpus})
}

// startMemcached gives it its password in memory: no file has it.
func startMemcached(program *daemon.Program, s cacheProcess) (*daemon.Process, error) {
	descriptor, err := unix.MemfdCreate("password", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(descriptor), "password")
	defer file.Close()
	if _, err := fmt.Fprintf(file, "%s:%s\n", drive.MemcachedUser, s.password); err != nil {
		return nil, err
	}
	// Room for all: an item takes some 60 bytes more, and a slab is filled by items of up to 1.25 times
	// the size.
	mebibytes := 128 + s.bytes*2>>20
	return program.Start(daemon.Settings{
		Arguments: []string{
			"-l", s.address.String(), "-p", fmt.Sprint(s.port), "-U", "0", "-Y", "/proc/self/fd/3",
			"-t", fmt.Sprint(len(s.cpus)), "-m", fmt.Sprint(mebibytes), "-c", fmt.Sprint(s.connections + 32),
		},
		Files: []*os.File{file}, CPUs: s.cpus,
	})
}
