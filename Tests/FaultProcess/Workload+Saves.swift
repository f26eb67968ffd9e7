// The workloads that store objects: new stores, and saves of all kinds.
internal import ObjectGraph

extension Workload {
  /// A new store with history; the work is to open it.
  static let create = Workload(name: "create", unit: .layout)

  /// Enough new objects that each step stores several.
  static let save = Workload(
    name: "save", fill: stock,
    prepare: { session in
      for number in 0..<110 { try session.context.makeItem(Int64(1_000 + number), text: "new \(number)") }
      try session.context.makeItem(2_000, text: String(repeating: "long", count: 1_000))
    },
    attempt: { try $0.context.save() })

  static let saveWithRelationships = Workload(
    name: "save with relationships", fill: stock,
    prepare: { session in
      let context = session.context
      let stored = try context.all(Folder.name)[0]
      let tags = try context.all(Tag.name) + [context.makeTag("white"), context.makeTag("black")]
      let folder = try context.makeFolder("third")
      for number in 0..<6 { try context.makeEntry("third \(number)", in: folder, tags: Array(tags.suffix(number))) }
      for number in 0..<3 { try context.makeEntry("more \(number)", in: stored, tags: tags) }
      // An entry of the folder is moved.
      stored[Folder.entries][1][Entry.folder] = folder
    },
    attempt: { try $0.context.save() })

  /// Changed objects.
  ///
  /// Another context also changes one of them, so the save detects the conflict, resolves it and continues.
  static let update = Workload(
    name: "update", mergePolicy: .mergeByPropertyObjectTrump, fill: stock,
    prepare: { session in
      let entries = try session.context.all(Entry.name)
      for (number, entry) in entries.enumerated() where number % 2 == 0 {
        entry[Entry.number] = Int64(number)
        entry[Entry.text] = number % 4 == 0 ? String(repeating: "u", count: 2_500) : nil
      }
      let other = ManagedObjectContext(.privateQueue, coordinator: session.coordinator)
      other.transactionAuthor = "other"
      try other.performAndWait { () throws in
        let same = try other.all(Entry.name)[2]
        same[Entry.code] = "changed by another"
        same[Entry.number] = 77
        try other.save()
      }
    },
    attempt: { try $0.context.save() })

  /// Deletes a folder with its entries, and an entry of another folder.
  static let delete = Workload(
    name: "delete", fill: stock,
    prepare: { session in
      let context = session.context
      try context.delete(context.all(Folder.name)[0])
      for entry in try context.all(Entry.name) where entry[Entry.code] == "second 3" { try context.delete(entry) }
      for item in try context.all(Item.name).prefix(5) { try context.delete(item) }
    },
    attempt: { try $0.context.save() })

  /// Insertions, updates and deletions in a store with a rollback journal.
  static let saveWithJournal = Workload(
    name: "save, rollback journal", hasLog: false, fill: stock,
    prepare: { session in
      let context = session.context
      for number in 0..<20 { try context.makeItem(Int64(1_000 + number), text: "new \(number)") }
      for (number, item) in try context.all(Item.name).prefix(12).enumerated() {
        if number % 3 == 0 { try context.delete(item) } else { item[Item.text] = "changed" }
      }
      try context.makeEntry("new", in: context.all(Folder.name)[1], tags: context.all(Tag.name))
    },
    attempt: { try $0.context.save() })

  /// Changes in three nested contexts that are saved to the store: new objects in ordered and many-to-many
  /// relationships, and moved, changed and deleted ones.
  static let saveThroughChildren = Workload(
    name: "save through children", fill: stock, keepsPendingChanges: false, prepare: editInChild,
    attempt: { try $0.saveThroughChildren() })

  static let childrenWithJournal = Workload(
    name: "save through children, rollback journal", hasLog: false, fill: stock, keepsPendingChanges: false,
    prepare: editInChild, attempt: { try $0.saveThroughChildren() })

  @Sendable private static func editInChild(_ session: Session) throws {
    session.makeChildren(2)
    guard let child = session.children.last else { return }
    try child.performAndWait { () throws in
      let folders = try child.all(Folder.name)
      let tags = try child.all(Tag.name)
      for number in 0..<4 { try child.makeEntry("child \(number)", in: folders[number % 2], tags: tags) }
      let entries = folders[0][Folder.entries]
      entries[1][Entry.folder] = folders[1]
      entries[2][Entry.text] = "changed"
      entries[3][Entry.tags] = [tags[2]]
      try child.delete(entries[4])
      for item in try child.all(Item.name).prefix(3) { try child.delete(item) }
      try child.makeItem(3_000, text: "of a child")
    }
  }

  /// Objects of two stores in one save.
  static let severalStores = Workload(
    name: "several stores", storeNames: ["a.sqlite", "b.sqlite"],
    fill: { session in
      try stock(session)
      let context = session.context
      for number in 0..<10 {
        let item = try context.makeItem(Int64(100 + number), text: "in b")
        try context.assign(item, to: session.coordinator.persistentStores[1])
      }
      try context.save()
    },
    prepare: { session in
      let context = session.context
      for number in 0..<20 {
        let item = try context.makeItem(Int64(1_000 + number), text: "new \(number)")
        try context.assign(item, to: session.coordinator.persistentStores[number % 2])
      }
      for (number, item) in try context.all(Item.name).enumerated() where item.objectID.persistentStore != nil {
        if number % 4 == 0 { item[Item.text] = "changed" }
        if number % 5 == 3 { try context.delete(item) }
      }
    },
    attempt: { try $0.context.save() })
}
