"""The last spans, in one SQLite file: what came first is forgotten first."""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import KeyValue

MOST_SPANS = 200_000
"""Some 100 MB; a click makes 20 to 200."""

_FAILED = 2

_SCHEMA = """
create table if not exists span (
    seq integer primary key autoincrement,
    trace text not null,
    id text not null,
    parent text not null,
    name text not null,
    process text not null,
    begun integer not null,
    ended integer not null,
    failed integer not null,
    said text not null,
    request_id text,
    workflow text,
    run text
);
create unique index if not exists span_id on span (trace, id);
create index if not exists span_request on span (request_id);
create index if not exists span_workflow on span (workflow);
create index if not exists span_run on span (run);
create index if not exists span_parent on span (parent, seq);
"""


@dataclass(frozen=True)
class Span:
    """`begun` and `ended` are Unix time in nanoseconds; `parent` is empty for one that nothing is above."""

    trace: str
    id: str
    parent: str
    name: str
    process: str
    begun: int
    ended: int
    failed: bool
    said: dict[str, str]

    @property
    def milliseconds(self) -> float:
        return (self.ended - self.begun) / 1e6


@dataclass(frozen=True)
class Trace:
    """One of the list: what it began with, and what it had in all."""

    id: str
    name: str
    begun: int
    ended: int
    spans: int
    failed: int
    request_id: str | None

    @property
    def milliseconds(self) -> float:
        return (self.ended - self.begun) / 1e6


class Spans:
    def __init__(self, path: Path, *, most: int = MOST_SPANS) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._db.row_factory = sqlite3.Row
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = off")
        self._db.executescript(_SCHEMA)
        self._most = most

    def close(self) -> None:
        self._db.close()

    def take(self, body: bytes) -> int:
        """Keeps what one export brought, and says how many spans that were. Idempotent. Raises DecodeError."""
        rows = list(_rows(ExportTraceServiceRequest.FromString(body)))
        self._db.execute("begin immediate")
        self._db.executemany(
            "insert or ignore into span (trace, id, parent, name, process, begun, ended, failed, said,"
            " request_id, workflow, run) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
        self._db.execute(
            "delete from span where seq <= (select max(seq) from span) - ?", (self._most,)
        )
        self._db.execute("commit")
        return len(rows)

    def latest(self, limit: int = 50) -> Sequence[Trace]:
        """The traces that got something last, newest first."""
        return self._traces(
            "select trace, max(seq) as last from span group by trace order by last desc limit ?",
            (limit,),
        )

    def of(self, names: Iterable[str], limit: int = 50) -> Sequence[Trace]:
        """Those in which one of these is named: a request, a trace, a run or a workflow. Newest first."""
        wanted = list(names)
        marks = ",".join("?" * len(wanted))
        return self._traces(
            "select trace, max(seq) as last from span"
            f" where request_id in ({marks}) or trace in ({marks}) or workflow in ({marks})"
            f" or run in ({marks}) group by trace order by last desc limit ?",
            (*wanted * 4, limit),
        )

    def trace(self, trace: str) -> Sequence[Span]:
        """All of one, oldest first."""
        rows = self._db.execute("select * from span where trace = ? order by begun, seq", (trace,))
        return [
            Span(
                trace=row["trace"],
                id=row["id"],
                parent=row["parent"],
                name=row["name"],
                process=row["process"],
                begun=row["begun"],
                ended=row["ended"],
                failed=bool(row["failed"]),
                said=orjson.loads(row["said"]),
            )
            for row in rows
        ]

    def _traces(self, chosen: str, values: Sequence[object]) -> Sequence[Trace]:
        rows = self._db.execute(
            f"""
            with chosen as ({chosen})
            select span.trace, min(begun) as begun, max(ended) as ended, count(*) as spans,
                sum(failed) as failed, max(request_id) as request_id, chosen.last,
                (select first.name from span first where first.trace = span.trace
                 order by first.begun, first.seq limit 1) as name
            from chosen join span on span.trace = chosen.trace
            group by span.trace order by chosen.last desc
            """,
            values,
        )
        return [
            Trace(
                id=row["trace"],
                name=row["name"],
                begun=row["begun"],
                ended=row["ended"],
                spans=row["spans"],
                failed=row["failed"],
                request_id=row["request_id"],
            )
            for row in rows
        ]


def _rows(request: ExportTraceServiceRequest) -> Iterable[tuple[object, ...]]:
    for resource in request.resource_spans:
        process = _texts(resource.resource.attributes).get("service.name", "")
        for scope in resource.scope_spans:
            for span in scope.spans:
                said = _texts(span.attributes)
                yield (
                    span.trace_id.hex(),
                    span.span_id.hex(),
                    span.parent_span_id.hex(),
                    span.name,
                    process,
                    span.start_time_unix_nano,
                    span.end_time_unix_nano,
                    int(span.status.code == _FAILED),
                    orjson.dumps(said).decode(),
                    said.get("request_id"),
                    said.get("temporalWorkflowID"),
                    said.get("temporalRunID"),
                )


def _texts(attributes: Iterable[KeyValue]) -> dict[str, str]:
    """Numbers and texts as texts; we send nothing else."""
    found: dict[str, str] = {}
    for one in attributes:
        kind = one.value.WhichOneof("value")
        if kind is not None:
            found[one.key] = str(getattr(one.value, kind))
    return found
