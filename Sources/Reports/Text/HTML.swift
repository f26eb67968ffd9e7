// Text in HTML that is also valid XML: escapes foreign text, and converts single lines of Markdown.

/// Text in HTML.
enum HTML {
  /// Foreign text, on one line; safe in an attribute too.
  static func escaped(_ text: String) -> String { XML.escaped(text) }

  /// Preformatted text of several lines.
  static func escapedLines(_ text: String) -> String {
    text.withoutControls.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in
        line.split(separator: "\t", omittingEmptySubsequences: false).map { escaped(String($0)) }
          .joined(separator: "\t")
      }
      .joined(separator: "\n")
  }

  /// The first byte of a mark, an escape or an entity.
  private static let marks: [UInt8] = [
    UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "&"), UInt8(ascii: "\\"), UInt8(ascii: "["),
  ]

  /// An identifier or a command.
  ///
  /// It breaks between words and between parameters, not at hyphens.
  static func name(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      parts(of: word).map { part in
        let isWhole = part.count <= longestWhole && part.contains { $0 == "-" || $0 == "/" }
        return isWhole ? "<span class=\"whole\">\(escaped(String(part)))</span>" : escaped(String(part))
      }.joined(separator: "<wbr/>")
    }.joined(separator: " ")
  }

  /// Longer words may be wider than a phone's screen.
  private static let longestWhole = 24

  /// `batch-delete`, `[levels=5,` and `fan_out=4]` for `batch-delete[levels=5,fan_out=4]`; for a long name, its words.
  private static func parts(of word: Substring) -> [Substring] {
    divided(word) { before, next in before == "," || next == "[" }.flatMap { part in
      part.count <= longestWhole
        ? [part] : divided(part) { before, next in "_.=".contains(before) || before.isLowercase && next.isUppercase }
    }
  }

  /// Splits the text between two characters for which the closure returns true.
  private static func divided(_ text: Substring, _ isEnd: (Character, Character) -> Bool) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    for index in text.indices.dropFirst() where isEnd(text[text.index(before: index)], text[index]) {
      parts.append(text[start..<index])
      start = index
    }
    return parts + [text[start...]]
  }

  /// Converts single lines of Markdown made by this module: code, bold and emphasized text.
  static func inline(_ markdown: String) -> String {
    var html = ""
    var text = ""
    var open: [String] = []
    func flush() {
      html += escaped(text.withNoBreakSpaces)
      text = ""
    }
    func toggle(_ element: String) {
      flush()
      guard let index = open.lastIndex(of: element) else {
        open.append(element)
        html += "<\(element)>"
        return
      }
      // Elements opened inside it end with it.
      for inner in open[index...].reversed() { html += "</\(inner)>" }
      open.removeSubrange(index...)
    }
    var rest = markdown[...]
    while !rest.isEmpty {
      let mark = rest.utf8.firstIndex(where: marks.contains) ?? rest.endIndex
      text += rest[..<mark]
      rest = rest[mark...]
      guard let character = rest.first else { break }
      if character == "[", let link = Markdown.codeLink(rest) {
        flush()
        html += "<a href=\"\(escaped(link.address))\"><code>\(name(link.code))</code></a>"
        rest = link.rest
      } else if character == "`", let span = Markdown.codeSpan(rest) {
        flush()
        html += "<code>\(name(span.code))</code>"
        rest = span.rest
      } else if rest.hasPrefix("**") {
        toggle("strong")
        rest = rest.dropFirst(2)
      } else if character == "*" {
        toggle("em")
        rest = rest.dropFirst()
      } else if let entity = Markdown.entities.first(where: { rest.hasPrefix($0.mark) }) {
        text += entity.meaning
        rest = rest.dropFirst(entity.mark.count)
      } else {
        if character == "\\" && rest.dropFirst().first != nil { rest = rest.dropFirst() }
        text += rest.prefix(1)
        rest = rest.dropFirst()
      }
    }
    flush()
    return html + open.reversed().map { "</\($0)>" }.joined()
  }
}

extension String {
  /// Whether the space is inside an interval: `[1.22, 1.28]`.
  private func isInterval(_ before: Substring, _ after: Substring) -> Bool {
    guard before.last == ",", let open = before.lastIndex(of: "["), let close = after.firstIndex(of: "]") else {
      return false
    }
    return (before[open...].dropFirst() + after[..<close]).allSatisfy { "0123456789.,+−-".contains($0) }
  }

  /// The text with non-breaking spaces before units and within intervals, so that a number stays with its unit.
  var withNoBreakSpaces: String {
    var result = ""
    var rest = self[...]
    while let space = rest.utf8.firstIndex(of: UInt8(ascii: " ")) {
      let before = rest[..<space]
      let after = rest[rest.utf8.index(after: space)...]
      let isBehindNumber = before.last.map { $0.isASCII && $0.isNumber || $0 == "]" } ?? false
      result += before
      result += isBehindNumber && beginsWithUnit(after) || isInterval(before, after) ? "\u{A0}" : " "
      rest = after
    }
    return result + rest
  }
}

private func beginsWithUnit(_ text: Substring) -> Bool {
  units.contains(String(text.prefix { $0 != " " && !",.;:)]".contains($0) }))
}

private let units: Set<String> = ["%", "s", "ms", "µs", "ns", "B", "KiB", "MiB", "GiB", "TiB", "times", "rows"]
