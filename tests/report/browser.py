"""Chromium without a window, driven by its driver; nothing of it is fetched."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
AXE = os.environ.get("AXE_CORE", "")
"""The script axe.min.js of axe-core."""
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--window-size=1200,1000",
)


@contextmanager
def browser() -> Iterator[Any]:
    """A browser that keeps its console and what it asks the network for; skips where there is none."""
    webdriver = pytest.importorskip("selenium.webdriver")
    if not BROWSER or not DRIVER:
        pytest.skip("chromium and chromedriver are not installed")
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(executable_path=DRIVER))
    driver.set_script_timeout(120)
    driver.set_page_load_timeout(120)
    try:
        yield driver
    finally:
        driver.quit()


def show(driver: Any, page: Path) -> None:
    """Open a page anew, and forget what was logged before."""
    driver.get("about:blank")
    driver.get_log("browser")
    driver.get_log("performance")
    driver.get(page.as_uri())


def requested(driver: Any) -> list[str]:
    """The addresses that were asked for since the page was opened."""
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    return [
        message["params"]["request"]["url"]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    ]


def violations(driver: Any) -> list[str]:
    """What axe-core finds: the rule, and the first elements that break it."""
    if not AXE:
        pytest.skip("AXE_CORE names no axe.min.js")
    driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
    driver.execute_script(Path(AXE).read_text(encoding="utf-8"))
    found = driver.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run(document).then((result) => done(result.violations.map((violation) =>"
        " `${violation.id}: ${violation.nodes.slice(0, 3).map((node) => node.html).join(' | ')}`)));"
    )
    assert isinstance(found, list)
    return found
