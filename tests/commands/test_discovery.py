"""From paths to texts: what is found, in which order, and what cannot be read."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl.core.errors import Diagnostic
from smemdsl.source import discovery
from smemdsl.source.discovery import Source, Text, find


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a few files and folders in it."""
    for name in (
        "b.yaml",
        "a.yml",
        "note.txt",
        ".hidden.yaml",
        "d/c.yaml",
        "d/e/f.yaml",
        ".git/g.yaml",
        "z/n.txt",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("smemdsl: 1\nbuffers: {}\n", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shown(*paths: str) -> list[str]:
    """What is found under paths: a file as it is shown, a problem as `path code`."""
    return [f"{f.path} {f.code}" if isinstance(f, Diagnostic) else f.shown for f in find(paths)]


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["."], ["./a.yml", "./b.yaml", "./d/c.yaml", "./d/e/f.yaml"]),
        (["d"], ["d/c.yaml", "d/e/f.yaml"]),
        (["d/"], ["d/c.yaml", "d/e/f.yaml"]),
        (["b.yaml", "a.yml"], ["b.yaml", "a.yml"]),
        (["note.txt"], ["note.txt"]),
        ([".hidden.yaml"], [".hidden.yaml"]),
        (["b.yaml", "./b.yaml", "*.yaml"], ["b.yaml"]),
        (["*.yaml"], ["b.yaml"]),
        (["*.y*ml"], ["a.yml", "b.yaml"]),
        (["**/*.yaml"], ["b.yaml", "d/c.yaml", "d/e/f.yaml"]),
        (["d/**/*.yaml"], ["d/c.yaml", "d/e/f.yaml"]),
        (["**/e/*.yaml"], ["d/e/f.yaml"]),
        (["**/**/f.yaml"], ["d/e/f.yaml"]),
        (["?"], ["d/c.yaml", "d/e/f.yaml"]),
        (["nothing.yaml"], ["nothing.yaml not-found"]),
        (["*.json"], ["*.json no-scenarios"]),
        (["empty"], ["empty no-scenarios"]),
        (["z"], ["z no-scenarios"]),
        (["b.yaml", "nothing.yaml", "empty"], ["b.yaml", "nothing.yaml not-found", "empty no-scenarios"]),
        (["-"], ["<stdin>"]),
        (["-", "-"], ["<stdin>"]),
        (["builtin:epilogue"], ["builtin:epilogue"]),
        (["builtin:nothing"], ["builtin:nothing not-found"]),
        (["builtin:../schema/scenario.schema"], ["builtin:../schema/scenario.schema not-found"]),
        (["builtin:/etc/passwd"], ["builtin:/etc/passwd not-found"]),
        (["builtin:x\0y"], ["builtin:x\\x00y not-found"]),
        (["x\0*.yaml"], ["x\\x00*.yaml not-found"]),
        (["a\x1b.yaml"], ["a\\x1b.yaml not-found"]),
        ([""], ["'' not-found"]),
    ],
)
def test_what_is_found(tree: Path, paths: list[str], expected: list[str]) -> None:
    """Files, folders, patterns, standard input and shipped scenarios, each file once; else a problem."""
    assert shown(*paths) == expected


def test_all_that_ship() -> None:
    """`builtin:` stands for every scenario that ships, a folder of it for those in the folder."""
    everything = shown("builtin:")
    assert {"builtin:plain", "builtin:epilogue", "builtin:carry", "builtin:gemm-tiles"} <= set(everything)
    assert everything == sorted(everything)


def test_a_name_with_pattern_characters_is_a_file(tree: Path) -> None:
    """A file that is called like a pattern is found by its name."""
    (tree / "k[1].yaml").write_text("", encoding="utf-8")
    assert shown("k[1].yaml") == ["k[1].yaml"]


