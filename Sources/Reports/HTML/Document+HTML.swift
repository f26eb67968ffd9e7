// Renders a page's blocks as HTML that is also valid XML.
internal import Charts

/// Unique names for the parts of a page that others link to.
struct Anchors {
  /// An entry of the contents in the sidebar.
  struct Entry {
    var level: Int
    var title: String
    var anchor: String
  }

  private var used: Set<String> = []
  /// The next number to try for a title; all smaller ones are used.
  private var next: [String: Int] = [:]
  private(set) var entries: [Entry] = []

  /// A name made of the title's letters and digits.
  mutating func enter(_ title: String, level: Int) -> String {
    let words = title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
    let base = words.isEmpty ? "part" : String(words.prefix(60))
    var number = next[base] ?? 1
    var anchor = number == 1 ? base : "\(base)-\(number)"
    while !used.insert(anchor).inserted {
      number += 1
      anchor = "\(base)-\(number)"
    }
    next[base] = number + 1
    entries.append(Entry(level: level, title: title, anchor: anchor))
    return anchor
  }
}

extension Document {
  /// The blocks; adds their headings to the anchors.
  func html(_ anchors: inout Anchors) -> String { Document.html(blocks, &anchors) }

  private static func html(_ blocks: [Block], _ anchors: inout Anchors) -> String {
    var html = ""
    for block in blocks { html += self.html(block, &anchors) + "\n" }
    return html
  }

  private static func html(_ block: Block, _ anchors: inout Anchors) -> String {
    switch block {
    case .opening(let opening): return html(opening, &anchors)
    case .heading(let level, let title):
      return
        "<h\(level) id=\"\(anchors.enter(title, level: level))\">\(HTML.inline(Markdown.escaped(title)))</h\(level)>"
    case .paragraph(let text): return "<p>\(HTML.inline(text))</p>"
    case .list(let items):
      let lines = items.map { item in
        let inner = item.items.map { "<li>\(HTML.inline($0))</li>" }.joined()
        return "<li>\(HTML.inline(item.text))" + (inner.isEmpty ? "" : "<ul>\(inner)</ul>") + "</li>"
      }
      return "<ul>\(lines.joined(separator: "\n"))</ul>"
    case .notices(let notices): return "<aside role=\"note\">\(notices.map(\.html).joined(separator: "\n"))</aside>"
    case .fence(let text, _): return "<pre><code>\(HTML.escapedLines(text))</code></pre>"
    case .table(let table): return table.html
    case .glossary: return Glossary.html
    case .picture(let picture): return picture.html
    case .frames(let outline): return outline.html
    case .folded(let title, let blocks):
      return "<details><summary>\(HTML.escaped(title))</summary>\n\(html(blocks, &anchors))</details>"
    }
  }

  private static func html(_ opening: Opening, _ anchors: inout Anchors) -> String {
    let anchor = anchors.enter(opening.name, level: opening.level)
    let facts = ([opening.name] + opening.facts).map { HTML.escaped($0.withNoBreakSpaces) }
    var html = "<p class=\"facts\">\(facts.joined(separator: " · "))</p>\n"
    html += "<h\(opening.level) id=\"\(anchor)\">\(HTML.inline(opening.verdict))</h\(opening.level)>"
    if !opening.question.isEmpty {
      html += "\n<p class=\"asked\">Asked: \(HTML.inline(Markdown.escaped(opening.question)))</p>"
    }
    return html
  }
}

extension Notice {
  /// A line that can be opened if it has details.
  fileprivate var html: String {
    let line = HTML.inline(line)
    if details.isEmpty { return "<p>\(line)</p>" }
    let items = details.map { "<li>\(HTML.inline($0))</li>" }.joined(separator: "\n")
    return "<details><summary>\(line)</summary><ul>\(items)</ul></details>"
  }
}

extension Picture {
  /// Draws it twice, for large and for small screens; the page's style shows one of the two.
  fileprivate var html: String {
    let drawings = [("large", 920.0), ("small", 350.0)].map { size, width in
      "<div class=\"\(size)\">\(chart.svg(width: width, identifier: "\(name)-\(size)"))</div>"
    }
    let caption = "<figcaption>\(HTML.escaped(chart.title))</figcaption>"
    return "<figure>\(caption)\n\(drawings.joined(separator: "\n"))</figure>"
  }
}

extension Table {
  /// A table that scrolls in its own box if it is too wide, and below it the values that all of its rows share.
  var html: String {
    let layout = layout
    let header = layout.columns.enumerated().map { index, column in
      let kind = column.alignment == .left ? "" : " class=\"number\""
      return
        "<th scope=\"col\"\(kind)>\(Glossary.link(index == 0 ? nil : column.name, HTML.escaped(column.text.withNoBreakSpaces)))</th>"
    }
    let lines = layout.rows.map { row in
      // An SQL statement may break between its words, but a cell's name may not.
      let kind = row.name.count > 48 ? " class=\"long\"" : ""
      let name = "<th scope=\"row\"\(kind)>\(namesAreWords ? HTML.escaped(row.name) : HTML.name(row.name))</th>"
      let figures = zip(layout.columns.dropFirst(), row.figures).map { Table.cell($1, $0.alignment) }
      return "<tr>\(name)\(figures.joined())</tr>"
    }
    let sentence = layout.sentence({ Glossary.link($0, HTML.escaped($1)) }, figure: HTML.escaped).map {
      "<p>\($0.withNoBreakSpaces)</p>"
    }
    if layout.columns.count == 1 { return sentence ?? "" }
    // Keep a few columns close together, so that the eye can follow a row.
    let classes = (layout.columns.count <= 3 ? ["few"] : []) + (namesAreWords ? ["words"] : [])
    let kinds = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
    let label = HTML.escaped(layout.columns.map(\.text).joined(separator: ", "))
    let table = """
      <div class="table" role="region" tabindex="0" aria-label="\(label)"><table\(kinds)>
      <thead><tr>\(header.joined())</tr></thead>
      <tbody>\(lines.joined(separator: "\n"))</tbody>
      </table></div>
      """
    return [table, sentence].compactMap(\.self).joined(separator: "\n")
  }

  private static func cell(_ shown: Shown, _ alignment: Alignment) -> String {
    // If a table scrolls, long text needs no narrow column.
    let classes = [alignment == .right ? "number" : shown.text.count > 24 ? "long" : nil, shown.tendency?.rawValue]
      .compactMap(\.self)
    let kind = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
    // An interval is shown below its figure.
    let interval = shown.interval.map { "<small>\(HTML.escaped($0))</small>" } ?? ""
    return "<td\(kind)>\(HTML.escaped(shown.text))\(interval)</td>"
  }
}
