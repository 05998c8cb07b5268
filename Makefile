# The short commands. Everything behind them is CMake (CMakePresets.json) and the scripts in tools/.
#
# JOBS= compilations at a time    PREFIX=, DESTDIR= where `make install` goes    REPORT= where `make demo` writes
# FUZZ_SECONDS= of each fuzzer

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
REPORT ?= build/report
FUZZ_SECONDS ?= 20
PYTHON ?= /usr/bin/python3

.DEFAULT_GOAL := help
.PHONY: help demo test build bench asan fuzz format tidy install package packages clean

help: ## print this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18

demo: build ## build, solve the benchmark gallery, print published against computed values
	build/bin/arges benchmark --report $(REPORT)

test: build ## build and run all tests, then the unit tests under ASan and UBSan
	ctest --preset release -j $(JOBS) || { tools/show_failed_tests.py build; exit 1; }
	@$(MAKE) --no-print-directory asan

build: packages build/build.ninja ## build everything; the program is build/bin/arges
	cmake --build build -j $(JOBS)

bench: build ## compare with plain C programs; writes build/bench.json
	build/bin/arges_bench --json build/bench.json
	build/bin/arges_bench_discrete --append-json build/bench.json
	build/bin/arges_bench_quantised --append-json build/bench.json

asan: packages build-asan/build.ninja ## run the unit tests under ASan and UBSan
	cmake --build build-asan -j $(JOBS) --target unit_tests
	ctest --preset asan -j $(JOBS) || { tools/show_failed_tests.py build-asan; exit 1; }

fuzz: packages build-fuzz/build.ninja ## run each fuzzer for FUZZ_SECONDS (20); see tests/fuzz/README.md
	cmake --build --preset fuzz -j $(JOBS)
	tests/fuzz/run.sh build-fuzz $(FUZZ_SECONDS)

format: packages ## rewrite the C++ files in the house format
	$(PYTHON) tools/check_format.py --fix

tidy: build ## run clang-tidy on what changed since it last passed
	$(PYTHON) tools/run_clang_tidy.py --build build -j $(JOBS)

install: build ## install program, library, headers and docs below PREFIX (/usr/local)
	cmake --install build --prefix $(PREFIX)

package: build ## build build/arges_VERSION_ARCHITECTURE.deb
	cd build && cpack -G DEB

packages: ## install the Debian packages that are missing
	@tools/install-packages.sh

clean: ## remove all build folders
	rm -rf build build-dev build-asan build-fuzz

# Ninja configures again by itself when a CMake file changes.
build/build.ninja: | packages
	cmake --preset release

build-asan/build.ninja: | packages
	cmake --preset asan

build-fuzz/build.ninja: | packages
	cmake --preset fuzz
