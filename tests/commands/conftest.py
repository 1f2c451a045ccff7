"""A folder of scenarios for the commands to work on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.texts import GEMM

OVER = "smemdsl: 1\nbudget: 100\nbuffers: {a: {bytes: 101}}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a scenario of each fate; nothing outside it changes the output."""
    texts = {
        "gemm.yaml": GEMM,
        "fits.yaml": "smemdsl: 1\nbuffers: {a: {bytes: 16}}\n",
        "over.yaml": OVER,
        "expected.yaml": f"{OVER}expect: {{fits: false}}\n",
        "missed.yaml": "smemdsl: 1\nbuffers: {a: {bytes: 16}}\nexpect: {arena: 17}\n",
        "broken.yaml": "smemdsl: 1\nparams: {n: 1}\nconstraints: [n > 1]\nbuffers: {a: {bytes: 16}}\n",
        "bad.yaml": "smemdsl: 1\nbuffers: {a: {bytes: x}}\n",
        "warned.yaml": "smemdsl: 1\ncluster: 16\nthreads: 128\nbuffers: {a: {bytes: 16}}\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_ACTIONS", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path
