# `make help` lists the targets.
# BUILD may point outside the clone, so that several clones share their builds.
BUILD ?= .build
RELEASE_BUILD ?= $(BUILD)-release
HOOK_BUILD ?= $(abspath $(BUILD))-hook
PREFIX ?= /usr/local

SWIFT_BUILD = swift build --scratch-path "$(BUILD)"
SWIFT_TEST = scripts/run-tests swift test --disable-xctest --scratch-path "$(BUILD)"
SWIFT_OPTIMISED = swift build -c release --static-swift-stdlib $(SAME_BYTES) $(LINKING)
SWIFT_RELEASE = $(SWIFT_OPTIMISED) --scratch-path "$(RELEASE_BUILD)" $(PROFILED)

# With counts of a run the compiler knows what is hot: a run takes a tenth less time of the processor.
PROFILED = $(eval PROFILED := $(call profiled,$(shell scripts/profile use "$(RELEASE_BUILD)-profile")))$(PROFILED)
profiled = $(if $(1),-Xswiftc -Xfrontend -Xswiftc "-ir-profile-use=$(1)")
# A release that counts.
SWIFT_INSTRUMENTED = $(SWIFT_OPTIMISED) --scratch-path "$(RELEASE_BUILD)-instrumented" \
	-Xswiftc -Xfrontend -Xswiftc -ir-profile-generate -Xlinker -u -Xlinker __llvm_profile_runtime \
	-Xlinker "$(shell scripts/profile runtime)"

# The same commit gives the same bytes in every folder: in the binary, folders are relative. What
# describes a compilation rather than the program is left out, because it names folders or is a hash
# of them: information for debuggers, and hashes by which the compiler would know its last result.
relative = -Xcc -ffile-prefix-map=$(1)=$(2) -Xswiftc -file-prefix-map -Xswiftc $(1)=$(2)
SAME_BYTES = $(call relative,$(CURDIR),.) $(call relative,$(abspath $(RELEASE_BUILD)),./.build-release) \
	-debug-info-format none -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen

BENCH_BUILD = swift build -c release --package-path Benchmarks --scratch-path "$(BUILD)-bench"

# The released command needs no library but glibc, loads none from its own folder, has read-only
# address tables and exports no functions but the allocator's; scripts/check-binary checks that.
# LLVM's linker leaves out what nothing uses before it looks for symbols; with others the command
# would need a newer glibc. For the same reason a few functions come from scripts/older-glibc.c.
# The allocator is jemalloc: with it a run takes a sixth less time of the processor.
#
# Each function is a section of its own, so that the linker leaves out single ones and merges equal
# ones. No C++ exception passes through the C libraries, so they need no tables to unwind the stack.
ifeq ($(shell uname),Linux)
STATIC = $(abspath $(RELEASE_BUILD))-static
STATIC_LIBRARIES = --pkg-config-path "$(STATIC)" -Xlinker "-L$(STATIC)"
LINKING = -Xswiftc -use-ld=lld $(STATIC_LIBRARIES) -Xlinker "$(STATIC)/older-glibc.o" \
	-Xlinker "$(STATIC)/allocator.o" --disable-local-rpath $(SMALL) \
	-Xlinker -z -Xlinker now -Xlinker -z -Xlinker relro -Xlinker --no-export-dynamic
SMALL = -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections \
	-Xcc -fno-unwind-tables -Xcc -fno-asynchronous-unwind-tables -Xcxx -fno-exceptions \
	-Xlinker --icf=all
endif

# The number of runs of `make simulate`, and how often they have to reach each rare state.
WORLDS ?= 20000
EACH ?= 100

# Both releases are linked into one place, one after the other.
.NOTPARALLEL:

.PHONY: help dependencies build build-tests demo test docs man site try-reports try-loading try-report-page try-schema try-hooks try-https try-sdks try-otlp try-bench try-page \
	try-completions try-man try-progress try-cron lint format record release install bench profile simulate sabotage clean static-libraries release-debian dist try-dist try-same-bytes \
	try-python-hook try-swift-hook try-action try-plans try-kills try-windows try-reading try-rows-memory try-airflow try-airflow-quick try-recipes try-storage-faults try-damage try-sandbox-memory scan-secrets

