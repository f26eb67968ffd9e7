// What a strategy's parameter may be, without its type: what the reader of scenarios checks values by.

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
  /// One line that says what it does.
  public let help: String

  public init(domain: Domain, standard: ParameterValue, help: String = "") {
    self.domain = domain
    self.standard = standard
    self.help = help
  }

  /// What may be given, the standard first: `none|automatic|changes`, `all` where any number is right.
  package var choice: String {
    switch domain {
    case .rows, .bytes: standard.description
    case .words(let words): words.joined(separator: "|")
    }
  }
}
