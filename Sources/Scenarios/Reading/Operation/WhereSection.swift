// The key `where`: a predicate in the format ObjectGraph reads, checked against the entity's attributes.
import BatchmarkEngine
import ObjectGraph

/// Reads which rows are meant.
struct WhereSection: NodeReading {
  let diagnostics: Diagnostics

  /// Reads a predicate on the entity's attributes.
  func read(_ node: YAMLNode, on entity: EntityReading) -> RowCondition? {
    guard let format = text(node, expected: "a predicate, such as magnitude >= 5") else { return nil }
    do {
      return try ConditionReading(entity: entity.description).condition(try FetchPredicate(format: format))
    } catch let error as ConditionMismatch {
      // An attribute with a mistake of its own has been reported already.
      if let name = error.attribute, entity.attributeNames.contains(name) { return nil }
      diagnose(node.place, found: error.found, expected: error.expected, suggestion: error.suggestion)
    } catch let error as FetchPredicateError {
      diagnose(node.place, error)
    } catch {
      diagnose(node.place, found: "\(error)", expected: "a predicate")
    }
    return nil
  }

  private func diagnose(_ place: SourceLocation, _ error: FetchPredicateError) {
    switch error {
    case .syntax(_, let column, let found, let expected, let suggestion):
      diagnose(
        place, found: "\(found) at character \(column) of the predicate", expected: expected, suggestion: suggestion)
    default:
      diagnose(place, found: "a predicate that cannot be read (\(error))", expected: "one such as magnitude >= 5")
    }
  }
}
