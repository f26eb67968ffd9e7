"""Opens pages in headless Chromium, offline, and checks for problems that a reader would notice.

usage: pages.py FOLDER CHROMIUM

Each .html file of FOLDER is opened 1,280 and 390 pixels wide, light and dark: no request but for the file itself, no message on
the console, no horizontal scrolling of the page, no text over the next column of a table, every text with a contrast over
4.5 to 1 to what lies behind it, every picture with a name and a description. Screenshots are left beside the pages.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# Inspects the page from an outer page, because pages have no scripts and allow none.
PROBE = """<!DOCTYPE html><meta charset="utf-8"><body style="margin:0"><iframe id="page" src="%s" width="%d" height="2000"
style="border:0"></iframe><script>
const luminance = c => { const f = c.map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
  return .2126 * f[0] + .7152 * f[1] + .0722 * f[2] }
const rgb = s => (s.match(/[\\d.]+/g) || []).map(Number)
addEventListener("load", () => {
  const doc = document.getElementById("page").contentDocument, view = doc.defaultView, found = []
  const root = doc.documentElement
  if (root.scrollWidth > root.clientWidth) found.push(`scrolls: ${root.scrollWidth} of ${root.clientWidth}`)
  const ground = e => { for (; e; e = e.parentElement) { const c = rgb(view.getComputedStyle(e).backgroundColor)
    if (c.length && (c.length < 4 || c[3] > 0)) return c } return [255, 255, 255] }
  let texts = 0
  const walker = doc.createTreeWalker(doc.body, NodeFilter.SHOW_TEXT)
  for (let n; n = walker.nextNode();) {
    const e = n.parentElement
    if (!n.textContent.trim() || !e.getClientRects().length || e.closest("title,desc,style")) continue
    const style = view.getComputedStyle(e), inSVG = e.closest("svg")
    // Text inside of a colored bar is checked together with the palette.
    if (inSVG && /c-(inside|frame)/.test(e.getAttribute("class") || "")) continue
    texts += 1
    const ink = luminance(rgb(inSVG ? style.fill : style.color)), back = luminance(ground(e))
    const ratio = (Math.max(ink, back) + .05) / (Math.min(ink, back) + .05)
    if (ratio < 4.5) found.push(`contrast ${ratio.toFixed(2)}: ${n.textContent.trim().slice(0, 40)}`)
    if (parseFloat(style.fontSize) < 11) found.push(`${style.fontSize}: ${n.textContent.trim().slice(0, 40)}`)
  }
  for (const cell of doc.querySelectorAll("th,td"))
    if (cell.getClientRects().length && cell.scrollWidth > cell.clientWidth + 1)
      found.push(`wider than its column: ${cell.textContent.trim().slice(0, 40)}`)
  let pictures = 0
  for (const svg of doc.querySelectorAll("figure svg")) {
    pictures += 1
    for (const id of (svg.getAttribute("aria-labelledby") || "none none").split(" "))
      if (!doc.getElementById(id)?.textContent.trim()) found.push(`a picture without ${id}`)
    if (svg.getAttribute("role") != "img") found.push("a picture that is none to a screen reader")
  }
  document.body.textContent = "RESULT" + JSON.stringify({found: [...new Set(found)], texts, pictures}) + "END"
})
</script>"""


def run(chromium, *arguments):
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def requests_in(log):
    """Return every address that the browser requested while the page was open."""
    return set(re.findall(r'"url":"((?:https?|ftp|wss?)://[^"]+)"', log.read_text()))


def check(page, chromium, width, is_dark, folder):
    """Return the problems of a page at one width and in one color scheme."""
    scheme = f"--blink-settings=preferredColorScheme={0 if is_dark else 1}"
    probe = folder / "probe.html"
    probe.write_text(PROBE % (page.as_uri(), width))
    shown = run(
        chromium, scheme, "--allow-file-access-from-files", "--virtual-time-budget=5000", "--window-size=1400,2000",
        "--dump-dom", probe.as_uri())
    match = re.search(r"RESULT(.*)END", shown.stdout, re.S)
    if not match:
        return [f"the page could not be looked into: {shown.stderr[-300:]}"], None
    result = json.loads(match.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    log = folder / "net.json"
    shot = page.with_name(f"{page.stem}-{width}-{'dark' if is_dark else 'light'}.png")
    opened = run(
        chromium, scheme, f"--log-net-log={log}", "--enable-logging=stderr", "--disable-background-networking",
        "--disable-component-update", "--no-first-run", f"--window-size={max(width, 500)},3000", f"--screenshot={shot}",
        page.as_uri())
    found = result["found"]
    found += [f"console: {line}" for line in opened.stderr.splitlines() if ":CONSOLE" in line]
    # Ignore the browser's own requests: our pages can only request addresses that they contain.
    text = page.read_text()
    found += [f"request: {url}" for url in requests_in(log) if url in text]
    return found, result


def main(folder, chromium):
    pages = sorted(pathlib.Path(folder).resolve().glob("*.html"))
    failures = 0
    with tempfile.TemporaryDirectory() as temporary:
        for page in pages:
            for width in [1280, 390]:
                for is_dark in [False, True]:
                    found, result = check(page, chromium, width, is_dark, pathlib.Path(temporary))
                    if result and result["texts"] < 20:
                        found.append(f"only {result['texts']} texts are shown")
                    name = f"{page.name}, {width} pixels, {'dark' if is_dark else 'light'}"
                    counts = f"{result['texts']} texts, {result['pictures']} pictures" if result else ""
                    print(f"browser: {name}: {counts}: {'ok' if not found else 'FAILED'}")
                    for line in found[:20]:
                        print(f"  {line}", file=sys.stderr)
                    failures += bool(found)
    if failures or len(pages) < 5:
        sys.exit(f"browser: {failures} of {4 * len(pages)} looks found something")


main(*sys.argv[1:])
