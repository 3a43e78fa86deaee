"""`make cluster`: starts it, says where it is, keeps it running, and stops it all at the end.

`python -m dev.cluster.start` stays in the foreground until Ctrl-C, or until whoever started it is gone; `--down` ends what
its state folder still runs, also after a crash. Its state lies beside that of `make dev`, in `cluster`.
"""

import os
import signal
import sys
import time
from pathlib import Path

from dev import ports as port_choice
from dev import web
from dev.cluster.stack import APIS, ClusterStack
from dev.console import CannotStart, give_up, say
from dev.places import cluster_dir, make_state_dir, state_dir
from dev.processes import Ledger, end_with_our_parent, interrupt_on_sigterm
from dev.stack import opens_payloads
from dev.start import SUPERVISOR, down, keep_running

NEEDED = (
    "portal",
    "simulators",
    "mail",
    "traces",
    "metrics",
    "postgres",
    "temporal",
    "temporal_ui",
    "codec",
)
"""The last one where payloads are sealed."""


def main() -> None:
    state = make_state_dir(cluster_dir(make_state_dir(state_dir())))
    if "--down" in sys.argv:
        down(state)
        return
    interrupt_on_sigterm()
    end_with_our_parent()
    try:
        run(state)
    except CannotStart as error:
        give_up(error)
    except KeyboardInterrupt:
        say("\nStopped. `make cluster` goes on where it was left.")


def run(state: Path) -> None:
    """Raises KeyboardInterrupt when a person or the system asks it to end, after everything has stopped."""
    begun = time.monotonic()
    ledger = Ledger(state / "processes.json")
    if SUPERVISOR in ledger.alive():
        raise CannotStart("The cluster runs already: `make cluster-down` ends it.")
    left = ledger.sweep()
    if left:
        say(f"• Ended what an earlier start left behind: {', '.join(sorted(left))}")
    ports = port_choice.from_settings(state)
    is_sealed = opens_payloads(os.environ)
    port_choice.refuse_taken(ports, list(NEEDED if is_sealed else NEEDED[:-1]))
    running = ClusterStack(state, ports, observed=True)
    ledger.note(SUPERVISOR, os.getpid())
    port_choice.remember(ports, state)
    try:
        web.build()
        say("• Starting PostgreSQL, and Temporal's server on it …")
        running.start_servers()
        say("• Migrating, filling, starting workers, APIs and the proxy …")
        running.start_processes()
        say(f"  ready after {time.monotonic() - begun:.1f} s")
        _show(running)
        keep_running(running)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        running.stop()
        ledger.forget(SUPERVISOR)


def _show(running: ClusterStack) -> None:
    people = running.run("python -m db.seed --show").strip()
    numbers = ", ".join(f"{name} {pid}" for name, pid in running.pids().items())
    apis = ", ".join(f"{name} http://127.0.0.1:{running.port_of(name)}" for name in APIS)
    say(
        f"""
  Portal            {running.portal_url}  (the proxy; behind it {apis})
  Temporal's page   {running.temporal_ui_url}  (its server at {running.temporal_address})
  Traces            {running.traces_url}
  Stand-ins         {running.simulators_url}  (third parties; simulators/README.md names the devices)
  Mail, SMS         {running.simulators_url}/messenger/  (whatever was sent)
  State and logs    {running.state}

{people}

  Kill what you like, it is started again: {numbers}
  Stop: Ctrl-C here, or `make cluster-down` elsewhere.
"""
    )


if __name__ == "__main__":
    main()
