// The relationships of synthetic rows, seen from either end.
import BatchmarkEngine
import CoreDataModel

/// Makes the relationships between the rows of tables.
struct SyntheticLinks {
  /// A relationship of the rows of a table.
  private struct End: Hashable {
    let table: Int
    let relationship: String
  }

  /// The destinations of a row.
  struct Link: Hashable {
    let row: Int
    let destinationTable: Int
    let destinationRow: Int
  }

  let synthetic: SyntheticSource
  let tables: [ColumnarRows]
  let model: ManagedObjectModel
  /// The links in the order in which they were made.
  private var links: [End: [Link]] = [:]
  /// How many rows have been used on either side so far.
  ///
  /// The next links use other rows while there are any.
  private var used: [End: Int] = [:]

  init(_ synthetic: SyntheticSource, _ tables: [ColumnarRows], _ model: ManagedObjectModel) {
    self.synthetic = synthetic
    self.tables = tables
    self.model = model
  }

  // MARK: - Making

  /// Makes the counted links of a table's entity in the profile, if their destinations are in one of the tables.
  mutating func makeLinks(ofTable table: Int) throws(SourceError) {
    let entity = tables[table].entityName
    for shape in synthetic.entity(entity).relationships {
      guard let destination = tables.firstIndex(where: { $0.entityName == shape.destination }),
        let relationship = model.relationships(of: entity).first(where: { $0.name == shape.name })
      else { continue }
      if relationship.isToMany {
        try makePairs(shape, relationship, from: table, to: destination)
      } else {
        makeTrees(shape, relationship, from: table, to: destination)
      }
    }
  }

  /// Draws the links of a table's entity.
  ///
  /// Counted links must have been made for all tables.
  mutating func drawLinks(ofTable table: Int) {
    for recipe in synthetic.entity(tables[table].entityName).links { drawLinks(recipe, ofTable: table) }
  }

  /// Links each row to one destination.
  ///
  /// Within one table, rows come after their destinations, because they are trees. If all rows have a destination, the
  /// first row is an exception.
  private mutating func makeTrees(
    _ shape: DataProfile.Relationship, _ relationship: RelationshipDescription, from table: Int, to destination: Int
  ) {
    let count = shape.perDestination.sum
    let sources = rows(of: table, relationship, taking: count, fromEnd: true)
    let destinations = rows(of: destination, relationship, taking: shape.perDestination.count)
    var next = 0
    for (destinationRow, rows) in zip(destinations, shape.perDestination.numbers) {
      for row in sources.dropFirst(next).prefix(rows) {
        add(
          Link(row: row, destinationTable: destination, destinationRow: destinationRow), of: relationship, from: table)
      }
      next += rows
    }
  }

  /// Links each row to some destinations.
  private mutating func makePairs(
    _ shape: DataProfile.Relationship, _ relationship: RelationshipDescription, from table: Int, to destination: Int
  ) throws(SourceError) {
    let sources = rows(of: table, relationship, taking: shape.perRow.count)
    let destinations = rows(of: destination, relationship, taking: shape.perDestination.count, isBack: true)
    guard let pairs = distinctPairs(perSource: shape.perRow.numbers, perDestination: shape.perDestination.numbers)
    else {
      throw SourceError(
        making: "\(tables[table].entityName).\(shape.name)",
        found: "\(shape.perRow.sum) pairs with \(shape.destination), more than there are different ones",
        expected: "counts for which every pair is different")
    }
    for (source, other) in pairs {
      add(
        Link(row: sources[source], destinationTable: destination, destinationRow: destinations[other]),
        of: relationship, from: table)
    }
  }

  /// Chooses rows of a table for one end of a relationship, starting with rows that have not been chosen yet.
  ///
  /// For to-one relationships within a table, both ends are chosen from one order.
  private mutating func rows(
    of table: Int, _ relationship: RelationshipDescription, taking count: Int, fromEnd: Bool = false,
    isBack: Bool = false
  ) -> [Int] {
    let all = tables[table].count
    guard all > 0 else { return [] }
    let name = "\(declarer(of: relationship)).\(relationship.name)\(isBack ? " back" : "")"
    let end = End(table: table, relationship: fromEnd ? name + " from" : name)
    let first = used[end, default: 0]
    used[end] = first + count
    let order = Permutation(of: all, seed: synthetic.seed, field: "\(tables[table].entityName) rows of \(name)")
    let start = fromEnd ? all - first - count : first
    return (start..<start + count).map { order[($0 % all + all) % all] }
  }

  /// The entity that declares a relationship.
  ///
  /// If several declare the same one, the first is used, which does no harm.
  private func declarer(of relationship: RelationshipDescription) -> String {
    model.entities.first { $0.relationships.contains(relationship) }?.name ?? ""
  }

  mutating func add(_ link: Link, of relationship: RelationshipDescription, from table: Int) {
    links[End(table: table, relationship: relationship.name), default: []].append(link)
    guard let inverse = relationship.inverseName else { return }
    links[End(table: link.destinationTable, relationship: inverse), default: []].append(
      Link(row: link.destinationRow, destinationTable: table, destinationRow: link.row))
  }

  // MARK: - Results

