"""`python -m docs.tools`: write anew what the documentation shows of the program; read the difference."""

from __future__ import annotations

from importlib.util import find_spec

from docs.tools import commands_page, console, feature_map, format_page, pictures, recording, rooms


def main() -> None:
    """The reference pages, the pictures, the recording, and the output of the commands of every page."""
    format_page.write()
    commands_page.write()
    feature_map.write()
    rooms.write()
    recording.write()
    if find_spec("matplotlib"):
        pictures.write()
    else:
        print("no figures are drawn for want of matplotlib")
    for page in console.pages():
        text = page.read_text(encoding="utf-8")
        if missing := console.skipped(text):
            print(f"{page.relative_to(console.ROOT)}: not run for want of {', '.join(sorted(missing))}")
        page.write_text(console.rewritten(page), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
