"""A client of a language server, no larger than the tests need."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parents[2]
NAME = "yaml-language-server"


def find_server() -> str | None:
    """The server of `npm install yaml-language-server`: on the path, or in node_modules of the checkout."""
    local = shutil.which(NAME, path=str(ROOT / "node_modules/.bin"))
    return shutil.which(NAME) or local if shutil.which("node") else None


class Server:
    """A running server that knows the scenario's schema."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes], schema: Path) -> None:
        self.stdin, self.stdout = stdin, stdout
        self.ids = self.documents = 0
        self.settings = {
            "yaml": {"schemas": {schema.as_uri(): "**/kernel.yaml"}, "hover": True, "completion": True}
        }
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """The answer to a request; what the server asks meanwhile is answered."""
        self.ids += 1
        self.send({"id": self.ids, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.ids and "method" not in message:
                return message.get("result")
            self.handle(message)

    def tell(self, method: str, params: dict[str, Any]) -> None:
        """A notification."""
        self.send({"method": method, "params": params})

    def open(self, text: str, uri: str = "") -> str:
        """Give the server a document; its URI."""
        self.documents += 1
        uri = uri or f"file:///scenarios/{self.documents}/kernel.yaml"
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return uri

    def at(self, method: str, text: str, marker: str) -> Any:
        """The answer to a request at a place of a new document, which a marker stands at."""
        before, _, after = text.partition(marker)
        place = {"line": before.count("\n"), "character": len(before.rpartition("\n")[2])}
        uri = self.open(before + after)
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": place})

    def problems(self, text: str, uri: str = "") -> list[dict[str, Any]]:
        """The diagnostics of a new document."""
        uri = self.open(text, uri)
        while uri not in self.diagnostics:
            self.handle(self.receive())
        return self.diagnostics[uri]

    def handle(self, message: dict[str, Any]) -> None:
        """Answer a question of the server, or keep what it says."""
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        if "id" in message and message.get("method") == "workspace/configuration":
            items = message["params"]["items"]
            answer = [self.settings.get(item.get("section"), {}) for item in items]
            self.send({"id": message["id"], "result": answer})
        elif "id" in message and "method" in message:
            self.send({"id": message["id"], "result": None})

    def send(self, message: dict[str, Any]) -> None:
        """Write a message."""
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.stdin.flush()

    def receive(self) -> dict[str, Any]:
        """Read a message."""
        length = 0
        while (line := self.stdout.readline().strip()) or not length:
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        message: dict[str, Any] = json.loads(self.stdout.read(length))
        return message


@contextmanager
def running(command: str, schema: Path) -> Iterator[Server]:
    """A server, initialized; it ends with the block."""
    with subprocess.Popen([command, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        server = Server(process.stdin, process.stdout, schema)
        capabilities = {
            "textDocument": {
                "completion": {"completionItem": {"documentationFormat": ["markdown"]}},
                "hover": {"contentFormat": ["markdown"]},
            },
            "workspace": {"configuration": True},
        }
        server.ask("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        server.tell("initialized", {})
        server.tell("workspace/didChangeConfiguration", {"settings": server.settings})
        server.problems("smemdsl: 1\n")  # by then it has asked for its settings
        try:
            yield server
        finally:
            process.kill()
