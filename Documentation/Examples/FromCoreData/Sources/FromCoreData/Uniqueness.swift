// Stores one unique value twice under each merge policy.
import CoreDataModel
import ObjectGraph

/// The name that is stored if an address comes twice.
private let survivors: [(policy: MergePolicy, name: String)] = [  // Core Data: NSMergePolicy.error, …
  (.error, "Ann"), (.mergeByPropertyStoreTrump, "Ann"), (.mergeByPropertyObjectTrump, "Anna"), (.overwrite, "Anna"),
  (.rollback, "Ann"),
]

/// Under the error policy, rows whose values are taken are skipped: Deviations.md, "batch insert under the error
/// policy".
@MainActor func insertTwiceInBatches() async throws -> String {
  for (policy, name) in survivors {
    let context = try contacts(policy)
    try await context.perform {
      for name in ["Ann", "Anna"] {
        try context.execute(
          BatchInsertRequest(entityName: "Contact", objects: [["email": "a@b.c", "name": .string(name)]]))
      }
      try expectOneContact(named: name, in: context)
    }
  }
  return "in batches"
}

/// A save under the error policy reports the conflict and leaves the context unchanged.
@MainActor func insertTwiceBySaving() async throws -> String {
  for (policy, name) in survivors {
    let context = try contacts(policy)
    try await context.perform {
      func save(_ name: String) throws {
        // Core Data: NSEntityDescription.insertNewObject(forEntityName:into:)
        let contact = try context.insertNewObject(forEntityName: "Contact")
        contact["email"] = "a@b.c"  // Core Data: setValue(_:forKey:)
        contact["name"] = .string(name)
        try context.save()
      }
      try save("Ann")
      if policy == .error {
        let error = try refusal(of: "a taken address") { try save("Anna") }
        try expect(error.code, is: 133021, "the code")  // Core Data: NSManagedObjectConstraintMergeError
        context.rollback()
      } else {
        try save("Anna")
      }
      try expectOneContact(named: name, in: context)
    }
  }
  return "and by saves"
}

@MainActor private func contacts(_ policy: MergePolicy) throws -> ManagedObjectContext {
  let contact = EntityDescription(
    "Contact", attributes: [AttributeDescription("email", .string), AttributeDescription("name", .string)],
    uniquenessConstraints: [["email"]])
  let context = try loadContainer(ManagedObjectModel(entities: [contact]), classes: [:]).newBackgroundContext()
  context.mergePolicy = policy
  return context
}

private func expectOneContact(named name: String, in context: ManagedObjectContext) throws {
  let names = try context.fetchDictionaries(FetchRequest(entityName: "Contact")).map { $0["name"] }
  try expect(names, is: [.string(name)], "names under the policy \(context.mergePolicy.mergeType)")
}
