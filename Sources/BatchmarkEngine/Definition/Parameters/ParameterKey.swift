// Typed parameters: a cell always has a value for a key.

/// A parameter in a strategy's list, whatever its type.
public protocol ParameterDeclaration: Sendable {
  /// The key in scenario files, such as `save_every`.
  var name: String { get }
  /// Its values, its default and its line of help.
  var parameter: Parameter { get }
}

/// A type of parameter values.
public protocol ParameterType: Sendable, Hashable {
  /// The values allowed in scenario files.
  static var domain: Parameter.Domain { get }
  /// The typed value; `nil` for a value of another type.
  init?(_ value: ParameterValue)
  /// The value in scenario files and results.
  var parameterValue: ParameterValue { get }
}

/// A parameter of a strategy: its key, its type, its default, its range and one line of help.
///
/// Keys are static members, so that a cell's value is `cell[.saveEvery]`.
public struct ParameterKey<Value: ParameterType>: ParameterDeclaration {
  public let name: String
  /// The value for cells that do not set it.
  public let standard: Value
  public let help: String
  private let domain: Parameter.Domain

  /// - Parameters:
  ///   - name: The key in scenario files.
  ///   - standard: The value for cells that do not set it.
  ///   - help: One line about what the parameter does.
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

  /// The same parameter for a strategy that supports only some of its words.
  public func offering(_ values: Value...) -> ParameterKey {
    ParameterKey(name, default: standard, domain: .words(values.map(\.parameterValue.description)), help: help)
  }
}

extension Cell {
  /// The value of a parameter: the cell's own, or else the strategy's default.
  public subscript<Value>(key: ParameterKey<Value>) -> Value {
    (parameters[key.name] ?? defaults[key.name]).flatMap(Value.init) ?? key.standard
  }
}

/// A parameter of a strategy: its values and its default.
public struct Parameter: Sendable, Hashable {
  /// The values allowed in a scenario file.
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
  /// One line about what it does.
  public let help: String

  public init(domain: Domain, standard: ParameterValue, help: String = "") {
    self.domain = domain
    self.standard = standard
    self.help = help
  }

  /// The possible values, the default first: `none|automatic|changes`, or `all` if any number is allowed.
  package var choice: String {
    switch domain {
    case .rows, .bytes: standard.description
    case .words(let words): words.joined(separator: "|")
    }
  }
}