help: ## lists these targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

dependencies: ## installs the system libraries that are missing
	@scripts/dependencies

build: dependencies ## builds everything, for development
	$(SWIFT_BUILD)

build-tests: dependencies ## builds everything and all tests, for development
	$(SWIFT_BUILD) --build-tests

demo: dependencies ## builds the command and runs the main job on the sandbox
	$(SWIFT_BUILD) --product graphflow
	@echo
	@echo 'graphflow run workflows/post-and-verify.yaml --sandbox --input message="Hello"'
	@"$$($(SWIFT_BUILD) --show-bin-path)/graphflow" run workflows/post-and-verify.yaml \
		--sandbox --input message="Hello"

test: dependencies ## builds and runs all tests
	scripts/with-postgres $(SWIFT_TEST)

docs: dependencies ## builds the documentation of the libraries, as DocC archives
	$(SWIFT_BUILD)
	BUILD="$(BUILD)" scripts/docs "$(BUILD)-docs"

site: ## builds the documentation as a site below BUILD-site, with mkdocs-material from PyPI
	mkdocs="$$(scripts/python-tool mkdocs-material)" && PYTHONDONTWRITEBYTECODE=1 \
		SOURCE_DATE_EPOCH="$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)}" "$$mkdocs" build \
		--strict --config-file packaging/site/mkdocs.yml --site-dir "$(abspath $(BUILD))-site"

try-schema: ## tests the workflow schema with check-jsonschema from PyPI
	scripts/try-schema

try-hooks: dependencies ## tests the hook that uses an installed graphflow, with pre-commit from PyPI
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" scripts/try-pre-commit system

try-swift-hook: dependencies ## tests the hook that builds graphflow, with pre-commit from PyPI; ten minutes
	GRAPHFLOW_HOOK_BUILD="$(HOOK_BUILD)" scripts/try-pre-commit swift

try-python-hook: dist ## tests the hook that installs the wheel, with pre-commit from PyPI
	scripts/try-pre-commit python

try-action: dist ## runs the steps of the GitHub Action in a bare Debian; needs root and debootstrap
	scripts/try-action

try-sdks: dependencies ## tests the sandbox with facebook_business, facebook-sdk and aiohttp from PyPI
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" scripts/try-sdks

try-https: dependencies ## tests sandbox --tls with the HTTPS clients of six languages
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" scripts/try-https

try-page: dependencies ## tests the sandbox's page in Debian's chromium
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" scripts/try-page

try-completions: dependencies ## tests the completions in bash, zsh and fish
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" scripts/try-completions

man: dependencies ## writes the manual pages for the command below BUILD-man
	$(SWIFT_BUILD) --product graphflow
	rm -rf "$(BUILD)-man"
	python3 packaging/man.py "$$($(SWIFT_BUILD) --show-bin-path)/graphflow" "$(BUILD)-man"

try-man: man ## checks the manual pages with mandoc and against help and documentation
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" scripts/try-man "$(BUILD)-man"

try-otlp: dependencies ## decodes the traces of runs with opentelemetry-proto from PyPI
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" scripts/try-otlp

try-progress: dependencies ## watches a run of 3,000 rows in tmux at 80 and 120 columns; five minutes
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" scripts/try-progress

try-reports: dependencies ## reads reports in every format with libraries from PyPI
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" scripts/try-reports

try-loading: dependencies ## loads files of rows into DuckDB from PyPI and into PostgreSQL
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" \
		scripts/with-postgres scripts/try-loading

try-report-page: dependencies ## tests the page of a report in Debian's chromium, with axe-core from PyPI
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" scripts/try-report-page

try-sandbox-memory: release ## sends a sandbox 400,000 requests over HTTP: its memory must not grow
	GRAPHFLOW_BINARY="$$($(SWIFT_RELEASE) --show-bin-path)/graphflow" scripts/try-sandbox-memory

