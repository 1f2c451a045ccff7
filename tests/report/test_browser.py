"""The page in a browser: sort, filter, what if, maps, keyboard, screen readers, hostile names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from smemdsl.core.units import kib, percent
from smemdsl.output.formats.tables import in_kib
from tests.report.browser import browser, requested, show, violations
from tests.report.pages import ATTACK, FILES, HOSTILE, TABLE, folder_of, report

pytestmark = pytest.mark.xdist_group("browser")

pytest.importorskip("jinja2")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One browser for all tests of this file."""
    with browser() as driver:
        yield driver


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with everything: axes, budgets, policies' default, a baseline, misses, a bad file."""
    folder = folder_of(tmp_path_factory.mktemp("report") / "k")
    old = folder_of(
        folder.parent / "old", {"gemm.yaml": FILES["gemm.yaml"].replace("num_stages: 2", "num_stages: 3")}
    )
    file = folder.parent / "page.html"
    file.write_text(report(str(folder), "--baseline", str(old), code=2), encoding="utf-8")
    return file


@pytest.fixture
def opened(chromium: Any, page: Path) -> Any:
    """The browser with that page, and afterwards: nothing was asked for, and nothing went wrong."""
    show(chromium, page)
    yield chromium
    assert requested(chromium) == [page.as_uri()]
    assert chromium.get_log("browser") == []


def every(driver: Any, selector: str) -> list[Any]:
    """The elements of a selector."""
    return list(driver.find_elements("css selector", selector))


def one(driver: Any, selector: str) -> Any:
    """The first element of a selector."""
    return driver.find_element("css selector", selector)


def names(driver: Any) -> list[str]:
    """The names of the rows that are shown, in order."""
    return [e.text for e in every(driver, "#table > tbody:not([hidden]) .name")]


def head(driver: Any, label: str) -> Any:
    """The header of a column."""
    return next(e for e in every(driver, "#table thead th") if e.text.startswith(label))


def open_row(driver: Any, name: str, number: int = 0) -> Any:
    """Open the details of a scenario; with its map drawn."""
    found = [e for e in every(driver, "#table > tbody") if one(e, ".name").text == name]
    one(found[number], "button.open").click()
    return one(found[number], ".detail section")


def awaited(driver: Any, place: Any, selector: str) -> list[Any]:
    """The elements of a selector, once there are any: a browser tells the page some things later."""
    driver.execute_async_script(
        "const [place, selector, done] = arguments;"
        "const look = () => place.querySelector(selector) ? done() : requestAnimationFrame(look);"
        "look();",
        place,
        selector,
    )
    return every(place, selector)


def drawn(driver: Any, section: Any) -> list[Any]:
    """The buffers of the first map, once it is drawn."""
    awaited(driver, section, ".frame .tile")
    return every(one(section, ".frame"), ".tile")


def choose(driver: Any, section: Any, name: str, value: str) -> None:
    """Set a control by its label and the beginning of an option."""
    for label in every(section, "fieldset label"):
        if one(label, "bdi").text == name:
            texts = driver.execute_script(
                "return [...arguments[0].querySelectorAll('option')].map((o) => o.textContent)", label
            )
            index = next(i for i, text in enumerate(texts) if text.startswith(f"{value}: "))
            driver.execute_script(
                "const select = arguments[0].querySelector('select'); select.selectedIndex = arguments[1];"
                "select.dispatchEvent(new Event('change', { bubbles: true }));",
                label,
                index,
            )


def test_the_table(opened: Any) -> None:
    """A row a scenario and budget, and one for what cannot be judged."""
    assert names(opened) == ["gemm", "missed", "over", "tiles", "tiles", f"{bad_name(opened)}"]
    assert one(opened, "#count").text == "Showing 6 of 6 rows: 3 OK, 1 FAIL, 1 OVER, 1 INVALID"


def bad_name(driver: Any) -> str:
    """What the row of the bad file is called: its path."""
    text = every(driver, "#table > tbody .name")[-1].text
    assert text.endswith("bad.yaml")
    return str(text)


