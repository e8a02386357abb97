// Package server finds an installed NGINX, starts it with a configuration of its
// own, tells what it is made of and how much CPU time it uses, and ends it. It
// leaves nothing behind.
package server

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// FolderVariable names a folder in which NGINX lies unpacked, for machines on
// which it can't be installed.
const FolderVariable = "SIZEUP_NGINX"

// Remedy says what to install.
const Remedy = "install NGINX with its Lua and brotli modules, on Debian 12 " +
	"`apt-get install nginx libnginx-mod-http-lua libnginx-mod-http-brotli-filter`; or unpack such packages with " +
	"`dpkg -x` and let " + FolderVariable + " name the folder"

// Unavailable is an error that says what is missing on this machine.
type Unavailable struct{ What string }

func (u *Unavailable) Error() string { return u.What }

func unavailable(format string, args ...any) error {
	return &Unavailable{fmt.Sprintf(format, args...)}
}

// Installation is an NGINX that can be started.
type Installation struct {
	program     string
	environment []string
	modules     []string // files of modules to load; what is not among them is built in
	luaPath     string   // where Lua's own files lie, if not where Lua looks
	Version     string
}

// The modules that are loaded where they lie as files, in this order.
var moduleFiles = []string{"ndk_http_module.so", "ngx_http_lua_module.so", "ngx_http_brotli_filter_module.so"}

// Find looks for NGINX in the folder that SIZEUP_NGINX names, or else where
// programs lie.
func Find() (*Installation, error) {
	folder := os.Getenv(FolderVariable)
	if folder != "" {
		var err error
		if folder, err = resolve(folder); err != nil {
			return nil, unavailable("the folder that %s names can't be read: %v", FolderVariable, err)
		}
	}
	program, err := findProgram(folder)
	if err != nil {
		return nil, err
	}
	in := &Installation{program: program, environment: []string{"PATH=/usr/bin:/bin", "LANG=C"}}
	in.addLibraries(folder)
	if err := in.refuseForeign(folder); err != nil {
		return nil, err
	}
	told, err := in.tell()
	if err != nil {
		return nil, unavailable("%s does not say what it is: %v", program, err)
	}
	// The name before the slash is that of a relative, such as openresty.
	version := regexp.MustCompile(`nginx version: ([^/\s]+)/(\S+)`).FindStringSubmatch(told)
	if version == nil {
		return nil, unavailable("%s does not say its version", program)
	}
	in.Version = version[2]
	if version[1] != "nginx" {
		in.Version = version[1] + " " + version[2]
	}
	if err := in.findModules(folder, told); err != nil {
		return nil, err
	}
	return in, in.refuseForeign("")
}

// resolve gives a path without links: what is looked at is then what is run.
func resolve(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(absolute)
}

func findProgram(folder string) (string, error) {
	candidates := []string{"/usr/sbin/nginx", "/usr/local/sbin/nginx"}
	if folder != "" {
		candidates = nil
		for _, place := range []string{"usr/sbin/nginx", "sbin/nginx", "nginx/sbin/nginx", "bin/nginx"} {
			candidates = append(candidates, filepath.Join(folder, place))
		}
	} else if path, err := exec.LookPath("nginx"); err == nil {
		return resolve(path)
	}
	for _, candidate := range candidates {
		if info, err := os.Stat(candidate); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return resolve(candidate)
		}
	}
	if folder != "" {
		return "", unavailable("there is no NGINX in the folder that %s names", FolderVariable)
	}
	return "", unavailable("there is no NGINX on this machine")
}

// addLibraries lets the loader find what lies in the folder, before what the
// user named.
func (in *Installation) addLibraries(folder string) {
	var paths []string
	if folder != "" {
		for _, pattern := range []string{"usr/lib/*-linux-gnu", "lib/*-linux-gnu", "usr/lib", "lib", "luajit/lib"} {
			found, _ := filepath.Glob(filepath.Join(folder, pattern)) // the pattern is well formed
			paths = append(paths, found...)
		}
		var lua []string
		for _, place := range []string{"usr/share/lua/5.1", "lualib"} {
			lua = append(lua, filepath.Join(folder, place, "?.lua"), filepath.Join(folder, place, "?/init.lua"))
		}
		in.luaPath = strings.Join(lua, ";") + ";;"
	}
	// What a root's environment names is not looked at, and so not loaded.
	if own := os.Getenv("LD_LIBRARY_PATH"); own != "" && !WouldBeRoot() {
		paths = append(paths, own)
	}
	if paths != nil {
		in.environment = append(in.environment, "LD_LIBRARY_PATH="+strings.Join(paths, ":"))
	}
}

// tell is what `nginx -V` says.
func (in *Installation) tell() (string, error) {
	patience, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	command := exec.CommandContext(patience, in.program, "-V")
	command.Env = in.environment
	told, err := command.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, strings.TrimSpace(string(told)))
	}
	return string(told), nil
}

// findModules looks where this NGINX was built to look, in the folder first.
func (in *Installation) findModules(folder, told string) error {
	var places []string
	if path := regexp.MustCompile(`--modules-path=(\S+)`).FindStringSubmatch(told); path != nil {
		places = append(places, filepath.Join(folder, path[1]))
	}
	if folder != "" {
		places = append(places, filepath.Join(folder, "usr/lib/nginx/modules"), filepath.Join(folder, "modules"))
	}
	for _, file := range moduleFiles {
		for _, place := range places {
			path := filepath.Join(place, file)
			if _, err := os.Stat(path); err != nil {
				continue
			}
			path, err := resolve(path)
			if err != nil {
				return err
			}
			in.modules = append(in.modules, path)
			break
		}
	}
	return nil
}
