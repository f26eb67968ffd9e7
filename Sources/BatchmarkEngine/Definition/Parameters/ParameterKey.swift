// A parameter with its type: a cell answers a key with a value, never with nothing.

/// What a strategy lists among its parameters, whatever the parameter's type.
public protocol ParameterDeclaration: Sendable {
  /// The key in scenario files, `save_every`.
  var name: String { get }
  /// Its values, its default and its line of help.
  var parameter: Parameter { get }
}

/// A type that a parameter's values may have.
public protocol ParameterType: Sendable, Hashable {
  /// What scenario files may give.
  static var domain: Parameter.Domain { get }
  /// The value meant; nil for one of another type.
  init?(_ value: ParameterValue)
  /// As scenario files and results have it.
  var parameterValue: ParameterValue { get }
}

/// A parameter of a strategy: its key, its type, its default, its range and one line of help.
///
/// Keys are static members, so that a cell is asked `cell[.saveEvery]`.
public struct ParameterKey<Value: ParameterType>: ParameterDeclaration {
  public let name: String
  /// The value of a cell that says nothing.
  public let standard: Value
  public let help: String
  private let domain: Parameter.Domain

  /// - Parameters:
  ///   - name: The key in scenario files.
  ///   - standard: The value of a cell that says nothing.
  ///   - help: One line that says what the parameter does.
  public init(_ name: String, default standard: Value, help: String) {
    self.init(name, default: standard, domain: Value.domain, help: help)
  }

  private init(_ name: String, default standard: Value, domain: Parameter.Domain, help: String) {
    self.name = name
    self.standard = standard
    self.help = help
    self.domain = domain
  }

  public var parameter: Parameter { Parameter(domain: domain, standard: standard.parameterValue, help: help) }

  /// The same parameter with another default.
  public func defaulting(to standard: Value) -> ParameterKey {
    ParameterKey(name, default: standard, domain: domain, help: help)
  }

  /// The same parameter of a strategy that knows only some of its words.
  public func offering(_ values: Value...) -> ParameterKey {
    ParameterKey(name, default: standard, domain: .words(values.map(\.parameterValue.description)), help: help)
  }
}

extension Cell {
  /// The value of a parameter: what the cell says, or else the strategy's default.
  public subscript<Value>(key: ParameterKey<Value>) -> Value {
    (parameters[key.name] ?? defaults[key.name]).flatMap(Value.init) ?? key.standard
  }
}

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
