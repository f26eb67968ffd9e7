// D10: stores of Core Data with triggers for derived attributes, edited here.
import CoreDataFiles
import CoreDataModel
import Foundation
import ObjectGraph
import ObjectGraphFixtures
import StoreFixtures
import Testing

extension DerivedAttributeTests {
  @Test(
    "A store with Core Data's triggers is edited: each count is updated once, and the triggers stay",
    arguments: SampleStore.all(.library))
  func triggers(store: SampleStore) throws {
    let copy = try CopiedStore(store)
    let names = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
    let triggers = try PlainSQL(copy.path).rows(names)
    #expect(!triggers.isEmpty)
    var description = PersistentStoreDescription(path: copy.path)
    description.tracksPersistentHistory = true
    let coordinator = PersistentStoreCoordinator(managedObjectModel: try RecoveredModel(storeAt: copy.path).model)
    try coordinator.addPersistentStore(description)
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.performAndWait { () throws in
      let books = try context.fetch(FetchRequest(entityName: "Book"))
      let (from, to) = (books[0], books[1])
      let counts = try [from, to].map { Int64(try $0.objects(forKey: "pages").count) }
      try from.objects(forKey: "pages")[0].setObject(to, forKey: "book")
      try context.save()
      #expect(from["pagesCount"] == .integer(counts[0] - 1) && to["pagesCount"] == .integer(counts[1] + 1))
      let page = try context.insertNewObject(forEntityName: "Page")
      page["content"] = .binary(Data([1]))
      page["number"] = 1
      page["isBookmarked"] = false
      try page.setObject(from, forKey: "book")
      try context.delete(to.objects(forKey: "pages")[0])
      try context.save()
      #expect([from["pagesCount"], to["pagesCount"]] == counts.map { .integer($0) })
    }
    #expect(try coordinator.integrity().isSound)
    try coordinator.close()
    let sql = try PlainSQL(copy.path)
    let wrong = "SELECT Z_PK FROM ZBOOK b WHERE ZPAGESCOUNT <> (SELECT count(*) FROM ZPAGE WHERE ZBOOK = b.Z_PK)"
    #expect(try sql.rows(wrong) == [])
    #expect(try sql.rows(names) == triggers)
  }
}
