// What a cell has for a parameter, read as a person reads it: an amount, a share of a hundred, or a word.
internal import Harness
package import BatchmarkEngine

/// The value of one parameter in one cell.
package struct Setting: Hashable {
  /// The text in a scenario file.
  package let text: String
  /// How much it is, where it is a number of rows or bytes, or the size of a cache: such values have an order.
  package private(set) var amount: Double?
  /// How much of a hundred it is.
  package private(set) var share: Double?

  /// Reads a value, or the parameter's default without one; `rows` is the number that `all` means.
  package init(_ value: ParameterValue?, of key: String, rows: Int) {
    let value = value ?? Setting.standard(of: key, rows: rows)
    text = value.description
    switch value {
    case .all: amount = Double(max(rows, 1))
    // A piece of more rows than there are is all of them; a cache's size may be negative, and 0 is not a size.
    case .count(let count) where count != 0:
      amount = Double(Setting.pieces.contains(key) ? value.rows(of: rows) : Int(clamping: count.magnitude))
    case .count: break
    case .bytes(let bytes): amount = Double(bytes)
    case .word(let word):
      if word.hasSuffix("%") {
        share = Double(word.dropLast()).flatMap { $0.isFinite ? $0 : nil }
      } else {
        amount = Int(word).flatMap { $0 == 0 ? nil : Double($0.magnitude) }
      }
    }
  }

  /// Its position among others of its parameter.
  ///
  /// Words come first, in their order.
  package var order: Double { amount ?? share ?? 0 }

  /// Parameters that say how many rows are handled at once.
  private static let pieces = [
    ParameterKey.saveEvery.name, ParameterKey.requestSize.name, ParameterKey.linkEvery.name,
  ]

  /// The setting for a key that a cell has no value for.
  private static func standard(of key: String, rows: Int) -> ParameterValue {
    key == "rows" ? .count(rows) : .word("default")
  }
}
