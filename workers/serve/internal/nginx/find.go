// Package nginx finds an installed NGINX, starts it with a configuration of its own, reports its
// libraries and CPU time, and ends it. It leaves nothing behind.
package nginx

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"sizeup/worker-serve/internal/daemon"
)

// FolderVariable names a folder with an unpacked NGINX, for machines on which it cannot be
// installed.
const FolderVariable = "SIZEUP_NGINX"

// Remedy is the hint that says what to install.
const Remedy = "install NGINX with its Lua and brotli modules, on Debian 12 " +
	"`apt-get install nginx libnginx-mod-http-lua libnginx-mod-http-brotli-filter`; or unpack such packages with " +
	"`dpkg -x` and set " + FolderVariable + " to the folder"

func unavailable(format string, args ...any) error {
	return daemon.Missing(Remedy, format, args...)
}

// Installation is an NGINX that can be started.
type Installation struct {
	program     string
	environment []string
	modules     []string // files of modules to load; all others are built in
	luaPath     string   // the folder of Lua's own files, if not Lua's default
	Version     string
}

// The modules that are loaded, in this order, if they exist as files.
var moduleFiles = []string{"ndk_http_module.so", "ngx_http_lua_module.so", "ngx_http_brotli_filter_module.so"}

// Find looks for NGINX in the folder that SIZEUP_NGINX names, or else in the usual places.
func Find() (*Installation, error) {
	folder := os.Getenv(FolderVariable)
	if folder != "" {
		var err error
		if folder, err = resolve(folder); err != nil {
			return nil, unavailable("cannot read the folder of %s: %v", FolderVariable, err)
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
	details, err := in.details()
	if err != nil {
		return nil, unavailable("cannot identify %s: %v", program, err)
	}
	// The name before the slash is that of a fork, such as openresty.
	version := regexp.MustCompile(`nginx version: ([^/\s]+)/(\S+)`).FindStringSubmatch(details)
	if version == nil {
		return nil, unavailable("%s does not report its version", program)
	}
	in.Version = version[2]
	if version[1] != "nginx" {
		in.Version = version[1] + " " + version[2]
	}
	if err := in.findModules(folder, details); err != nil {
		return nil, err
	}
	return in, in.refuseForeign("")
}

// resolve returns a path without links, so that the file that is checked is the file that runs.
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
		return "", unavailable("no NGINX in the folder of %s", FolderVariable)
	}
	return "", unavailable("no NGINX on this machine")
}

// addLibraries makes the loader search the folder before the user's own paths.
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
	// root's environment is not checked, and therefore not used.
	if own := os.Getenv("LD_LIBRARY_PATH"); own != "" && !WouldBeRoot() {
		paths = append(paths, own)
	}
	if paths != nil {
		in.environment = append(in.environment, "LD_LIBRARY_PATH="+strings.Join(paths, ":"))
	}
}

// details returns the output of `nginx -V`.
func (in *Installation) details() (string, error) {
	patience, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	command := exec.CommandContext(patience, in.program, "-V")
	command.Env = in.environment
	output, err := command.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, strings.TrimSpace(string(output)))
	}
	return string(output), nil
}

// findModules looks in NGINX's own module path, first inside the folder.
func (in *Installation) findModules(folder, details string) error {
	var places []string
	if path := regexp.MustCompile(`--modules-path=(\S+)`).FindStringSubmatch(details); path != nil {
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