  /// The links of a table's rows, by the ends that a store keeps.
  func relatedRows(ofTable table: Int, _ names: [String]) -> [RelatedRows] {
    let descriptions = model.relationships(of: tables[table].entityName)
    return names.compactMap { name in
      guard let description = descriptions.first(where: { $0.name == name }) else { return nil }
      let inverse = description.inverseName.flatMap { name in
        model.relationships(of: description.destinationEntityName).first { $0.name == name }
      }
      let made = links[End(table: table, relationship: name)] ?? []
      var positions: [Int: Int] = [:]
      // Rows of other tables may have the same destination, and positions in the same order.
      var places: [Int: [Link: Int]] = [:]
      if let inverse, inverse.isOrdered {
        for destination in Set(made.map(\.destinationTable)) {
          places[destination] = self.places(of: End(table: destination, relationship: inverse.name))
        }
      }
      // Sort by row; links of one row stay in the order in which they were made.
      let pairs = made.enumerated().map { order, link in
        let pair = RelatedRows.Pair(
          row: link.row, destinationTable: link.destinationTable, destinationRow: link.destinationRow,
          position: description.isOrdered ? positions.next(link.row) : 0,
          inversePosition: places[link.destinationTable]?[
            Link(row: link.destinationRow, destinationTable: table, destinationRow: link.row)] ?? 0)
        return (order: order, pair: pair)
      }.sorted { ($0.pair.row, $0.order) < ($1.pair.row, $1.order) }
      return RelatedRows(table: table, relationship: description, inverse: inverse, pairs: pairs.map(\.pair))
    }
  }

  /// The position of each link among those of its row, in the order in which they were made.
  private func places(of end: End) -> [Link: Int] {
    var counts: [Int: Int] = [:]
    return Dictionary((links[end] ?? []).map { ($0, counts.next($0.row)) }) { first, _ in first }
  }
}

extension Dictionary where Value == Int {
  /// How often the key was requested before.
  fileprivate mutating func next(_ key: Key) -> Int {
    defer { self[key, default: 0] += 1 }
    return self[key] ?? 0
  }
}

extension SyntheticLinks {
  /// Draws the destinations of a table's rows, if they are in one of the tables.
  ///
  /// If every destination must have a row, or can have only one, the first rows in a random order use each destination
  /// once, except those used by rows of another table. In relationships within one table, rows use earlier rows, so
  /// that they form trees; the first row has no destination.
  private mutating func drawLinks(_ recipe: LinkRecipe, ofTable table: Int) {
    let entity = tables[table].entityName
    guard let destination = tables.firstIndex(where: { $0.entityName == recipe.destination }),
      let relationship = model.relationships(of: entity).first(where: { $0.name == recipe.name })
    else { return }
    let (rows, others) = (tables[table].count, tables[destination].count)
    guard rows > 0, others > 0 else { return }
    let inverse = relationship.inverseName.flatMap { name in
      model.relationships(of: relationship.destinationEntityName).first { $0.name == name }
    }
    let takesEachOnce = inverse.map { !$0.isToMany || !$0.isOptional } ?? false
    let field = "\(entity).\(recipe.name) to \(recipe.destination)"
    let seed = synthetic.seed
    let order = Permutation(of: rows, seed: seed, field: "\(field) order")
    let places = Permutation(of: others, seed: seed, field: "\(field) places")
    let draw = RandomPlaces(recipe.distribution, of: others, seed: seed, field: field)
    let counts = RandomField(seed: seed, field: "\(field) counts")
    let nulls = recipe.nulls.count(of: rows)
    let isWithin = table == destination && !relationship.isToMany
    let free = inverse.flatMap { freePlaces(places, ofTable: destination, for: $0) }
    for row in 0..<rows {
      let position = order[row] - nulls
      guard position >= 0 else { continue }
      if isWithin {
        guard row > 0 else { continue }
        let earlier = RandomPlaces(recipe.distribution, of: row, seed: seed, field: field)[row]
        add(Link(row: row, destinationTable: table, destinationRow: earlier), of: relationship, from: table)
        continue
      }
      let count = recipe.destinations.lowerBound + counts.number(row, below: recipe.destinations.count)
      var taken: Set<Int> = []
      for turn in 0..<count {
        var place =
          takesEachOnce && turn == 0 && position < others
          ? position : draw[row &* recipe.destinations.upperBound &+ turn]
        // The next destination that the row does not have yet. There are more destinations than the row has.
        while !taken.insert(place).inserted { place = (place + 1) % others }
        if let free {
          guard place < free.count else { continue }
          place = free[place]
        }
        add(
          Link(row: row, destinationTable: destination, destinationRow: places[place]), of: relationship, from: table)
      }
    }
  }

  /// The positions of rows that are not destinations yet, if each may be one only once; `nil` if that is every
  /// position.
  private func freePlaces(
    _ places: Permutation, ofTable table: Int, for inverse: RelationshipDescription
  ) -> [Int]? {
    guard !inverse.isToMany, let made = links[End(table: table, relationship: inverse.name)] else { return nil }
    let taken = Set(made.map(\.row))
    return (0..<places.count).filter { !taken.contains(places[$0]) }
  }
}