def test_links_to_folders_are_followed_once(tree: Path) -> None:
    """A loop of links ends, also under `**`, where two of them would give 2^40 paths."""
    for name in ("d/up", "d/again", "d/e/up"):
        (tree / name).symlink_to(tree / "d", target_is_directory=True)
    assert shown("d") == ["d/c.yaml", "d/e/f.yaml"]
    assert shown("d/**/*.yaml") == ["d/c.yaml", "d/e/f.yaml"]


def test_a_linked_file_is_judged_once(tree: Path) -> None:
    """Two names of one file give one scenario, by the name that comes first."""
    (tree / "a2.yaml").symlink_to(tree / "b.yaml")
    assert shown("*.yaml") == ["a2.yaml"]


def test_links_that_lead_nowhere(tree: Path) -> None:
    """A link to itself and a link to nothing are files that cannot be read."""
    (tree / "loop.yaml").symlink_to("loop.yaml")
    (tree / "gone.yaml").symlink_to("nothing.yaml")
    sources = list(find(("loop.yaml", "gone.yaml")))
    problems = [discovery.read(source) for source in sources if isinstance(source, Source)]
    assert [(p.path, p.code) for p in problems if isinstance(p, Diagnostic)] == [
        ("loop.yaml", "unreadable"),
        ("gone.yaml", "unreadable"),
    ]


@pytest.mark.parametrize("backwards", [False, True])
def test_the_order_of_a_folder_does_not_matter(
    tree: Path, monkeypatch: pytest.MonkeyPatch, backwards: bool
) -> None:
    """Whatever order the file system gives, the same files come out in one order, through the same links."""
    (tree / "d/l1").symlink_to(tree / "z", target_is_directory=True)
    (tree / "d/l2").symlink_to(tree / "z", target_is_directory=True)
    (tree / "z/m.yaml").write_text("", encoding="utf-8")
    scandir = os.scandir

    class Sorted:
        def __init__(self, path: str) -> None:
            with scandir(path) as entries:
                self.entries = iter(sorted(entries, key=lambda entry: entry.name, reverse=backwards))

        def __enter__(self) -> Sorted:
            return self

        def __exit__(self, *_: object) -> None: ...

        def __iter__(self) -> Sorted:
            return self

        def __next__(self) -> os.DirEntry[str]:
            return next(self.entries)

    monkeypatch.setattr(os, "scandir", Sorted)
    assert shown("d") == ["d/c.yaml", "d/e/f.yaml", "d/l1/m.yaml"]


