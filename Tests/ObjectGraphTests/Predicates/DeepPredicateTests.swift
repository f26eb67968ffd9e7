// Predicates of tens of thousands of terms, made in code in any shape.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraphFixtures
import Synchronization
import Testing

@testable import ObjectGraph

@Suite("D3 · predicates of many terms", .tags(.d3))
struct DeepPredicateTests {
  /// Six thousand terms overflow a small stack with less than a hundred bytes for each; one shape has more terms.
  static let termCount = 6_000

  /// How each term is added to the predicate.
  enum Shape: String, CaseIterable, CustomTestStringConvertible {
    case conjunctionAtLeft, disjunctionAtRight, alternatingAtLeft, alternatingAtRight, negated, operators, long
    case branched

    var testDescription: String { rawValue }
  }

  /// A term, and whether it matches a magnitude.
  private struct Term {
    let limit: Double
    let isAbove: Bool

    init(_ random: inout SeededGenerator, isAbove: Bool? = nil) {
      limit = Double(Int.random(in: -20...20, using: &random)) / 4
      self.isAbove = isAbove ?? random.chance(2)
    }

    func predicate(_ variable: String?) -> FetchPredicate {
      let path = FetchExpression.path(FetchPath(variable: variable, keys: ["magnitude"]))
      return .comparison(.init(path, isAbove ? .greater : .lessOrEqual, .constant(.real(limit))))
    }

    func holds(for magnitude: Double?) -> Bool { magnitude.map { isAbove ? $0 > limit : $0 <= limit } ?? false }
  }

  private static let magnitudes: [Double?] = [-6, -1.25, 0, 0.25, 2.5, 4, 5.25, nil]

  /// The predicate, and whether it matches each magnitude.
  private static func predicate(
    _ shape: Shape, count: Int = termCount, variable: String? = nil, seed: UInt64 = 17
  ) -> (FetchPredicate, [Bool]) {
    var random = SeededGenerator(seed: seed)
    if shape == .branched { return branched(depth: 12, &random) }
    let first = Term(&random)
    var predicate = first.predicate(variable)
    var answers = magnitudes.map(first.holds)
    var terms = [predicate]
    for index in 1..<count {
      var term = Term(&random)
      // With a single connective, the first few terms must not decide the result.
      if shape == .conjunctionAtLeft || shape == .operators {
        while term.isAbove || term.limit < 4 { term = Term(&random) }
      } else if shape == .disjunctionAtRight || shape == .long {
        while term.isAbove || term.limit > -4 { term = Term(&random) }
      }
      let next = term.predicate(variable)
      var isConjunction = index % 2 == 0
      switch shape {
      case .conjunctionAtLeft:
        predicate = .and([predicate, next])
        isConjunction = true
      case .disjunctionAtRight:
        predicate = .or([next, predicate])
        isConjunction = false
      case .alternatingAtLeft: predicate = isConjunction ? .and([predicate, next]) : .or([predicate, next])
      case .alternatingAtRight: predicate = isConjunction ? .and([next, predicate]) : .or([next, predicate])
      case .negated:
        predicate = .not(.or(isConjunction ? [next, predicate] : [predicate, next]))
        isConjunction = false
      case .operators:
        predicate = predicate && next
        isConjunction = true
      case .long, .branched:
        terms.append(next)
        isConjunction = false
      }
      for (position, magnitude) in magnitudes.enumerated() {
        let holds = term.holds(for: magnitude)
        let answer = isConjunction ? answers[position] && holds : answers[position] || holds
        answers[position] = shape == .negated ? !answer : answer
      }
    }
    return (shape == .long ? .or(terms) : predicate, answers)
  }

  /// The first predicate of the shape that matches some magnitudes but not all.
  private static func selective(_ shape: Shape) -> (FetchPredicate, [Bool]) {
    let count = shape == .alternatingAtLeft ? 30_000 : termCount
    var found = predicate(shape, count: count)
    for seed in 18..<100 as Range<UInt64> where Set(found.1).count < 2 {
      found = predicate(shape, count: count, seed: seed)
    }
    return found
  }

