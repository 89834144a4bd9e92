"""Accessibility of every page, judged by axe: contrast, names, headings, labels."""

import pytest
from kibitz_api.assets import STATIC
from playwright.sync_api import Browser

from tests.e2e.conftest import Site
from tests.e2e.test_pages import pages

AXE = STATIC.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
VIOLATIONS = """async () => (await axe.run()).violations.map(found =>
    `${found.id} (${found.impact}): ${found.nodes[0].html.slice(0, 160)}`)"""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_pages_are_accessible(browser: Browser, site: Site, dark: bool) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm ci in api/kibitz_api/web")
    context = browser.new_context(
        color_scheme="dark" if dark else "light", bypass_csp=True, reduced_motion="reduce"
    )
    page = context.new_page()
    faults: dict[str, list[str]] = {}
    for path in pages(site):
        page.goto(site.url + path)
        if "/deals/" in path:
            page.wait_for_selector("#replay[data-ready]")
        page.evaluate(AXE.read_text(encoding="utf-8"))
        faults[path] = page.evaluate(VIOLATIONS)
    context.close()
    assert {path: found for path, found in faults.items() if found} == {}
