"""SARIF 2.1.0, as code scanning reads it: each finding with its rule, its line, and a fingerprint."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from smemdsl._version import __version__
from smemdsl.core.errors import Diagnostic
from smemdsl.core.shown import json_text, lines
from smemdsl.judging.result import Report, Result
from smemdsl.output.formats.findings import file_of, findings, sentence
from smemdsl.rules.catalogue import page

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def check(report: Report) -> Iterator[str]:
    """One run, one result a finding; the rules are those that occur."""
    found = findings(report)
    codes = sorted({item.code for item in found})
    run = {
        "tool": {
            "driver": {"name": "smemdsl", "version": __version__, "rules": [_rule(code) for code in codes]}
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(item, codes.index(item.code)) for item in found],
        "properties": {"verdicts": [_verdict(result) for result in report.results]},
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    yield json_text(json.dumps(log, indent=2, ensure_ascii=False)) + "\n"


pack = check


def _verdict(result: Result) -> dict[str, Any]:
    """What was judged, and how sure that is: SARIF has places for findings alone."""
    verdict = result.verdict
    return {
        "path": result.path,
        "scenario": verdict.scenario,
        "budget": verdict.budget.name,
        "verdict": verdict.verdict,
        "confidence": verdict.confidence,
        "limit": verdict.limit,
    }


def _rule(code: str) -> dict[str, Any]:
    """The rule with its page, which viewers show beside a result."""
    found = page(code)
    return {
        "id": code,
        "shortDescription": {"text": found.summary},
        "help": {"text": found.text, "markdown": found.text},
    }


def _result(item: Diagnostic, index: int) -> dict[str, Any]:
    return {
        "ruleId": item.code,
        "ruleIndex": index,
        "level": item.severity,
        "message": {"text": lines(sentence(item))},
        "locations": [{"physicalLocation": _location(item)}],
        "partialFingerprints": {"smemdsl/v1": _fingerprint(item)},
    }


def _location(item: Diagnostic) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(file_of(item))}}
    if item.line is not None and item.column is not None:
        place["region"] = {
            "startLine": item.line,
            "startColumn": item.column,
            "endColumn": item.column + item.length,
        }
    return place


def _uri(path: str) -> str:
    """A path as a URI: relative to the checkout, or absolute with its scheme."""
    return f"file://{quote(path)}" if path.startswith("/") else quote(path)


def _fingerprint(item: Diagnostic) -> str:
    """The same while the finding stays on a line that reads the same, wherever that line moves."""
    return f"{zlib.crc32(chr(0).join((item.path, item.code, item.source.strip())).encode()):08x}"
