// B13, C2, D3, D4, D9: the smallest and the largest numbers, and NaN, wherever a request or a context takes a number.
import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import Testing

@Suite("D3 D4 · numbers out of range")
struct OddNumbersTests {
  private static let integers = [Int.min, -1, 0, 1, 3, Int.max - 1, Int.max]

  private func stack(rows: Int = 5) throws -> TestStack {
    let stack = try TestStack { $0.tracksPersistentHistory = true }
    let context = stack.context()
    try context.performAndWait { () throws in
      for number in 0..<rows {
        try Quake.insert("\(number)", Double(number), into: context)
        try context.save()
      }
    }
    return stack
  }

  @Test("A negative limit, offset or batch size counts as none, and one beyond the rows ends with them", .tags(.d3))
  func windows() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      for isPending in [false, true] {
        if isPending { try context.fetch(FetchRequest(entityName: "Quake"))[2][Quake.magnitude] = 2.5 }
        for limit in Self.integers {
          for offset in Self.integers {
            for batchSize in Self.integers {
              var request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor("code")])
              (request.fetchLimit, request.fetchOffset, request.fetchBatchSize) = (limit, offset, batchSize)
              let rest = Array(["0", "1", "2", "3", "4"].dropFirst(max(0, offset)))
              let codes = limit > 0 ? Array(rest.prefix(limit)) : rest
              let comment: Comment = "\(limit), \(offset), \(batchSize), \(isPending)"
              #expect(try context.fetch(request).map { $0[Quake.code] } == codes, comment)
              #expect(try context.count(for: request) == codes.count, comment)
              #expect(try context.fetchObjectIDs(request).count == codes.count, comment)
              request.propertiesToFetch = ["code"]
              #expect(try context.fetchDictionaries(request).map { $0[Quake.code] } == codes, comment)
            }
          }
        }
      }
    }
  }

  @Test("Staleness intervals and fault batches accept any number", .tags(.d4))
  func settings() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait { () throws in
      let quakes = Array(try context.fetch(FetchRequest(entityName: "Quake")))
      for seconds in [0, -1, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude] as [Double]
      {
        for size in Self.integers {
          (context.stalenessInterval, context.faultBatchSize) = (seconds, size)
          try context.refreshAllObjects()
          #expect(quakes.map { $0[Quake.magnitude] } == [0, 1, 2, 3, 4], "\(seconds), \(size)")
        }
      }
    }
  }

  @Test("Batch inserts accept transactions of any size", .tags(.b13), arguments: integers)
  func pieces(size: Int) throws {
    let stack = try stack(rows: 0)
    let context = stack.context()
    try context.performAndWait { () throws in
      for isOfLog in [false, true] {
        let codes = (0..<4).map { "\(isOfLog) \($0)" }
        var request = BatchInsertRequest(entityName: "Quake", objects: codes.map { Quake.row($0) })
        if isOfLog { request.walSizeLimit = size } else { request.transactionSize = size }
        request.resultType = .count
        #expect(try context.execute(request).count == 4)
      }
    }
    #expect(try stack.rows("SELECT count(*) FROM ZQUAKE") == ["8"])
  }
}

extension OddNumbersTests {
  @Test("History accepts any limit, date and token number", .tags(.c2))
  func history() throws {
    let stack = try stack()
    let context = stack.context()
    let store = try #require(try stack.rows("SELECT Z_UUID FROM Z_METADATA").first)
    try context.performAndWait { () throws in
      func count(_ request: PersistentHistoryChangeRequest) throws -> Int {
        try context.execute(request).transactions.count
      }
      for limit in Self.integers {
        var request = PersistentHistoryChangeRequest.fetchHistory(after: nil as PersistentHistoryToken?)
        request.fetchLimit = limit
        #expect(try count(request) == (limit > 0 ? min(limit, 5) : 5), "\(limit)")
      }
      for (seconds, expected) in [(-Double.infinity, 5), (.infinity, 0), (.nan, 0), (-1e300, 5), (1e300, 0)] {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(try count(.fetchHistory(after: date)) == expected, "\(seconds)")
      }
      for number in [Int64.min, -1, 6, .max] {
        let token = PersistentHistoryToken(storeID: store, transactionNumber: number)
        let error = objectGraphError { _ = try count(.fetchHistory(after: token)) }
        #expect(error?.code == 134301, "\(number)")
      }
      for number in [Int64.min, -1, 0] {
        let token = PersistentHistoryToken(storeID: store, transactionNumber: number)
        try context.execute(PersistentHistoryChangeRequest.deleteHistory(before: token))
        #expect(try count(.fetchHistory(after: nil as PersistentHistoryToken?)) == 5)
      }
      let last = PersistentHistoryToken(storeID: store, transactionNumber: .max)
      try context.execute(PersistentHistoryChangeRequest.deleteHistory(before: last))
      #expect(try count(.fetchHistory(after: nil as PersistentHistoryToken?)) == 1)
    }
  }

