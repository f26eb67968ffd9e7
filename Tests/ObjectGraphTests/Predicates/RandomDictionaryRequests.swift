// Random data with many equal values, and random dictionary fetches for it.
import Foundation

@testable import CoreDataModel
@testable import ObjectGraph

enum DictionaryWorld {
  /// Few different values, so that groups have several rows.
  ///
  /// The doubles add up exactly in any order.
  static func value(_ type: AttributeType, _ random: inout SeededGenerator) -> AttributeValue {
    switch type {
    case .int16, .int32, .int64: .integer(random.pick([-2, 0, 1, 3, 1 << 33]))
    case .float, .double: .real(random.pick([-0.5, 0, 1, 1.25, 2, 4096.5]))
    case .string: .string(random.pick(["", "a", "A", "é", "Alaska", "nul\0inside"]))
    default: RandomWorld.value(type, &random)
    }
  }

  static func store(seed: UInt64) throws -> WorldStore {
    var random = SeededGenerator(seed: seed)
    let store = try WorldStore()
    func values(of entity: String) -> [String: AttributeValue] {
      var values: [String: AttributeValue] = [:]
      for (name, property) in PredicateWorld.entities[entity, default: [:]].sorted(by: { $0.key < $1.key }) {
        guard case .attribute(_, let type) = property, !random.chance(5) else { continue }
        values[name] = value(type, &random)
      }
      return values
    }
    let networks = (0..<12).map { _ in store.add("Network", values(of: "Network")) }
    for network in networks where random.chance(2) {
      network.connect("parent", to: random.pick(networks), inverse: nil)
    }
    for _ in 0..<90 {
      let quake = store.add("Quake", values(of: "Quake"))
      quake.connect("network", to: random.chance(5) ? nil : random.pick(networks), inverse: "quakes")
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let shock = store.add("Shock", values(of: "Shock"))
        shock.connect("quake", to: quake, inverse: "shocks")
      }
    }
    try store.write()
    return store
  }
}

/// Builds dictionary fetches that fit an entity of the world.
struct RandomDictionaryRequests {
  private var random: SeededGenerator
  private var predicates: RandomPredicates
  private var entity = ""

  init(seed: UInt64, store: WorldStore) {
    random = SeededGenerator(seed: seed)
    predicates = RandomPredicates(seed: seed &+ 1, store: store)
  }

