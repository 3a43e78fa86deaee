"""What documents and docstrings point at is there: paths, names, requirements, promises, rulings, decisions."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DECISIONS = ROOT / "docs" / "decisions"

PATH = re.compile(
    r"`((?:domain|db|providers|activities|workflows|workers|api|observing|simulators|web|dev|deploy|tests|bench|docs)"
    r"/[\w./-]*[\w/]|(?:settings|logs|assembly)\.py)(?::([A-Za-z_]\w*))?`"
)
TARGET = re.compile(r"`make ([a-z][a-z-]*)[ `]")
LIST = r"((?:\d+(?:\.\d+)?)(?:(?:, | and |, and | to )\d+(?:\.\d+)?)*)"
SPEC = re.compile(rf"\b(shell|shop|devices) spec {LIST}", re.IGNORECASE)
PROMISES = re.compile(rf"\bpromises? {LIST}")
DECISION = re.compile(r"\bdecisions? (\d+)\b")
TITLED = re.compile(r'\bdecision "([^"\n]+)"')
RULINGS = re.compile(r'\brulings ((?:"[^"\n]+"(?:, | and )?)+)')


def texts() -> Iterator[tuple[str, str]]:
    """Every tracked text of ours with its path; generated files and recordings repeat others."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.split("\n"):
        path = ROOT / name
        is_ours = name.endswith((".py", ".md", ".ts", ".tsx")) and ".gen." not in name
        if is_ours and path.is_file() and path != Path(__file__):
            yield name, " ".join(line.strip(" #*/") for line in path.read_text().splitlines())


TEXTS = dict(texts())


def numbers(said: str) -> Iterator[str]:
    """`3, 4 and 7` or `26 to 28`, one by one."""
    for part in re.split(r", and |, | and ", said):
        first, _, last = part.partition(" to ")
        if last:
            yield from (str(number) for number in range(int(first), int(last) + 1))
        else:
            yield first


def headings(name: str) -> set[str]:
    return {
        line.lstrip("# ").strip().lower()
        for line in (ROOT / "docs" / name).read_text().splitlines()
        if line.startswith("#")
    }


def test_every_path_in_backticks_is_there() -> None:
    lost = {
        f"{name}: {path}"
        for name, text in TEXTS.items()
        for path, _ in PATH.findall(text)
        if not (ROOT / path).exists() and "<" not in path
    }
    assert lost == set()


def test_every_name_behind_a_path_is_in_its_file() -> None:
    lost = {
        f"{name}: {path}:{what}"
        for name, text in TEXTS.items()
        for path, what in PATH.findall(text)
        if what
        and (ROOT / path).is_file()
        and not re.search(rf"\b{what}\b", (ROOT / path).read_text())
    }
    assert lost == set()


def test_every_cited_target_is_in_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    cited = {(name, target) for name, text in TEXTS.items() for target in TARGET.findall(text)}
    assert len(cited) > 20
    assert {one for one in cited if one[1] not in targets} == set()


def test_every_promise_names_what_proves_it() -> None:
    """A path or a target, which the tests above find."""
    text, _, _ = (ROOT / "docs" / "promises.md").read_text().partition("\n## Of a checkout")
    rows = re.findall(r"^\| (\d+) \| .* \| (.*) \|$", text, re.M)
    assert len(rows) == 52
    assert [number for number, proof in rows if not named_in(proof)] == []


def test_every_requirement_names_what_proves_it() -> None:
    sections = re.split(r"^### ", (ROOT / "docs" / "requirements.md").read_text(), flags=re.M)[1:]
    assert len(sections) > 20
    assert [one.splitlines()[0] for one in sections if not named_in(one)] == []


def named_in(text: str) -> bool:
    return bool(PATH.search(text) or TARGET.search(text))


def test_every_cited_requirement_is_told() -> None:
    told = headings("requirements.md")
    lost = {
        f"{name}: {spec} {number}"
        for name, text in TEXTS.items()
        for spec, said in SPEC.findall(text)
        for number in numbers(said)
        if f"{spec.lower()} {number}" not in told
    }
    assert lost == set()


def test_every_cited_promise_is_told() -> None:
    told = set(re.findall(r"^\| (\d+) \|", (ROOT / "docs" / "promises.md").read_text(), re.M))
    assert told == {str(number) for number in range(1, 53)}
    lost = {
        f"{name}: {number}"
        for name, text in TEXTS.items()
        for said in PROMISES.findall(text)
        for number in numbers(said)
        if number not in told
    }
    assert lost == set()


def test_every_promise_of_a_checkout_names_the_files_of_its_tests() -> None:
    """Tests are called by their promise's number."""
    _, rows = (ROOT / "docs" / "promises.md").read_text().split("\n## Of a checkout")
    told = {
        (number, path)
        for promised, row in re.findall(r"^\| ([\d, ]+) \| (.+) \|$", rows, re.M)
        for number in promised.split(", ")
        for path in re.findall(r"`(\S+)`", row)
    }
    there = {
        (number, name)
        for name, text in TEXTS.items()
        if name.startswith("tests/")
        for number in re.findall(r"\bdef test_promise_(\d+)_", text)
    }
    assert told == there


def test_every_cited_ruling_is_told() -> None:
    told = set(
        re.findall(r"^- \*\*(.+?)\*\*", (ROOT / "docs" / "requirements.md").read_text(), re.M)
    )
    lost = {
        f"{name}: {title}"
        for name, text in TEXTS.items()
        for said in RULINGS.findall(text)
        for title in re.findall(r'"([^"]+)"', said)
        if title not in told
    }
    assert lost == set()


def test_every_cited_decision_is_there_and_in_the_index() -> None:
    files = {path.name: path for path in DECISIONS.glob("[0-9]*.md")}
    there = {int(name[:4]) for name in files}
    titles = [path.read_text().splitlines()[0].lower() for path in files.values()]
    lost = {
        f"{name}: {number}"
        for name, text in TEXTS.items()
        for number in DECISION.findall(text)
        if int(number) not in there
    } | {
        f"{name}: {title}"
        for name, text in TEXTS.items()
        for title in TITLED.findall(text)
        if not any(title.lower() in one for one in titles)
    }
    assert lost == set()
    index = (DECISIONS / "README.md").read_text()
    assert {name for name in files if f"({name})" not in index} == set()


def test_every_field_of_ours_in_the_erp_is_told_to_who_adds_them() -> None:
    field = re.compile(r"\bU_[A-Z]\w*[a-z]\w*\b")
    used = {
        name
        for path in (ROOT / "providers" / "erp").glob("*.py")
        for name in field.findall(path.read_text())
    }
    assert used == set(field.findall((ROOT / "docs" / "going-live.md").read_text()))
