"""A compiler's rule: its name as `pack --explain` prints it, and where it comes from."""

from __future__ import annotations

from typing import NamedTuple

from smemdsl.program.lowered import Provenance


class Rule(NamedTuple):
    """What a module of rules says of itself; the module's docstring is the rest of the rule's page."""

    name: str
    """The compiler's pass and a word, such as `inject-pipeline/versions`."""
    compiler: str
    passes: str
    """The compiler's own name of the pass, or passes."""
    source: str
    """The file of the compiler's source that it mirrors."""
    since: str
    """The versions for which it was measured."""
    evidence: str
    """What it was held against."""

    def because(self, text: str) -> Provenance:
        """A value that this rule gave, with one short sentence."""
        return Provenance(self.name, text)


def page(rule: Rule, docstring: str) -> str:
    """The page of a rule, as Markdown: what the rule does, then where it comes from."""
    facts = (
        ("compiler", rule.compiler),
        ("pass", rule.passes),
        ("source", rule.source),
        ("measured for", rule.since),
        ("evidence", rule.evidence),
    )
    return "\n\n".join([docstring.strip(), "\n".join(f"* {name}: {value}" for name, value in facts)])
