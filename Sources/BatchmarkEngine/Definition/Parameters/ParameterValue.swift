// The value of a cell's parameter: a number, a size, or a word.

/// The value of a strategy's parameter in a cell, or of a swept key of its source, store or scenario.
public enum ParameterValue: Sendable, Hashable, Codable, CustomStringConvertible {
  /// A number: of rows, and so positive, unless it is the value of a pragma.
  case count(Int)
  /// All rows at once.
  case all
  /// A positive number of bytes.
  case bytes(Int)
  /// One of the parameter's words, or a share such as `5%`.
  case word(String)

  /// The value in scenario files, without spaces: `1000`, `all`, `16MiB`, `history`.
  public var description: String {
    switch self {
    case .count(let count): "\(count)"
    case .all: "all"
    case .bytes(let bytes): ByteSize.text(bytes)
    case .word(let word): word
    }
  }

  /// The number of rows out of `rows`; all of them if the value is not a number of rows.
  package func rows(of rows: Int) -> Int {
    if case .count(let count) = self { min(count, max(rows, 1)) } else { max(rows, 1) }
  }
}

/// In JSON, a count is a number, and everything else is a word.
extension ParameterValue {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let count = try? container.decode(Int.self) {
      self = .count(count)
      return
    }
    self.init(readBack: try container.decode(String.self))
  }

  /// The value read back from a word, which does not say its type: all rows, a size if it looks like one, or else the
  /// word itself.
  package init(readBack word: String) {
    if word == "all" {
      self = .all
    } else if let bytes = ByteSize.bytes(word), ByteSize.text(bytes) == word {
      self = .bytes(bytes)
    } else {
      self = .word(word)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if case .count(let count) = self {
      try container.encode(count)
    } else {
      try container.encode(description)
    }
  }
}

/// Sizes as people write them: `16 MiB`, `512KiB`.
package enum ByteSize {
  private static let units: [(name: String, bytes: Int)] = [
    ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1),
  ]

  /// The size in the largest unit that gives a whole number.
  package static func text(_ bytes: Int) -> String {
    let unit = units.first { bytes % $0.bytes == 0 } ?? ("B", 1)
    return "\(bytes / unit.bytes)\(unit.name)"
  }

  /// The bytes in a text; `nil` for anything but a whole number and a unit, and for sizes that do not fit into an
  /// `Int`.
  package static func bytes(_ text: String) -> Int? {
    for unit in units where text.hasSuffix(unit.name) {
      let number = text.dropLast(unit.name.count)
      let digits = number.hasSuffix(" ") ? number.dropLast() : number
      guard let digits = wholeNumberDigits(String(digits)), let count = Int(digits), count > 0 else { return nil }
      let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: unit.bytes)
      return isTooLarge ? nil : bytes
    }
    return nil
  }
}

/// The digits of a whole number without its underscores; `nil` if the text is not one.
package func wholeNumberDigits(_ text: String) -> String? {
  let digits = text.utf8.first.map { "+-".utf8.contains($0) } == true ? text.dropFirst() : text[...]
  let groups = digits.split(separator: "_", omittingEmptySubsequences: false)
  let isNumber = groups.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
  return isNumber ? text.filter { $0 != "_" } : nil
}
