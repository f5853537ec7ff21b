# What one does here, by name. `make` builds the program; `make help` lists the rest.
.DEFAULT_GOAL := build
.PHONY: build web wheels test bench fmt lint pages ci man completions install uninstall deb static traced licences help

target := $(or $(CARGO_TARGET_DIR),target)

# Where `install` puts things: below DESTDIR, for those who make packages.
PREFIX = /usr/local
DESTDIR =
BASHDIR = $(PREFIX)/share/bash-completion/completions
ZSHDIR = $(PREFIX)/share/zsh/site-functions
FISHDIR = $(PREFIX)/share/fish/vendor_completions.d

# Where it takes them from.
BUILT = $(target)/release
MAN = $(target)/man
COMPLETIONS = $(target)/completions

static_target = $(shell uname -m)-unknown-linux-musl

build: ## the program, its manual pages and completions
	cargo build --release
	$(MAKE) man completions

$(BUILT)/rebus:
	cargo build --release

web: ## the page in a browser, target/web (needs node and npm)
	cd web && npm ci --no-audit --no-fund && npm run check && npm run build

wheels: ## the package for Python, target/wheels (needs maturin)
	maturin build --release --manifest-path python/Cargo.toml --out $(target)/wheels

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

man: $(MAN)/rebus.1 ## manual pages, target/man
$(MAN)/rebus.1: $(BUILT)/rebus packaging/rebus-check-cuts.1
	mkdir -p $(MAN)
	rm -f $(MAN)/rebus.1 $(MAN)/rebus-*.1
	cp packaging/rebus-check-cuts.1 $(MAN)
	$(BUILT)/rebus man $(MAN)

completions: $(COMPLETIONS)/rebus ## completions of bash, zsh and fish, target/completions
$(COMPLETIONS)/rebus: $(BUILT)/rebus
	mkdir -p $(COMPLETIONS)
	$(BUILT)/rebus completions zsh > $(COMPLETIONS)/_rebus
	$(BUILT)/rebus completions fish > $(COMPLETIONS)/rebus.fish
	$(BUILT)/rebus completions bash > $(COMPLETIONS)/rebus

install: man completions ## everything below PREFIX (/usr/local), which DESTDIR stands before
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1" "$(DESTDIR)$(PREFIX)/share/doc/rebus"
	install -d "$(DESTDIR)$(BASHDIR)" "$(DESTDIR)$(ZSHDIR)" "$(DESTDIR)$(FISHDIR)"
	install -m 755 $(BUILT)/rebus $(BUILT)/rebus-check-cuts "$(DESTDIR)$(PREFIX)/bin"
	install -m 644 $(MAN)/*.1 "$(DESTDIR)$(PREFIX)/share/man/man1"
	install -m 644 $(COMPLETIONS)/rebus "$(DESTDIR)$(BASHDIR)"
	install -m 644 $(COMPLETIONS)/_rebus "$(DESTDIR)$(ZSHDIR)"
	install -m 644 $(COMPLETIONS)/rebus.fish "$(DESTDIR)$(FISHDIR)"
	install -m 644 LICENSE THIRD-PARTY.md "$(DESTDIR)$(PREFIX)/share/doc/rebus"

uninstall: man ## what `make install` has put there
	rm -f "$(DESTDIR)$(PREFIX)/bin/rebus" "$(DESTDIR)$(PREFIX)/bin/rebus-check-cuts"
	for page in $(MAN)/*.1; do rm -f "$(DESTDIR)$(PREFIX)/share/man/man1/$${page##*/}"; done
	rm -f "$(DESTDIR)$(BASHDIR)/rebus" "$(DESTDIR)$(ZSHDIR)/_rebus" "$(DESTDIR)$(FISHDIR)/rebus.fish"
	rm -rf "$(DESTDIR)$(PREFIX)/share/doc/rebus"

deb: man completions ## a Debian package, target/debian (needs `cargo install cargo-deb`)
	cargo deb

static: ## a program that needs no library of the system, with the engine in Rust (needs the target of rustup)
	cargo build --release --target $(static_target) --no-default-features --features cli,batsat

traced: ## the program with rebus.debug beside it, for backtraces with lines; target/traced/apart
	cargo build --profile traced
	rm -rf $(target)/traced/apart
	mkdir -p $(target)/traced/apart
	cd $(target)/traced && for program in rebus rebus-check-cuts; do \
		objcopy --only-keep-debug --compress-debug-sections=zlib $$program apart/$$program.debug && \
		objcopy --strip-debug --add-gnu-debuglink=apart/$$program.debug $$program apart/$$program || exit; \
	done

licences: ## THIRD-PARTY.md anew (needs `cargo install cargo-about --features cli`)
	cargo fetch --locked
	cargo about generate --offline --all-features -c packaging/about.toml packaging/about.hbs -o THIRD-PARTY.md

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20
