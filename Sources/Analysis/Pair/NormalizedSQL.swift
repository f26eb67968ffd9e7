// The text of a statement without its values, so that runs with different values count as one statement.

/// An SQL text in which literals and parameters are `?`, lists of values are `?, …`, and several rows of values become
/// one.
///
/// An insert of many rows and an insert of a single row have the same text on purpose, so that their total work is
/// compared.
struct NormalizedSQL: Sendable, Hashable {
  let text: String
  /// The first word and the first table, which identify texts with the same purpose.
  let purpose: String

  /// Longer texts are truncated.
  private static let longest = 2_000

  init(_ sql: String) {
    var tokens = NormalizedSQL.tokens(of: Array(sql.utf8))
    while tokens.last == ";" { tokens.removeLast() }
    tokens = NormalizedSQL.withoutRows(NormalizedSQL.withoutLists(tokens))
    text = String(NormalizedSQL.joined(tokens).prefix(NormalizedSQL.longest))
    let naming: Set<String> = ["FROM", "INTO", "UPDATE", "TABLE"]
    let table = tokens.indices.first { naming.contains(tokens[$0].uppercased()) && $0 + 1 < tokens.count }
    purpose = (tokens.first ?? "").uppercased() + " " + (table.map { tokens[$0 + 1] } ?? "")
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "$"), 0x80...:
      true
    default: isDigit(byte)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func tokens(of bytes: [UInt8]) -> [String] {
    var tokens: [String] = []
    var place = 0
    func end(from start: Int, while isPart: (UInt8) -> Bool) -> Int {
      bytes[start...].firstIndex { !isPart($0) } ?? bytes.count
    }
    func endOfQuoted(_ start: Int, _ quote: UInt8) -> Int {
      var end = start + 1
      while end < bytes.count {
        if bytes[end] != quote {
          end += 1
        } else if end + 1 < bytes.count, bytes[end + 1] == quote {
          end += 2
        } else {
          return end + 1
        }
      }
      return bytes.count
    }
    func endOfComment(_ start: Int) -> Int {
      let stars = bytes.indices.dropFirst(start + 2)
      let last = stars.first { bytes[$0] == UInt8(ascii: "*") && bytes.dropFirst($0 + 1).first == UInt8(ascii: "/") }
      return last.map { $0 + 2 } ?? bytes.count
    }
    while place < bytes.count {
      let start = place
      switch bytes[place] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        place += 1
        continue
      case UInt8(ascii: "-") where bytes.dropFirst(place + 1).first == UInt8(ascii: "-"):
        place = end(from: place) { $0 != UInt8(ascii: "\n") }
        continue
      case UInt8(ascii: "/") where bytes.dropFirst(place + 1).first == UInt8(ascii: "*"):
        place = endOfComment(place)
        continue
      case UInt8(ascii: "'"):
        // The x of a blob literal is part of it.
        if let last = tokens.last, last == "x" || last == "X", place > 0, isName(bytes[place - 1]) {
          tokens.removeLast()
        }
        place = endOfQuoted(place, UInt8(ascii: "'"))
        tokens.append("?")
        continue
      case UInt8(ascii: "\""), UInt8(ascii: "`"): place = endOfQuoted(place, bytes[place])
      case UInt8(ascii: "["): place = min(end(from: place) { $0 != UInt8(ascii: "]") } + 1, bytes.count)
      case UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: "@"):
        place = end(from: place + 1, while: isName)
        tokens.append("?")
        continue
      case let byte where isDigit(byte):
        place = end(from: place) { isName($0) || $0 == UInt8(ascii: ".") }
        tokens.append("?")
        continue
      case let byte where isName(byte): place = end(from: place, while: isName)
      default: place += 1
      }
      tokens.append(String(decoding: bytes[start..<place], as: UTF8.self))
    }
    return tokens
  }

  /// Shortens a list of values of any length.
  private static func withoutLists(_ tokens: [String]) -> [String] {
    var kept: [String] = []
    var place = 0
    while place < tokens.count {
      kept.append(tokens[place])
      if tokens[place] == "?" {
        let start = place
        while place + 2 < tokens.count, tokens[place + 1] == ",", tokens[place + 2] == "?" { place += 2 }
        if place > start { kept += [",", "…"] }
      }
      place += 1
    }
    return kept
  }

  /// Drops rows of values that repeat the previous row.
  private static func withoutRows(_ tokens: [String]) -> [String] {
    var kept: [String] = []
    var place = 0
    while place < tokens.count {
      if tokens[place] == ",", kept.last == ")", place + 1 < tokens.count, tokens[place + 1] == "(",
        let open = kept.lastIndex(of: "("), let close = tokens[place...].firstIndex(of: ")"),
        tokens[(place + 1)...close].elementsEqual(kept[open...])
      {
        place = close + 1
      } else {
        kept.append(tokens[place])
        place += 1
      }
    }
    return kept
  }

  private static func joined(_ tokens: [String]) -> String {
    var text = ""
    var last = ""
    for token in tokens {
      let isClose = [",", ")", ".", ";"].contains(token) || ["(", ".", ""].contains(last)
      // Keep the characters of two-character operators together.
      let isOperator = ["=", ">", "|"].contains(token) && ["<", ">", "!", "|", "="].contains(last)
      if !isClose && !isOperator { text += " " }
      text += token
      last = token
    }
    return text
  }
}
