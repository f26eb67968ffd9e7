// Random data and random predicates for it, many of them close to the data's values.
import Foundation

@testable import CoreDataModel
@testable import ObjectGraph

enum RandomWorld {
  static let texts = [
    "", "a", "A", "Alaska", "alaska", "ALASKA", "Ålaska", "A\u{30A}laska", "é", "e\u{301}", "E", "straße", "STRASSE",
    "Σίσυφος", "ΣΊΣΥΦΟΣ", "σισυφοσ", "10 km N of X", "10% *?\\", "a*b", "a?b", "日本", "😀", "😀😀", "\u{10FFFF}",
    "a\u{10FFFF}", "\u{D7FF}", "\u{E000}", "ab", "abc", "İ", "i", "ı", "nul\0inside",
  ]
  static let reals: [Double] = [0, 0.25, -0.5, 1, 1.5, 2, 2.5, 3, -3.75, 5, 7.25, 1e15, 9.25e18]
  static let integers: [Int64] = [0, 1, -1, 2, 3, 4, 5, 7, 10, -8, 100]

  static func store(seed: UInt64) throws -> WorldStore {
    var random = SeededGenerator(seed: seed)
    let store = try WorldStore()
    let networks = (0..<6).map { _ in
      store.add("Network", values(of: "Network", &random))
    }
    for network in networks where random.chance(2) {
      network.connect("parent", to: random.pick(networks), inverse: nil)
    }
    let tags = (0..<6).map { _ in store.add("Tag", values(of: "Tag", &random)) }
    for _ in 0..<28 {
      let quake = store.add("Quake", values(of: "Quake", &random))
      quake.connect("network", to: random.chance(4) ? nil : random.pick(networks), inverse: "quakes")
      for tag in tags where random.chance(3) { store.tag(quake, tag) }
      var shocks: [WorldObject] = []
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let shock = store.add("Shock", values(of: "Shock", &random))
        shock.connect("quake", to: quake, inverse: "shocks")
        shock.connect("leader", to: shocks.last, inverse: "followers")
        shocks.append(shock)
      }
    }
    try store.write()
    return store
  }

  private static func values(of entity: String, _ random: inout SeededGenerator) -> [String: AttributeValue] {
    var values: [String: AttributeValue] = [:]
    // Sort them, because the order of a dictionary does not depend on the seed.
    for (name, property) in PredicateWorld.entities[entity, default: [:]].sorted(by: { $0.key < $1.key }) {
      guard case .attribute(_, let type) = property, !random.chance(4) else { continue }
      values[name] = value(type, &random)
    }
    return values
  }

  static func value(_ type: AttributeType, _ random: inout SeededGenerator) -> AttributeValue {
    switch type {
    case .int16, .int32: .integer(random.pick(integers))
    case .int64: .integer(random.chance(8) ? random.pick([.max, .min, 1 << 53 + 1]) : random.pick(integers))
    case .boolean: .boolean(random.chance(2))
    case .float, .double: .real(random.pick(reals))
    case .decimal: .decimal(Decimal(random.pick([0, 1, 2, 3, 5, 7])) / Decimal(random.pick([1, 2, 4])))
    case .date: .date(Date(timeIntervalSinceReferenceDate: random.pick([0, 1, 0.5, -10, 86_400])))
    case .string: .string(random.pick(texts))
    case .binary, .transformable: .binary(Data(random.pick([[], [0], [0, 1], [255]] as [[UInt8]])))
    case .uuid:
      .uuid(
        UUID(uuid: (random.chance(2) ? 0 : 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, random.chance(2) ? 1 : 2)))
    case .uri: URL(string: random.pick(["https://a.org", "https://b.org/x"])).map { .uri($0) } ?? .null
    }
  }
}

/// Builds predicates that fit an entity of the world.
struct RandomPredicates {
  var random: SeededGenerator
  let store: WorldStore
  /// The variables in scope, with the entities of their objects.
  private var variables: [(name: String, entity: String)] = []
  private var root = ""

  init(seed: UInt64, store: WorldStore) {
    random = SeededGenerator(seed: seed)
    self.store = store
  }

  mutating func predicate(on entity: String) -> FetchPredicate {
    root = entity
    variables = []
    return predicate(depth: Int.random(in: 0...4, using: &random))
  }

