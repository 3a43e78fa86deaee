"""Lets a browser journey kill and restart the processes of its stack, over HTTP on the loopback address.

`GET /` answers name to process number; `POST /kill/<name>` is a kill -9; `POST /restart/<name>` starts it again.
"""

import json
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

from dev.console import CannotStart
from dev.stack import Stack


@contextmanager
def control(running: Stack) -> Generator[str]:
    """The address of the control, for as long as the context lasts."""
    lock = Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(200, running.pids())

        def do_POST(self) -> None:
            action, _, name = self.path.strip("/").partition("/")
            if action not in ("kill", "restart") or name not in running.processes:
                self._answer(404, {"detail": "kill or restart, and one of the processes"})
                return
            try:
                with lock:
                    (running.kill if action == "kill" else running.restart)(name)
            except CannotStart as error:
                self._answer(500, {"detail": str(error)})
            else:
                self._answer(200, running.pids())

        def log_message(self, format: str, *args: object) -> None:
            """The journeys tell what they do."""

        def _answer(self, status: int, body: object) -> None:
            text = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
