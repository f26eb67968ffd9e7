// The stages of a staged migration: versions of a model, and what an app does between two of them.
public import CoreDataModel

/// A stage of a staged migration.
///
/// ```swift
/// let stages: [MigrationStage] = [
///   .lightweight(LightweightMigrationStage([firstModel, secondModel])),
///   .custom(CustomMigrationStage(migratingFrom: secondModel, to: thirdModel, didMigrate: linkPets)),
/// ]
/// ```
public enum MigrationStage: Sendable {
  /// Versions whose changes are inferred.
  case lightweight(LightweightMigrationStage)
  /// Two versions with code before and after.
  case custom(CustomMigrationStage)

  /// A part of a stage.
  ///
  /// ```swift
  /// if case .stageFailed(let stage, .didMigrateHandler, let reason, _, _) = error { print("\(stage): \(reason)") }
  /// ```
  public enum Part: String, Sendable, Hashable, CustomStringConvertible {
    /// The handler before the model changes.
    case willMigrateHandler
    /// The change of the model.
    case lightweightMigration
    /// The handler after the model has changed.
    case didMigrateHandler

    public var description: String {
      switch self {
      case .willMigrateHandler: "willMigrateHandler"
      case .lightweightMigration: "the lightweight migration"
      case .didMigrateHandler: "didMigrateHandler"
      }
    }
  }

  /// What errors call the stage.
  public var label: String? {
    switch self {
    case .lightweight(let stage): stage.label
    case .custom(let stage): stage.label
    }
  }

  /// The stage's versions in order.
  var models: [ManagedObjectModel] {
    switch self {
    case .lightweight(let stage): stage.models
    case .custom(let stage): [stage.currentModel, stage.nextModel]
    }
  }
}

/// Versions of a model that follow each other by lightweight migration, as Core Data's `NSLightweightMigrationStage`.
///
/// ```swift
/// let stage = LightweightMigrationStage([firstModel, secondModel], label: "stars")
/// ```
public struct LightweightMigrationStage: Sendable {
  /// The versions in order.
  public var models: [ManagedObjectModel]
  /// What errors call the stage; nil for its number alone.
  public var label: String?

  /// A stage of versions in order.
  public init(_ models: [ManagedObjectModel], label: String? = nil) {
    self.models = models
    self.label = label
  }
}

/// Two versions of a model with code of an app before and after the change, as Core Data's `NSCustomMigrationStage`.
///
/// Handlers, the change of the model and what the handlers save are one transaction: all of it is stored, or nothing.
///
/// ```swift
/// let stage = CustomMigrationStage(migratingFrom: secondModel, to: thirdModel, label: "folders") { container in
///   let context = container.newBackgroundContext()
///   try context.performAndWait {
///     let folder = try context.insertNewObject(forEntityName: "Folder")
///     try folder.setValue("Inbox", forKey: "name")
///     for note in try context.fetch(FetchRequest<ManagedObject>(entityName: "Note")) {
///       try note.setObject(folder, forKey: "folder")
///     }
///     try context.save()
///   }
/// }
/// ```
public struct CustomMigrationStage: Sendable {
  /// Code around the change of a model.
  ///
  /// It gets a container whose one store is open with the stage's model. Objects are plain managed objects. What the code
  /// leaves unsaved is lost; when it returns, the container's store is closed. Query generations, checkpoints and a vacuum
  /// are refused, because the store is in the middle of a transaction. Nothing else can write meanwhile.
  public typealias Handler = @Sendable (PersistentContainer) throws -> Void

  /// The version before.
  public var currentModel: ManagedObjectModel
  /// The version after.
  public var nextModel: ManagedObjectModel
  /// What errors call the stage; nil for its number alone.
  public var label: String?
  /// Runs before the change, with a container of ``currentModel``.
  public var willMigrateHandler: Handler?
  /// Runs after the change, with a container of ``nextModel``.
  public var didMigrateHandler: Handler?

  /// A stage between two versions.
  public init(
    migratingFrom currentModel: ManagedObjectModel, to nextModel: ManagedObjectModel, label: String? = nil,
    willMigrate: Handler? = nil, didMigrate: Handler? = nil
  ) {
    self.currentModel = currentModel
    self.nextModel = nextModel
    self.label = label
    willMigrateHandler = willMigrate
    didMigrateHandler = didMigrate
  }
}
