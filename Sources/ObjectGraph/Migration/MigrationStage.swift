// The stages of a staged migration: versions of a model, and code to run between two of them.
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
  /// Versions with inferred changes between them.
  case lightweight(LightweightMigrationStage)
  /// Two versions with code before and after the change.
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

  /// The name of the stage in errors.
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

/// A sequence of model versions connected by lightweight migrations, like Core Data's `NSLightweightMigrationStage`.
///
/// ```swift
/// let stage = LightweightMigrationStage([firstModel, secondModel], label: "stars")
/// ```
public struct LightweightMigrationStage: Sendable {
  /// The versions in order.
  public var models: [ManagedObjectModel]
  /// The name of the stage in errors; `nil` to use only its number.
  public var label: String?

  /// Creates a stage of versions in order.
  public init(_ models: [ManagedObjectModel], label: String? = nil) {
    self.models = models
    self.label = label
  }
}

/// Two versions of a model with code to run before and after the change, like Core Data's `NSCustomMigrationStage`.
///
/// The handlers with their saves and the model change are one transaction: all of it is stored, or nothing.
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
  /// Code to run before or after the change of a model.
  ///
  /// It gets a container with only one store, open with the stage's model. Objects are plain managed objects. Unsaved
  /// changes are lost; when the code returns, the container's store is closed. Query generations, checkpoints and
  /// vacuums are refused, because the store is in the middle of a transaction. Nothing else can write in the meantime.
  public typealias Handler = @Sendable (PersistentContainer) throws -> Void

  /// The version before.
  public var currentModel: ManagedObjectModel
  /// The version after.
  public var nextModel: ManagedObjectModel
  /// The name of the stage in errors; `nil` to use only its number.
  public var label: String?
  /// Runs before the change, with a container for ``currentModel``.
  public var willMigrateHandler: Handler?
  /// Runs after the change, with a container for ``nextModel``.
  public var didMigrateHandler: Handler?

  /// Creates a stage between two versions.
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