@pytest.mark.parametrize(
    ("label", "up"),
    [
        ("Scenario", ["gemm", "missed", "over", "tiles", "tiles"]),
        ("Used KiB", ["missed", "over", "gemm", "tiles", "tiles"]),
        ("%", ["gemm", "tiles", "tiles", "missed", "over"]),
        ("Verdict", ["missed", "over", "gemm", "tiles", "tiles"]),
    ],
)
def test_sorting(opened: Any, label: str, up: list[str]) -> None:
    """Up, down, as it was; what is not known comes last both ways."""
    button = one(head(opened, label), "button")
    before = names(opened)
    button.click()
    assert head(opened, label).get_attribute("aria-sort") == "ascending"
    assert [name for name in names(opened) if not name.endswith("bad.yaml")] == up
    button.click()
    assert head(opened, label).get_attribute("aria-sort") == "descending"
    down = [name for name in names(opened) if not name.endswith("bad.yaml")]
    assert sorted(down) == sorted(up)
    assert down[-1] == up[0]
    if label in ("Used KiB", "%"):
        assert names(opened)[-1].endswith("bad.yaml")
    button.click()
    assert (names(opened), head(opened, label).get_attribute("aria-sort")) == (before, "none")


def test_filters(opened: Any) -> None:
    """By verdict, budget and text, together; the count is told to those who cannot see it."""
    count = one(opened, "#count")
    assert count.get_attribute("aria-live") == "polite"
    one(opened, "#verdict option[value='OK']").click()
    assert names(opened) == ["gemm", "tiles", "tiles"]
    one(opened, "#budget option[value='100 KiB']").click()
    assert names(opened) == ["tiles"]
    assert count.text == "Showing 1 of 6 rows: 1 OK"
    one(opened, "button[type='reset']").click()
    opened.execute_async_script("setTimeout(arguments[0], 50)")
    assert len(names(opened)) == 6
    one(opened, "#text").send_keys("b_SHARED")
    assert names(opened) == ["gemm"]
    one(opened, "#text").send_keys(" nowhere")
    assert (names(opened), count.text) == ([], "Showing 0 of 6 rows")


def test_a_control_changes_the_map(opened: Any) -> None:
    """Four stages: 128 KiB and another picture; its options say what each value gives."""
    section = open_row(opened, "gemm")
    assert len(drawn(opened, section)) == 3
    before = one(section, ".frame").get_attribute("innerHTML")
    options = [o.get_attribute("textContent") for o in every(section, "fieldset option")]
    assert options[1] == "2: 64.0 KiB, 3 blocks/SM"
    choose(opened, section, "num_stages", "4")
    drawn(opened, section)
    assert one(section, ".frame").get_attribute("innerHTML") != before
    answer = one(section, ".answer")
    assert answer.get_attribute("role") == "status"
    assert answer.text.startswith(
        "num_stages 4: 128.0 KiB of 228.0 KiB, 56 %, 100.0 KiB left: OK; 1 block/SM"
    )
    assert "num_stages=4" in one(section, ".params").text
    rows = [[cell.text for cell in every(row, "th, td")] for row in every(section, ".arena tbody tr")]
    assert rows[0] == ["A_shared", "4", "65536", "64.0", "128", "[9, 57)", "0", "65536", "C_shared"]
    one(section, "fieldset button").click()
    assert one(section, ".answer").text.startswith("num_stages 2: 64.0 KiB")


def test_a_slider_and_what_does_not_fit(opened: Any) -> None:
    """Many integers make a slider that speaks; what is over or ruled out is said in words."""
    section = open_row(opened, "tiles")
    slider = one(section, "input[type='range']")
    assert slider.get_attribute("aria-valuetext") == "3"
    slider.send_keys("\ue014")  # right arrow
    assert slider.get_attribute("aria-valuetext") == "4"
    assert "ruled out by a constraint" in one(section, ".slider").text
    assert one(section, ".answer").text.endswith("FAIL: the constraint n != 4 does not hold")
    slider.send_keys("\ue010")  # end
    assert "384.0 KiB, does not fit" in one(section, ".slider").text
    assert "221.0 KiB too much: OVER" in one(section, ".answer").text
    summaries = every(section, "fieldset summary")
    summaries[0].click()
    lines = awaited(opened, section, "fieldset details tbody tr")
    cells = [[c.text for c in every(line, "th, td")] for line in lines]
    assert len(cells) == 12
    assert cells[0] == ["1", "32.0", "163.0", "20", "4", "OK"]


