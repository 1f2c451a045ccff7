"""Where inputs come from: what ships, changed, and the grammar."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import yaml

from benchmarks.fuzz import grammar
from benchmarks.fuzz.model import Case, Tree
from benchmarks.fuzz.mutate import mutated

SCENARIOS = Path(__file__).parents[2] / "scenarios"
VALUES = (
    *("0", "1", "-1", "2**62", "1..6", "a,b", "", "=", "16..256*2", "x" * 300, "\x1b[2J", "float16", "sm_90"),
)
COMMANDS = (
    *(("check", "-"), ("pack", "-"), ("pack", "-", "--explain"), ("expand", "-"), ("sweep", "-"), ("check",)),
    *(("devices",), ("explain",), ("schema",), ("lint", "-"), ("diff", "-", "-"), ("pack", "-", "--map")),
)
FLAGS = (
    *("--set", "--budget", "--align", "--policy", "--format", "--fill", "--max", "--pivot", "--time-limit"),
    *("--strict", "--suggest", "--matrix", "--compare", "--nonsense", "--configs"),
)


class Source:
    """The scenarios that ship, in the order of their names."""

    def __init__(self) -> None:
        self.texts = tuple(path.read_text(encoding="utf-8") for path in sorted(SCENARIOS.rglob("*.yaml")))
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        self.trees: tuple[Tree, ...] = tuple(yaml.load(text, loader) for text in self.texts)

    def case(self, random: Random) -> Case:
        """The next input."""
        way = random.random()
        if way < 0.45:
            tree = mutated(random.choice(self.trees), self.trees, random)
            return Case("mutant", _written(tree), tree=tree)
        if way < 0.70:
            tree = grammar.scenario(random)
            if random.random() < 0.3:
                tree = mutated(tree, self.trees, random)
            return Case("grammar", _written(tree), tree=tree)
        if way < 0.85:
            return Case("table", grammar.table(random))
        if way < 0.93:
            return Case("text", _bytes(random.choice(self.texts), random))
        return Case("command", random.choice(self.texts), _command(random))


def rewritten(case: Case, tree: Tree) -> Case:
    """The case with another tree."""
    return case._replace(text=_written(tree), tree=tree)


def _written(tree: Tree) -> str:
    """JSON is YAML, and is written many times faster."""
    return json.dumps(tree, default=str)


def _bytes(text: str, random: Random) -> str:
    """A text with a few characters cut, doubled or changed."""
    for _ in range(random.randint(1, 4)):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice((0, 1, 1, 5, 50)))
        put = random.choice(
            ("", "", text[start:end] * 2, random.choice("{}[]:,&*!|>'\"%@`#-?\t\x00\x1b\ufeff\n 9"))
        )
        text = text[:start] + put + text[end:]
    return text


def _command(random: Random) -> tuple[str, ...]:
    args = list(random.choice(COMMANDS))
    for _ in range(random.randrange(4)):
        args.append(random.choice(FLAGS))
        if random.random() < 0.8:
            value = random.choice(
                (*VALUES, "json", "csv", "junit", "optimal", "struct", "h100", "num_stages")
            )
            args.append(f"num_stages={value}" if random.random() < 0.4 else value)
    return tuple(args)
