"""Documents: what is read, and every class of text that is refused, with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from smemdsl.core.errors import Diagnostic, Fault, ScenarioError
from smemdsl.source.document import MAX_ALIASED, MAX_DEPTH, parse


def diagnostics_of(text: str) -> tuple[Diagnostic, ...]:
    """What is wrong with a text as a document; empty for a sound one."""
    try:
        parse("f.yaml", text)
    except ScenarioError as error:
        return error.diagnostics
    return ()


def found(text: str) -> list[str]:
    """`line:column code` of everything that is wrong with a text."""
    return [f"{d.line}:{d.column} {d.code}" for d in diagnostics_of(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: &x [1, 2]\nb: *x\n", {"a": [1, 2], "b": [1, 2]}),
        ("a: &x b\n*x : 1\n", {"a": "b", "b": 1}),
        ("&k a: 1\nb: *k\n", {"a": 1, "b": "a"}),
        ("a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}\n", {"a": {"p": 1, "q": 2}, "b": {"p": 1, "q": 3}}),
        ("a: &x {p: 1}\nb: {q: 3, <<: *x}\n", {"a": {"p": 1}, "b": {"p": 1, "q": 3}}),
        ("- &x {p: 1}\n- &y {p: 2, q: 2}\n- <<: [*x, *y]\n", [{"p": 1}, {"p": 2, "q": 2}, {"p": 1, "q": 2}]),
        ('"<<": 1\n', {"<<": 1}),
        ("a: &x {}\nb: &y {<<: *x}\nc: {<<: *y}\n", {"a": {}, "b": {}, "c": {}}),
        ("--- {a: 1}\n...\n", {"a": 1}),
        ("%YAML 1.2\n---\na: 1\n", {"a": 1}),
        ("\ufeffa: 1\n", {"a": 1}),
        ("a: 1\r\nb: 2\r\n", {"a": 1, "b": 2}),
        ("a: 1\rb: 2\r", {"a": 1, "b": 2}),
        ("a: {b: [1, {c: d}]}", {"a": {"b": [1, {"c": "d"}]}}),
        ("a: |\n  1\n  2\nb: >\n  x\n  y\n", {"a": "1\n2\n", "b": "x y\n"}),
        ("é: 日本\n", {"é": "日本"}),
        ("? a\n", {"a": None}),
        ("{a, b: 1}\n", {"a": None, "b": 1}),
    ],
)
def test_sound_documents(text: str, value: Any) -> None:
    """Aliases, merge keys, line ends, a byte-order mark and block scalars mean what YAML says."""
    document = parse("f.yaml", text)
    assert (document.path, document.text, document.value) == ("f.yaml", text, value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["1:1 empty"]),
        ("# nothing\n", ["1:1 empty"]),
        ("---\n", ["1:1 empty"]),
        ("~\n", ["1:1 empty"]),
        ("--- a\n--- b\n", ["2:1 yaml-documents"]),
        ("a: 1\n---\n", ["2:1 yaml-documents"]),
        ("a: 1\n...\nb: 1\n", ["3:1 yaml-syntax"]),
        ("%YAML 9.9\n---\na: 1\n", ["1:1 yaml-syntax"]),
        ("a: b: c\n", ["1:5 yaml-syntax"]),
        ("a: [1, 2\n", ["1:4 yaml-syntax"]),
        ("a: [1, 2\nb: 3\n", ["2:2 yaml-syntax"]),
        ("a: {x: 1\n", ["1:4 yaml-syntax"]),
        ("a: 'x\nb: 1\n", ["1:4 yaml-syntax"]),
        ('a: "\\q"\n', ["1:5 yaml-syntax"]),
        ("a: @x\n", ["1:4 yaml-syntax"]),
        ("a: `x\n", ["1:4 yaml-syntax"]),
        ("a: %x\n", ["1:4 yaml-syntax"]),
        ("a: *x\n", ["1:4 yaml-syntax"]),
        ("a:\n  - 1\n - 2\n", ["3:2 yaml-syntax"]),
        ("a: 1\n  b: 2\n", ["2:4 yaml-syntax"]),
        ("\ta: 1\n", ["1:1 yaml-tab"]),
        ("a:\n\tb: 1\n", ["2:1 yaml-tab"]),
        ("a:\n  b: 1\n\tc: 1\n", ["3:1 yaml-tab"]),
        ("a: 1\na: 2\na: 3\n", ["2:1 yaml-duplicate-key", "3:1 yaml-duplicate-key"]),
        ("a: 1\n'a': 2\n", ["2:1 yaml-duplicate-key"]),
        ("a: {b: 1, c: 2, b: 3}\n", ["1:17 yaml-duplicate-key"]),
        ("<<: {a: 1}\n<<: {b: 1}\n", ["2:1 yaml-duplicate-key"]),
        ("<<: 5\n", ["1:5 yaml-merge"]),
        ("<<: [{a: 1}, 5]\n", ["1:5 yaml-merge"]),
        ("<<:\n", ["1:4 yaml-merge"]),
        ("a: &a [*a]\n", ["1:4 yaml-alias"]),
        ("a: &a {b: [1, *a]}\n", ["1:4 yaml-alias"]),
        ("a: &a\n  <<: *a\n", ["1:4 yaml-alias"]),
        ("&a [*a]: 1\n", ["1:1 yaml-key"]),
        (
            "1: a\ntrue: b\n~: c\n1.5: d\n[x]: e\n? {x: y}\n: f\n",
            ["1:1 yaml-key", "2:1 yaml-key", "3:1 yaml-key", "4:1 yaml-key", "5:1 yaml-key", "6:3 yaml-key"],
        ),
        ("? !!str {a: b}\n: c\n", ["1:3 yaml-key"]),
        ("&a 1: x\n", ["1:1 yaml-key"]),
        (
            "a: 1.5\nb: !t x\nc: 99999999999999999999\n",
            ["1:4 yaml-float", "2:4 yaml-tag", "3:4 yaml-integer"],
        ),
        ("a: &x 1.5\nb: [*x, *x]\n", ["1:4 yaml-float"]),
    ],
)
def test_refused_documents(text: str, expected: list[str]) -> None:
    """Each class of bad text has its code and its place; what does not end the reading is collected."""
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: \0\n", "1:4 U+0000"),
        ("a: 1\nb: \x07\n", "2:4 U+0007"),
        ("#\x1b[31m\n", "1:2 U+001B"),
        ("a: \x7f\n", "1:4 U+007F"),
        ("é: 日本 \x01\n", "1:7 U+0001"),
        ("a: 1\u2028日: \x01\n", "2:4 U+0001"),
        ("a: 1\r\nb: \x02\r\n", "2:4 U+0002"),
        ("a: \ufffe\n", "1:4 U+FFFE"),
        ("a: \ud800\n", "1:4 U+D800"),
        ("\0a\0:\0", "1:1 U+0000"),
    ],
)
def test_forbidden_characters(text: str, expected: str) -> None:
    """A character that YAML forbids is named at its place, counted in characters and not in bytes."""
    (diagnostic,) = diagnostics_of(text)
    assert diagnostic.code == "yaml-character"
    assert f"{diagnostic.line}:{diagnostic.column} {diagnostic.message.split()[2]}" == expected


def nested(opening: str, levels: int) -> str:
    """A value inside so many collections."""
    closing = {"[": "]", "{a: ": "}", "- ": "", "? ": ""}[opening]
    return opening * levels + "1" + closing * levels


@pytest.mark.parametrize("opening", ["[", "{a: ", "- "])
def test_nesting(opening: str) -> None:
    """A document nests 64 levels and no more, however it is written."""
    assert found(nested(opening, MAX_DEPTH - 1)) == []
    for levels in (MAX_DEPTH + 1, 900, 100_000):
        assert [problem.split()[1] for problem in found(nested(opening, levels))] == ["yaml-nesting"]


BLOCK = {"- ": 1, "? ": 1, "a:\n": 1, "a:\n- ": 2, "a:\n-\n": 2}
"""Ways to open collections one inside the other, and how many each opens."""
FLOW = {"[": ("]", 1), "{a: ": ("}", 1), "[a: ": ("]", 2), "[? a: ": ("]", 2)}


def mixed(block: list[str], flow: list[str]) -> tuple[str, int]:
    """A text that nests in all these ways, and its levels, that of the scalar inside included."""
    text, column = "", 0
    for opening in block:
        first, *others = opening.split("\n")
        text += first
        column += len(first) if not others else 0
        for i, line in enumerate(others, start=1):
            column += i == len(others) and not line
            text += "\n" + " " * column + line
            column += len(line) if line == "- " else 0
    inside = "".join(flow) + "1" + "".join(FLOW[opening][0] for opening in reversed(flow))
    return text + inside, sum(BLOCK[opening] for opening in block) + sum(
        FLOW[opening][1] for opening in flow
    ) + 1


@given(
    st.lists(st.sampled_from([*BLOCK]), max_size=70) | st.lists(st.just("a:\n-\n"), max_size=40),
    st.lists(st.sampled_from([*FLOW]), max_size=70) | st.lists(st.just("[a: "), max_size=40),
)
@example(["a:\n-\n"] * 10, ["[a: "] * 22)
@example(["a:\n-\n"] * 10, ["["] * 43)
@example(["a:\n-\n"] * 32, [])
@example([], ["[a: "] * 32)
def test_nesting_in_every_way(block: list[str], flow: list[str]) -> None:
    """Levels are counted whatever they are made of, in texts that are seen to be flat and in others."""
    text, levels = mixed(block, flow)
    codes = {problem.split()[1] for problem in found(text)}
    assert ("yaml-nesting" in codes) == (levels > MAX_DEPTH), text
    assert "yaml-syntax" not in codes


def chain(length: int, opening: str, closing: str, first: str) -> str:
    """Anchors, each of which holds the one before."""
    links = (f"&a{i} {opening}*a{i - 1}{closing}" for i in range(1, length))
    return ", ".join([f"&a0 {first}", *links])


@pytest.mark.parametrize(
    "text",
    [
        f"[{chain(5000, '[', ']', '[1]')}]",
        f"- !x [{chain(5000, '[', ']', '[1]')}]\n- *a4999",
        f"? [{chain(5000, '{b: ', '}', '{b: 1}')}]\n: 1\nc: *a4999",
        f"- !x [{chain(5000, '{<<: ', '}', '{b: 1}')}]\n- *a4999",
    ],
)
def test_aliases_do_not_nest_deeper_than_text(text: str) -> None:
    """A chain of aliases is cut at the same depth, also where its links stand in a value that is refused."""
    assert "yaml-alias" in {diagnostic.code for diagnostic in diagnostics_of(text)}


def bomb(levels: int, width: int, first: str, link: str) -> str:
    """Each line holds the one before `width` times."""
    links = [f"k{i}: &k{i} " + link.format(", ".join([f"*k{i - 1}"] * width)) for i in range(1, levels)]
    return "\n".join([f"k0: &k0 {first}", *links]) + "\n"


@pytest.mark.parametrize(
    "text",
    [
        bomb(9, 9, "[x, x, x]", "[{}]"),
        bomb(60, 2, "{x: 1}", "[{}]"),
        bomb(30, 9, "{x: 1}", "{{<<: [{}]}}"),
        f"a: &a [1]\nb: [{'*a, ' * (MAX_ALIASED // 2 + 1)}]\n",
    ],
)
def test_alias_bombs(text: str) -> None:
    """What aliases add is counted, and the reading stops at the bound: one problem, and no more work."""
    assert [diagnostic.code for diagnostic in diagnostics_of(text)] == ["yaml-alias"]


def test_aliases_within_the_bound() -> None:
    """A list that stands ten thousand times is no bomb."""
    value = parse("f.yaml", f"a: &a [1, 2]\nb: [{'*a, ' * 10_000}]\n").value
    assert value["b"] == [[1, 2]] * 10_000


def test_an_open_value_points_at_its_beginning() -> None:
    """Where a value never ends, the end of the file says nothing: the place is its beginning."""
    (diagnostic,) = diagnostics_of("a: 1\nb: [1,\n  2\n\n")
    assert (diagnostic.line, diagnostic.column) == (2, 4)
    assert diagnostic.message.startswith("unterminated")


def test_a_text_that_breaks_off_points_at_its_last_character() -> None:
    """Where an item is missing at the end, the place is the last character that is not blank."""
    (diagnostic,) = diagnostics_of("a: 1\nb: [1,\n  2,\n\n")
    assert (diagnostic.line, diagnostic.column) == (3, 4)
    assert diagnostic.message.startswith("unexpected end of file")


def test_an_error_inside_a_value_says_where_the_value_begins() -> None:
    """Where a value is not closed, the message names the line of its beginning."""
    (diagnostic,) = diagnostics_of("a: [1,\n 2\nb: 3\n")
    assert diagnostic.message.endswith("that begins on line 1")


YAML_LIKE = st.lists(
    st.sampled_from(
        [
            *"abk019:-?[]{},&*!|>'\"%@`#~.<=\\ \t\n\r",
            "\n  ",
            ": ",
            "- ",
            "<<: ",
            "&a ",
            "*a",
            "!!int ",
            "\ufeff",
        ]
    )
    | st.characters(),
    max_size=60,
).map("".join)


@given(YAML_LIKE)
def test_no_text_raises_anything_else(text: str) -> None:
    """Any text is a document, or a ScenarioError whose diagnostics all have a place inside the text."""
    try:
        document = parse("f.yaml", text)
    except ScenarioError as error:
        assert error.diagnostics
        lines = text.count("\n") + text.count("\r") + sum(map(text.count, "\x85\u2028\u2029")) + 1
        for diagnostic in error.diagnostics:
            assert diagnostic.line is not None
            assert 1 <= diagnostic.line <= lines
            assert diagnostic.source == "" or "\n" not in diagnostic.source
    else:
        assert_plain(document.value)


def assert_plain(value: Any) -> None:
    """A value is made of dict, list, str, int, bool and None only."""
    if type(value) is dict:
        assert all(type(key) is str for key in value)
        for item in value.values():
            assert_plain(item)
    elif type(value) is list:
        for item in value:
            assert_plain(item)
    else:
        assert value is None or type(value) in (str, int, bool)


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(1 - 2**63, 2**63 - 1)
    | st.text(st.characters(exclude_categories=["C"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["C"])), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(PLAIN.filter(lambda value: value is not None))
def test_json_is_read_as_json(value: Any) -> None:
    """JSON without floats is YAML that stands for the same values (what `--configs` relies on)."""
    assert parse("f.json", json.dumps(value, ensure_ascii=False)).value == value
    assert parse("f.json", json.dumps(value, indent=1, ensure_ascii=False)).value == value


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\nb: 'two'\nc: [3]\n",
        "{a: 1, b: two, c: {a: 4}}",
        "x: &x {a: 1}\n<<: *x\nb: >\n  two\n  lines\nc: !!str 3\n",
        "a: &a one\nb: *a\n",
    ],
)
def test_what_is_kept_is_where_it_would_be_found(text: str) -> None:
    """The positions of scalars at the top that a document keeps are those that its text gives."""
    document = parse("f", text)
    for key in document.value:
        kept = document.diagnose(Fault((key,), "code", "message"))
        sought = document._replace(tops={}).diagnose(Fault((key,), "code", "message"))
        assert kept == sought
