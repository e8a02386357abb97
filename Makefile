# The two commands of the README: `make run` and `make test`. `make help` lists all.
# A release folder in dist/ holds all that runs; it can be copied anywhere.

DIST := dist
BIN := $(DIST)/bin
LIBEXEC := $(DIST)/libexec/sizeup
LIB := $(DIST)/lib/sizeup
SHARE := $(DIST)/share/sizeup
# Where Ansible looks for sizeup.fleet.
COLLECTION = $(SHARE)/ansible_collections/sizeup/fleet
RELEASE := target/release
# Workers in Rust: those that the suite server2026-quick needs (with Go's), and all others of a release.
FIRST_WORKERS := native data ml system
OTHER_WORKERS := openssl compressors luajit agents cloudflare-zlib xxhash command
# As CFLAGS in .cargo/config.toml: where a linker happens to put code must not change its speed.
GO_LINK_FLAGS := -funcalign=64
# No debug information in what is installed; tracebacks and profilers don't need it.
GO_NO_DEBUG := -w
# Equal for builds, tests and linters, whatever is set outside: otherwise each would compile Go's own library anew.
export CGO_ENABLED := 0
export GOFLAGS := -trimpath
# Sources of the report's page.
PAGE := report/dist/page.html
PAGE_SOURCES := $(shell find report/src -type f) workers/node/react.js report/build.mjs report/package.json report/tsconfig.json
# The page judges by a crate of the program, as WebAssembly.
JUDGE := target/wasm32-unknown-unknown/page/verdict.wasm
JUDGE_SOURCES := $(shell find crates/verdict crates/stats -type f) Cargo.toml Cargo.lock rust-toolchain.toml
NODE_MODULES := report/node_modules/.package-lock.json

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

# Where all was built before, all stays up to date: no worker of an older build is measured.
.PHONY: run
run: $(if $(wildcard $(LIBEXEC)/xxhash),build,first) ## Measure this machine with the suite server2026-quick (three minutes) and print the table
	$(BIN)/sizeup run

# Run side by side, after the tests of each part by itself: each waits at times, for processes, browsers and clocks.
TESTS := test-outside test-go test-page

.PHONY: test
test: build test-parts ## Run all tests; what each part says is printed when that part is done
	$(MAKE) --no-print-directory --jobs=3 --output-sync=target --assume-old=build $(TESTS)

CARGO_TEST := PATH="$(CURDIR)/target/readers/bin:$$PATH" SIZEUP_HOME=$(CURDIR)/$(DIST) cargo test --locked --release --workspace

.PHONY: test-parts
test-parts: build
	$(CARGO_TEST) --quiet

# More threads than CPUs, for many wait.
.PHONY: test-outside
test-outside:
	$(CARGO_TEST) --test outside -- --test-threads 6

# Vetted by `make lint`.
.PHONY: test-go
test-go:
	cd workers/gokit && go test -vet=off -timeout 30m ./...
	cd workers/go && go test -vet=off -timeout 30m ./...
	cd workers/serve && go test -vet=off -timeout 30m ./...
	@cd workers/serve && go test -vet=off -run TestWhichServersAreHere -v . | grep 'tested' || true

.PHONY: test-page
test-page:
	SIZEUP=$(CURDIR)/$(BIN)/sizeup report/test

.PHONY: check
check: ## Format, lints and quick tests of what changed, in minutes
	.ci/check

.PHONY: audit
audit: ## Licences, sources and known flaws of all dependencies (cargo-deny, govulncheck, npm; needs the network)
	cargo deny --locked check
	for module in gokit go serve; do (cd workers/$$module && go run golang.org/x/vuln/cmd/govulncheck@latest ./...) || exit; done
	cd report && npm audit

# Seconds for each target, and some of them only: FUZZ=runs.
FUZZ_SECONDS := 60
FUZZ :=

.PHONY: fuzz
fuzz: page ## Run the libFuzzer targets (a minute for each; needs g++ and jq)
	crates/testkit/run $(FUZZ_SECONDS) $(FUZZ)
	cd workers/gokit && go test -run "^$$" -fuzz FuzzRequests -fuzztime $(FUZZ_SECONDS)s ./launch
	cd workers/go && go test -run "^$$" -fuzz FuzzParameters -fuzztime $(FUZZ_SECONDS)s .
	cd workers/serve && go test -run "^$$" -fuzz FuzzParameters -fuzztime $(FUZZ_SECONDS)s .

# From where the release's files will be fetched, for the recipes of Homebrew and Nix.
ADDRESS :=

.PHONY: release
release: ## Cross-build both architectures, and pack them into target/release-files (on Debian 12, x86-64)
	@release/needs release
	release/package $(ADDRESS)

.PHONY: apps
apps: ## Fetch Redis, memcached, ONNX Runtime, DuckDB, Clang, Jackson, Lucene and Jinja, and build llama.cpp and usearch, for both architectures into target/apps, for SIZEUP_APPS (on Debian 12)
	release/apps

