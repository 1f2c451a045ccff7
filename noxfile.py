"""The loop of CONTRIBUTING.md as sessions: `nox -l` lists them, `nox` runs lint, types and tests."""

import nox

nox.options.sessions = ["lint", "types", "tests"]
nox.options.reuse_existing_virtualenvs = True


@nox.session
def lint(session: nox.Session) -> None:
    """Lint and format."""
    session.install("ruff>=0.14,<1")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Types, strict."""
    session.install("-e", ".[test,lint,docs]")
    session.run("mypy")


@nox.session(python=["3.10", "3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    """All tests, or those named behind `--`."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "pytest", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """The site; a link that leads nowhere is an error."""
    session.install("-e", ".[test,docs]")
    session.run("python", "-m", "docs.tools")
    session.run("mkdocs", "build", "--strict")


@nox.session
def benchmarks(session: nox.Session) -> None:
    """Every row of benchmarks/history.md, against a peer in the same run."""
    session.install("-e", ".[test,solver]", "check-jsonschema")
    session.run("python", "-m", "benchmarks", *session.posargs)