try-cron: dependencies ## tests unattended runs with Debian's cron; needs root and some minutes
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" scripts/try-cron

try-plans: release ## compares 600 plans with what CP-SAT proves; up to an hour
	python="$$(scripts/python-tool ortools)" && \
		GRAPHFLOW_BINARY="$$($(SWIFT_RELEASE) --show-bin-path)/graphflow" "$$python" scripts/try-plans

try-kills: dependencies ## kills the command at 500 points of a run and resumes it; ten minutes
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" scripts/try-kills

try-windows: dependencies ## kills a run that reads windows at 200 points and starts it again; five minutes
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" scripts/try-windows

try-reading: dependencies ## reads reports of 20 ad accounts from a sandbox that fails; five minutes
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" scripts/try-reading

try-rows-memory: release ## reads 10,000,000 rows into files: memory must not grow; half an hour
	GRAPHFLOW_BINARY="$$($(SWIFT_RELEASE) --show-bin-path)/graphflow" scripts/try-rows-memory

try-postgres: dependencies ## tests two hosts that share a database, while both fail; needs root; twenty minutes
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" \
		scripts/with-postgres scripts/try-postgres $(TRY_POSTGRES)

try-airflow: dependencies ## runs 200,000 rows in Airflow while its services fail; needs root, redis-server
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" \
		scripts/with-postgres scripts/try-airflow $(TRY_AIRFLOW)

try-airflow-quick: dependencies ## tests the DAG file and the operators with Airflow from PyPI, without services
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" scripts/try-airflow --quick

try-recipes: dependencies ## checks the files for Kubernetes and systemd, and runs their commands
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" \
		scripts/with-postgres scripts/try-recipes

try-storage-faults: dependencies ## makes every system call of a run that stores or sends fail once
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" scripts/try-storage-faults

try-damage: dependencies ## damages the files of a killed run in 700 ways and starts it again; twenty minutes
	$(SWIFT_BUILD) --product graphflow
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" scripts/try-damage

scan-secrets: dependencies ## runs all tests, then searches everything that the command wrote for tokens
	KEPT="$$(mktemp -d)" && trap 'rm -rf "$$KEPT"' EXIT && \
		GRAPHFLOW_KEEP_WRITTEN="$$KEPT" scripts/with-postgres $(SWIFT_TEST) && scripts/scan-secrets "$$KEPT"

lint: ## checks format and style
	swift format lint --strict --recursive --parallel Sources Tests Benchmarks Package.swift

format: ## formats the sources
	swift format --in-place --recursive --parallel Sources Tests Benchmarks Package.swift

record: dependencies ## rewrites golden files; tests with a changed file still fail, so check the diff
	GRAPHFLOW_RECORD=1 $(SWIFT_TEST)

# What LINKING names.
static-libraries: dependencies
	-scripts/dependencies jemalloc
	scripts/static-libraries "$(STATIC)"

release: static-libraries ## builds the release: optimised, with Swift's libraries linked in, stripped
	$(SWIFT_RELEASE) --product graphflow
	strip "$$($(SWIFT_RELEASE) --show-bin-path)/graphflow"
	scripts/check-binary "$$($(SWIFT_RELEASE) --show-bin-path)/graphflow"
	@scripts/versions check "$(RELEASE_BUILD)/checkouts" || echo "make dist refuses these packages"
	@echo "built $$($(SWIFT_RELEASE) --show-bin-path)/graphflow"

# The same objects, linked with the shared libraries of this system: for its package.
release-debian: STATIC_LIBRARIES =
release-debian: static-libraries
	$(SWIFT_RELEASE) --product graphflow
	strip -o "$(RELEASE_BUILD)/graphflow-debian" "$$($(SWIFT_RELEASE) --show-bin-path)/graphflow"

