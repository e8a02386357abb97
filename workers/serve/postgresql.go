package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"sizeup/gokit/protocol"
	"sizeup/worker-serve/internal/daemon"
	"sizeup/worker-serve/internal/drive"
)

// postgresqlService is the installed PostgreSQL with a cluster of its own, in memory if there is room. One op
// is a transaction.
var postgresqlService = service{
	operation: declare("sql/postgresql", protocol.Ranges{
		"script": protocol.OneOf("select", "tpcb", "mixed", "scan"),
		// Branches, each with 100,000 accounts: for each of the server's CPUs, or for all together.
		"scale_per_server_cpu": protocol.Integers(1, mostScale).OrNone(),
		"scale":                protocol.Integers(1, mostScale).OrNone(),
	}),
	libraries: func() (map[string]string, []string, error) {
		program, err := findPostgreSQL()
		if err != nil {
			return nil, nil, err
		}
		return postgresqlLibrary(program), nil, nil
	},
	plan: planPostgreSQL,
}

// mostScale is the scale of the largest cluster: 20 million accounts, 3 GiB.
const mostScale = 200

const postgresqlRemedy = "install PostgreSQL: on Debian and Ubuntu `apt-get install postgresql`, on Fedora `dnf install postgresql-server`"

func findPostgreSQL() (*daemon.Program, error) {
	program, err := daemon.Find([]string{"postgres"},
		[]string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/pgsql/bin"},
		regexp.MustCompile(`\(PostgreSQL\) (\S+)`), postgresqlRemedy)
	if err != nil {
		return nil, err
	}
	// Its other programs are beside it, and need not be beside a link to it.
	program.Path, err = filepath.EvalSymlinks(program.Path)
	return program, err
}

func postgresqlLibrary(program *daemon.Program) map[string]string {
	return map[string]string{"postgresql": program.Version}
}

func planPostgreSQL(request *protocol.PrepareRequest, values protocol.Parameters, _ *protocol.Inputs) (*plan, error) {
	err := refuse([]rule{{values.Has("scale") != values.Has("scale_per_server_cpu"), "one of scale and scale_per_server_cpu is needed"}})
	if err != nil {
		return nil, err
	}
	target := &drive.SQLTarget{
		User: "sizeup", Password: daemon.Password(), Script: values.Text("script"), Seed: uint64(request.Seed),
	}
	p := &plan{output: func(f *drive.Fetched) ([]byte, error) { return f.Body, nil }}
	p.start = func(cpus []int, address net.IP) (running, *drive.Target, map[string]string, error) {
		scale := values.Integer("scale") + values.Integer("scale_per_server_cpu")*len(cpus)
		target.Scale = int64(min(scale, mostScale))
		p.expected = expectSQL(target)
		program, err := findPostgreSQL()
		if err != nil {
			return nil, nil, nil, err
		}
		connections := values.Integer("connections_per_server_cpu") * len(cpus)
		server, err := startPostgreSQL(program, target, address, cpus, connections)
		if err != nil {
			return nil, nil, nil, err
		}
		return server, &drive.Target{SQL: target}, postgresqlLibrary(program), nil
	}
	return p, nil
}

// expectSQL is what the script's transactions must have left.
func expectSQL(target *drive.SQLTarget) expected {
	var output []byte
	switch target.Script {
	case "scan":
		return expected{
			phrase: "the sum over all accounts is right",
			output: fmt.Appendf(nil, "%d\n", drive.Balances(drive.Accounts(target.Scale))),
		}
	case "tpcb":
		return expected{
			phrase: "accounts, tellers, branches and history have what the transactions added, and each saw its own balance",
			output: drive.AppendBalances(nil, 0, 0, 0, 0, 0),
		}
	}
	for _, account := range drive.CheckedAccounts(target.Scale) {
		output = fmt.Appendf(output, "%d %d\n", account, drive.Balance(account))
	}
	e := expected{phrase: "every balance is its account's", output: output}
	if target.Script == "mixed" {
		e.phrase += ", and every inserted row is there"
		e.output = drive.AppendItems(e.output, 0, 0)
	}
	return e
}