.PHONY: test-arm
test-arm: build ## Test the aarch64 build under emulation (on Debian 12, x86-64)
	release/test-arm

.PHONY: test-arm-change
test-arm-change: build ## Of these what a change can break, on one CPU, for CI
	release/test-arm change

# Some of them only: MACHINES=x86_64-2x8x2.
MACHINES :=

.PHONY: test-machines
test-machines: build ## Test on whole machines in an emulator: 32 CPUs, sockets, NUMA, SMT (Debian's qemu-system, 25 minutes)
	crates/sizeup/tests/machines/test $(MACHINES)

.PHONY: test-release
test-release: ## Run what `make release` made in bare Debian roots (as root)
	release/test-bare
	release/test-packages

.PHONY: test-fleet
test-fleet: build ## Show fleets of hosts made of network namespaces, some of which fail (as root, eight minutes)
	fleet/tests/hostile
	fleet/tests/four-hosts
	fleet/tests/interrupted
	fleet/tests/load-client
	fleet/tests/kubernetes

.PHONY: bench-sample
bench-sample: build ## Show that samples are right: looks at the clock, lengths, pulses (half an hour)
	SIZEUP_HOME=$(CURDIR)/$(DIST) cargo run --locked --release -p sizeup-bench --bin sample
	cd workers/gokit && go test ./work -run '^$$' -bench Look -benchtime 1000x

.PHONY: bench-pulse
bench-pulse: build ## Show that pulses are right: the clock, the state of the core (two minutes)
	SIZEUP_HOME=$(CURDIR)/$(DIST) cargo run --locked --release -p sizeup-bench --bin pulse

.PHONY: lint
lint: lint-texts page ## Run all linters
	cargo clippy --locked --release --workspace --all-targets -- -D warnings
	cd workers/gokit && go vet ./... && go tool staticcheck ./...
	cd workers/go && go vet ./... && go tool staticcheck ./...
	cd workers/serve && go vet ./... && go tool staticcheck ./...
	cd bench/fidelity/go && go vet ./...
	cd report && npm run -s check

