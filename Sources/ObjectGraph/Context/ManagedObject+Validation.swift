// Validation: checks an object's values against the model before they are stored.
public import CoreDataModel

extension ManagedObject {
  /// Checks the values against the model.
  ///
  /// ```swift
  /// do {
  ///   try quake.validateValues()
  /// } catch .validation(let failures) {
  ///   for failure in failures { print(failure.key, failure.found, failure.expected) }
  /// }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/validation(_:)`` with every failure.
  public final func validateValues() throws(ObjectGraphError) {
    var failures: [ValidationFailure] = []
    checkValues(into: &failures)
    if !failures.isEmpty { throw .validation(failures) }
  }

  /// Adds a failure for every value that may not be stored.
  final func checkValues(into failures: inout [ValidationFailure]) {
    checkDefects(into: &failures)
    guard let row else { return }
    for slot in layout.requiredSlots where row[slot].isStoredAsNull {
      // Derived values are computed by the save, which also reports what cannot be read now.
      if (try? willDerive(slot: slot)) ?? false { continue }
      failures.append(missing(slot))
    }
    checkCounts(into: &failures)
    for (slot, rule) in layout.rules {
      if let failure = failure(of: row[slot], slot, rule) { failures.append(failure) }
    }
  }

  /// Checks one value against the model, without setting it.
  ///
  /// Only ``validateForInsert()`` and ``validateForUpdate()`` call a class's own checks.
  ///
  /// ```swift
  /// do {
  ///   try quake.validateValue(.real(11.2), forKey: "magnitude")
  /// } catch .validation(let failures) {
  ///   print(failures[0].expected)
  /// }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/validation(_:)`` with every rule that the value breaks,
  ///   ``ObjectGraphError/wrongType(entity:key:found:expected:row:)`` and
  ///   ``ObjectGraphError/unknownAttribute(entity:key:expected:row:)``.
  public final func validateValue(_ value: AttributeValue, forKey key: String) throws(ObjectGraphError) {
    owner?.check()
    let (slot, value) = try checked(value, forKey: key)
    var failures: [ValidationFailure] = []
    if layout.requiredSlots.contains(slot), value.isStoredAsNull { failures.append(missing(slot)) }
    for (ruled, rule) in layout.rules where ruled == slot {
      if let failure = failure(of: value, slot, rule) { failures.append(failure) }
    }
    if !failures.isEmpty { throw .validation(failures) }
  }

  private final func failure(of value: AttributeValue, _ slot: Int, _ rule: CompiledRule) -> ValidationFailure? {
    guard let breach = untried(value, rule) ?? rule.breach(by: value) else { return nil }
    if breach.isGivenUp { managedObjectContext?.matchesGivenUp? += 1 }
    return ValidationFailure(
      code: breach.code, objectID: objectID, key: layout.attributes[slot].name, value: value, found: breach.found,
      expected: breach.expected)
  }

  /// The failure for a text that a save no longer matches against patterns, because too many matches took too long.
  private final func untried(_ value: AttributeValue, _ rule: CompiledRule) -> ValidationRule.Breach? {
    guard case .pattern(let pattern) = rule, case .string = value,
      let givenUp = managedObjectContext?.matchesGivenUp, givenUp >= ManagedObjectContext.mostMatchesGivenUp
    else { return nil }
    return ValidationRule.Breach(
      code: .stringPatternMatching, found: "a text that was not tried",
      expected: "text that matches \(pattern.source); \(givenUp) matches of this save were given up before")
  }

  private final func missing(_ slot: Int) -> ValidationFailure {
    ValidationFailure(
      code: .missingMandatoryProperty, objectID: objectID, key: layout.attributes[slot].name, found: "no value",
      expected: "one, because it is required")
  }

  /// Adds every property that was assigned an invalid value.
  private final func checkDefects(into failures: inout [ValidationFailure]) {
    if invalidAssignment == nil { return }
    failures += invalidAssignments.map { invalidAssignment in
      ValidationFailure(
        code: .managedObject, objectID: objectID, key: invalidAssignment.key, found: invalidAssignment.found,
        expected: invalidAssignment.expected)
    }
  }

  /// Adds each to-many relationship with too few or too many objects.
  ///
  /// As in Core Data, an optional relationship may be empty whatever its minimum.
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

  /// Adds the failures of the object's own check; a class without one only has its values checked.
  final func validate(
    _ check: (ManagedObject) throws -> Void, valuesToo: Bool, into failures: inout [ValidationFailure]
  ) {
    if !hasCallbacks {
      if valuesToo { checkValues(into: &failures) } else if layout.hasDenyRule { checkDeletion(into: &failures) }
      return
    }
    do {
      try check(self)
      // Check this even if the class ignores the model's rules: a value that was set must not be lost.
      if valuesToo { checkDefects(into: &failures) }
    } catch ObjectGraphError.validation(let found) {
      failures += found
    } catch {
      failures.append(
        ValidationFailure(
          code: .managedObject, objectID: objectID, key: "", found: "\(error)", expected: "an object its class accepts",
          cause: error))
    }
  }

  /// Whether the object's class may have callbacks of its own.
  final var hasCallbacks: Bool { type(of: self) != ManagedObject.self }
}