  /// Two deep sides at every level.
  private static func branched(depth: Int, _ random: inout SeededGenerator) -> (FetchPredicate, [Bool]) {
    if depth == 0 {
      // Terms in both directions would exclude every magnitude after this many levels.
      let term = Term(&random, isAbove: false)
      return (term.predicate(nil), magnitudes.map(term.holds))
    }
    let (left, one) = branched(depth: depth - 1, &random)
    let (right, other) = branched(depth: depth - 1, &random)
    return depth % 2 == 0
      ? (.and([left, right]), zip(one, other).map { $0 && $1 })
      : (.or([left, right]), zip(one, other).map { $0 || $1 })
  }

  private static func store() throws -> WorldStore {
    let store = try WorldStore()
    for magnitude in magnitudes { _ = store.add("Quake", magnitude.map { ["magnitude": .real($0)] } ?? [:]) }
    try store.write()
    return store
  }

  /// Runs the body on a thread with the stack size of secondary threads on Apple's systems.
  private static func onSmallStack(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      let thread = Thread { continuation.resume(with: Result(catching: body)) }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  @Test("However terms are combined, memory and SQL agree, and no stack overflows", arguments: Shape.allCases)
  func shapes(shape: Shape) async throws {
    try await Self.onSmallStack {
      let (predicate, answers) = Self.selective(shape)
      let expected = zip(1..., answers).filter(\.1).map { Int64($0.0) }
      let store = try Self.store()
      #expect(!expected.isEmpty && expected.count < answers.count, "\(shape): \(expected)")
      #expect(try store.keysInMemory(predicate, of: "Quake") == expected, "in memory")
      #expect(try store.keys(predicate, of: "Quake") == expected, "in SQL")
    }
  }

  @Test("Deep predicates have equality, hash and description; equal nesting is equal", arguments: Shape.allCases)
  func values(shape: Shape) async throws {
    try await Self.onSmallStack {
      let (predicate, _) = Self.predicate(shape)
      let (again, _) = Self.predicate(shape)
      #expect(predicate == again && predicate.hashValue == again.hashValue)
      #expect(predicate != Self.predicate(shape == .branched ? .negated : shape, count: Self.termCount - 1).0)
      let description = predicate.description
      #expect(description.utf8.count > 4_096 * 10)
      if shape == .operators {
        #expect(!description.contains("("))
        let read = try FetchPredicate(format: description)
        #expect(read == predicate)
      }
    }
  }

  @Test("Freeing a deep predicate keeps parts that are used elsewhere")
  func sharing() async throws {
    try await Self.onSmallStack {
      let store = try Self.store()
      var inner: FetchPredicate?
      var predicate = try FetchPredicate(format: "magnitude > 0 AND (magnitude < 3 OR magnitude > 5)")
      for index in 0..<Self.termCount {
        if index == 100 { inner = predicate }
        predicate = .not(.or([predicate, .constant(false)]))
      }
      #expect(try store.keysInMemory(predicate, of: "Quake") == [4, 5, 7])
      predicate = .constant(true)
      let kept = try #require(inner)
      #expect(try store.keysInMemory(kept, of: "Quake") == [4, 5, 7])
      #expect(try store.keys(kept, of: "Quake") == [4, 5, 7])
    }
  }
}

extension DeepPredicateTests {
  @Test("A subquery's predicate, and one in a fetch with unsaved changes, may have as many terms")
  func places() async throws {
    try await Self.onSmallStack {
      let (predicate, answers) = Self.predicate(.alternatingAtRight)
      let (inner, _) = Self.predicate(.alternatingAtRight, variable: "q")
      let store = try WorldStore()
      let network = store.add("Network")
      _ = store.add("Network")
      for magnitude in Self.magnitudes {
        store.add("Quake", magnitude.map { ["magnitude": .real($0)] } ?? [:])
          .connect("network", to: network, inverse: "quakes")
      }
      try store.write()
      let count = FetchExpression.subqueryCount(collection: FetchPath("quakes"), variable: "q", predicate: inner)
      let expected = Int64(answers.count { $0 })
      let outer = FetchPredicate.comparison(.init(count, .equal, .constant(.integer(expected))))
      #expect(expected > 0)
      #expect(try store.keysInMemory(outer, of: "Network") == [1])
      #expect(try store.keys(outer, of: "Network") == [1])
      let stack = try TestStack()
      let context = stack.context()
      try context.performAndWait { () throws in
        for (index, magnitude) in Self.magnitudes.enumerated() {
          _ = try Quake.insert("q\(index)", magnitude, into: context)
          if index == 4 { try context.save() }
        }
        let found = try context.fetch(
          FetchRequest(entityName: "Quake", predicate: predicate, sortDescriptors: [FetchSortDescriptor("code")]))
        let expected = answers.indices.filter { answers[$0] }.map { "q\($0)" }
        #expect(found.compactMap { $0[Quake.code] } == expected)
      }
    }
  }