def test_focus_shows_the_details(opened: Any) -> None:
    """One stop for Tab, arrows between the buffers; each is named for those who cannot see it."""
    section = open_row(opened, "gemm")
    tiles = drawn(opened, section)
    assert [tile.get_attribute("tabindex") for tile in tiles] == ["0", "-1", "-1"]
    opened.execute_script("arguments[0].focus()", tiles[0])
    info = one(section, ".info")
    expected = "buffer A_shared size 32768 B (32.0 KiB) versions 2 live slots [3, 51)"
    expected += " offset 0 to 32768 shares with C_shared"
    assert " ".join(info.text.split()) == expected
    tiles[0].send_keys("\ue014")
    assert "buffer B_shared" in " ".join(info.text.split())
    assert opened.switch_to.active_element == tiles[1]
    tiles[1].send_keys("\ue010")
    assert "buffer C_shared" in " ".join(info.text.split())
    assert tiles[0].get_attribute("class") == "tile c0 with"
    label = tiles[2].get_attribute("aria-label")
    assert label.startswith("\u2068C_shared\u2069: size 32768 B (32.0 KiB), versions 1, live slots [51, 53)")
    assert [row.text.split()[0] for row in every(section, ".arena tr.on")] == ["C_shared"]


def test_hovering_shows_them_too(opened: Any) -> None:
    """Without a click."""
    section = open_row(opened, "gemm")
    from selenium.webdriver import ActionChains

    ActionChains(opened).move_to_element(drawn(opened, section)[1]).perform()
    assert "buffer B_shared" in " ".join(one(section, ".info").text.split())


def test_the_baseline_beside(opened: Any) -> None:
    """What was, what is, the difference, and what explains it."""
    section = open_row(opened, "gemm")
    rows = [
        [c.text for c in every(row, "th, td")]
        for row in every(section, ":scope > .scroll tbody tr, div > .scroll tbody tr")
    ]
    assert ["used B", "98304", "65536", "-32768"] in rows
    assert ["blocks/SM", "2", "3", "+1"] in rows
    assert "A_shared 3 -> 2 versions" in section.text


def test_findings_are_in_the_details(opened: Any) -> None:
    """A miss, and what is wrong with a file."""
    assert "expected arena to be 32 B, got 64 B" in open_row(opened, "missed").text
    assert "unknown name 'nope'" in open_row(opened, bad_name(opened)).text


def test_opening_many_and_closing(opened: Any) -> None:
    """All that the filter leaves."""
    one(opened, "#verdict option[value='OK']").click()
    one(opened, "#open").click()
    assert len(every(opened, ".detail")) == 3
    assert {b.get_attribute("aria-expanded") for b in every(opened, "tbody:not([hidden]) button.open")} == {
        "true"
    }
    one(opened, "#close").click()
    assert not [row for row in every(opened, ".detail") if row.is_displayed()]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("is_open", [False, True])