# Those that need nothing built, first.
.PHONY: lint-texts
lint-texts:
	cargo fmt --check
	test -z "$$(gofmt -l workers bench/fidelity/go)"
	shellcheck -x .ci/check .ci/run action/measure bench/fidelity/build crates/testkit/run report/test release/apps release/bare release/base release/bom release/build release/crate release/environment release/kits release/language-libraries release/licences release/linked release/llama release/needs release/package release/packages \
		release/test-arm release/test-bare release/test-packages release/toolchain release/shims/* \
		crates/sizeup/tests/machines/boot crates/sizeup/tests/machines/faults crates/sizeup/tests/machines/guest crates/sizeup/tests/machines/test \
		crates/sizeup/tests/readers/install fleet/tests/four-hosts fleet/tests/load-client fleet/tests/interrupted \
		fleet/tests/hostile fleet/tests/kubernetes fleet/tests/lint fleet/tests/ssh-here fleet/roles/sizeup/files/* inputs/compile/make inputs/tls/make
	fleet/tests/lint

.PHONY: build
build: ## Build what is missing, into dist/
	@release/needs build
	@$(MAKE) --no-print-directory page rust go serve scripts java inputs tables kits

.PHONY: first
first: ## Build what the suite server2026-quick needs, into dist/
	@release/needs build
	@$(MAKE) --no-print-directory page first-rust go first-inputs tables

.PHONY: page
page: $(PAGE) ## Build the page that `sizeup report` fills

$(PAGE): $(NODE_MODULES) $(PAGE_SOURCES) $(JUDGE)
	cd report && npm run -s build

$(JUDGE): $(JUDGE_SOURCES)
	@release/needs page
	RUSTFLAGS="--remap-path-prefix=$${CARGO_HOME:-$$HOME/.cargo}/registry/src=crates" cargo rustc --locked --package verdict --lib --no-default-features \
	  --crate-type cdylib --profile page --target wasm32-unknown-unknown --target-dir target
	@touch $@

# npm touches its list only where it changes it.
$(NODE_MODULES): report/package-lock.json report/.npmrc
	@release/needs page
	cd report && npm ci
	@touch $@

# The program holds the page.
.PHONY: rust
rust: page
	$(call build_rust,$(FIRST_WORKERS) $(OTHER_WORKERS),sizeup-ckit)
	$(call install_stripped,$(RELEASE)/libsizeup_ckit.so,$(LIB)/libsizeup_ckit.so)

.PHONY: first-rust
first-rust: page
	$(call build_rust,$(FIRST_WORKERS))

# Workers, and packages beside those that make the program and its inputs.
define build_rust
@mkdir -p $(BIN) $(LIBEXEC) $(LIB)
cargo build --locked --release $(addprefix --package=,sizeup sizeup-inputs $(1:%=sizeup-worker-%) $(2)) --lib --bins
$(call install_stripped,$(RELEASE)/sizeup,$(BIN)/sizeup)
$(foreach worker,$(1),$(call install_stripped,$(RELEASE)/sizeup-worker-$(worker),$(LIBEXEC)/$(worker))
)$(BIN)/sizeup man $(DIST)/share/man/man1
endef

# Without debug information, as in a release: the whole program stays in target/release, which is what the link in it
# names (gdb: add-symbol-file, or set debug-file-directory). Symbols stay, so that a profiler can name what it sees.
define install_stripped
objcopy -p --strip-debug --add-gnu-debuglink=$(1) $(1) $(2).new && mv $(2).new $(2)
endef

.PHONY: go
go:
	@mkdir -p $(LIBEXEC)
	cd workers/go && go build -ldflags "$(GO_NO_DEBUG) $(GO_LINK_FLAGS) -X 'main.linkFlags=$(GO_LINK_FLAGS)'" \
		-o ../../$(LIBEXEC)/go .

.PHONY: serve
serve:
	@mkdir -p $(LIBEXEC)
	cd workers/serve && go build -ldflags "$(GO_NO_DEBUG) $(GO_LINK_FLAGS) -X 'main.linkFlags=$(GO_LINK_FLAGS)'" \
		-o ../../$(LIBEXEC)/serve .

# Workers in languages that need no build.
.PHONY: scripts
scripts:
	@mkdir -p $(LIBEXEC)
	install -p workers/python/python.py $(LIBEXEC)/python
	install -p workers/node/node.js $(LIBEXEC)/node

# A build without a JDK has a worker that says so.
JAVA_SOURCES := workers/javakit/sizeup/Kit.java workers/jvm/JvmWorker.java workers/jvm/Packed.java workers/jvm/Search.java
JAR := target/jvm/jvm.jar

.PHONY: java
java: $(if $(shell command -v javac),$(JAR))
	@mkdir -p $(LIBEXEC)
	cat workers/jvm/start $(if $(shell command -v javac),$(JAR)) > $(LIBEXEC)/jvm.new && chmod 755 $(LIBEXEC)/jvm.new && mv $(LIBEXEC)/jvm.new $(LIBEXEC)/jvm

# Equal sources give equal bytes. Texts put together by a call of the virtual machine would double what a start takes.
$(JAR): $(JAVA_SOURCES) workers/jvm/manifest
	@rm -rf $(@D) && mkdir -p $(@D)/classes
	javac --release 17 -XDstringConcat=inline -Xlint:all,-serial -Werror -d $(@D)/classes $(JAVA_SOURCES)
	jar --create --date=2026-01-01T00:00:00Z --file $@.new --manifest workers/jvm/manifest -C $(@D)/classes . && mv $@.new $@

.PHONY: inputs first-inputs
inputs: rust ## Make the input files that workloads work on
first-inputs: first-rust
inputs first-inputs:
	@mkdir -p $(SHARE)/inputs
	$(RELEASE)/sizeup-inputs $(SHARE)/inputs
	install -p -m 644 inputs/inputs.toml $(SHARE)/inputs/inputs.toml

.PHONY: tables
tables:
	@rm -rf $(SHARE)/workloads $(SHARE)/suites $(SHARE)/mixes $(SHARE)/reference $(SHARE)/contract
	@mkdir -p $(SHARE)/workloads $(SHARE)/suites $(SHARE)/mixes $(SHARE)/reference $(SHARE)/contract
	install -p -m 644 workloads/*.toml $(SHARE)/workloads
	install -p -m 644 suites/*.toml $(SHARE)/suites
	install -p -m 644 mixes/*.toml $(SHARE)/mixes
	install -p -m 644 reference/*.run.jsonl $(SHARE)/reference
	install -p -m 644 workers/contract/*.transcript $(SHARE)/contract
	@rm -rf $(COLLECTION)
	@mkdir -p $(COLLECTION)
	tar --create --directory fleet --exclude='./.*' --exclude=./tests --exclude=__pycache__ . | tar --extract --directory $(COLLECTION)

.PHONY: kits
kits: page
	release/kits $(SHARE)
	@rm -rf $(SHARE)/node && mkdir -p $(SHARE)/node
	install -p -m 644 report/dist/node/* $(SHARE)/node

.PHONY: bench-fidelity
bench-fidelity: build ## Compare sizeup's figures with those of established tools (half an hour)
	cargo build --locked --release --workspace --bin fidelity
	GO_LINK_FLAGS="$(GO_LINK_FLAGS)" bench/fidelity/build
	@mkdir -p runs
	SIZEUP_HOME=$(CURDIR)/$(DIST) $(RELEASE)/fidelity --json runs/fidelity-$$(date +%Y%m%d-%H%M%S).json

.PHONY: clean
clean: ## Remove all that was built, but not the runs
	cargo clean
	rm -rf $(DIST) report/dist report/test-results
