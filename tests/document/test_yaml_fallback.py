"""PyYAML without libyaml: slower, and no different."""

from __future__ import annotations

import json
import subprocess
import sys

from smemdsl.core.errors import ScenarioError
from smemdsl.source.document import parse
from tests.texts import GEMM

PROGRAM = """
import json, sys, yaml
del yaml.CSafeLoader
from smemdsl.source.document import parse
from smemdsl.core.errors import ScenarioError
def outcome(text):
    try:
        return parse("f.yaml", text).value
    except ScenarioError as error:
        return [[d.line, d.column, d.code] for d in error.diagnostics]
print(json.dumps([outcome(text) for text in json.load(sys.stdin)]))
"""
TEXTS = [
    GEMM,
    "a: &x {p: 1}\nb: {<<: *x, q: no}\n",
    "a: 1.5\nb: 010\na: 2\n",
    "a: \u65e5\u0001\n",
    "a:\n\tb: 1\n",
    "a: [1\n",
    "--- a\n--- b\n",
    "[" * 70 + "]" * 70,
    "",
]


def test_the_same_without_libyaml() -> None:
    """Values, places and codes do not depend on which parser PyYAML was built with."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], input=json.dumps(TEXTS), capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == [outcome(text) for text in TEXTS]


def outcome(text: str) -> object:
    """The value of a text, or what is wrong with it."""
    try:
        return parse("f.yaml", text).value
    except ScenarioError as error:
        return [[d.line, d.column, d.code] for d in error.diagnostics]


AFTERWARDS = """
import copy, re
compile_before = re.compile
import smemdsl.source.document, yaml
assert re.compile is compile_before
def outcome(text):
    try:
        return yaml.load(text, yaml.SafeLoader)
    except yaml.reader.ReaderError as error:
        return [error.position, error.character]
texts = "a: 1", "a: \\u65e5\\U0001f600", "a: \\u65e5\\x01", "a: \\ufffe"
texts += ("[1e3, 1.5, yes, 0o7, 0x1f, 2001-12-14]",)
print([outcome(text) for text in texts])
known = copy.deepcopy(yaml.SafeLoader.yaml_implicit_resolvers)
print(all(isinstance(regexp, re.Pattern) for pairs in known.values() for _, regexp in pairs))
"""


def test_pyyaml_is_as_it_was() -> None:
    """A program that uses PyYAML's own reader beside smemdsl is told of the same characters."""
    told = []
    for program in (AFTERWARDS, AFTERWARDS.replace("import smemdsl.source.document, yaml", "import yaml")):
        done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True, check=True)
        told.append(done.stdout)
    assert told[0] == told[1]
    assert told[0].startswith("[{'a': 1}, {'a': '\u65e5\U0001f600'}, [4, 1], [3, 65534], ['1e3', 1.5, True, ")
    assert told[0].endswith("\nTrue\n")