  private mutating func predicate(depth: Int) -> FetchPredicate {
    guard depth > 0 else { return random.chance(30) ? .constant(random.chance(2)) : comparison() }
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1: return .not(predicate(depth: depth - 1))
    case 2: return .and((0..<Int.random(in: 0...3, using: &random)).map { _ in predicate(depth: depth - 1) })
    case 3: return .or((0..<Int.random(in: 0...3, using: &random)).map { _ in predicate(depth: depth - 1) })
    default: return comparison()
    }
  }

  private mutating func comparison() -> FetchPredicate {
    if random.chance(8) { return objectComparison() }
    if random.chance(12) { return membership() }
    let modifier: ComparisonModifier = random.chance(3) ? random.pick([.any, .all, .none]) : .direct
    let left = modifier == .direct ? value() : toManyAttribute()
    switch left.kind {
    case .text where random.chance(2): return textComparison(left.expression, modifier)
    default: break
    }
    let options: ComparisonOptions = left.kind == .text && random.chance(2) ? randomOptions() : []
    let operators: [ComparisonOperator] = [
      .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .between,
    ]
    let chosen = random.pick(operators)
    let right: FetchExpression =
      switch chosen {
      case .isIn:
        random.chance(4)
          ? toManyAttribute(of: left.kind) ?? .list([]) : list(left.kind, count: Int.random(in: 0...5, using: &random))
      case .between: list(left.kind, count: 2)
      default: operand(left.kind)
      }
    return .comparison(.init(left.expression, chosen, right, options: options, modifier: modifier))
  }

  /// A collection that contains a value.
  private mutating func membership() -> FetchPredicate {
    let element = value()
    let collection =
      random.chance(2)
      ? list(element.kind, count: Int.random(in: 0...4, using: &random))
      : toManyAttribute(of: element.kind) ?? list(element.kind, count: 1)
    let options = element.kind == .text && random.chance(2) ? randomOptions() : []
    return .comparison(.init(collection, .contains, element.expression, options: options))
  }

  private mutating func list(_ kind: ValueKind, count: Int) -> FetchExpression {
    .list((0..<count).map { _ in operand(kind) })
  }

  /// A constant of the kind, null, or sometimes another expression of the kind.
  private mutating func operand(_ kind: ValueKind) -> FetchExpression {
    if random.chance(10) { return .constant(.null) }
    if random.chance(4) {
      for _ in 0..<8 {
        let other = value()
        if other.kind == kind { return other.expression }
      }
    }
    return constant(kind)
  }

  private mutating func constant(_ kind: ValueKind) -> FetchExpression {
    let types = AttributeType.allCases.filter { $0.valueKind == kind }
    return .constant(types.isEmpty ? .null : RandomWorld.value(random.pick(types), &random))
  }

  private mutating func randomOptions() -> ComparisonOptions {
    random.pick([.caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]])
  }

  private mutating func textComparison(_ left: FetchExpression, _ modifier: ComparisonModifier) -> FetchPredicate {
    let chosen = random.pick([ComparisonOperator.beginsWith, .endsWith, .contains, .like, .matches])
    let right: FetchExpression =
      switch chosen {
      case .matches:
        .constant(
          .string(random.pick(["", "a.*", "[A-Z].*", ".*laska", "\\d+.*", ".", "..", "é", "(?:a|b)+", "[^a]+", "ss"])))
      case .like:
        random.chance(2)
          ? .constant(.string(random.pick(["*", "a*", "*a", "?", "*b*", "a\\*b", "*laska"]))) : operand(.text)
      default: operand(.text)
      }
    return .comparison(.init(left, chosen, right, options: random.chance(2) ? randomOptions() : [], modifier: modifier))
  }

  private mutating func objectComparison() -> FetchPredicate {
    let start = self.start()
    let toOnes = properties(of: start.entity).compactMap { name, property -> (String, String)? in
      if case .toOne(_, let destination) = property { (name, destination) } else { nil }
    }
    let key = toOnes.isEmpty || random.chance(3) ? nil : random.pick(toOnes)
    let end = random.chance(3) ? ["objectID"] : []
    let path = FetchPath(variable: start.variable, keys: (key.map { [$0.0] } ?? []) + end)
    let entity = key?.1 ?? start.entity
    let given: FetchExpression =
      random.chance(5)
      ? .constant(.null)
      : .object(store.world.objectID(random.chance(6) ? "Tag" : entity, Int64.random(in: 1...6, using: &random)))
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let others = (1...3).map { FetchExpression.object(store.world.objectID(entity, $0)) }
      return .comparison(.init(.path(path), .isIn, .list(others + [given])))
    case 1:
      for (name, property) in properties(of: start.entity) {
        guard case .toMany(let destination, _) = property else { continue }
        let object = FetchExpression.object(store.world.objectID(destination, Int64.random(in: 1...6, using: &random)))
        let many = FetchPath(variable: start.variable, keys: [name] + end)
        if random.chance(3) { return .comparison(.init(.path(many), .contains, object)) }
        return random.chance(2)
          ? .comparison(.init(object, .isIn, .path(many)))
          : .comparison(
            .init(.path(many), random.pick([.equal, .notEqual]), object, modifier: random.pick([.any, .all, .none])))
      }
      return .comparison(.init(.path(path), .notEqual, given))
    default: return .comparison(.init(.path(path), random.pick([.equal, .notEqual]), given))
    }
  }

  // MARK: Values

  private mutating func value() -> (expression: FetchExpression, kind: ValueKind) {
    switch Int.random(in: 0..<14, using: &random) {
    case 0: return (.arithmetic(numeric(), random.pick(ArithmeticOperator.allCases), numeric()), .number)
    case 1: return (.negation(numeric()), .number)
    case 2: return (count(), .number)
    case 3: return aggregate()
    case 4: return (subquery(), .number)
    case 5:
      let attribute = attribute()
      let functions = ExpressionFunction.allCases.filter { $0.kind == attribute.kind }
      return functions.isEmpty ? attribute : (.function(random.pick(functions), attribute.expression), attribute.kind)
    default: return attribute()
    }
  }

  private mutating func numeric() -> FetchExpression {
    for _ in 0..<6 {
      let attribute = attribute()
      if attribute.kind == .number { return attribute.expression }
    }
    return constant(.number)
  }

  private mutating func start() -> (variable: String?, entity: String) {
    if !variables.isEmpty, !random.chance(4) {
      let variable = random.pick(variables)
      return (variable.name, variable.entity)
    }
    return (nil, root)
  }

  private func properties(of entity: String) -> [(String, SchemaProperty)] {
    PredicateWorld.entities[entity, default: [:]].sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// An attribute, directly or through up to two to-one relationships.
  private mutating func attribute() -> (expression: FetchExpression, kind: ValueKind) {
    let start = start()
    var entity = start.entity
    var keys: [String] = []
    while keys.count < 2, random.chance(3) {
      let toOnes = properties(of: entity).compactMap { name, property -> (String, String)? in
        if case .toOne(_, let destination) = property { (name, destination) } else { nil }
      }
      if toOnes.isEmpty { break }
      let (name, destination) = random.pick(toOnes)
      keys.append(name)
      entity = destination
    }
    let (name, kind) = attributeName(of: entity)
    return measured(FetchPath(variable: start.variable, keys: keys + [name]), kind)
  }

  /// The path to an attribute, sometimes to its length.
  private mutating func measured(
    _ path: FetchPath, _ kind: ValueKind
  ) -> (expression: FetchExpression, kind: ValueKind) {
    guard kind == .text || kind == .binary, random.chance(6) else { return (.path(path), kind) }
    return (.path(FetchPath(variable: path.variable, keys: path.keys + ["length"])), .number)
  }

  private mutating func attributeName(of entity: String) -> (String, ValueKind) {
    random.pick(
      properties(of: entity).compactMap { name, property -> (String, ValueKind)? in
        if case .attribute(_, let type) = property { (name, type.valueKind) } else { nil }
      })
  }

  /// A path of relationships through at least one to-many.
  private mutating func toManyPath(endsInToMany: Bool) -> (path: FetchPath, entity: String) {
    while true {
      let start = start()
      var entity = start.entity
      var keys: [String] = []
      var isThroughToMany = false
      for _ in 0..<3 {
        let relationships = properties(of: entity).compactMap { name, property -> (String, String, Bool)? in
          switch property {
          case .attribute: nil
          case .toOne(_, let destination): (name, destination, false)
          case .toMany(let destination, _): (name, destination, true)
          }
        }
        let (name, destination, isToMany) = random.pick(relationships)
        keys.append(name)
        entity = destination
        isThroughToMany = isThroughToMany || isToMany
        if isThroughToMany, isToMany || !endsInToMany, random.chance(2) {
          return (FetchPath(variable: start.variable, keys: keys), entity)
        }
      }
    }
  }

  private mutating func toManyAttribute() -> (expression: FetchExpression, kind: ValueKind) {
    var (path, entity) = toManyPath(endsInToMany: false)
    let (name, kind) = attributeName(of: entity)
    path.keys.append(name)
    return measured(path, kind)
  }

  private mutating func toManyAttribute(of kind: ValueKind) -> FetchExpression? {
    for _ in 0..<6 {
      let found = toManyAttribute()
      if found.kind == kind { return found.expression }
    }
    return nil
  }

  private mutating func count() -> FetchExpression { .aggregate(.count, toManyPath(endsInToMany: true).path) }

  private mutating func aggregate() -> (expression: FetchExpression, kind: ValueKind) {
    let found = toManyAttribute()
    guard case .path(let path) = found.expression else { return found }
    // The sum of the largest integers is an error both in memory and in SQL, which has its own test.
    guard found.kind == .number, path.keys.last != "felt" else {
      return (.aggregate(random.pick([.minimum, .maximum]), path), found.kind)
    }
    return (.aggregate(random.pick([.sum, .average, .minimum, .maximum]), path), .number)
  }

  private mutating func subquery() -> FetchExpression {
    guard variables.count < 2 else { return count() }
    let (path, entity) = toManyPath(endsInToMany: true)
    let name = "v\(variables.count)"
    variables.append((name, entity))
    defer { variables.removeLast() }
    return .subqueryCount(
      collection: path, variable: name, predicate: predicate(depth: Int.random(in: 0...1, using: &random)))
  }
}
