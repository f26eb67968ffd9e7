// A failed validation: the object and its value, with Core Data's code or the error of the object's own check.
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

  /// Core Data's code for the broken rule.
  public let code: Code
  /// The object that has the value.
  public let objectID: ManagedObjectID
  /// The attribute; empty if the object's own check refused the object as a whole.
  public let key: String
  /// The value that breaks a rule of the attribute; `nil` for a missing value, a relationship, and failures that are
  /// not about a value.
  public let value: AttributeValue?
  /// What was found, as a phrase such as `no value`.
  public let found: String
  /// What the model or the object's class requires.
  public let expected: String
  /// The error that the object's own check threw; `nil` if the model refuses the value.
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

  /// The error's number: the code of ``cause``, else of ``code``.
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

  /// The domain of ``errorCode``: that of ``cause``, else Core Data's.
  public var errorDomain: String {
    guard let cause else { return ObjectGraphError.coreDataDomain }
    return (cause as? ObjectGraphError)?.domain ?? cause._domain
  }

  public var description: String {
    let position = "\(objectID.entityName) \(objectID)" + (key.isEmpty ? "" : ", \(key)")
    return "\(position): found \(found); expected \(expected)"
  }
}

/// Errors are compared by domain, number and text; the text is part of `found`.
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