  @Test("Tens of thousands of equalities joined by AND can still be planned")
  func plan() throws {
    let store = try Self.store()
    let terms = (0..<Self.termCount).map { _ in Quake.magnitude == 2.5 }
    #expect(try store.keys(.and(terms), of: "Quake") == [5])
    #expect(try store.keys(.not(.and(terms)), of: "Quake") == [1, 2, 3, 4, 6, 7, 8])
  }

  @Test("More values than SQLite accepts are refused, with the maximum")
  func tooManyValues() throws {
    let stack = try TestStack()
    let context = stack.context()
    let list = FetchExpression.list((0..<500).map { .constant(.integer($0)) })
    let terms = (0..<600).map { _ in FetchPredicate.comparison(.init(.path(FetchPath("magnitude")), .isIn, list)) }
    let request = FetchRequest(entityName: "Quake", predicate: .and(terms))
    try context.performAndWait { () throws in
      let error = try #require(throws: ObjectGraphError.self) { try context.fetch(request) }
      guard case .predicate(.tooManyValues(found: 300_000, let limit)) = error else {
        throw TestFailure("\(error)")
      }
      #expect(limit >= 999 && limit < 300_000)
      #expect(error.description.contains("found 300000 values"))
    }
  }

  @Test("Paths over more tables than SQLite can join are refused, with the maximum")
  func tooManyTables() throws {
    let stack = try TestStack([
      EntityDescription(
        "Node", attributes: [AttributeDescription("code", .string)],
        relationships: [
          RelationshipDescription("parent", to: "Node", inverse: "children"),
          RelationshipDescription("children", to: "Node", inverse: "parent", isToMany: true),
        ])
    ])
    let context = stack.context()
    func up(_ steps: Int) -> String { String(repeating: "parent.", count: steps) + "code" }
    try context.performAndWait { () throws in
      try context.insertNewObject(forEntityName: "Node")["code"] = "root"
      try context.save()
      func ask(_ request: Int, _ steps: Int) throws -> Int {
        var fetch = FetchRequest(entityName: "Node")
        switch request {
        case 0:
          fetch.predicate = try FetchPredicate(format: "\(up(steps)) == NULL")
          return try context.fetch(fetch).count
        case 1:
          fetch.predicate = try FetchPredicate(format: "NONE children.\(up(steps)) != NULL")
          return try context.count(for: fetch)
        case 2:
          fetch.predicate = try FetchPredicate(format: "SUBQUERY(children, $x, $x.\(up(steps)) == 'a').@count == 0")
          return try context.count(for: fetch)
        case 3:
          fetch.propertiesToFetch = [.property(up(steps))]
          return try context.fetchDictionaries(fetch).count
        case 4:
          fetch.sortDescriptors = [FetchSortDescriptor(up(steps))]
          return try context.fetch(fetch).count
        default:
          fetch.predicate = try FetchPredicate(format: "\(up(steps)) == NULL")
          var deletion = BatchDeleteRequest(fetchRequest: fetch)
          deletion.resultType = .count
          return try context.execute(deletion).count ?? 0
        }
      }
      for request in 0..<6 {
        #expect(throws: ObjectGraphError.predicate(.tooManyTables(found: 65, limit: 64))) { try ask(request, 64) }
        #expect(try ask(request, 63) == 1)
      }
    }
  }
}
