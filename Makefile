# Everything a person types here. `make help` lists it.

# The first Python that is new enough; it only prepares .venv, which everything else uses.
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11 python3.14; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
export PATH := $(CURDIR)/.venv/bin:$(PATH)
export PYTHONPATH := $(CURDIR)
RUN := .venv/bin/python -m

.DEFAULT_GOAL := help
.PHONY: help dev down cluster cluster-down cluster-tools status doctor test test-all check seed charts backup restore bench chaos faults load soak conformance fuzz screens openapi api-client \
	record-history tools test-tools packages python-tools python

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dev: tools ## Start everything in the foreground; Ctrl-C stops it
	@exec $(RUN) dev.start

cluster: cluster-tools ## The same as on many machines: Temporal's own server, three workers, two APIs behind a proxy
	@exec $(RUN) dev.cluster.start

cluster-down: python-tools ## Stop what `make cluster` started, also after a crash
	@$(RUN) dev.cluster.start --down

down: python-tools ## Stop what `make dev` started, also after a crash
	@$(RUN) dev.start --down

status: python-tools ## Processes, ports, memory of each, task queue backlog, last backup
	@$(RUN) dev.status

doctor: python-tools ## Ask every outside system, the database and Temporal whether address and key work
	@$(RUN) dev.with_stack python -m workers.operations.doctor

test: test-tools ## Everything that proves the portal works, with the time of each part
	@$(RUN) dev.testing

test-all: test-tools cluster-tools ## That and the rest: every journey, at both widths where they differ and in French, every path, the whole fuzz run, long faults
	@WHOLE=1 $(RUN) dev.testing

check: packages ## Lint, types, import rules and the fast tests; a hundred seconds on two cores
	@$(RUN) dev.testing check

seed: python-tools ## Add demo data that is missing; SCALE=10000 for so many products
	@$(RUN) dev.with_stack python -m db.seed --force $(if $(SCALE),--products $(SCALE))

backup: python-tools ## Both stores into a folder of .state/backups (BACKUPS), while everything runs
	@$(RUN) dev.backups make

restore: python-tools ## FROM=<backup> [POINT=2026-11-26T03:00:00Z with WAL_ARCHIVE]: both stores back, after `make down` or `make cluster-down`
	@$(RUN) dev.backups restore "$(FROM)" "$(POINT)"

bench: test-tools ## Every figure beside its goal, in bench/results/latest.jsonl, on a machine that does nothing else; two hours or so, and Go the first time
	-@$(RUN) dev.set_up --cluster
	@$(RUN) bench.run

chaos: test-tools ## Some 22 minutes for each seed on two quiet cores: 200 activations and orders, 100 purchases and payments of invoices, 50 firmware runs, 100 kills and 88 other strikes; for SEEDS=3 of them
	@$(RUN) tests.faults.chaos --seeds $(or $(SEEDS),3)

faults: test-tools ## The same work while processes are paused, lines cut, clocks wrong, disks full; FAULT=disk for one of them
	@$(RUN) tests.faults.surroundings $(FAULT)

load: test-tools ## 300 people, 20 orders a minute, 200 live activations, then 1,000 begun in a minute; TIMES=5, SCALE=100000 products, PARTNERS=20000, ORDERS=1000000 of years ago
	@$(RUN) tests.faults.crowd --times $(or $(TIMES),1) --products $(or $(SCALE),0) --partners $(or $(PARTNERS),0) --past-orders $(or $(ORDERS),0)

soak: test-tools ## Steady work for MINUTES=120: memory and connections of API and worker before and after
	@$(RUN) tests.faults.soak --minutes $(or $(MINUTES),120)

conformance: tools ## Every path of every flow, in the chart and in the workflow
	@WHOLE=1 $(RUN) pytest tests/conformance

fuzz: tools ## Schemathesis against the whole API as every kind of person; some 20 minutes
	@$(RUN) dev.fuzz

screens: test-tools ## A screenshot of every route at both widths and a picture of every paper, in web/.screens
	@$(RUN) tests.orders.paper.pictures web/.screens/papers
	@$(RUN) dev.journeys screens

openapi: python-tools ## Print the OpenAPI document; nothing needs to run
	@$(RUN) api.openapi

api-client: packages ## Generate the types of the API for the front end
	@$(RUN) dev.generated

charts: python-tools ## Generate the charts of the flows for the front end
	@$(RUN) domain.charts

record-history: tools ## Record the histories that replay tests read
	@$(RUN) tests.replay.record

tools: packages ## Find, fetch or build everything that `make dev` needs
	@$(RUN) dev.set_up

test-tools: packages ## ... and a browser for the tests
	@$(RUN) dev.set_up --tests

cluster-tools: packages ## ... and Temporal's own server, built with Go, for `make cluster`
	@$(RUN) dev.set_up --cluster

packages: python
	@$(PYTHON) -m dev.tools

python-tools: python
	@$(PYTHON) -m dev.tools --python

python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: install it (Debian, Ubuntu: apt install python3 python3-venv)." >&2; exit 1; }
