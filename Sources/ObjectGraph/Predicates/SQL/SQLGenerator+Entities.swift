// The entities of rows in SQL: compared by number if possible, otherwise by name.

internal import CoreDataModel

extension SQLGenerator {
  /// The name of a row's own entity.
  func entity(of source: SQLScope.Source) -> SQLOperand {
    let number: SQLFragment = "\(raw: source.alias).Z_ENT"
    let names = schema.entityNumbers(of: source.entity).filter { $0.number > 0 }
    // Names consist of letters, digits and underscores.
    let cases = names.map { " WHEN \($0.number) THEN '\($0.name)'" }.joined()
    let name: SQLFragment = cases.isEmpty ? "NULL" : "CASE \(number)\(raw: cases) END"
    return SQLOperand(sql: name, kind: .text, entityNumber: number)
  }

  /// Replaces names of entities by their numbers for equality comparisons; `nil` if there are other texts.
  ///
  /// - Throws: ``FetchPredicateError/typeMismatch(in:found:expected:)`` for a name that no entity has.
  func entityNumbers(
    _ left: SQLOperand, _ rights: [SQLOperand], _ comparison: FetchPredicate.Comparison
  ) throws(FetchPredicateError) -> (left: SQLOperand, rights: [SQLOperand])? {
    guard left.entityNumber != nil || rights.contains(where: { $0.entityNumber != nil }),
      [.equal, .notEqual, .isIn].contains(comparison.comparisonOperator), comparison.options.isEmpty
    else { return nil }
    var numbers: [SQLOperand] = []
    for operand in [left] + rights {
      if let number = operand.entityNumber {
        numbers.append(SQLOperand(sql: number, kind: .number))
      } else if case .string(let name) = operand.constant {
        numbers.append(.constant(.integer(try entityNumber(name, comparison))))
      } else {
        return nil
      }
    }
    return (numbers[0], Array(numbers.dropFirst()))
  }

  private func entityNumber(
    _ name: String, _ comparison: FetchPredicate.Comparison
  ) throws(FetchPredicateError) -> Int64 {
    let entities = schema.entityNumbers(of: nil)
    if let entity = entities.first(where: { $0.name == name }) { return Int64(entity.number) }
    throw .typeMismatch(
      in: "\(comparison)", found: "the entity '\(name)'",
      expected: "one of " + entities.map(\.name).sorted().joined(separator: ", "))
  }
}
