# SPDX-License-Identifier: MIT
"""House rules that a program can check: each has a check that is shown to fail, and holds here."""

import ast
import re
import subprocess
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "memory_gui"
LONGEST, LONG = 450, 400  # lines
TABLES = re.compile(r"^_?[A-Z][A-Z0-9_]*$|^__\w+__$")
CHANGES = frozenset(
    {"append", "add", "update", "extend", "insert", "setdefault", "pop", "popitem", "clear"}
    | {"remove", "discard", "appendleft"}
)

Check = Callable[[Path, str, ast.Module], Iterator[str]]


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    return (node for node in ast.walk(tree) if isinstance(node, kinds))


def imports(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=module):
            return [module or "."]
    return []


def no_licence_line(_: Path, text: str, __: ast.Module) -> Iterator[str]:
    if not text.startswith(("# SPDX-License-Identifier: MIT\n", "#!")):
        yield "1: no SPDX line"


def prints(path: Path, _: str, tree: ast.Module) -> Iterator[str]:
    if path.is_relative_to(PACKAGE / "terminal") or path.name.startswith("cli"):
        return
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "print"
        ):
            yield f"{node.lineno}: print belongs to the terminal"


def other_sqlite(path: Path, _: str, tree: ast.Module) -> Iterator[str]:
    if path == PACKAGE / "agents" / "errors.py":
        yield from more_than_classes(tree)
        return
    for node in ast.walk(tree):
        if any(name.split(".")[0] == "sqlite3" for name in imports(node)):
            yield f"{node.lineno}: imports sqlite3"  # type: ignore[attr-defined]


