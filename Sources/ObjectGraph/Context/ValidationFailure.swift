// What validation refuses: the object and its value, with Core Data's code or the error of the object's own check.
public import CoreDataModel

/// One value of one object that may not be stored.
///
/// ```swift
/// if case .validation(let failures) = error {
///   let missing = failures.filter { $0.code == .missingMandatoryProperty }.map(\.key)
/// }
/// ```
public struct ValidationFailure: Sendable, CustomStringConvertible {
  public typealias Code = ValidationCode

  /// Core Data's number for the rule that is broken.
  public let code: Code
  /// The object that has the value.
  public let objectID: ManagedObjectID
  /// The attribute; empty when an object's own check refused it as a whole.
  public let key: String
  /// The value that breaks a rule of the attribute; nil where none is there, for a relationship, and where it is not the
  /// value that is refused.
  public let value: AttributeValue?
  /// What the value is, in words, such as `no value`.
  public let found: String
  /// What the model, or the object's class, asks of it.
  public let expected: String
  /// What the object's own check threw; nil where the model refuses.
  public let cause: (any Error)?

  init(
    code: Code, objectID: ManagedObjectID, key: String, value: AttributeValue? = nil, found: String, expected: String,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.objectID = objectID
    self.key = key
    self.value = value
    self.found = found
    self.expected = expected
    self.cause = cause
  }

  /// The number of the error: that of ``cause``, else that of ``code``.
  ///
  /// ```swift
  /// if case .validation(let failures) = error {
  ///   let codes = failures.map(\.errorCode)  // such as [1570]: a value is missing
  /// }
  /// ```
  public var errorCode: Int {
    guard let cause else { return code.rawValue }
    return (cause as? ObjectGraphError).map { $0.code ?? code.rawValue } ?? cause._code
  }

  /// Whose number ``errorCode`` is: the domain of ``cause``, else Core Data's.
  public var errorDomain: String {
    guard let cause else { return ObjectGraphError.coreDataDomain }
    return (cause as? ObjectGraphError)?.domain ?? cause._domain
  }

  public var description: String {
    let position = "\(objectID.entityName) \(objectID)" + (key.isEmpty ? "" : ", \(key)")
    return "\(position): found \(found); expected \(expected)"
  }
}

/// Errors are compared by domain, number and text, which is in what was found.
extension ValidationFailure: Hashable {
  public static func == (left: ValidationFailure, right: ValidationFailure) -> Bool {
    left.objectID == right.objectID && left.key == right.key && left.found == right.found
      && left.expected == right.expected && left.code == right.code && left.errorCode == right.errorCode
      && left.errorDomain == right.errorDomain
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(objectID)
    hasher.combine(key)
    hasher.combine(found)
    hasher.combine(errorCode)
  }
}