def test_a_folder_that_cannot_be_read_is_told(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies in a folder without permission is not passed over in silence."""
    scandir = os.scandir

    def refuse(path: str) -> object:
        if os.path.basename(path) == "e":
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert shown("d") == ["d/c.yaml", "d/e unreadable"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a: 1\n", "a: 1\n"),
        (b"\xef\xbb\xbfa: 1\n", "a: 1\n"),
        ("a: \u65e5\r\n".encode(), "a: \u65e5\r\n"),
        (b"", ""),
        (b"a: 1\n\xff\xfeb: \xff", (2, 1, "0xFF")),
        ("é日: ".encode() + b"\x80\n", (1, 5, "0x80")),
        (b"\xef\xbb\xbfa: 1\nb: \xc3(\n", (2, 4, "0xC3")),
        (b"a\r\nb\rc: \xe9t\xe9\n", (3, 4, "0xE9")),
        (b"a: \xed\xa0\x80\n", (1, 4, "0xED")),
        (b"a: \xc0\xaf\n", (1, 4, "0xC0")),
        ("a: 1\n".encode("utf-16"), (None, None, "UTF-16")),
        ("a: 1\n".encode("utf-16-be"), "\0a\0:\0 \0001\0\n"),
        (b"\xfe\xff\x00a", (None, None, "UTF-16")),
    ],
)
def test_encodings(tmp_path: Path, data: bytes, expected: str | tuple[int | None, int | None, str]) -> None:
    """UTF-8 is read, with or without its mark; the first byte that is none has its line and column."""
    path = tmp_path / "f.yaml"
    path.write_bytes(data)
    read = discovery.read(Source(str(path), "f.yaml"))
    if isinstance(read, Text):
        assert read == Text("f.yaml", expected if isinstance(expected, str) else "")
    else:
        named = next(word for word in read.message.split() if word[0] in "0U")
        assert (read.line, read.column, named, read.code) == (*expected, "encoding")


def test_a_byte_that_is_not_utf_8_is_shown_on_its_line(tmp_path: Path) -> None:
    """The source line of the diagnostic is the line of the byte, with a mark in its place."""
    path = tmp_path / "f.yaml"
    path.write_bytes(b"a: 1\nb: \xe9t\xe9 # x\nc: 1\n")
    read = discovery.read(Source(str(path), "f.yaml"))
    assert isinstance(read, Diagnostic)
    assert read.source == "b: \ufffdt\ufffd # x"


def test_a_file_without_end_is_refused() -> None:
    """Reading stops at the bound."""
    read = discovery.read(Source("/dev/zero", "zero"))
    assert isinstance(read, Diagnostic)
    assert read.code == "too-large"


@given(st.binary(max_size=60))
def test_no_bytes_raise(data: bytes) -> None:
    """Any bytes are a text, or a diagnostic whose place is inside them."""
    decoded = discovery.decode("f.yaml", data)
    if isinstance(decoded, Diagnostic):
        assert decoded.code == "encoding"
        assert decoded.line is None or decoded.line <= data.count(b"\n") + data.count(b"\r") + 1
    else:
        assert decoded.text.encode() in (data, data[3:])


@pytest.mark.parametrize("path", [".", "b.yaml", "*.yaml", "**/*.yaml", "d"])
def test_a_current_folder_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tree: Path, path: str
) -> None:
    """It is said to be gone, whatever is looked for in it; what is named in full is found all the same."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    (found,) = find((path,))
    assert isinstance(found, Diagnostic)
    assert (found.code, found.message) == ("not-found", "the current directory was deleted or moved")
    assert shown(str(tree / "b.yaml")) == [str(tree / "b.yaml")]
    assert shown("builtin:plain") == ["builtin:plain"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_that_nobody_named_is_left_alone(tree: Path) -> None:
    """Nobody may ever write to it; one that is named is read."""
    os.mkfifo(tree / "d" / "pipe.yaml")
    assert shown("d", "d/*", "**/*.yaml") == ["d/c.yaml", "d/e/f.yaml", "b.yaml"]
    assert shown("d/pipe.yaml") == ["d/pipe.yaml"]


def test_why_a_path_leads_nowhere(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What must not be looked at, and what is too long or turns in circles, is not called missing."""
    os.symlink("round", "round")
    assert shown("round/x.yaml", "x" * 300) == ["round/x.yaml unreadable", f"{'x' * 300} unreadable"]
    assert shown("b.yaml/x", "no/x", "\udcff") == ["b.yaml/x not-found", "no/x not-found", "\\xff not-found"]

    def refused(path: str) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(os, "lstat", refused)
    (found,) = find(("closed/x.yaml",))
    assert isinstance(found, Diagnostic)
    assert (found.code, found.message) == ("unreadable", "cannot be read: Permission denied")


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("builtin:epilog", "did you mean builtin:epilogue?"),
        ("builtin:zzz", "`smemdsl check builtin:` checks all of them"),
        ("noet.yaml", "did you mean note.txt?"),
        ("d/cc.yaml", "did you mean d/c.yaml?"),
        ("emty/x.yaml", ""),
        ("zzz.yaml", ""),
        ("b.yaml/x", ""),
    ],
)
def test_the_nearest_name_is_told(tree: Path, path: str, hint: str) -> None:
    """Whatever is not there may be something else that is, by the name alone and not its folder or end."""
    (found,) = find((path,))
    assert isinstance(found, Diagnostic)
    assert found.hint == hint