def more_than_classes(tree: ast.Module) -> Iterator[str]:
    """What agents need of ``sqlite3`` is its exception classes, and nothing that opens a file."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="sqlite3"), attr=name):
                if not name.endswith("Error"):
                    yield f"{node.lineno}: uses sqlite3.{name}"
            case ast.ImportFrom(module="sqlite3"):
                yield f"{node.lineno}: imports from sqlite3"


def imports_inside(path: Path, _: str, tree: ast.Module) -> Iterator[str]:
    if path == PACKAGE / "lazy.py":
        return
    for function in functions(tree):
        for node in ast.walk(function):
            if imports(node):
                yield f"{node.lineno}: an import inside a function"  # type: ignore[attr-defined]


def names_of(node: ast.stmt) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else []
    targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
    return [target.id for target in targets if isinstance(target, ast.Name)]


def mutable_state(_: Path, __: str, tree: ast.Module) -> Iterator[str]:
    makers = {"list", "dict", "set", "deque", "defaultdict", "Counter", "WeakValueDictionary"}
    held: set[str] = set()
    for node in tree.body:
        names = names_of(node)
        value = getattr(node, "value", None)
        made = isinstance(
            value, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
        )
        made |= isinstance(value, ast.Call) and getattr(value.func, "id", "") in makers
        if made:
            held.update(names)
            for name in names:
                if not TABLES.match(name):
                    yield f"{node.lineno}: {name} is mutable and belongs to the module"
    for function in functions(tree):
        yield from changed_in(function, held)


def changed_in(function: ast.AST, held: set[str]) -> Iterator[str]:
    for node in ast.walk(function):
        match node:
            case ast.Global(names=names):
                yield f"{node.lineno}: global {', '.join(names)}"
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=act)):
                if name in held and act in CHANGES:
                    yield f"{node.lineno}: {name}.{act}() changes a table of the module"
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
                if name in held:
                    yield f"{node.lineno}: {name}[…] changes a table of the module"


def counted_or_copied_rows(path: Path, _: str, tree: ast.Module) -> Iterator[str]:
    """A list of a million rows has no OFFSET, no model over its model, no list of its rows."""
    prune = PACKAGE / "stores" / "formats" / "facts" / "store.py"  # as its agent does it: 1 row
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if re.search(r"\bOFFSET\b", text):
                if path != prune:
                    yield f"{node.lineno}: OFFSET"
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                listing = path.is_relative_to(PACKAGE / "ui" / "records" / "listing")
                rows = name in {"selectedRows", "selectedIndexes"} and listing
                if name.endswith("ProxyModel") or rows:
                    yield f"{node.lineno}: {name}"


def careless_ignores(_: Path, text: str, __: ast.Module) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        found = re.search(r"#\s*(noqa|type:\s*ignore)(.*)$", line)
        if found is None:
            continue
        code, _, reason = found[2].partition("  #")
        given = re.match(r"(:\s*[A-Z]+\d+(,\s*[A-Z]+\d+)*|\[[\w,\s-]+\])(.*)", code.strip())
        if given is None:
            yield f"{number}: an ignore without its code"
        elif not (given[3].strip(" -#") or reason.strip()):
            yield f"{number}: an ignore without its reason"


CHECKS: dict[Check, str] = {
    no_licence_line: "x = 1\n",
    prints: "def f():\n    print('x')\n",
    other_sqlite: "from sqlite3 import Connection\n",
    imports_inside: "def f():\n    import keyring\n",
    mutable_state: "cache = {}\n",
    careless_ignores: "x = f()  # noqa\n",
    counted_or_copied_rows: "sql = 'SELECT 1 LIMIT 1 OFFSET 7'\n",
}


def broken_of(checks: Collection[Check], files: Iterable[Path]) -> dict[Check, list[str]]:
    """Each file is parsed once for all checks: that takes longer than they do."""
    lines: dict[Check, list[str]] = {check: [] for check in checks}
    for file in files:
        text = file.read_text(encoding="utf-8")
        tree = ast.parse(text)
        for check in checks:
            lines[check] += [f"{file}:{found}" for found in check(file, text, tree)]
    return lines


def broken(check: Check, files: Iterable[Path]) -> list[str]:
    return broken_of([check], files)[check]


@pytest.fixture(scope="module")
def of_the_package() -> dict[Check, list[str]]:
    return broken_of(CHECKS, modules())


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
class TestRule:
    def test_it_holds_in_the_package(self, check, of_the_package):
        lines = [line.removeprefix(f"{ROOT}/") for line in of_the_package[check]]
        assert not lines, "\n" + "\n".join(lines)

    def test_it_would_be_seen(self, check, tmp_path):
        file = tmp_path / "module.py"
        file.write_text(CHECKS[check], encoding="utf-8")
        assert len(broken(check, [file])) == 1


def test_agents_may_name_the_classes_of_sqlite3_only():
    text = "import sqlite3\nclass A(sqlite3.DatabaseError): pass\n{}"
    path = PACKAGE / "agents" / "errors.py"
    assert not [*other_sqlite(path, "", ast.parse(text.format("")))]
    for more in ("c = sqlite3.connect('x')", "from sqlite3 import connect"):
        assert len([*other_sqlite(path, "", ast.parse(text.format(more)))]) == 1


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n    global x\n    x = 1\n",
        "SEEN = {}\ndef f(a):\n    SEEN[a] = 1\n",
        "SEEN: set[int] = set()\ndef f(a):\n    SEEN.add(a)\n",
        "SEEN = []\nf = lambda a: SEEN.append(a)\n",
    ],
)
def test_more_forms_of_mutable_state(text, tmp_path):
    file = tmp_path / "module.py"
    file.write_text(text, encoding="utf-8")
    assert len(broken(mutable_state, [file])) == 1


@pytest.mark.parametrize(
    "text", ["from PySide6.QtCore import QSortFilterProxyModel\n", "m = Q.QIdentityProxyModel()\n"]
)
def test_every_model_over_a_model_is_seen(text, tmp_path):
    file = tmp_path / "module.py"
    file.write_text(text, encoding="utf-8")
    assert len(broken(counted_or_copied_rows, [file])) == 1


@pytest.mark.parametrize(
    "line", ["x  # noqa: S608 - quoted by quote()", "x  # type: ignore[misc]  # Qt's stubs"]
)
def test_an_ignore_with_code_and_reason_passes(line, tmp_path):
    file = tmp_path / "module.py"
    file.write_text(f"{line}\n", encoding="utf-8")
    assert broken(careless_ignores, [file]) == []


@pytest.mark.filterwarnings("default:.* lines of :UserWarning")
def test_no_file_is_long():
    lengths = {f: len(f.read_text(encoding="utf-8").splitlines()) for f in modules()}
    too_long = [f"{f.relative_to(ROOT)}: {n} lines" for f, n in lengths.items() if n >= LONGEST]
    for file, lines in lengths.items():
        if LONG < lines < LONGEST:
            warnings.warn(f"{lines} lines of {LONGEST}: {file.relative_to(ROOT)}", stacklevel=1)
    assert not too_long, "\n".join(too_long)


def test_no_module_is_named_for_nothing():
    names = {f.stem for f in modules()}
    assert not {n for n in names if re.search(r"util|helpers|manager|misc|common", n)}


def tracked() -> list[Path]:
    """The files of the project: those that git knows."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs a checkout: an unpacked archive does not know which files are its own")
    out = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return [ROOT / name for name in out.stdout.decode().split("\0") if name]


def test_the_top_level_is_as_agreed():
    agreed = {
        ".ci", ".gitignore", "ARCHITECTURE.md", "CHANGELOG.md", "LICENSE", "Makefile", "README.md",
        "SECURITY.md", "memory_gui", "packaging", "pyproject.toml", "resources", "tests",
    }  # fmt: skip
    assert {f.relative_to(ROOT).parts[0] for f in tracked()} <= agreed


def test_no_file_names_a_package_host():
    # Put together here, so that this file does not name them either.
    hosts = [
        ".".join(parts)
        for parts in (
            ("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com"),
            ("crates", "io"), ("deb", "debian"), ("archive", "ubuntu"), ("anaconda", "org"),
        )
    ]  # fmt: skip
    pattern = re.compile("|".join(map(re.escape, hosts)).encode())
    named = [f for f in tracked() if f.is_file() and pattern.search(f.read_bytes())]
    assert named == []


def test_no_lock_file_of_another_tool():
    assert not [
        f for f in tracked() if f.name in {"uv.lock", "poetry.lock", "Pipfile.lock", "pdm.lock"}
    ]
