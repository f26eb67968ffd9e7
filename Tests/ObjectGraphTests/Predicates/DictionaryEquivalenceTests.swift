// Grouping, aggregates, having, distinct, order and window agree with a simple reference in memory.
import MissionTags
import SQLiteDriver
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

@Suite("D3 · dictionaries in memory and in SQL", .tags(.d3))
struct DictionaryEquivalenceTests {
  @Test("Random dictionary fetches return the rows of a plain reference", arguments: 0..<6 as Range<UInt64>)
  func sameRows(seed: UInt64) throws {
    let store = try DictionaryWorld.store(seed: seed)
    var requests = RandomDictionaryRequests(seed: seed &+ 500, store: store)
    var told = 0
    var grouped = 0
    for round in 0..<500 {
      let entity = ["Quake", "Quake", "Shock", "Network"][round % 4]
      let request = requests.request(on: entity)
      let found = try store.dictionaries(request)
      let expected = try DictionaryReference(request: request, store: store).rows()
      if found.count > 1, found.count < store.objects[entity]?.count ?? 0 { told += 1 }
      if !request.propertiesToGroupBy.isEmpty, found.count > 1 { grouped += 1 }
      let isSame =
        found.count == expected.count
        && zip(found, expected).allSatisfy { zip($0, $1).allSatisfy { $0.isNearly($1) } && $0.count == $1.count }
      guard !isSame else { continue }
      let query = try SQLDictionaryQuery(request, schema: store.world)
      Issue.record(
        """
        round \(round): \(request)
        memory \(expected)
        SQL    \(found)
        \(query.select)
        """)
      return
    }
    // Requests that return nothing or everything would show little.
    #expect(told > 150 && grouped > 100, "\(told) \(grouped)")
  }
}

extension WorldStore {
  /// The result of SQL for a request for dictionaries.
  func dictionaries(_ request: FetchRequest<ManagedObject>) throws -> [[AttributeValue]] {
    let query = try SQLDictionaryQuery(request, schema: world)
    let window = request.window
    let statement = try connection.prepare(
      query.select.sql + " LIMIT \(window.limit == 0 ? -1 : window.limit) OFFSET \(window.offset)")
    for (index, value) in query.select.parameters.enumerated() { try statement.bind(value, at: index + 1) }
    var rows: [[AttributeValue]] = []
    while try statement.step() {
      rows.append(query.columns.map { $0.reading.value(in: statement, [:]) })
    }
    return rows
  }
}

extension AttributeValue {
  /// Whether the values are equal; sums and averages of doubles may differ by the order of addition.
  func isNearly(_ other: AttributeValue) -> Bool {
    let (left, right) = (ComparableValue(self), ComparableValue(other))
    if left.equals(right) { return true }
    guard case .real(let one) = left, case .real(let two) = right else { return false }
    return (one - two).magnitude <= 1e-12 * max(one.magnitude, two.magnitude)
  }
}