  mutating func request(on entity: String) -> FetchRequest<ManagedObject> {
    self.entity = entity
    var request = FetchRequest(entityName: entity)
    // Most rows should remain, or there would be nothing to group.
    if random.chance(3) {
      request.predicate = .or([predicates.predicate(on: entity), predicates.predicate(on: entity)])
    }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: fillPlain(&request)
    case 1: request.propertiesToFetch = expressions(aggregates(in: []))
    default: fillGrouped(&request)
    }
    if random.chance(3) { request.returnsDistinctResults = true }
    fillOrder(&request)
    if random.chance(3) { request.fetchLimit = Int.random(in: 1...6, using: &random) }
    if random.chance(4) { request.fetchOffset = Int.random(in: 1...4, using: &random) }
    return request
  }

  private mutating func fillPlain(_ request: inout FetchRequest<ManagedObject>) {
    request.propertiesToFetch = paths(1...3).map { .property($0) }
    if random.chance(2) {
      request.propertiesToFetch += expressions([.arithmetic(number(), arithmeticOperator(), number())])
    }
  }

  private mutating func fillGrouped(_ request: inout FetchRequest<ManagedObject>) {
    request.propertiesToGroupBy = paths(1...2)
    if toOnes.count > 0, random.chance(4) { request.propertiesToGroupBy.append(random.pick(toOnes)) }
    let fetched = request.propertiesToGroupBy.filter { !toOnes.contains($0) && !random.chance(4) }
    request.propertiesToFetch =
      fetched.map { .property($0) } + expressions(aggregates(in: request.propertiesToGroupBy))
    if random.chance(2) {
      request.havingPredicate = having(request)
      if random.chance(3) { request.havingPredicate = .not(having(request)) }
      if random.chance(3) { request.havingPredicate = .or([having(request), having(request)]) }
    }
  }

  private mutating func having(_ request: FetchRequest<ManagedObject>) -> FetchPredicate {
    let left: FetchExpression
    var names: [String] = []
    for case .expression(let description) in request.propertiesToFetch { names.append(description.name) }
    if random.chance(2), let numeric = names.first(where: { $0.hasPrefix("number") }) {
      left = .path(FetchPath(variable: numeric, keys: []))
    } else if random.chance(2) {
      left = .aggregate(.count, FetchPath(keys: []))
    } else {
      left = .aggregate(random.pick([.sum, .average, .minimum, .maximum, .count]), numberPath())
    }
    let right = FetchExpression.constant(.integer(random.pick([0, 1, 2, 3, 5, 8])))
    return .comparison(.init(left, random.pick([.equal, .notEqual, .less, .greaterOrEqual]), right))
  }

  private mutating func fillOrder(_ request: inout FetchRequest<ManagedObject>) {
    var names = request.propertiesToFetch.map(\.name)
    if !request.returnsDistinctResults {
      names += request.propertiesToGroupBy.filter { !toOnes.contains($0) }
      if request.propertiesToGroupBy.isEmpty, !hasAggregates(request) { names += paths(1...2) }
    }
    guard !names.isEmpty else { return }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let name = random.pick(names)
      let options: ComparisonOptions = isText(name) && random.chance(2) ? .caseInsensitive : []
      let selector: SortSelector =
        isText(name) && random.chance(3) ? random.pick([.localizedCompare, .localizedStandardCompare]) : .compare
      request.sortDescriptors.append(
        FetchSortDescriptor(name, ascending: random.chance(2), options: options, selector: selector))
    }
  }

  private func hasAggregates(_ request: FetchRequest<ManagedObject>) -> Bool {
    request.propertiesToFetch.contains { property in
      if case .expression(let description) = property {
        description.expression.aggregatesRows(of: entity, PredicateWorld())
      } else {
        false
      }
    }
  }

  // MARK: Expressions

  /// Expressions with names; the names show which ones are numbers.
  private func expressions(_ expressions: [FetchExpression]) -> [FetchedProperty] {
    expressions.enumerated().map { index, expression in
      .expression(ExpressionDescription("\(isNumber(expression) ? "number" : "value")\(index)", expression))
    }
  }

  private func isNumber(_ expression: FetchExpression) -> Bool {
    if case .aggregate(let function, let path) = expression, function == .minimum || function == .maximum {
      return kind(of: path) == .number
    }
    return true
  }

  private mutating func aggregates(in groups: [String]) -> [FetchExpression] {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in
      switch Int.random(in: 0..<7, using: &random) {
      case 6: .function(random.pick([.absolute, .ceiling, .floor, .truncation, .squareRoot]), aggregate())
      case 0: .aggregate(.count, FetchPath(keys: []))
      case 1: .aggregate(.count, FetchPath(anyPath()))
      case 2: .aggregate(random.pick([.minimum, .maximum]), FetchPath(anyPath()))
      case 3: .arithmetic(aggregate(), arithmeticOperator(), random.chance(2) ? aggregate() : .constant(.integer(3)))
      default: aggregate()
      }
    }
  }

  private mutating func aggregate() -> FetchExpression {
    .aggregate(random.pick([.sum, .average, .minimum, .maximum]), numberPath())
  }

  /// A power of large numbers would only be infinity.
  private mutating func arithmeticOperator() -> ArithmeticOperator {
    random.pick([.add, .subtract, .multiply, .divide])
  }

  private mutating func number() -> FetchExpression {
    random.chance(3) ? .constant(.real(random.pick([0.5, 2, 0]))) : .path(numberPath())
  }

  // MARK: Paths

  private func properties(of entity: String) -> [(String, SchemaProperty)] {
    PredicateWorld.entities[entity, default: [:]].sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private var toOnes: [String] {
    properties(of: entity).compactMap { if case .toOne = $1 { $0 } else { nil } }
  }

  private mutating func paths(_ count: ClosedRange<Int>) -> [String] {
    var paths: [String] = []
    for _ in 0..<Int.random(in: count, using: &random) {
      let path = anyPath()
      if !paths.contains(path) { paths.append(path) }
    }
    return paths
  }

  /// An attribute, directly or through one or two to-one relationships.
  private mutating func anyPath() -> String {
    var entity = entity
    var keys: [String] = []
    while keys.count < 2, random.chance(3) {
      let steps = properties(of: entity).compactMap { name, property -> (String, String)? in
        if case .toOne(_, let destination) = property { (name, destination) } else { nil }
      }
      guard !steps.isEmpty else { break }
      let step = random.pick(steps)
      keys.append(step.0)
      entity = step.1
    }
    let attributes = properties(of: entity).compactMap { if case .attribute = $1 { $0 } else { nil } }
    return (keys + [random.pick(attributes)]).joined(separator: ".")
  }

  private mutating func numberPath() -> FetchPath {
    while true {
      let path = FetchPath(anyPath())
      if kind(of: path) == .number { return path }
    }
  }

  private func kind(of path: FetchPath) -> ValueKind? {
    if case .attribute(_, let type) = PredicateWorld().end(of: path, from: entity) { type.valueKind } else { nil }
  }

  private func isText(_ name: String) -> Bool { kind(of: FetchPath(name)) == .text }
}
