// The example in the article Models that change; MigrationArticleTests compares it with the article and runs it.
import CoreDataModel
import ObjectGraph

/// The versions of the model, the oldest first.
enum NotesModel {
  static func first() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription("Note", attributes: [AttributeDescription("text", .string)])
    ])
  }

  /// The text is the body now, and a note has stars and the name of a folder.
  static func second() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Note",
        attributes: [
          AttributeDescription("body", .string, renamingIdentifier: "text"),
          AttributeDescription("stars", .int16, defaultValue: 0),
          AttributeDescription("folderName", .string, isOptional: true),
        ])
    ])
  }

  /// Never shipped: it has the name and the folder, so that code can turn one into the other.
  static func between() throws -> ManagedObjectModel { try third(hasFolderNames: true) }

  /// Folders are objects.
  static func third(hasFolderNames: Bool = false) throws -> ManagedObjectModel {
    var note = EntityDescription(
      "Note",
      attributes: [
        AttributeDescription("body", .string, renamingIdentifier: "text"),
        AttributeDescription("stars", .int16, defaultValue: 0),
      ], relationships: [RelationshipDescription("folder", to: "Folder", inverse: "notes")])
    if hasFolderNames { note.attributes.append(AttributeDescription("folderName", .string, isOptional: true)) }
    let folder = EntityDescription(
      "Folder", attributes: [AttributeDescription("name", .string)],
      relationships: [RelationshipDescription("notes", to: "Note", inverse: "folder", isToMany: true)])
    return try ManagedObjectModel(entities: [folder, note])
  }
}

/// Makes a folder for each name, and puts the notes into it.
@Sendable func sortIntoFolders(_ container: PersistentContainer) throws {
  let context = container.newBackgroundContext()
  try context.performAndWait {
    var folders: [String: ManagedObject] = [:]
    for note in try context.fetch(FetchRequest<ManagedObject>(entityName: "Note")) {
      guard case .string(let name) = try note.value(forKey: "folderName") else { continue }
      let folder = try folders[name] ?? context.insertNewObject(forEntityName: "Folder")
      try folder.setValue(.string(name), forKey: "name")
      try note.setObject(folder, forKey: "folder")
      folders[name] = folder
    }
    try context.save()
  }
}

/// Opens the notes of any version that was ever shipped.
func openNotes(path: String) throws -> PersistentContainer {
  var description = PersistentStoreDescription(path: path)
  description.stagedMigrationManager = try StagedMigrationManager([
    .lightweight(LightweightMigrationStage([NotesModel.first(), NotesModel.second()], label: "stars")),
    .custom(
      CustomMigrationStage(
        migratingFrom: NotesModel.between(), to: NotesModel.third(), label: "folders", willMigrate: sortIntoFolders)),
  ])
  let container = PersistentContainer(managedObjectModel: try NotesModel.third(), store: description)
  try container.loadPersistentStores()
  return container
}
