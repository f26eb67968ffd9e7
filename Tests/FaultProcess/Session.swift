// Open stores and the context that works on them.
internal import CoreDataModel
internal import ObjectGraph

/// The stores of a workload, open, with one context.
final class Session {
  let coordinator: PersistentStoreCoordinator
  let context: ManagedObjectContext
  /// Children of the context, each a child of the previous one.
  private(set) var children: [ManagedObjectContext] = []
  /// Rows that a request in several transactions has stored so far.
  var rowsStored = 0

  /// Opens the stores, or makes them.
  ///
  /// - Parameters:
  ///   - workload: The workload with the settings.
  ///   - folder: The folder of the stores.
  ///   - model: The model, if the workload has no versions.
  ///   - version: The version of the workload's models; nil for the last one.
  /// - Throws: An error if they cannot be opened.
  init(_ workload: Workload, in folder: StoreFolder, model: ManagedObjectModel, version: Int? = nil) throws {
    let versions = try workload.migration?.models() ?? [model]
    let version = version ?? versions.count - 1
    coordinator = PersistentStoreCoordinator(managedObjectModel: versions[version])
    for path in folder.paths {
      var description = PersistentStoreDescription(path: path)
      description.tracksPersistentHistory = true
      // Use small pages and a small cache, so that there are many calls of each kind, and the log is often moved into
      // the file.
      description.pragmas = [.init("page_size", "1024"), .init("cache_size", "12")]
      if workload.hasLog {
        description.pragmas.append(.init("wal_autocheckpoint", "16"))
      } else {
        description.pragmas.append(.init("journal_mode", "delete"))
      }
      // Nothing else has a lock, so a lock can only be a leftover.
      description.busyTimeout = 0
      try workload.migration?.configure(&description, versions)
      try coordinator.addPersistentStore(description)
    }
    context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    context.transactionAuthor = "loop"
    context.mergePolicy = workload.mergePolicy
  }

  /// Makes this many contexts below the context.
  func makeChildren(_ count: Int) {
    for _ in 0..<count { children.append(ManagedObjectContext(.privateQueue, parent: children.last ?? context)) }
  }

  /// Saves from the innermost child to the store.
  func saveThroughChildren() throws {
    for child in children.reversed() { try child.performAndWait { () throws in try child.save() } }
    try context.save()
  }

  /// Runs the body on the context's queue.
  func perform(_ body: (Session) throws -> Void) throws {
    try context.performAndWait { () throws in try body(self) }
  }

  /// The stored objects in a fresh context: every object with its values and to-one relationships.
  func shownContents() throws -> [String: ObjectImage] {
    let other = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    var images: [String: ObjectImage] = [:]
    try other.performAndWait { () throws in
      for entity in coordinator.managedObjectModel.entities {
        for object in try other.all(entity.name) {
          images[object.objectID.uriRepresentation()] = try ObjectImage(object, knownOnly: true)
        }
      }
    }
    return images
  }
}

/// An object's values and the destinations of its relationships.
struct ObjectImage: Equatable {
  private(set) var values: [String: String] = [:]

  /// - Parameters:
  ///   - object: The object; the caller is on its context's queue.
  ///   - knownOnly: Whether to leave out relationships that have not been read, instead of reading them.
  /// - Throws: An error if it cannot be read.
  init(_ object: ManagedObject, knownOnly: Bool = false) throws {
    let entity = object.entity
    for attribute in entity.attributes {
      switch try object.value(forKey: attribute.name) {
      case .null: values[attribute.name] = "null"
      case .integer(let number): values[attribute.name] = String(number)
      case .string(let text): values[attribute.name] = "'\(text)'"
      case let other: values[attribute.name] = "\(other)"
      }
    }
    for relationship in entity.relationships {
      if knownOnly, relationship.isToMany, object.hasFault(forRelationshipNamed: relationship.name) { continue }
      let objectIDs = try object.objectIDs(forRelationshipNamed: relationship.name)
      values[relationship.name] = objectIDs.map { $0.uriRepresentation() }.joined(separator: " ")
    }
  }

  /// Whether all values known in the other image are the same here.
  func agrees(with other: ObjectImage) -> Bool { other.values.allSatisfy { values[$0.key] == $0.value } }
}

/// The changes that a context is about to save.
struct PendingImage {
  private struct Entry {
    let object: ManagedObject
    let objectID: ManagedObjectID
    let image: ObjectImage
  }

  private let inserted: [Entry]
  private let updated: [Entry]
  private let deleted: [Entry]

  init(_ context: ManagedObjectContext) throws {
    func entries(_ objects: [ManagedObject]) throws -> [Entry] {
      try objects.map { Entry(object: $0, objectID: $0.objectID, image: try ObjectImage($0, knownOnly: true)) }
    }
    inserted = try entries(context.insertedObjects)
    updated = try entries(context.updatedObjects)
    deleted = try entries(context.deletedObjects)
  }

  /// The changes that the context has lost or altered since; nil if there are none.
  ///
  /// It may also contain changes by the save's delete rules.
  func loss(in context: ManagedObjectContext) throws -> String? {
    let now = [
      ("inserted", inserted, context.insertedObjects), ("updated", updated, context.updatedObjects),
      ("deleted", deleted, context.deletedObjects),
    ]
    for (what, before, after) in now {
      let known = Set(after.map { ObjectIdentifier($0) })
      let gone = before.filter { !known.contains(ObjectIdentifier($0.object)) }
      if !gone.isEmpty { return "\(gone.count) of \(before.count) objects are no longer \(what)" }
      if deleted.isEmpty, after.count != before.count { return "\(before.count) objects \(what) became \(after.count)" }
      for entry in before {
        if entry.object.objectID != entry.objectID { return "the ID \(entry.objectID) became \(entry.object.objectID)" }
        let image = try ObjectImage(entry.object)
        // A deletion removes objects from relationships.
        guard deleted.isEmpty, !image.agrees(with: entry.image) else { continue }
        return "values of \(entry.objectID): \(entry.image.values) became \(image.values)"
      }
    }
    return nil
  }
}