def test_accessibility(chromium: Any, page: Path, scheme: str, is_open: bool) -> None:
    """axe-core finds nothing, closed and with all details open."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    try:
        show(chromium, page)
        if is_open:
            for name in ("gemm", "tiles", "missed", "over"):
                drawn(chromium, open_row(chromium, name))
            for summary in every(chromium, "summary"):
                summary.click()
            for folded in every(chromium, "fieldset details"):
                awaited(chromium, folded, "tbody tr")
            chromium.execute_script("document.querySelector('.tile').focus()")
        assert violations(chromium) == []
    finally:
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        chromium.execute_cdp_cmd("Page.setBypassCSP", {"enabled": False})


def test_policies_side_by_side(chromium: Any, tmp_path: Path) -> None:
    """A map a policy on one scale, a group of columns each, and no complaint about the headers."""
    file = tmp_path / "page.html"
    folder = folder_of(tmp_path / "k", {"gemm.yaml": FILES["gemm.yaml"]})
    file.write_text(report(str(folder), "--policy", "tilelang", "--policy", "sequential"), encoding="utf-8")
    show(chromium, file)
    assert [e.text for e in every(chromium, "th[scope='colgroup']")] == ["tilelang", "sequential"]
    one(every(chromium, "thead tr:nth-child(2) th")[6], "button").click()
    assert every(chromium, "thead [aria-sort='ascending']")[0].get_attribute("data-column") == "8"
    section = open_row(chromium, "gemm")
    drawn(chromium, section)
    assert [e.text for e in every(section, "figcaption strong")] == ["tilelang", "sequential"]
    assert [e.text for e in every(section, ".answer p")][1].startswith("tilelang: 64.0 KiB of")
    heights = {e.get_attribute("height") for e in every(section, ".tile:first-of-type rect")}
    assert len(heights) == 1
    assert chromium.get_log("browser") == []


SIZES = (0, 1, 16, 1000, 1024, 65536, 65537, 2**53 - 1, 2**53 + 1, 2**60 + 1)


def test_numbers_are_those_of_the_command_line(chromium: Any, tmp_path: Path) -> None:
    """Exact in bytes and in KiB, also where a JavaScript number is not."""
    buffers = "".join(f"  b{i}: {{bytes: {size}, align: 1}}\n" for i, size in enumerate(SIZES))
    text = f"smemdsl: 1\npolicy: struct\nbudget: {2**62}\nbuffers:\n{buffers}"
    file = tmp_path / "page.html"
    file.write_text(report(str(folder_of(tmp_path / "k", {"k.yaml": text}))), encoding="utf-8")
    show(chromium, file)
    section = open_row(chromium, "k")
    drawn(chromium, section)
    rows = [[c.text for c in every(row, "th, td")] for row in every(section, ".tables tbody tr")]
    ends = list(accumulate(SIZES))
    assert [(row[2], row[3]) for row in rows] == [(str(size), in_kib(size)) for size in SIZES]
    assert [row[7] for row in rows] == ["0", *map(str, ends[1:])]
    said = one(section, ".answer").text
    assert said.startswith(f"{kib(ends[-1])} of {kib(2**62)}, {percent(ends[-1], 2**62)}, ")
    assert chromium.get_log("browser") == []


HUGE = f"""\
smemdsl: 1
policy: struct
buffers:
  A: {{bytes: {2**60}, align: 1, live: [0, 4]}}
  tiny: {{bytes: 1, align: 1, live: [1, 5]}}
  B: {{bytes: {2**60}, align: 1, live: [2, 6]}}
"""


def test_one_byte_between_huge_buffers(chromium: Any, tmp_path: Path) -> None:
    """It is drawn; the map's labels are whole, and no number of the table runs into its neighbour."""
    file = tmp_path / "page.html"
    file.write_text(report(str(folder_of(tmp_path / "k", {"huge.yaml": HUGE}))), encoding="utf-8")
    show(chromium, file)
    section = open_row(chromium, "huge")
    heights = [float(one(tile, "rect").get_attribute("height")) for tile in drawn(chromium, section)]
    assert heights[1] == min(heights) == 14
    labels = every(section, ".map .marks text.end:not(.budget)")
    assert [label.text for label in labels] == ["0.0 KiB", "1.0 EiB", "≈1.0 EiB", "≈2.0 EiB"]
    left = one(section, ".map").rect["x"]
    assert all(label.rect["x"] >= left for label in labels)
    wider = "return [...document.querySelectorAll('#table > tbody > tr:first-child > td')]"
    assert (
        chromium.execute_script(f"{wider}.filter((cell) => cell.scrollWidth > cell.clientWidth).length") == 0
    )


