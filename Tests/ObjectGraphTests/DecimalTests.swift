// D1, D3: decimals: which ones a store preserves digit by digit, and how those with more digits compare.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D1 D3 · decimals")
struct DecimalTests {
  private func stack() throws -> TestStack {
    try TestStack([
      EntityDescription(
        "Price",
        attributes: [
          AttributeDescription("name", .string, isOptional: true),
          AttributeDescription("amount", .decimal, isOptional: true),
        ])
    ])
  }

  private func decimal(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }

  /// Stores prices in a different order than that of their amounts.
  private func insert(_ amounts: [Decimal], into context: ManagedObjectContext) throws {
    for (number, amount) in amounts.enumerated() {
      let price = try context.insertNewObject(forEntityName: "Price")
      price["name"] = .string("\(number)")
      price["amount"] = .decimal(amount)
    }
  }

  private func names(_ predicate: String, _ amount: Decimal, in context: ManagedObjectContext) throws -> [String] {
    let request = FetchRequest(
      entityName: "Price", predicate: try FetchPredicate(format: predicate, arguments: [amount]),
      sortDescriptors: [FetchSortDescriptor("amount"), FetchSortDescriptor("name", ascending: false)])
    return try context.fetch(request).map(\.name)
  }

  @Test(
    "Store-trump keeps a change to an attribute that nobody else changed, even if the store rounded its former value",
    .tags(.d1, .d5))
  func storeTrump() throws {
    let stack = try stack()
    let context = stack.context(.mergeByPropertyStoreTrump)
    try context.performAndWait { () throws in
      for (name, amount) in [("a", try decimal("0.12345678901234567890123")), ("b", .nan)] {
        let price = try context.insertNewObject(forEntityName: "Price")
        price["name"] = .string(name)
        price["amount"] = .decimal(amount)
        try context.save()
        try stack.execute("UPDATE ZPRICE SET ZNAME = ZNAME || '!', Z_OPT = Z_OPT + 1 WHERE ZNAME = '\(name)'")
        price["amount"] = .decimal(2)
        try context.save()
        #expect(price["name"] == .string(name + "!") && price["amount"] == .decimal(2))
      }
    }
    #expect(try stack.rows("SELECT ZNAME, ZAMOUNT = 2 FROM ZPRICE ORDER BY Z_PK") == ["a!|1", "b!|1"])
  }

  @Test("A decimal of up to 15 digits is read back exactly, from the smallest to the greatest", .tags(.d1))
  func exact() throws {
    let stack = try stack()
    let context = stack.context()
    var random = SeededGenerator(seed: 15)
    var amounts = try ["0", "10.11", "-0.1", "123456789012345", "999999999999999e-128", "1e-128"].map(decimal)
    for _ in 0..<300 {
      let significand = Decimal(Int64.random(in: -999_999_999_999_999...999_999_999_999_999, using: &random))
      amounts.append(significand * (try decimal("1e\(Int.random(in: -128...127, using: &random))")))
    }
    // The largest, and those above 10 to the power of 142, have exponents that Foundation does not parse.
    amounts += [Decimal.greatestFiniteMagnitude, -Decimal.greatestFiniteMagnitude]
    for zeros in [128, 143, 160, 165] {
      amounts += try ["1", "-3"].map { try decimal($0 + String(repeating: "0", count: zeros)) }
    }
    try context.performAndWait { () throws in
      try insert(amounts, into: context)
      try context.save()
      context.reset()
      for price in try context.fetch(FetchRequest(entityName: "Price")) {
        let number = try #require(Int(price.name))
        let expected = amounts[number]
        guard case .decimal(let found) = price["amount"] else { throw TestFailure("\(expected) is \(price["amount"])") }
        if expected.magnitude == Decimal.greatestFiniteMagnitude {
          #expect(Double(found.description) == Double(expected.description))
        } else {
          #expect(found == expected)
        }
      }
    }
    #expect(try stack.rows("SELECT DISTINCT typeof(ZAMOUNT) FROM ZPRICE ORDER BY 1") == ["integer", "real"])
  }

  @Test(
    "An object keeps all digits of a decimal until its row is read again; then it has those of a double", .tags(.d1))
  func longer() throws {
    let stack = try stack()
    let context = stack.context()
    let amount = try decimal("1234567890.1234567890123456789012345678")
    let stored = AttributeValue.decimal(try decimal("1234567890.1234567"))
    try context.performAndWait { () throws in
      try insert([amount], into: context)
      let price = try #require(context.insertedObjects.first)
      try context.save()
      #expect(try context.fetch(FetchRequest(entityName: "Price")).first === price)
      #expect(price["amount"] == .decimal(amount))
      context.reset()
      let read = try #require(try context.fetch(FetchRequest(entityName: "Price")).first)
      #expect(read["amount"] == stored)
      read["amount"] = stored
      #expect(!read.hasPersistentChangedValues)
    }
    #expect(try stack.rows("SELECT ZAMOUNT = 1234567890.1234567 FROM ZPRICE") == ["1"])
  }

  @Test("Decimals with the same double are equal in predicates and orders, in memory and in the store", .tags(.d3))
  func comparing() throws {
    let stack = try stack()
    let context = stack.context()
    let amounts = try ["0.30000000000000000001", "0.3", "0.29999999999999999999", "0.31"].map(decimal)
    try context.performAndWait { () throws in
      try insert(amounts, into: context)
      for isStored in [false, true] {
        if isStored {
          try context.save()
          context.reset()
        }
        #expect(try names("amount == %@", amounts[1], in: context) == ["2", "1", "0"])
        #expect(try names("amount > %@", amounts[1], in: context) == ["3"])
        #expect(try names("amount <= %@", amounts[2], in: context) == ["2", "1", "0"])
      }
    }
  }
}
