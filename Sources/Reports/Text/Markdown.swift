// Text in Markdown: escapes foreign text, and converts Markdown to plain text.

/// Foreign text in Markdown.
enum Markdown {
  /// Escapes text on one line, so that it is shown unchanged, in table cells too.
  ///
  /// It cannot become emphasis, code, a link, a picture, a formula or HTML. It works on scalars and not on characters,
  /// because a pipe with a combining accent still ends a cell.
  static func escaped(_ text: String) -> String {
    let line = text.onOneLine
    guard line.utf8.contains(where: mayNeedEscape) else { return line }
    let scalars = Array(line.unicodeScalars)
    var result = ""
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case "\\", "`", "*", "|", "~", "$": result += "\\\(scalar)"
      // Before these characters, a bracket ends the text of a link.
      case "]" where index + 1 < scalars.count && "([:".unicodeScalars.contains(scalars[index + 1]): result += "\\]"
      // Between letters it is part of a name.
      case "_" where !(isLetter(before: index, in: scalars) && isLetter(after: index, in: scalars)): result += "\\_"
      case "<": result += "&lt;"
      case "&": result += "&amp;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether a byte is one of the characters above.
  private static func mayNeedEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "|"), UInt8(ascii: "~"),
      UInt8(ascii: "$"), UInt8(ascii: "]"), UInt8(ascii: "_"), UInt8(ascii: "<"), UInt8(ascii: "&"):
      true
    default: false
    }
  }

  private static func isLetter(before index: Int, in scalars: [Unicode.Scalar]) -> Bool {
    index > 0 && isLetter(scalars[index - 1])
  }

  private static func isLetter(after index: Int, in scalars: [Unicode.Scalar]) -> Bool {
    index + 1 < scalars.count && isLetter(scalars[index + 1])
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// Escapes Markdown at the beginning of a paragraph or an item, so that it does not become a heading, quotation,
  /// list, rule or code.
  static func startingNoBlock(_ markdown: String) -> String {
    let text = markdown.drop { $0 == " " }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let rest = text.dropFirst(digits.count)
    if let first = rest.first, !digits.isEmpty, digits.count < 10, ".)".contains(first), startsItem(rest) {
      return "\(digits)\\\(rest)"
    }
    guard let first = text.first else { return "" }
    switch first {
    case "#", ">", "=": return "\\\(text)"
    case "[" where text.dropFirst(2).hasPrefix("] "): return "\\\(text)"
    case "-", "+", "*": return startsItem(text) || text.allSatisfy({ "-+* ".contains($0) }) ? "\\\(text)" : String(text)
    default: return String(text)
    }
  }

  /// Whether the mark is followed by a space or the end, as in a Markdown list item.
  private static func startsItem(_ text: Substring) -> Bool { text.dropFirst().first.map { $0 == " " } ?? true }

  /// A name in a code span, on one line.
  ///
  /// Use it in prose, not in tables, where a pipe would end the cell.
  static func code(_ text: String) -> String {
    let line = text.onOneLine
    let run = longestBacktickRun(in: line)
    let fence = String(repeating: "`", count: run + 1)
    return run == 0 ? "`\(line)`" : "\(fence) \(line) \(fence)"
  }

  /// A sentence of advice, with its options and commands as code.
  static func advice(_ text: String) -> String {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    return words.indices.map { index in
      let word = words[index]
      let bare = word.prefix { !",;.:".contains($0) }
      let last = index > 0 ? words[index - 1] : ""
      // An option's value is part of the code too.
      let isValue = last == "--set" || last.hasPrefix("--") && bare.contains { "=%".contains($0) }
      guard bare.hasPrefix("--") || bare == "batchmark" || last == "batchmark" || isValue else {
        return escaped(String(word))
      }
      return code(String(bare)) + escaped(String(word.dropFirst(bare.count)))
    }.joined(separator: " ").replacing("` `", with: " ")
  }

  /// A path as the target of a link.
  ///
  /// Characters that would end it, or have a meaning in an address, are percent-encoded.
  static func target(_ path: String) -> String {
    path.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      if scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        || "-._~/".unicodeScalars.contains(scalar)
      {
        return String(scalar)
      }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
  }

  /// Markdown of this module as plain text for a terminal, without the marks for code and bold text.
  ///
  /// The contents of code spans stay unchanged.
  static func plain(_ markdown: String) -> String {
    var plain = ""
    var rest = markdown[...]
    while let character = rest.first {
      if character == "[", let link = codeLink(rest) {
        plain += link.code
        rest = link.rest
      } else if character == "`" {
        guard let span = codeSpan(rest) else { return plain + rest }
        plain += span.code
        rest = span.rest
      } else if let mark = (bold + entities).first(where: { rest.hasPrefix($0.mark) }) {
        plain += mark.meaning
        rest = rest.dropFirst(mark.mark.count)
      } else {
        if character == "\\" { rest = rest.dropFirst() }
        plain += rest.prefix(1)
        rest = rest.dropFirst()
      }
    }
    return plain
  }

  private static let bold = [(mark: "**", meaning: "")]
  static let entities = [(mark: "&lt;", meaning: "<"), (mark: "&amp;", meaning: "&")]

  /// The code span at the beginning of the text; `nil` if there is no complete one.
  static func codeSpan(_ text: Substring) -> (code: String, rest: Substring)? {
    let run = text.prefix { $0 == "`" }
    let body = text[run.endIndex...]
    guard let close = closing(run.count, in: body) else { return nil }
    let inside = body[..<close.lowerBound]
    return (String(run.count == 1 ? inside : inside.dropFirst().dropLast()), body[close.upperBound...])
  }

  /// A link with a name as code.
  ///
  /// Only such links are read back, because every backtick in foreign text is escaped.
  static func link(_ text: String, to address: String) -> String { "[\(code(text))](\(address))" }

  /// The link at the beginning of the text; `nil` if it was not made by ``link(_:to:)``.
  static func codeLink(_ text: Substring) -> (code: String, address: String, rest: Substring)? {
    guard text.hasPrefix("[`"), let span = codeSpan(text.dropFirst()), span.rest.hasPrefix("](https://"),
      let end = span.rest.firstIndex(of: ")")
    else { return nil }
    return (span.code, String(span.rest[..<end].dropFirst(2)), span.rest[end...].dropFirst())
  }

  /// The next run of exactly this many backticks.
  private static func closing(_ count: Int, in text: Substring) -> Range<Substring.Index>? {
    var rest = text
    while let start = rest.firstIndex(of: "`") {
      let run = rest[start...].prefix { $0 == "`" }
      if run.count == count { return start..<run.endIndex }
      rest = rest[run.endIndex...]
    }
    return nil
  }

  static func longestBacktickRun(in text: String) -> Int {
    var longest = 0
    var run = 0
    for scalar in text.unicodeScalars {
      run = scalar == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
