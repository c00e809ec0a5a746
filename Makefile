# SPDX-License-Identifier: MIT
#
#   make run    set up everything and open the app on a sample store
#   make test   set up everything and run every test
#
# Both install what is missing. `make help` names the rest.

.DEFAULT_GOAL := help
.PHONY: help run test lint types contracts words unit gui window faults disk recipes forget-table \
        forget-bench peers package perf \
        bench soak shuffle map pictures baselines fonts requirements wheel clean

PYTHON := .venv/bin/python
SET_UP := packaging/setup

help:
	@sed -n 's/^#: //p' Makefile

#: make run           open the app on a sample store (without a display: a tour with pictures)
run:
	@$(SET_UP) run
	@packaging/start

#: make test          every test, in parts, each timed
test:
	@packaging/suite

#: make unit gui window peers package perf      one part of the tests
unit gui window peers package perf:
	@packaging/suite setup $@

#: make faults        the long form: an erase stopped at every statement, message and writing call,
#:                    at each write that a disk refuses; 400 stopped changes of keys (under an hour);
#:                    FAULTS=N says at how many places of each kind
faults:
	@MEMORY_GUI_FAULTS=$${FAULTS:-400} MEMORY_GUI_KEY_KILLS=400 \
		MEMORY_GUI_PYTEST="--dist load --timeout 3600 $(MEMORY_GUI_PYTEST)" packaging/suite setup faults

#: make disk          the long form: what an erase leaves on raw disks, cell by cell (two hours);
#:                    CELLS="GLOB …" chooses, INJECT=N says how often each is killed
disk:
	@$(SET_UP) test
	@packaging/disk

#: make recipes        measure what four ways of deleting leave on a disk, for the README's table
recipes:
	@$(SET_UP) test
	@$(PYTHON) tests/proof/recipes.py --write

#: make forget-table  measure what each agent’s own deletion leaves of a person, for the README’s table
forget-table:
	@$(SET_UP) test
	@$(PYTHON) tests/proof/own_deletion.py --write

#: make forget-bench  forget one person in 100 stores with 1,000,000 records: time and memory (also
#:                    in build/forget.json); STORES=n, RECORDS=n: of another size
forget-bench:
	@$(SET_UP) test
	@$(PYTHON) tests/proof/forget_bench.py --stores $${STORES:-100} --records $${RECORDS:-1000000}

#: make bench         the figures, also in build/bench.json (5 minutes); RECORDS=n: of a store of
#:                    that size (1000000: 20 minutes); WRITE=1: into the README’s table and
#:                    picture (on an idle machine); ends 1 when a line of the table does not hold
bench: export MEMORY_GUI_RECORDS := $(or $(RECORDS),100000)
bench:
	@rm -f build/bench.json build/growth.json
	@MEMORY_GUI_KEPT=$$(mktemp -d) && export MEMORY_GUI_KEPT && \
		trap 'rm -rf "$$MEMORY_GUI_KEPT"' EXIT && trap 'exit 130' INT TERM && packaging/suite setup perf; status=$$?; \
		$(PYTHON) tests/perf/growth.py $$MEMORY_GUI_RECORDS || status=1; \
		$(PYTHON) tests/perf/table.py $(if $(WRITE),--write) || status=1; exit $$status

#: make soak          the long forms of the tests (up to an hour)
soak:
	@packaging/suite setup soak

#: make shuffle       the tests of the window, where answers come in an order of chance, as on a busy
#:                    machine; SEED=n repeats one
shuffle: export MEMORY_GUI_SHUFFLE := $(or $(SEED),$(shell date +%s))
shuffle:
	@echo "SEED=$$MEMORY_GUI_SHUFFLE"
	@packaging/suite setup gui

#: make lint          style, types, layers, texts, shell scripts, desktop files
lint:
	@$(SET_UP) lint
	@packaging/suite lint

#: make types         mypy alone
types:
	@$(SET_UP) lint
	@.venv/bin/mypy

#: make contracts     the layers alone
contracts:
	@$(SET_UP) test
	@.venv/bin/lint-imports

#: make words         which texts lack Chinese, which are unused, which errors lack words
words:
	@$(SET_UP) test
	@$(PYTHON) packaging/words.py

#: make map           draw the map of ARCHITECTURE.md again
map:
	@$(SET_UP) test
	@$(PYTHON) packaging/map.py

#: make pictures      draw the pictures of the README again (all of them: build/pictures)
README_PICTURES := memories-light-en review-dark-zh erase-result-light-en
pictures:
	@$(SET_UP) run
	@mkdir -p build/pictures packaging/pictures
	@QT_QPA_PLATFORM=offscreen .venv/bin/memory-cli tour --pictures build/pictures
	@cp $(README_PICTURES:%=build/pictures/%.png) packaging/pictures/
	@chmod 644 packaging/pictures/*.png

#: make baselines     keep how every screen looks now, for the tests to compare with: look at them
baselines:
	@$(SET_UP) test
	@UPDATE_BASELINES=1 QT_QPA_PLATFORM=offscreen $(PYTHON) -m pytest -q \
		tests/gui/test_picture_baselines.py

#: make fonts         cut resources/fonts again (needs Debian's fonts-inter and fonts-noto-cjk)
fonts:
	@$(SET_UP) test
	@$(PYTHON) packaging/fonts.py

#: make requirements  pin again what pyproject.toml asks for (needs uv)
requirements:
	@packaging/requirements/compile

#: make wheel         build wheel and sdist into dist/
wheel:
	@$(SET_UP) run
	@$(PYTHON) -m hatchling build

#: make clean         remove what was made here, the virtual environment too
clean:
	@rm -rf .venv .setup build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
