// A mistake in a source of rows: the file or generator, the position, what was found and what was expected.
import SystemPackage

/// The rows of a source cannot be read or made.
package struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A position in the source.
  ///
  /// Lines, rows and features are counted from 1.
  package enum Place: Hashable, Sendable {
    case whole
    /// The line where a CSV row begins.
    case line(Int)
    /// The line and the column, in characters, where a value of a feed begins.
    case position(line: Int, column: Int)
    /// A feature of a GeoJSON feed.
    case feature(Int)
    /// The offset in a GeoJSON feed where the text is no longer valid JSON.
    case byte(Int)
    /// The row of a store: its entity and its key (`Z_PK`), such as `Quake/p7`.
    case object(String)
  }

  /// The path of the feed or store, or a description of the generator.
  package var source: String
  package var place: Place
  /// What was found, as a phrase.
  package var found: String
  /// What was expected, as a phrase.
  package var expected: String
  /// The nearest valid word, if one is near.
  package var suggestion: String?
  /// Whether the file is missing or unreadable (exit status 66); otherwise its contents are wrong (65).
  package var isUnreadable: Bool

  package init(
    source: String, place: Place = .whole, found: String, expected: String, suggestion: String? = nil,
    isUnreadable: Bool = false
  ) {
    self.source = source
    self.place = place
    self.found = found
    self.expected = expected
    self.suggestion = suggestion
    self.isUnreadable = isUnreadable
  }

  /// One line: `all_month.csv: line 7: found 21 fields; expected 22, as in the header`.
  package var description: String {
    let place =
      switch place {
      case .whole: ""
      case .line(let line): "line \(line): "
      case .position(let line, let column): "line \(line), column \(column): "
      case .feature(let feature): "feature \(feature): "
      case .byte(let byte): "byte \(byte): "
      case .object(let name): "\(name): "
      }
    let question = suggestion.map { "; did you mean '\(phrase($0))'?" } ?? ""
    return "\(source): \(place)found \(phrase(found)); expected \(phrase(expected))\(question)"
  }
}

/// What is wrong with one value, before its position is known.
struct FieldMismatch: Error {
  let found: String
  let expected: String
}

extension Errno {
  /// The system's message, for use within a sentence: `no such file or directory`.
  var reason: String { description.prefix(1).lowercased() + description.dropFirst() }
}

/// The offset of the first byte that is not part of valid UTF-8; the count if there is none.
func firstInvalidUTF8(in bytes: [UInt8]) -> Int {
  var parser = Unicode.UTF8.ForwardParser()
  var iterator = bytes.makeIterator()
  var offset = 0
  while true {
    switch parser.parseScalar(from: &iterator) {
    case .valid(let scalar): offset += scalar.count
    case .error, .emptyInput: return offset
    }
  }
}