  @Test("Values at the limits of their types are stored, found and ordered", .tags(.d1, .d3))
  func values() throws {
    let types: [(String, AttributeType, [AttributeValue])] = [
      ("int16", .int16, [-32768, 32767]), ("int64", .int64, [.integer(.min), .integer(.max)]),
      (
        "double", .double,
        [.real(-.infinity), .real(-.greatestFiniteMagnitude), .real(.leastNonzeroMagnitude), .real(.infinity)]
      ),
      ("float", .float, [.real(-.infinity), .real(Double(Float.greatestFiniteMagnitude)), .real(.infinity)]),
      (
        "date", .date,
        [-Double.infinity, -1e300, 1e300, .infinity].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
      ),
      ("decimal", .decimal, [.decimal(-.greatestFiniteMagnitude), .decimal(.greatestFiniteMagnitude)]),
    ]
    let attributes = types.map { AttributeDescription($0.0, $0.1, isOptional: true) }
    let stack = try TestStack([EntityDescription("Item", attributes: attributes)])
    let context = stack.context()
    try context.performAndWait { () throws in
      for (name, _, values) in types {
        for value in values.reversed() { try context.insertNewObject(forEntityName: "Item")[name] = value }
        for isStored in [false, true] {
          if isStored {
            try context.save()
            context.reset()
          }
          let request = FetchRequest(
            entityName: "Item", predicate: try FetchPredicate(format: "%K != NULL", name),
            sortDescriptors: [FetchSortDescriptor(name)])
          let found = try context.fetch(request).map { $0[name] }
          if name != "decimal" { #expect(found == values, "\(name), \(isStored)") }
          #expect(found.count == values.count, "\(name), \(isStored)")
          for value in found {
            let same = FetchRequest(entityName: "Item", predicate: try FetchPredicate(format: "%K = %@", name, value))
            #expect(try context.count(for: same) == 1, "\(name), \(value), \(isStored)")
          }
        }
      }
    }
  }

  @Test("Infinite and undefined numbers are null before a save, as after it", .tags(.d3))
  func noNumbers() throws {
    let types: [(String, AttributeType, AttributeValue)] = [
      ("date", .date, .date(Date(timeIntervalSinceReferenceDate: .nan))), ("double", .double, .real(.nan)),
      ("decimal", .decimal, .decimal(.nan)),
    ]
    let attributes = types.map { AttributeDescription($0.0, $0.1, isOptional: true) }
    let stack = try TestStack([EntityDescription("Item", attributes: attributes)])
    let context = stack.context()
    try context.performAndWait { () throws in
      for (name, _, value) in types { try context.insertNewObject(forEntityName: "Item")[name] = value }
      for isStored in [false, true] {
        if isStored {
          try context.save()
          context.reset()
        }
        for (name, _, value) in types {
          for (format, argument, expected) in [
            ("%K = NULL", nil, 3), ("%K != NULL", nil, 0), ("%K = %@", value, 3), ("%K < %@", value, 0),
            ("%K IN {%@}", value, 3),
          ] as [(String, AttributeValue?, Int)] {
            let predicate = try FetchPredicate(format: format, arguments: [name] + (argument.map { [$0] } ?? []))
            let count = try context.count(for: FetchRequest(entityName: "Item", predicate: predicate))
            #expect(count == expected, "\(predicate), \(isStored)")
          }
        }
      }
    }
  }
}
