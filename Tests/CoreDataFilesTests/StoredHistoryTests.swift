// A8, C2, D10: history in stores of different years.
import Foundation
import CoreDataFiles
import CoreDataModel
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import StoreFixtures
import Testing

@Suite("A8 C2 D10 · history of both generations", .tags(.a8, .c2, .d10))
struct StoredHistoryTests {
  @Test(
    "Before 2018 a transaction stores its own texts, and bits past the last property are ignored",
    arguments: SampleStore.all(.users))
  func old(store: SampleStore) throws {
    let copy = try CopiedStore(store)
    try copy.execute(
      """
      CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER, \
      ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB );
      CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, \
      ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB );
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 3), (16002, 'TRANSACTION', 0, 2);
      INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, 530000000.25, NULL, 'org.example.app', NULL, 'Example', NULL),
        (2, 16002, NULL, 530000001.0, 'importer', 'org.example.app', NULL, 'Example', NULL);
      INSERT INTO ACHANGE VALUES (1, 16001, NULL, 0, 1, 1, 1, NULL), (2, 16001, NULL, 1, 1, 1, 2, x'7F'),
        (3, 16001, NULL, 2, 1, 99, 2, NULL)
      """)
    let before = try copy.files()
    let file = try StoreFile(path: copy.path)
    let lines = try file.read { context in
      try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: nil)).transactions.map { transaction in
        let changes = (transaction.changes ?? []).map {
          "\($0.changeType.rawValue) \($0.changedObjectID.uriRepresentation().suffix(3)) \($0.updatedProperties ?? [])"
        }
        return [
          "\(transaction.transactionNumber)", "\(transaction.timestamp.timeIntervalSinceReferenceDate)",
          transaction.author ?? "-", transaction.bundleID ?? "-", transaction.processID ?? "-",
          changes.joined(separator: ", "),
        ].joined(separator: "|")
      }
    }
    #expect(
      lines == [
        "1|530000000.25|-|org.example.app|Example|0 /p1 []",
        "2|530000001.0|importer|org.example.app|Example|1 /p1 [\"petName\"], 2 p99 []",
      ])
    var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
    request.filter.authors = ["importer"]
    #expect(try file.read { try $0.execute(request).transactions.map(\.transactionNumber) } == [2])
    #expect(try copy.files() == before)
  }

  /// Transactions as number, author, bundle and process, with their changes.
  private func told(_ store: SampleStore) throws -> [String] {
    try StoreFile(path: store.path).read { context in
      try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: nil)).transactions.map { transaction in
        let changes = (transaction.changes ?? []).map { change in
          let object = change.changedObjectID.uriRepresentation().split(separator: "/").suffix(2).joined(separator: "/")
          return ["\(change.changeType) \(object)"] + (change.updatedProperties ?? [])
            + (change.tombstone ?? [:]).map { "\($0.key)=\(text($0.value))" }
        }
        let texts = [transaction.author, transaction.contextName, transaction.bundleID, transaction.processID]
        return "\(transaction.transactionNumber) " + texts.map { $0 ?? "-" }.joined(separator: " ") + ": "
          + changes.map { $0.joined(separator: " ") }.joined(separator: ", ")
      }
    }
  }

  @Test("A history of 2017 is shown with its texts and the updated properties")
  func of2017() throws {
    #expect(
      try told(.own(.sightings)) == [
        "1 - - org.example.fields Fields: insert Observer/p1, insert Observer/p2, insert Bird/p1",
        "2 importer background org.example.fields Fields: insert Sighting/p1, insert Sighting/p10, insert Observer/p3, "
          + "update Observer/p1 name",
        "3 importer - org.example.fields Fields-2: update Sighting/p1 count species time, update Bird/p4 sightings, "
          + "delete Sighting/p10, delete Observer/p3",
      ])
  }

  @Test("A history of 2021 stores texts in a table, and two bytes for an entity with more than eight properties")
  func of2021() throws {
    let told = try told(.own(.journal))
    #expect(told[0].hasPrefix("1 - - org.example.journal Journal-Process: insert Account/p1, insert Folder/p2, "))
    #expect(
      Array(told.dropFirst()) == [
        "2 syncing-author main-view-context org.example.journal Journal-Process: insert Note/p17, insert Note/p18",
        "3 syncing-author - org.example.journal Journal-Process: update Note/p4 data modificationDate, update Note/p5 title, "
          + "update Note/p6 data modificationDate, update Note/p7 title, update Note/p8 data modificationDate, "
          + "update Note/p9 title, update Note/p10 data modificationDate, update Note/p11 title",
        "4 - main-view-context org.example.journal Journal-Process: update CloudState/p1 currentVersion, "
          + "update CloudState/p2 syncObject",
        "5 - - org.example.journal Journal-Process: delete Note/p17, delete Note/p18",
      ])
  }

  @Test("A migration is a separate transaction, and values preserved of a deleted object are shown")
  func of2026() throws {
    let told = try told(.own(.catalog))
    #expect(
      Array(told.dropFirst()) == [
        "2 com.apple.coredata.schemamigrator: lightweight migration from model with digest { abc= } - "
          + "org.example.catalog Catalog-Process: insert Asset/p1, insert Asset/p2",
        "3 - - org.example.catalog Catalog-Process: update Item/p1 name, delete Item/p10 name=a broken vase, "
          + "delete Gadget/p11 name=a dead phone",
      ])
  }
}
