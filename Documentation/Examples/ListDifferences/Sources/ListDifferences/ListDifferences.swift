// Compares two lists of numbers, of object IDs and of strings, in which a tenth is deleted and a tenth inserted, by
// ListDifference and by Swift's `difference(from:)`, in turns with hashing both lists alone. Prints the medians in
// milliseconds.
//
//     ListDifferences [ELEMENTS …]        1,000, 10,000 and 100,000 without numbers
import CoreDataModel
import ObjectGraph

@main
enum Program {
  /// The longest list for Swift's difference, whose time grows with the product of length and changes.
  private static let mostForSwift = 10_000
  private static let rounds = 15

  static func main() throws {
    let given = CommandLine.arguments.dropFirst().compactMap { Int($0) }.filter { $0 > 0 }
    print("elements  kind  out and in  hash both once  ListDifference  times hashing  difference(from:)")
    for count in given.isEmpty ? [1_000, 10_000, 100_000] : given {
      measure("numbers", count, Array(0..<2 * count))
      measure("object IDs", count, try objectIDs(2 * count))
      measure("strings", count, (0..<2 * count).map { "element \($0)" })
    }
  }

  /// The IDs of objects in an in-memory store.
  private static func objectIDs(_ count: Int) throws -> [ManagedObjectID] {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Item", attributes: [AttributeDescription("number", .int64)])
    ])
    let container = try PersistentContainer(managedObjectModel: model, store: .inMemory())
    try container.loadPersistentStores()
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      try context.execute(
        BatchInsertRequest(entityName: "Item", objects: (0..<count).map { ["number": .integer(Int64($0))] }))
      return try context.fetchObjectIDs(FetchRequest(entityName: "Item"))
    }
  }

  /// Compares the first elements with those that remain of them, plus new ones from the other elements.
  private static func measure<Element: Hashable>(_ kind: String, _ count: Int, _ elements: [Element]) {
    var generator = Generator(state: UInt64(count))
    let old = Array(elements[..<count])
    var new = old.filter { _ in generator.next() % 10 != 0 }
    for number in 0..<(old.count - new.count) {
      new.insert(elements[count + number], at: Int(generator.next() % UInt64(new.count + 1)))
    }
    let changed = old.count - Set(old).intersection(new).count
    var (hashing, own, swift): ([Duration], [Duration], [Duration]) = ([], [], [])
    let clock = ContinuousClock()
    var sum = 0
    for round in 0..<rounds {
      hashing.append(
        clock.measure {
          for element in old { sum &+= element.hashValue }
          for element in new { sum &+= element.hashValue }
        })
      own.append(clock.measure { sum &+= ListDifference(from: old, to: new).insertions.count })
      guard count <= mostForSwift, round < 3 else { continue }
      swift.append(clock.measure { sum &+= new.difference(from: old).count })
    }
    let (hashed, compared) = (median(hashing), median(own))
    let others = swift.isEmpty ? "-" : text(median(swift))
    print(
      [String(count), kind, String(changed), text(hashed), text(compared), text(compared / hashed), others]
        .joined(separator: "  ") + (sum == 0 ? " " : ""))
  }

  private static func median(_ times: [Duration]) -> Double {
    times.sorted().map { Double($0.components.attoseconds) / 1e15 + Double($0.components.seconds) * 1e3 }[
      times.count / 2]
  }

  private static func text(_ value: Double) -> String { "\((value * 1_000).rounded() / 1_000)" }
}

/// Numbers that are the same in each run.
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  /// SplitMix64, as Sebastiano Vigna published it in 2015.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
