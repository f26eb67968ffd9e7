// Relationships whose destinations are drawn by a distribution.
import BatchmarkEngine
import CoreDataModel

extension SyntheticLinks {
  /// Draws the destinations of a table's rows, where they are in one of the tables.
  ///
  /// Where every destination is required, or none may be taken twice, the first rows in a random order take each once.
  /// Rows related to rows of their own table take earlier ones, so that they are trees; the first takes none.
  mutating func drawLinks(_ recipe: LinkRecipe, ofTable table: Int) {
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
        // The next one that the row does not have yet: there are more than it has.
        while !taken.insert(place).inserted { place = (place + 1) % others }
        add(
          Link(row: row, destinationTable: destination, destinationRow: places[place]), of: relationship, from: table)
      }
    }
  }
}
