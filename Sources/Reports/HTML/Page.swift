// An HTML page in one file: no scripts, no network requests, light and dark, for large and small screens and paper.
internal import Charts

/// A document as a file for browsers.
struct Page {
  /// The title of the browser's tab, in plain text.
  var title: String
  var document: Document

  /// The file's text.
  var html: String {
    var anchors = Anchors()
    var body = document.html(&anchors)
    // Tables link to the terms that they use.
    if body.contains("href=\"#\(Glossary.anchorPrefix)") {
      var glossary = Document()
      glossary.glossary()
      body += glossary.html(&anchors)
    }
    let contents = anchors.entries.filter { $0.level <= 2 }.map { entry in
      "<li class=\"level\(entry.level)\"><a href=\"#\(entry.anchor)\">\(HTML.escaped(entry.title))</a></li>"
    }
    return """
      <!DOCTYPE html>
      <html xmlns="http://www.w3.org/1999/xhtml" lang="en">
      <head>
      <meta charset="utf-8"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
      <title>\(HTML.escaped(title))</title>
      <style>\(Page.style)\(ChartStyle.css)</style>
      </head>
      <body>
      \(contents.count > 1 ? "<nav aria-label=\"Contents\"><ol>\(contents.joined(separator: "\n"))</ol></nav>" : "")
      <main>
      \(body)</main>
      </body>
      </html>

      """
  }
}
