// A difference between a store's layout and that of its model.

/// The first object of a store's layout that is missing, superfluous or different.
package struct LayoutDifference: Sendable, Hashable, CustomStringConvertible {
  /// What was found, as a clause: `found the table ZQUAKE without the column ZPLACE`.
  package var found: String
  /// What was expected, as a phrase.
  package var expected: String

  package init(found: String, expected: String) {
    self.found = found
    self.expected = expected
  }

  package var description: String { "found \(found); expected \(expected)" }
}

extension StoreLayout {
  /// The first difference from the expected layout; `nil` if both are equal.
  ///
  /// Names are compared letter by letter, and columns in order, because both are Core Data's.
  func difference(from expected: StoreLayout) -> LayoutDifference? {
    for table in expected.tables {
      guard let found = self.table(named: table.name) else {
        return LayoutDifference(found: "no table \(table.name)", expected: "one, as the model has it")
      }
      if let difference = found.difference(from: table) { return difference }
    }
    if let table = tables.first(where: { expected.table(named: $0.name) == nil }) {
      return LayoutDifference(found: "the table \(table.name)", expected: "no table that is not of the model")
    }
    for index in expected.indexes {
      guard let found = indexes.first(where: { $0.name == index.name }) else {
        return LayoutDifference(found: "no index \(index.name)", expected: "\(index)")
      }
      if found != index { return LayoutDifference(found: "\(found) as \(index.name)", expected: "\(index)") }
    }
    if let index = indexes.first(where: { index in !expected.indexes.contains { $0.name == index.name } }) {
      return LayoutDifference(found: "the index \(index.name), \(index)", expected: "no index that is not of the model")
    }
    if let other = others.first(where: { !expected.others.contains($0) }) {
      return LayoutDifference(
        found: "the \(other.kind) \(other.name)", expected: "no \(other.kind) that is not of the model")
    }
    return expected.others.first { !others.contains($0) }.map {
      LayoutDifference(found: "no \($0.kind) \($0.name)", expected: "one, as the model has it")
    }
  }
}

extension StoreLayout.Table {
  fileprivate func difference(from expected: StoreLayout.Table) -> LayoutDifference? {
    if kind != expected.kind {
      return LayoutDifference(
        found: "the table \(name) made as \(kind.isEmpty ? "an ordinary table" : kind)",
        expected: expected.kind.isEmpty ? "an ordinary table" : expected.kind)
    }
    if let word = constraints.first(where: { !expected.constraints.contains($0) }) {
      return LayoutDifference(found: "\(word) in the table \(name)", expected: "no constraint that is not of the model")
    }
    for column in expected.columns {
      guard let found = columns.first(where: { $0.name == column.name }) else {
        return LayoutDifference(found: "the table \(name) without the column \(column.name)", expected: "\(column)")
      }
      if found != column {
        return LayoutDifference(found: "the column \(column.name) of \(name) as \(found)", expected: "\(column)")
      }
    }
    if let extra = columns.first(where: { column in !expected.columns.contains { $0.name == column.name } }) {
      return LayoutDifference(
        found: "the column \(extra.name) in \(name)", expected: "no column that is not of the model")
    }
    guard columns.map(\.name) != expected.columns.map(\.name) else { return nil }
    return LayoutDifference(
      found: "the columns of \(name) in the order \(columns.map(\.name).joined(separator: ", "))",
      expected: expected.columns.map(\.name).joined(separator: ", "))
  }
}

extension StoreLayout.Column: CustomStringConvertible {
  /// As SQL declares it: `INTEGER PRIMARY KEY`, `VARCHAR NOT NULL`.
  var description: String {
    let words = [
      declaredType.isEmpty ? "no type" : declaredType, isNotNull ? "NOT NULL" : "",
      defaultValue.map { "DEFAULT \($0)" } ?? "", isGenerated ? "GENERATED" : "",
      positionInKey == 0 ? "" : "PRIMARY KEY" + (positionInKey == 1 ? "" : " (column \(positionInKey) of it)"),
    ]
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension StoreLayout.Index: CustomStringConvertible {
  /// `a unique index of ZQUAKE (ZCODE)`, `an index of ZQUAKE (ZTIME DESC) where ZTIME > 0`.
  var description: String {
    "\(isUnique ? "a unique" : "an") index of \(table) (\(columns.joined(separator: ", ")))"
      + (partialClause.map { " where \($0)" } ?? "")
  }
}
