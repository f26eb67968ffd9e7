// What a strategy's parameter may be.

/// A parameter of a strategy: the values it takes, and the one it has where a cell says nothing.
public struct Parameter: Sendable, Hashable {
  /// The values that a scenario file may give.
  public enum Domain: Sendable, Hashable {
    /// A positive number of rows, or all.
    case rows
    /// A positive number of bytes with its unit, or none.
    case bytes
    /// One of the words.
    case words([String])
  }

  public let domain: Domain
  public let standard: ParameterValue

  /// What may be given, the standard first: `none|automatic|changes`, `all` where any number is right.
  public var choice: String {
    switch domain {
    case .rows, .bytes: standard.description
    case .words(let words): words.joined(separator: "|")
    }
  }

  /// A number of rows; all where nothing is said.
  public static let rows = Parameter(domain: .rows, standard: .all)
  /// A number of rows, or all; so many where nothing is said.
  public static func rows(standard count: Int) -> Parameter { Parameter(domain: .rows, standard: .count(count)) }
  /// A size; none where nothing is said.
  public static let bytes = Parameter(domain: .bytes, standard: .word("none"))
  /// On or off; off where nothing is said.
  public static let onOff = words("off", "on")

  /// One of some words; the first where nothing is said.
  public static func words(_ first: String, _ others: String...) -> Parameter {
    Parameter(domain: .words([first] + others), standard: .word(first))
  }
}

extension Cell {
  /// A parameter that every strategy of every engine has: who else has the store open.
  ///
  /// `pinned` is a reader of plain SQLite that sees the store as it was before the operation, until it is done.
  public static let readerParameter = (name: "reader", parameter: Parameter.words("none", "pinned"))

  /// A parameter that every strategy of every engine has: the instrument that is there while its times are taken.
  public static let attachedParameter = (
    name: "attached",
    parameter: Parameter(
      domain: .words(["none"] + Attachment.allCases.map(\.rawValue)), standard: .word("none"))
  )

  /// The parameters that every strategy of every engine has.
  public static let commonParameters = [readerParameter, attachedParameter]

  /// What the cell's times are taken with; nil for nothing.
  public var attachment: Attachment? { word(Cell.attachedParameter.name).flatMap(Attachment.init) }

  /// The word a parameter has; nil for one that has its default, or no word.
  public func word(_ parameter: String) -> String? {
    if case .word(let word) = parameters[parameter] { word } else { nil }
  }
}
