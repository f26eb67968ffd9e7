// A property list in memory, including references of keyed archives, and the error for malformed Core Data files.

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A value of a property list.
package enum PropertyList: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case date(Date)
  case data(Data)
  case string(String)
  /// A UID: in a keyed archive, the index of an object.
  case reference(Int)
  /// An array, or a set, whose order is meaningless.
  case array([PropertyList])
  case dictionary([String: PropertyList])

  /// The value for a key of a dictionary; `nil` for any other kind of value.
  package subscript(_ key: String) -> PropertyList? {
    if case .dictionary(let entries) = self { entries[key] } else { nil }
  }

  package var string: String? { if case .string(let text) = self { text } else { nil } }

  package var elements: [PropertyList]? { if case .array(let elements) = self { elements } else { nil } }

  package var entries: [String: PropertyList]? { if case .dictionary(let entries) = self { entries } else { nil } }

  package var data: Data? { if case .data(let data) = self { data } else { nil } }

  package var reference: Int? { if case .reference(let index) = self { index } else { nil } }

  /// A whole number.
  ///
  /// A boolean counts as 1 or 0, because Objective-C uses one class for both.
  package var integer: Int64? {
    switch self {
    case .integer(let value): value
    case .boolean(let value): value ? 1 : 0
    case .real(let value): Int64(exactly: value)
    default: nil
    }
  }

  package var boolean: Bool? { integer.map { $0 != 0 } }

  package var real: Double? { if case .real(let value) = self { value } else { integer.map(Double.init) } }

  /// The kind of the value, for messages.
  package var kind: String {
    switch self {
    case .null: "a null"
    case .boolean: "a boolean"
    case .integer, .real: "a number"
    case .date: "a date"
    case .data: "data"
    case .string: "a string"
    case .reference: "a reference"
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }
}

/// Invalid content of a file of Core Data: `found` and `expected` are noun phrases.
package struct MalformedContent: Error, Hashable {
  package let found: String
  package let expected: String

  package init(found: String, expected: String) {
    self.found = found
    self.expected = expected
  }
}
