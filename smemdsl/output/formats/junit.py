"""JUnit XML: one test case a scenario and budget, as test reports of CI systems read it.

The element and attribute names are those that Jenkins and GitLab take.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import normpath
from xml.sax.saxutils import escape, quoteattr

from smemdsl.core.errors import Diagnostic
from smemdsl.core.shown import lines
from smemdsl.judging.result import Report, Result
from smemdsl.output.formats.diagnostics import headline
from smemdsl.output.formats.findings import findings, sentence
from smemdsl.output.formats.layout import judgement


def check(report: Report) -> Iterator[str]:
    """A failure for what is over or missed, an error for what cannot be judged; warnings as output."""
    found = findings(report)
    judged = {result.path for result in report.results}
    unjudged = [item for item in found if item.path not in judged and item.severity == "error"]
    failed = [result for result in report.results if not result.verdict.passes]
    counts = {
        "tests": len(report.results) + len(unjudged),
        "failures": len(failed),
        "errors": len(unjudged),
        "skipped": 0,
    }
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f"<testsuites{_attributes({'name': 'smemdsl', **counts})}>\n"
    yield f"  <testsuite{_attributes({'name': f'smemdsl {report.command}', **counts})}>\n"
    for result in report.results:
        yield from _judged(result, _of_result(result, found))
    for item in unjudged:
        yield from _unjudged(item)
    yield "  </testsuite>\n</testsuites>\n"


pack = check


def _of_result(result: Result, found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings of one scenario that concern one budget."""
    verdict = result.verdict
    faults = {(fault.code, fault.message) for fault in (*verdict.failures, *verdict.warnings)}
    return [
        item
        for item in found
        if item == result.over or (item.path == result.path and (item.code, item.message) in faults)
    ]


def _judged(result: Result, found: list[Diagnostic]) -> Iterator[str]:
    verdict = result.verdict
    name = f"{verdict.plan.name} on {verdict.budget.name}"
    errors = [item for item in found if item.severity == "error"]
    yield _case(result.path, name, errors[0].line if errors else None)
    fields = {"verdict": verdict.verdict, "confidence": verdict.confidence, "limit": verdict.limit}
    known = [(key, value) for key, value in fields.items() if value is not None]
    yield "      <properties>\n"
    yield from (f"        <property{_attributes({'name': key, 'value': value})}/>\n" for key, value in known)
    yield "      </properties>\n"
    if not verdict.passes:
        message = "; ".join(item.message for item in errors) or next(judgement(verdict))
        text = "\n".join(map(_text, errors))
        yield f"      <failure{_attributes({'message': message, 'type': verdict.verdict})}>"
        yield f"{_quoted(text)}</failure>\n"
    said = "\n".join([*judgement(verdict), *(_text(item) for item in found if item.severity != "error")])
    yield f"      <system-out>{_quoted(said)}</system-out>\n    </testcase>\n"


def _unjudged(item: Diagnostic) -> Iterator[str]:
    yield _case(item.path, item.code, item.line)
    yield f"      <error{_attributes({'message': item.message, 'type': item.code})}>"
    yield f"{_quoted(_text(item))}</error>\n    </testcase>\n"


def _case(path: str, name: str, line: int | None) -> str:
    path = normpath(path)
    fields: dict[str, str | int] = {"classname": path, "name": name, "file": path}
    if line is not None:
        fields["line"] = line
    return f"    <testcase{_attributes(fields)}>\n"


def _attributes(fields: Mapping[str, str | int]) -> str:
    return "".join(f" {key}={quoteattr(lines(str(value)))}" for key, value in fields.items())


def _text(item: Diagnostic) -> str:
    return f"{headline(item)} {sentence(item)}"


def _quoted(text: str) -> str:
    """Character data in which nothing acts; what XML does not allow is none of what is left."""
    return escape(lines(text))
