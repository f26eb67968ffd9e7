// A cell's value for a parameter as a person reads it: an amount, a percentage, or a word.
internal import Harness
package import BatchmarkEngine

/// The value of one parameter in one cell.
package struct Setting: Hashable {
  /// The text in a scenario file.
  package let text: String
  /// The amount, if it is a number of rows or bytes, or the size of a cache.
  ///
  /// Such values have an order.
  package private(set) var amount: Double?
  /// The percentage.
  package private(set) var share: Double?

  /// Reads a value, or the parameter's default if there is none.
  ///
  /// `rows` is the number that `all` means.
  package init(_ value: ParameterValue?, of key: String, rows: Int) {
    let value = value ?? Setting.standard(of: key, rows: rows)
    text = value.description
    switch value {
    case .all: amount = Double(max(rows, 1))
    // A piece larger than the number of rows means all of them. A cache size may be negative, and 0 is not a size.
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

  /// The sort key among values of the same parameter.
  ///
  /// Words come first, in their order.
  package var order: Double { amount ?? share ?? 0 }

  /// Parameters that set how many rows are handled at once.
  private static let pieces = [
    ParameterKey.saveEvery.name, ParameterKey.requestSize.name, ParameterKey.linkEvery.name,
  ]

  /// The setting of a key for which a cell has no value.
  private static func standard(of key: String, rows: Int) -> ParameterValue {
    key == "rows" ? .count(rows) : .word("default")
  }
}
