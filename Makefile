# What one does here, by name. `make` builds the program; `make help` lists the rest.
.DEFAULT_GOAL := build
.PHONY: build test bench fmt lint pages ci help

build: ## the program, target/release/rebus
	cargo build --release

test: ## every test
	cargo test

bench: ## the measurements in benches/
	cargo bench

fmt: ## the sources in their form
	cargo fmt

lint: ## form and warnings, as the tests of a change want them
	cargo fmt --check
	cargo clippy --all-targets -- -D warnings

pages: ## generated pages and the output shown in README.md and grammar/ anew
	REBUS_BLESS=1 cargo test --test docs

ci: ## what is run for every change
	.ci/run

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14