dist: release-debian release ## packs the release into dist: tarball, wheel, .deb, image; KEY=FILE signs, HOMEPAGE=URL
	scripts/versions check "$(RELEASE_BUILD)/checkouts"
	scripts/dist "$$($(SWIFT_RELEASE) --show-bin-path)/graphflow" "$(RELEASE_BUILD)/checkouts" \
		--debian "$(RELEASE_BUILD)/graphflow-debian" \
		$(if $(KEY),--key "$(KEY)") $(if $(HOMEPAGE),--home "$(HOMEPAGE)")

try-dist: dist ## installs what dist holds, as users do: in a venv and, as root, in a bare Debian
	scripts/try-dist

try-same-bytes: dist ## builds the last commit again elsewhere: the same bytes; a quarter of an hour
	scripts/try-same-bytes dist "$(RELEASE_BUILD)"

install: release ## installs the command, its completions and its manual pages below PREFIX
	install -d "$(PREFIX)/bin"
	install "$$($(SWIFT_RELEASE) --show-bin-path)/graphflow" "$(PREFIX)/bin/graphflow"
	for place in bash:bash-completion/completions/graphflow zsh:zsh/site-functions/_graphflow \
		fish:fish/vendor_completions.d/graphflow.fish; do \
		file="$(PREFIX)/share/$${place#*:}"; install -d "$$(dirname "$$file")" && \
		"$(PREFIX)/bin/graphflow" completions "$${place%%:*}" > "$$file" || exit; done
	if command -v python3 > /dev/null; then \
		SOURCE_DATE_EPOCH="$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2> /dev/null || \
			date -r CHANGELOG.md +%s)}" \
			python3 packaging/man.py "$(PREFIX)/bin/graphflow" "$(PREFIX)"; \
		else echo "SKIPPED: the manual pages, because python3 is missing"; fi

bench: release ## measures speed and memory of the release, compared with alternatives
	$(BENCH_BUILD)
	GRAPHFLOW_BINARY="$$($(SWIFT_RELEASE) --show-bin-path)/graphflow" \
		RESPONDER="$$($(BENCH_BUILD) --show-bin-path)/responder" Benchmarks/run
	GRAPHFLOW_BINARY="$$($(SWIFT_RELEASE) --show-bin-path)/graphflow" scripts/bench-sandbox

profile: static-libraries ## records what is hot in the benchmark, for the next releases (Linux); half an hour
	$(BENCH_BUILD)
	$(SWIFT_INSTRUMENTED) --product graphflow
	scripts/profile record "$$($(SWIFT_INSTRUMENTED) --show-bin-path)/graphflow" \
		"$$($(BENCH_BUILD) --show-bin-path)/responder"

try-bench: dependencies ## checks that the benchmark works; its figures are meaningless
	$(SWIFT_BUILD) --product graphflow
	$(BENCH_BUILD)
	GRAPHFLOW_BINARY="$$($(SWIFT_BUILD) --show-bin-path)/graphflow" \
		RESPONDER="$$($(BENCH_BUILD) --show-bin-path)/responder" \
		Benchmarks/run --rounds 1 --seeds 1 --reads 1000 --slow-reads 800 --rows 1000

simulate: static-libraries ## simulates WORLDS runs, optimised; GRAPHFLOW_SEED=N repeats one
	$(SWIFT_RELEASE) --product simulate
	"$$($(SWIFT_RELEASE) --show-bin-path)/simulate" \
		$${GRAPHFLOW_SEED:-0 $(WORLDS) $(EACH) $$(getconf _NPROCESSORS_ONLN)}

sabotage: dependencies ## inserts known bugs into a copy, one at a time: each must make a test fail
	BUILD="$(BUILD)" scripts/with-postgres scripts/sabotage

clean: ## removes the builds
	rm -rf "$(BUILD)" "$(RELEASE_BUILD)" "$(RELEASE_BUILD)-static" "$(RELEASE_BUILD)-profile" "$(RELEASE_BUILD)-instrumented" "$(HOOK_BUILD)" "$(BUILD)-docs" "$(BUILD)-man" "$(BUILD)-site"
