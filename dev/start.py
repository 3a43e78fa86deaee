"""`make dev`: starts everything, says where it is, keeps it running, and stops it all at the end.

`python -m dev.start` stays in the foreground until Ctrl-C; `python -m dev.start --down` ends what a state folder
still runs, also after a crash of the former.
"""

import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from dev import ports as port_choice
from dev import web
from dev.console import CannotStart, give_up, say
from dev.places import make_state_dir, state_dir
from dev.processes import Ledger, end, interrupt_on_sigterm
from dev.stack import Stack

SUPERVISOR = "supervisor"
LONGEST_PAUSE = 30.0
RUNS_WELL = 60.0
"""Seconds after which what was started again counts as well."""


def main() -> None:
    state = make_state_dir(state_dir())
    if "--down" in sys.argv:
        down(state)
        return
    interrupt_on_sigterm()
    try:
        dev(state)
    except CannotStart as error:
        give_up(error)
    except KeyboardInterrupt:
        say("\nStopped. `make dev` goes on where it was left.")


def dev(state: Path) -> None:
    """Raises KeyboardInterrupt when a person or the system asks it to end, after everything has stopped."""
    begun = time.monotonic()
    ledger = Ledger(state / "processes.json")
    chosen = _ports_in_use(ledger, state)
    if chosen is not None:
        say("The portal runs already.")
        _show(_stack(state, chosen))
        return
    left = ledger.sweep()
    if left:
        say(f"• Ended what an earlier start left behind: {', '.join(sorted(left))}")
    ports = port_choice.from_settings(state)
    running = _stack(state, ports)
    _refuse_taken_ports(running)
    ledger.note(SUPERVISOR, os.getpid())
    port_choice.remember(ports, state)
    try:
        with ThreadPoolExecutor(1) as beside:
            front_end = beside.submit(web.build)
            say("• Starting PostgreSQL and Temporal …")
            running.start_servers()
            if front_end.done():
                front_end.result()
            say("• Migrating, filling, starting the portal …")
            running.start_processes(front_end.result)
        say(f"  ready after {time.monotonic() - begun:.1f} s")
        _show(running)
        keep_running(running)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        running.stop()
        ledger.forget(SUPERVISOR)


def down(state: Path) -> None:
    """Ends the foreground process if it lives, and whatever is left. Idempotent."""
    ledger = Ledger(state / "processes.json")
    alive = ledger.alive()
    if not alive:
        say("Nothing was running.")
        return
    if SUPERVISOR in alive:
        end(alive[SUPERVISOR], signal.SIGTERM, seconds=30)
    ledger.sweep()
    say("Stopped.")


def _stack(state: Path, ports: port_choice.Ports) -> Stack:
    return Stack(
        state,
        ports,
        database_url=os.environ.get("DATABASE_URL"),
        temporal_address=os.environ.get("TEMPORAL_ADDRESS"),
        observed=True,
    )


def _ports_in_use(ledger: Ledger, state: Path) -> port_choice.Ports | None:
    """The ports of a `make dev` of this state folder that lives and is ready."""
    if SUPERVISOR not in ledger.alive():
        return None
    ports = port_choice.remembered(state)
    try:
        answer = httpx.get(f"http://127.0.0.1:{ports.portal}/readyz", timeout=5, trust_env=False)
    except httpx.HTTPError:
        answer = None
    if answer is None or answer.status_code != 200:
        raise CannotStart(
            "Another `make dev` of this checkout is starting or in trouble: `make down` ends it."
        )
    return ports


def _refuse_taken_ports(running: Stack) -> None:
    needed = ["portal", "simulators", "mail", "traces", "metrics"]
    if running.cluster is not None:
        needed.append("postgres")
    if not os.environ.get("TEMPORAL_ADDRESS"):
        needed += ["temporal", "temporal_ui"]
    if running.codec_url:
        needed.append("codec")
    port_choice.refuse_taken(running.ports, needed)


class Pauses:
    """How long is waited before something is started again: twice as long each time, and from the beginning for what has
    run well for a while."""

    def __init__(self) -> None:
        self._last: dict[str, float] = {}
        self._started: dict[str, float] = {}

    def started(self, name: str, now: float) -> None:
        self._started[name] = now

    def before_start(self, name: str, now: float) -> float:
        ran_well = now - self._started.get(name, now) >= RUNS_WELL
        before = 0.5 if ran_well else self._last.get(name, 0.5)
        self._last[name] = min(before * 2, LONGEST_PAUSE)
        return self._last[name]


def keep_running(running: Stack) -> None:
    """Starts again whatever stops by itself, until interrupted."""
    pauses = Pauses()
    due: dict[str, float] = {}
    while True:
        time.sleep(0.5)
        now = time.monotonic()
        for name, process in running.processes.items():
            if process.alive:
                due.pop(name, None)
                continue
            if name not in due:
                due[name] = now + pauses.before_start(name, now)
                say(
                    f"! {name} stopped (exit {process.exit_code}); see {process.command.log}; starting it again"
                )
            elif now >= due[name]:
                del due[name]
                pauses.started(name, now)
                _start_again(running, name)


def _start_again(running: Stack, name: str) -> None:
    try:
        running.restart(name)
    except CannotStart as error:
        say(f"! {error}")


def _show(running: Stack) -> None:
    try:
        people = running.run("python -m db.seed --show").strip()
    except CannotStart as error:
        people = str(error)
    say(
        f"""
  Portal            {running.portal_url}
  Temporal's page   {running.temporal_ui_url}
  Traces            {running.traces_url}  (what came of a click, from the call to SQL and third parties)
  Metrics           http://127.0.0.1:{running.metrics_port("api")}/metrics, :{running.metrics_port("worker")} of the worker, each next port of its Temporal SDK
  Stand-ins         {running.simulators_url}  (third parties; simulators/README.md names the devices)
  Mail, SMS         {running.simulators_url}/messenger/  (whatever was sent)
  State and logs    {running.state}

{_indented(people)}

  Stop: Ctrl-C here, or `make down` elsewhere. `make status` shows processes, ports and memory.
"""
    )


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())


if __name__ == "__main__":
    main()
