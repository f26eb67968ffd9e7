// Validation: what the model asks of an object's values before they are stored.
public import CoreDataModel

/// One value of one object that may not be stored.
public struct ValidationFailure: Sendable, Hashable, CustomStringConvertible {
  public typealias Code = ValidationCode

  public let code: Code
  public let objectID: ManagedObjectID
  /// The attribute; empty when an object's own check refused it as a whole.
  public let key: String
  public let found: String
  public let expected: String

  public var description: String {
    let position = "\(objectID.entityName) \(objectID)" + (key.isEmpty ? "" : ", \(key)")
    return "\(position): found \(found); expected \(expected)"
  }
}

extension ManagedObject {
  /// Checks the values against the model.
  ///
  /// - Throws: ``ObjectGraphError/validation(_:)`` with every failure.
  public final func validateValues() throws(ObjectGraphError) {
    var failures: [ValidationFailure] = []
    checkValues(into: &failures)
    if !failures.isEmpty { throw .validation(failures) }
  }

  /// Adds every value that may not be stored.
  final func checkValues(into failures: inout [ValidationFailure]) {
    if let defect {
      failures.append(
        ValidationFailure(
          code: .managedObject, objectID: objectID, key: defect.key, found: defect.found, expected: defect.expected))
    }
    guard let row else { return }
    for slot in layout.requiredSlots where row[slot].isStoredAsNull {
      failures.append(
        ValidationFailure(
          code: .missingMandatoryProperty, objectID: objectID, key: layout.attributes[slot].name, found: "no value",
          expected: "one, because it is required"))
    }
    checkCounts(into: &failures)
    for (slot, rule) in layout.rules {
      guard let breach = rule.breach(by: row[slot]) else { continue }
      failures.append(
        ValidationFailure(
          code: breach.code, objectID: objectID,
          key: layout.attributes[slot].name, found: breach.found, expected: breach.expected))
    }
  }

  /// Adds each to-many relationship that holds too few or too many objects.
  ///
  /// As in Core Data, an optional one may be empty whatever its minimum.
  private final func checkCounts(into failures: inout [ValidationFailure]) {
    for index in layout.countedRelationships {
      let relationship = layout.toManyRelationships[index].relationship
      let count: Int
      do throws(ObjectGraphError) {
        count = try memberCount(index)
      } catch {
        failures.append(
          ValidationFailure(
            code: .managedObject, objectID: objectID, key: relationship.name, found: "\(error)",
            expected: "a relationship that can be read, because its objects are counted"))
        continue
      }
      let minimum = max(relationship.minimumCount, relationship.isOptional ? 0 : 1)
      if count < minimum, count > 0 || !relationship.isOptional {
        failures.append(
          ValidationFailure(
            code: .relationshipLacksMinimumCount, objectID: objectID, key: relationship.name,
            found: "\(count) object\(count == 1 ? "" : "s")", expected: "\(minimum) or more"))
      }
      if relationship.maximumCount > 0, count > relationship.maximumCount {
        failures.append(
          ValidationFailure(
            code: .relationshipExceedsMaximumCount, objectID: objectID, key: relationship.name,
            found: "\(count) objects", expected: "\(relationship.maximumCount) or fewer"))
      }
    }
  }

  /// Adds what the object's own check finds; a class without one goes straight to the values.
  final func validate(
    _ check: (ManagedObject) throws -> Void, valuesToo: Bool, into failures: inout [ValidationFailure]
  ) {
    if !hasCallbacks {
      if valuesToo { checkValues(into: &failures) } else if layout.hasDenyRule { checkDeletion(into: &failures) }
      return
    }
    do {
      try check(self)
    } catch ObjectGraphError.validation(let found) {
      failures += found
    } catch {
      failures.append(
        ValidationFailure(
          code: .managedObject, objectID: objectID, key: "", found: "\(error)", expected: "an object its class accepts")
      )
    }
  }

  /// Whether the object's class may have callbacks of its own.
  final var hasCallbacks: Bool { type(of: self) != ManagedObject.self }
}
