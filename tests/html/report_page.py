# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The HTML report in headless Chromium: what a person does with it and what the page then shows.

usage: report_page.py DIRECTORY_OF_PAGES

Clicks and keys are the browser's own input events. The pages are those of page.cpp: h100.html, mi250x.html, many.html, joined.html.
Exit status: 0 passed, 1 failed, 77 when Selenium or Chromium is not there (CTest counts that as skipped).
"""
import base64
import pathlib
import re
import shutil
import sys
import unittest

skipped = 77
try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print("skipped: this Python has no Selenium (Debian: python3-selenium)")
    sys.exit(skipped)
browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
driver = shutil.which("chromedriver")
if browser is None or driver is None:
    print("skipped: no Chromium or no chromedriver in the PATH (Debian: chromium chromium-driver)")
    sys.exit(skipped)


def start():
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    # No display, perhaps root, perhaps a small /dev/shm, no network.
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--hide-scrollbars", "--proxy-server=127.0.0.1:9"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(driver), options=options)


# Text whose contrast with what lies behind it is below 4.5 (WCAG 2, AA): "ratio: text".
POOR_CONTRAST = """
const parse = (text) => { const n = text.match(/[0-9.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, part, i) => {
  const x = c[i] / 255;
  return sum + part * (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
}, 0);
function behind(element) {
  const layers = [];
  for (let e = element; e !== null; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor));
  return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 1]);
}
const poor = [];
let looked = 0;
for (const element of document.body.querySelectorAll("*")) {
  const text = [...element.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.trim()).join("");
  if (text === "" || element.closest("script, noscript, style") || element.getClientRects().length === 0) continue;
  ++looked;
  const under = behind(element), color = over(parse(getComputedStyle(element).color), under);
  const [a, b] = [light(color), light(under)].sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  if (ratio < 4.5) poor.push(`${ratio.toFixed(2)}: ${element.tagName}.${element.className} ${text.slice(0, 30)}`);
}
return [looked, [...new Set(poor)].slice(0, 20)];
"""

# Presses the first so many of these, in a fraction of the time that a hand would take.
CLICK = "for (const button of [...document.querySelectorAll(arguments[0])].slice(0, arguments[1])) button.click()"


class ReportPage(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.page = start()

    @classmethod
    def tearDownClass(cls):
        cls.page.quit()

    def open(self, page="h100", width=1280, dark=False):
        self.page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                  {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        self.page.get(pages[page])
        # What a test before this one has left there, which is seldom, the page has read already.
        if self.page.execute_script("const left = localStorage.length; localStorage.clear(); return left"):
            self.page.refresh()

    def all(self, selector):
        return self.page.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.page.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector):
        return [element.text for element in self.all(selector)]

    def background(self, selector):
        return self.one(selector).value_of_css_property("background-color")

    def numbers(self, column):
        """The column's first numbers, in the order of the rows on the page."""
        return [float(text.split()[0].replace(",", "").replace("-way", ""))
                for text in self.texts(f"#lines table.lines > tbody > tr:first-child > .{column}")]

    def row(self, kernel, access, kind):
        """The one row of that kernel."""
        rows = [body for body in self.all("#lines table.lines > tbody")
                if body.find_element(By.CSS_SELECTOR, ".kernel").text == kernel
                and body.find_element(By.CSS_SELECTOR, ".access").text.split() == [access + ",", "4", "B", kind]]
        self.assertEqual(len(rows), 1)
        return rows[0]

    def picture(self, kernel, access, kind):
        """The picture of that row, opened by a click if it is closed."""
        row = self.row(kernel, access, kind)
        button = row.find_element(By.CSS_SELECTOR, "button.open")
        if button.get_attribute("aria-expanded") == "false":
            button.click()
        self.assertEqual(button.get_attribute("aria-expanded"), "true")
        return row.find_element(By.CSS_SELECTOR, "figure")

    def cells(self, picture, kind=""):
        return picture.find_elements(By.CSS_SELECTOR, "td.cell" + kind)

    def test_nothing_is_loaded_and_nothing_is_said_to_the_console(self):
        self.page.get_log("browser")
        self.open()
        self.assertEqual(self.page.execute_script("return performance.getEntriesByType('resource').length"), 0)
        self.assertEqual(self.page.get_log("browser"), [])
        self.assertEqual(self.page.title, "TeamSan: 1 error, 1 warning")

    def test_findings_in_the_words_of_the_text_report(self):
        self.open()
        self.assertEqual(len(self.all("article.finding")), 2)
        text = self.one("#finding-0").text
        for words in ("write/read race on team scratch", "league 0  thread 1  lane 2  (warp 1)   barrier interval 0",
                      "tile(r, c) = in(y + r, x + c);", "put team.team_barrier() between src/transpose.cpp:40",
                      "61,440 element pairs in 64 of 64 teams", "TS-3f9a1c"):
            self.assertIn(words, text)
        self.assertIn("exit status 66", self.one("#summary").text)

    def test_a_place_leads_to_its_line(self):
        self.open()
        self.one("#finding-0 a.place").click()
        self.assertIn("tile(r, c) = in(y + r, x + c);", self.one("tr:target").text)
        self.one("tr:target a.mark").click()
        self.assertEqual(self.one(":target").get_attribute("id"), "finding-0")

    def test_the_table_sorts_by_each_press(self):
        self.open()
        head = self.one("#lines table.lines th:has(button[data-key=cost])")
        self.assertEqual(self.one("#lines table.lines th:has(button[data-key=excess])").get_attribute("aria-sort"),
                         "descending")
        self.assertEqual(self.numbers("excess"), sorted(self.numbers("excess"), reverse=True))
        press = head.find_element(By.CSS_SELECTOR, "button")
        press.click()
        self.assertEqual(head.get_attribute("aria-sort"), "descending")
        needed = self.numbers("cost")
        self.assertEqual(needed, [65536, 65536, 8192, 8192, 8192, 8192, 8192, 2048, 2048, 2048])
        press.click()
        self.assertEqual(head.get_attribute("aria-sort"), "ascending")
        self.assertEqual(self.numbers("cost"), needed[::-1])
        self.one("button[data-key=kernel]").click()
        kernels = self.texts("#lines table.lines > tbody > tr:first-child > .kernel")
        self.assertEqual(kernels, ["naive"] * 2 + ["transpose"] * 4 + ["transpose_padded"] * 4)
        self.one("button[data-key=times]").click()
        self.assertEqual(self.numbers("times")[:3], [32, 8, 1])

    def test_the_keyboard_sorts_and_opens(self):
        self.open()
        press = self.one("button[data-key=share]")
        self.page.execute_script("arguments[0].focus()", press)
        press.send_keys(Keys.ENTER)
        self.assertEqual(self.numbers("share"), sorted(self.numbers("share"), reverse=True))
        press.send_keys(Keys.SPACE)
        self.assertEqual(self.numbers("share"), sorted(self.numbers("share")))
        # The next stop behind the column names is the first row's button.
        self.one("button[data-key=fix]").send_keys(Keys.TAB)
        button = self.page.switch_to.active_element
        self.assertEqual(button.get_attribute("class"), "open")
        self.assertEqual(button.get_attribute("aria-expanded"), "false")
        button.send_keys(Keys.ENTER)
        self.assertEqual(button.get_attribute("aria-expanded"), "true")

    def test_a_32_way_conflict_is_32_coloured_cells_in_one_bank(self):
        self.open()
        picture = self.picture("transpose", "load", "scratch")
        conflicts = self.cells(picture, ".conflict")
        self.assertEqual(len(conflicts), 32)
        self.assertEqual(len(self.cells(picture)), 32)
        self.assertEqual([cell.text for cell in conflicts], [str(32 * lane) for lane in range(32)])
        self.assertEqual({self.page.execute_script("return arguments[0].cellIndex", cell) for cell in conflicts}, {1})
        self.assertEqual(picture.find_element(By.CSS_SELECTOR, "tfoot .bad").text, "32")
        self.assertIn("32 wavefronts where 1 would do", picture.text)
        self.assertNotEqual(conflicts[0].value_of_css_property("background-color"), "rgba(0, 0, 0, 0)")

    def test_a_padded_tile_has_no_coloured_cell(self):
        self.open()
        picture = self.picture("transpose_padded", "load", "scratch")
        self.assertEqual(len(self.cells(picture, ".conflict")), 0)
        free = self.cells(picture, ".free")
        self.assertEqual(len(free), 32)
        self.assertEqual([self.page.execute_script("return arguments[0].cellIndex", cell) for cell in free],
                         list(range(1, 33)))
        self.assertEqual([cell.text for cell in free], [str(33 * lane) for lane in range(32)])

    def test_sectors(self):
        self.open()
        scattered = self.picture("naive", "store", "global")
        self.assertEqual(len(self.cells(scattered, ".conflict")), 32)
        self.assertEqual(len(scattered.find_elements(By.CSS_SELECTOR, "thead th[scope=col]")), 33)
        together = self.picture("naive", "load", "global")
        self.assertEqual(len(self.cells(together, ".free")), 32)
        self.assertEqual(len(together.find_elements(By.CSS_SELECTOR, "thead th[scope=col]")), 5)

    def test_the_life_of_a_racing_word(self):
        self.open()
        life = self.one("article.finding figure.word-life")
        grid = life.find_element(By.CSS_SELECTOR, "table.life")
        self.assertEqual([cell.text for cell in grid.find_elements(By.CSS_SELECTOR, "thead th")], ["interval", "0", "1"])
        rows = [[cell.text for cell in row.find_elements(By.TAG_NAME, "td")]
                for row in grid.find_elements(By.CSS_SELECTOR, "tbody tr")]
        self.assertEqual(rows, [["W", "R\u00d73"], ["R", "AW"]])
        self.assertEqual([cell.text for cell in grid.find_elements(By.CSS_SELECTOR, "td.side")], ["W", "R"])
        life.find_element(By.TAG_NAME, "summary").click()
        self.assertEqual(len(life.find_elements(By.CSS_SELECTOR, "table.touches tbody tr")), 4)
        # Only findings whose word a trace tells have a picture.
        self.assertEqual(len(self.all("figure.word-life")), 1)

    def test_the_gutter_is_hottest_at_the_worst_line(self):
        self.open()
        hot = [row.text for row in self.all("table.source tr:has(.heat-5)")]
        self.assertEqual(len(hot), 2)
        self.assertIn("+63k", hot[0])
        self.assertIn("out(x + r, y + c) = tile(c, r);", hot[0])
        self.assertIn("+57k", hot[1])

    def test_folded_lines_open(self):
        self.open()
        before = len(self.all("table.source tbody tr"))
        self.one("tr.fold button").click()
        self.assertEqual(len(self.all("table.source tbody tr")), before + 33)

    def test_light_and_dark(self):
        self.open()
        light = self.background("body"), self.background("td.conflict")
        self.assertEqual(self.one("#theme").text, "Dark theme")
        self.one("#theme").click()
        self.assertEqual(self.one("#theme").text, "Light theme")  # what the next press does
        dark = self.background("body"), self.background("td.conflict")
        for one, other in zip(light, dark):
            self.assertNotEqual(one, other)
        self.page.refresh()
        self.assertEqual(self.background("body"), dark[0])
        self.one("#theme").click()
        self.assertEqual(self.background("body"), light[0])
        self.open(dark=True)
        self.assertEqual(self.background("body"), dark[0])

    def test_it_fits_wide_and_narrow_windows(self):
        for width in (1400, 1280, 880, 800, 400, 390):
            for name in ("h100", "mi250x", "joined"):
                self.open(name, width)
                self.page.execute_script(CLICK, "button.open[aria-expanded=false]", 1000)
                self.assertEqual(self.page.execute_script("return document.documentElement.scrollWidth"), width)
        # On a telephone all that a kernel's numbers and the index say is in the window, dark as light, under a bar of two lines.
        for name in ("h100", "joined"):
            self.open(name, 390, dark=name == "joined")
            self.page.execute_script("for (const fold of document.querySelectorAll('details.index')) fold.open = true")
            cells = self.page.execute_script(
                "return [...document.querySelectorAll('.index th, .index td, .traffic th, .traffic td')]"
                ".filter((cell) => cell.checkVisibility() && cell.textContent !== '').map((cell) =>"
                "[cell.textContent, cell.getBoundingClientRect().left, cell.getBoundingClientRect().right,"
                " cell.scrollWidth - cell.clientWidth])")
            self.assertGreater(len(cells), 15)
            for text, left, right, beyond in cells:
                self.assertTrue(0 <= left and right <= 390 and beyond <= 1, f"{text}: {left} to {right}, {beyond} beyond")
            self.assertIn("src/transpose.cpp", self.one(".index tbody tr").text)
            if name == "h100":
                self.assertEqual(self.page.execute_script(
                    "return [...arguments[0].querySelectorAll('td')].filter((cell) => cell.checkVisibility())"
                    ".map((cell) => getComputedStyle(cell, '::before').content + cell.textContent)",
                    self.one("#kernels table.traffic tbody tr")),
                    ['"Requests "2,048', '"Needed "65,536', '"Ideal "2,048', '"Efficiency "3.1 %'])
            self.assertLess(self.one(".top").size["height"], 80)
        # The tables of lines and of kernels need no scrolling of their own.
        for width in (1280, 800, 390):
            self.open(width=width)
            for table in ("#lines table.lines", "#kernels table.ranking"):
                beyond = self.page.execute_script("const box = document.querySelector(arguments[0]).parentElement;"
                                                  "return box.scrollWidth - box.clientWidth", table)
                self.assertEqual(beyond, 0, f"{table} at {width}")

    def test_in_a_narrow_window_each_kernel_is_a_card(self):
        for width, cards in ((1280, False), (800, True), (390, True)):
            self.open(width=width, dark=width == 390)
            rows = self.all("#kernels table.ranking > tbody > tr")
            self.assertGreater(len(rows), 1)
            for row in rows:
                self.assertEqual(row.value_of_css_property("display"), "grid" if cards else "table-row")
                # A cell says what its number is, since the column's name is no longer above it.
                names = self.page.execute_script("return [...arguments[0].querySelectorAll('td')].map((cell) =>"
                                                 "getComputedStyle(cell, '::before').content)", row)
                self.assertEqual([name.strip('"') for name in names] if cards else set(names),
                                 ["Share", "Launches", "At least", "Bound by", "Bytes moved", "Active lanes",
                                  "Warps resident"] if cards else {"none"})
                places = self.page.execute_script("return [...arguments[0].children].map((cell) => {"
                                                  "const box = cell.getBoundingClientRect(); return [box.left, box.right] })", row)
                for left, right in places:
                    self.assertTrue(0 <= left and right <= width, f"{left} to {right} of {width}")

    def test_errors_stand_first_and_cards_have_the_numbers_of_the_index(self):
        self.open("joined")
        self.assertEqual([text.split()[:2] for text in self.texts("article.finding > h3")],
                         [[str(at), "ERROR" if at <= 10 else "WARNING"] for at in range(1, 13)])
        self.one(".index summary").click()
        self.assertEqual(self.texts(".index:not(.by-test, .known) tbody td:first-child"), [str(at) for at in range(1, 13)])
        self.assertEqual([row.split()[1] for row in self.texts(".index:not(.by-test, .known) tbody tr")],
                         ["ERROR"] * 10 + ["WARNING"] * 2)

    def test_a_tile_shows_its_severity_alone(self):
        self.open("joined")
        tile = self.one(".tile.warning button")
        tile.click()
        self.assertEqual(self.shown(), ["finding-10", "finding-11"])
        self.assertEqual(tile.get_attribute("aria-pressed"), "true")
        self.assertEqual(self.one(".filters output").text, "2 of 12 findings")
        # The findings have come into view, and the tiles have gone out of it.
        self.page.execute_script("window.scrollTo(0, 0)")
        self.one(".tile.error button").click()
        self.assertEqual((tile.get_attribute("aria-pressed"), len(self.shown())), ("false", 10))
        self.page.execute_script("window.scrollTo(0, 0)")
        self.one(".tile.error button").click()
        self.assertEqual(len(self.shown()), 12)
        # The select says the same.
        self.one("#filter-severity").send_keys("w")
        self.assertEqual(tile.get_attribute("aria-pressed"), "true")

    def test_kernels_are_in_the_order_of_their_numbers(self):
        self.open("joined")
        self.assertEqual([text.split()[0] for text in self.texts("#filter-kernel option")],
                         ["all", *[f"kernel_{at}" for at in range(12)]])

    def test_a_joined_report_says_which_tests_and_what_was_known(self):
        self.open("joined")
        self.assertIn("halo_exchange (ranks 0, 2)", self.one("#finding-0").text)
        self.assertIn("cd /build/solve/ && teamsan run", self.one("#finding-9").text)
        fold = self.one("details.by-test")
        fold.find_element(By.TAG_NAME, "summary").click()
        rows = [row.text.split() for row in fold.find_elements(By.CSS_SELECTOR, "tbody tr")]
        self.assertEqual(rows, [["halo_exchange", "0-2", "1", "2", "3", "4", "11", "12"],
                                ["solve", "5", "6", "7", "8", "9", "10"]])
        self.assertIn("1 test without findings", fold.text)
        self.assertEqual(self.texts("details.by-test thead th"), ["Test", "Ranks", "Findings"])
        fold.find_element(By.LINK_TEXT, "12").click()
        self.assertEqual(self.one(":target").get_attribute("id"), "finding-11")
        self.page.execute_script("window.scrollTo(0, 0)")
        known = self.one("details.known")
        self.assertEqual(known.find_element(By.TAG_NAME, "summary").text, "Known, left out (2)")
        known.find_element(By.TAG_NAME, "summary").click()
        rows = [row.text for row in known.find_elements(By.CSS_SELECTOR, "tbody tr")]
        self.assertEqual(len(rows), 2)
        self.assertIn("scratch-race", rows[0])
        self.assertTrue(rows[0].endswith("known.json") and rows[1].endswith("app.supp:3"), rows)

    def test_a_suite_without_ranks_has_no_column_for_them(self):
        joined = pathlib.Path(sys.argv[1]).resolve() / "joined.html"
        without = joined.with_name("without_ranks.html")
        without.write_text(re.sub(r'"ranks":"[^"]*"', '"ranks":""', joined.read_text()))
        pages["without_ranks"] = without.as_uri()
        self.open("without_ranks")
        self.one("details.by-test summary").click()
        self.assertEqual(self.texts("details.by-test thead th"), ["Test", "Findings"])
        self.assertEqual({len(row.find_elements(By.CSS_SELECTOR, "th, td")) for row in self.all("details.by-test tbody tr")}, {2})

    def pages_on_paper(self):
        pdf = base64.b64decode(self.page.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})["data"])
        return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))

    def test_on_paper(self):
        # As it is printed: light, whatever the screen; one column of A4 with its margins is 703 pixels wide.
        self.open(width=703, dark=True)
        self.page.execute_script(CLICK, "button.open[aria-expanded=false]", 1000)
        self.page.execute_script("window.dispatchEvent(new Event('beforeprint'))")
        dark = [{"name": "prefers-color-scheme", "value": "dark"}]
        self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": dark})
        try:
            self.assertEqual(self.page.execute_script("return document.documentElement.dataset.theme"), "light")
            self.assertEqual(self.one("body").value_of_css_property("print-color-adjust"), "exact")
            for gone in (".filters", "#theme", "nav", "button.open", ".press"):
                for element in self.all(gone):
                    self.assertFalse(element.is_displayed(), gone)
            # Pictures are whole, on the page of their line, and in colours.
            self.assertEqual({element.value_of_css_property("break-inside") for element in self.all("tbody.site:has(figure)")},
                             {"avoid"})
            for grid in self.all("table.grid"):
                self.assertTrue(self.page.execute_script(
                    "const box = arguments[0].getBoundingClientRect(), of = arguments[0].closest('.scroll');"
                    "return getComputedStyle(of).overflowX === 'visible' && box.right <= 703 && box.left >= 0", grid))
            self.assertEqual(self.background("td.conflict"), "rgba(196, 60, 36, 1)")
            self.assertLessEqual(self.page.execute_script("return document.documentElement.scrollWidth"), 703)
        finally:
            self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": dark})
            self.page.execute_script("window.dispatchEvent(new Event('afterprint'))")
        self.assertEqual(self.page.execute_script("return document.documentElement.dataset.theme"), "dark")

    def test_a_report_takes_few_pages(self):
        self.open()
        self.assertLessEqual(self.pages_on_paper(), 10)
        self.open("many")
        self.assertLessEqual(self.pages_on_paper(), 80)  # 200 findings, 100 lines and their sources

    def test_every_text_can_be_read(self):
        for name in ("h100", "many", "joined"):
            for dark in (False, True):
                self.open(name, dark=dark)
                self.page.execute_script("for (const fold of document.querySelectorAll('details')) fold.open = true")
                self.page.execute_script(CLICK, "button.open[aria-expanded=false]", 12)
                self.page.execute_script(CLICK, "tr.fold button", 1)
                self.page.execute_script("document.querySelector('.skip').focus()")
                looked, poor = self.page.execute_script(POOR_CONTRAST)
                self.assertGreater(looked, 200)
                self.assertEqual(poor, [], f"{name}, {'dark' if dark else 'light'}")

    def press(self, *keys):
        for key in keys:
            self.page.switch_to.active_element.send_keys(key)

    def tab_to(self, what, key=Keys.TAB, most=60):
        """Goes on by Tab until the focus is on it."""
        for _ in range(most):
            self.press(key)
            if self.page.execute_script("return document.activeElement.matches(arguments[0])", what):
                return
        self.fail(f"{most} times Tab do not lead to {what}")

    def shown(self):
        return self.page.execute_script("return [...document.querySelectorAll('article.finding')]"
                                        ".filter((finding) => finding.checkVisibility()).map((finding) => finding.id)")

    def test_200_findings_by_keyboard_alone(self):
        self.open("many")
        self.assertEqual(len(self.all("article.finding")), 200)
        # The browser's own search finds what is last, and what is folded.
        self.assertTrue(self.page.execute_script("return window.find('TS-0000c5')"))
        self.assertEqual(self.one(".filters output").text, "200 findings")
        self.open("many")
        # From the top: past the findings' skip link to the filters.
        self.one("body").send_keys(Keys.TAB)
        self.assertEqual(self.page.switch_to.active_element.get_attribute("class"), "skip")
        self.tab_to("#filter-text")
        self.press("src/file_3.cpp:103")
        self.assertEqual(self.shown(), ["finding-150"])  # the first warning
        self.assertEqual(self.one(".filters output").text, "1 of 200 findings")
        self.press(Keys.CONTROL + "a", Keys.DELETE)
        self.assertEqual(self.one(".filters output").text, "200 findings")
        for key, letters, count in (("severity", "w", 50), ("kernel", "kernel_2", 10)):
            self.tab_to(f"#filter-{key}")
            self.press(letters)
            self.assertEqual(self.one(".filters output").text, f"{count} of 200 findings")
        self.assertEqual(len(self.shown()), 10)
        self.tab_to("#filter-file")
        self.press("src/file_1")
        few = self.shown()
        self.assertTrue(0 < len(few) < 10, few)
        self.tab_to(".filters button")
        self.press(Keys.ENTER)
        self.assertEqual(self.page.switch_to.active_element.get_attribute("id"), "filter-text")
        self.assertEqual(self.one(".filters output").text, "200 findings")
        self.tab_to("#filter-rule")
        self.press("uninit")
        self.assertEqual(self.one(".filters output").text, "49 of 200 findings")
        # The index opens, and leads to a finding.
        self.tab_to(".index summary")
        self.press(Keys.ENTER)
        rows = "return [...document.querySelectorAll('.index tbody tr')].filter((row) => row.checkVisibility()).length"
        self.assertEqual(self.page.execute_script(rows), 49)
        self.tab_to(".index a")
        self.press(Keys.TAB, Keys.ENTER)
        self.assertEqual(self.page.switch_to.active_element.get_attribute("id"), "finding-5")
        self.assertEqual(self.one(":target").get_attribute("id"), "finding-5")

    def test_what_shares_a_cause_is_folded(self):
        self.open("many")
        fold = self.one("#finding-0 > details.same-cause")
        self.assertEqual(fold.find_element(By.TAG_NAME, "summary").text, "2 more findings of this cause")
        self.assertFalse(self.one("#finding-149").is_displayed())
        fold.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
        self.assertTrue(self.one("#finding-149").is_displayed())
        # Asked for by its id, it shows under its head alone; a link to what is filtered out brings it back.
        self.open("many")
        self.one("#filter-text").send_keys("TS-0000c7")
        self.assertEqual(self.shown(), ["finding-0", "finding-199"])
        self.page.execute_script("location.hash = 'finding-42'")
        self.page.execute_async_script("setTimeout(arguments[0], 100)")
        self.assertTrue(self.one("#finding-42").is_displayed())
        self.assertEqual(self.one(".filters output").text, "200 findings")

    def test_long_reports_begin_short(self):
        self.open("many")
        self.assertEqual(len(self.all("article.finding")), 200)
        self.assertEqual(len(self.all("#lines table.lines > tbody")), 100)
        # Among the first are those with most requests, whatever the page shows so far.
        self.one("button[data-key=requests]").click()
        self.assertEqual(self.numbers("requests")[:2], [2348, 2347])
        self.one("#lines .more button").click()
        self.assertEqual(len(self.all("#lines table.lines > tbody")), 310)
        self.assertEqual(self.all("#lines .more button"), [])
        # A line's marks: the first findings, and a link to the next, which is brought.
        marks = self.one("table.source tr.marked:has(a.mark:nth-of-type(4))").find_elements(By.CSS_SELECTOR, "a.mark")
        self.assertEqual([mark.text for mark in marks], ["1", "2", "3", "+197"])
        self.page.get(pages["many"] + "#finding-99")
        self.page.refresh()
        top = self.page.execute_script("return document.getElementById('finding-99').getBoundingClientRect().top")
        self.assertTrue(0 <= top < 100, top)

    def test_a_64_wide_device(self):
        self.open("mi250x")
        picture = self.picture("transpose", "load", "scratch")
        self.assertEqual(len(self.cells(picture, ".conflict")), 64)
        self.assertIn("taken from documents", self.one("#summary").text)


if __name__ == "__main__":
    pages = {page.stem: page.as_uri() for page in sorted(pathlib.Path(sys.argv[1]).resolve().glob("*.html"))}
    unittest.main(argv=sys.argv[:1], verbosity=2)