// postgresqlSettings measure CPUs, not disks: nothing waits for one, and nothing runs that was not
// asked for.
var postgresqlSettings = []string{
	"fsync=off", "synchronous_commit=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0", "max_wal_size=4GB",
	"checkpoint_timeout=1d", "autovacuum=off", "jit=off", "shared_buffers=512MB", "huge_pages=off", "max_parallel_workers_per_gather=0",
	// Not in /dev/shm, where a server that was killed would leave it.
	"dynamic_shared_memory_type=mmap",
	"maintenance_work_mem=256MB", "unix_socket_permissions=0700", "logging_collector=off", "log_destination=stderr",
	"log_min_messages=log", "log_checkpoints=off",
}

// startPostgreSQL makes a cluster and starts it. It listens on a socket in its folder, which nobody else
// can enter, and, for a client on another machine, at an address, with a password.
func startPostgreSQL(program *daemon.Program, target *drive.SQLTarget, address net.IP, cpus []int, connections int) (*daemon.Kept, error) {
	folder := filepath.Dir(program.Path)
	data := filepath.Join(daemon.FolderWord, "data")
	arguments := []string{program.Path, "-D", data, "-k", daemon.FolderWord, "-c", "max_connections=" + strconv.Itoa(connections+16)}
	for _, setting := range postgresqlSettings {
		arguments = append(arguments, "-c", setting)
	}
	const bytesPerBranch, spare = 20 << 20, 512 << 20
	keeping := daemon.Keeping{
		Places: []string{"/dev/shm", os.TempDir()}, RoomBytes: target.Scale*bytesPerBranch + spare, Prefix: "sizeup-postgresql-",
		Setup: [][]string{{filepath.Join(folder, "initdb"), "-D", data, "-U", target.User, "--auth-local=trust", "--auth-host=scram-sha-256",
			"--no-sync", "--no-instructions", "-E", "UTF8", "--locale=C"}},
	}
	if address.Equal(here) {
		keeping.Server = append(arguments, "-p", "5432", "-c", "listen_addresses=")
		return keepPostgreSQL(program, target, keeping, cpus, "5432")
	}
	keeping.Setup = append(keeping.Setup, []string{"/bin/sh", "-c", "echo host all all all scram-sha-256 >>data/pg_hba.conf"})
	var server *daemon.Kept
	err := daemon.OnFreePort(address, func(port int) (err error) {
		keeping.Server = append(arguments, "-p", strconv.Itoa(port), "-c", "listen_addresses="+address.String())
		if server, err = keepPostgreSQL(program, target, keeping, cpus, strconv.Itoa(port)); err != nil {
			return err
		}
		if _, err = drive.SQLVersion(target, "ALTER ROLE "+target.User+" PASSWORD '"+target.Password+"'"); err != nil {
			server.Stop()
			return err
		}
		target.Network, target.Address = "tcp", daemon.JoinPort(address, port)
		return nil
	})
	return server, err
}

// keepPostgreSQL starts a cluster and waits until it answers at its socket.
func keepPostgreSQL(program *daemon.Program, target *drive.SQLTarget, keeping daemon.Keeping, cpus []int, port string) (*daemon.Kept, error) {
	server, err := daemon.Keep("PostgreSQL", keeping, cpus)
	if err != nil {
		return nil, err
	}
	target.Network, target.Address = "unix", filepath.Join(server.Folder, ".s.PGSQL."+port)
	const longestSocket = 107
	if len(target.Address) > longestSocket {
		err = daemon.Missing("set TMPDIR to a folder with a shorter name", "the name of the server's socket is too long: %s", target.Address)
	} else {
		err = server.Await(func() error { return isPostgreSQL(program, target) })
	}
	if err != nil {
		server.Stop()
		return nil, err
	}
	return server, nil
}

// isPostgreSQL is an error until the server answers, with its program's version.
func isPostgreSQL(program *daemon.Program, target *drive.SQLTarget) error {
	version, err := drive.SQLVersion(target, "")
	if err == nil && version != program.Version {
		err = fmt.Errorf("%s reports version %s, the running server %s", program.Path, program.Version, version)
	}
	return err
}
