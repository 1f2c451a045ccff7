"""PyYAML without libyaml: slower, and no different."""

from __future__ import annotations

import json
import subprocess
import sys

from smemdsl.document import parse
from smemdsl.errors import ScenarioError
from tests.texts import GEMM

PROGRAM = """
import json, sys, yaml
del yaml.CSafeLoader
from smemdsl.document import parse
from smemdsl.errors import ScenarioError
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