def test_a_narrow_window(chromium: Any, page: Path) -> None:
    """Captions are whole, budgets on one line, and a table that goes on says so."""
    size = {"width": 400, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        show(chromium, page)
        section = open_row(chromium, "gemm")
        drawn(chromium, section)
        for caption in every(chromium, ".caption"):
            area = caption.find_element("xpath", "ancestor::div[contains(@class, 'scroll')][1]").rect
            assert caption.rect["x"] + caption.rect["width"] <= area["x"] + area["width"]
        assert "Scroll sideways" in one(chromium, "#caption").text
        assert "Scroll sideways" in one(section, ".tables .caption").text
        lines = chromium.execute_script(
            "return [...document.querySelectorAll('#table > tbody > tr:first-child > td.word')]"
            ".map((cell) => { const range = document.createRange(); range.selectNodeContents(cell);"
            " return [cell.textContent, range.getClientRects().length]; });"
        )
        assert ["sm_90/sm", 1] in lines
        assert chromium.execute_script("return document.documentElement.scrollWidth") <= 400
    finally:
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


RIGHT_TO_LEFT = "שלום"


def test_names_from_right_to_left(chromium: Any, tmp_path: Path) -> None:
    """None turns the words around it: each stands apart, in texts and in labels."""
    buffers = f"  {RIGHT_TO_LEFT}: {{bytes: 64, live: [0, 4]}}\n  third: {{bytes: 64, live: [4, 8]}}\n"
    buffers += f"  {RIGHT_TO_LEFT}2: {{bytes: 32, live: [5, 8]}}\n"
    text = f"smemdsl: 1\nname: {RIGHT_TO_LEFT}\npolicy: tilelang\nbuffers:\n{buffers}"
    file = tmp_path / "page.html"
    file.write_text(report(str(folder_of(tmp_path / "k", {"k.yaml": text}))), encoding="utf-8")
    show(chromium, file)
    section = open_row(chromium, RIGHT_TO_LEFT)
    label = drawn(chromium, section)[1].get_attribute("aria-label")
    assert label.endswith(f"shares with \u2068{RIGHT_TO_LEFT}\u2069")
    naked = chromium.execute_script(
        "const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);"
        "const found = [];"
        "while (walk.nextNode()) found.push(walk.currentNode);"
        "return found.filter((node) => node.data.includes(arguments[0]))"
        ".filter((node) => !node.parentElement.closest('bdi, text')).map((node) => node.data);",
        RIGHT_TO_LEFT,
    )
    assert naked == []
    shared = [[e.text for e in every(item, "bdi")] for item in every(section, ".tables li")]
    assert [RIGHT_TO_LEFT, "third"] in shared


def test_many_are_drawn_when_they_come_into_view(chromium: Any, tmp_path: Path) -> None:
    """Those that nobody looks at wait, and say that they do; whoever goes there or prints has them."""
    files = {f"{i:02}.yaml": FILES["gemm.yaml"].replace("name: gemm", f"name: k{i:02}") for i in range(40)}
    file = tmp_path / "page.html"
    file.write_text(report(str(folder_of(tmp_path / "k", files))), encoding="utf-8")
    show(chromium, file)
    one(chromium, "#open").click()
    assert len(every(chromium, ".detail")) == 40
    rows = every(chromium, "#table > tbody")
    drawn(chromium, rows[0])
    assert one(rows[39], ".detail section").get_attribute("aria-busy") == "true"
    chromium.execute_script("arguments[0].scrollIntoView()", rows[39])
    assert len(drawn(chromium, rows[39])) == 3
    assert 0 < len(every(chromium, "[aria-busy='true']")) < 40
    chromium.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert every(chromium, "[aria-busy='true']") == []


def test_hostile_names_stay_text(chromium: Any, tmp_path: Path) -> None:
    """In names of buffers, scenarios and files, in summaries and titles: nothing runs, nothing is fetched."""
    path = f"{ATTACK.replace('/', '_')}.yaml"
    folder = folder_of(tmp_path / "k", {path: HOSTILE, "t.csv": TABLE})
    file = tmp_path / "page.html"
    html = report(str(folder / path), str(folder / "t.csv"), "--title", ATTACK)
    file.write_text(html, encoding="utf-8")
    assert ATTACK not in html
    assert "\u202e" not in html
    show(chromium, file)
    for button in every(chromium, "button.open"):
        button.click()
    for section in every(chromium, ".detail section"):
        opened_tiles = drawn(chromium, section) if every(section, ".frame") else []
        for tile in opened_tiles:
            chromium.execute_script("arguments[0].focus()", tile)
    assert every(chromium, "img") == []
    assert chromium.title == ATTACK
    assert one(chromium, "h1").text == ATTACK
    assert ATTACK in chromium.find_element("tag name", "body").text
    assert requested(chromium) == [file.as_uri()]
    assert chromium.get_log("browser") == []


def test_without_javascript(chromium: Any, page: Path) -> None:
    """The table is there, with a word on what is missing, and no control that does nothing."""
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        show(chromium, page)
        shown = chromium.find_element("tag name", "body").text
        assert "Without JavaScript" in shown
        assert "✗ FAIL" in shown
        assert not one(chromium, "#filters").is_displayed()
        assert every(chromium, "#table button") == []
    finally:
        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
