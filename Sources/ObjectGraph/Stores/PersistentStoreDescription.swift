// The location of a store and the options for opening it.
public import CoreDataModel
internal import SQLiteDriver

/// A store to open: its path and its options.
///
/// ```swift
/// var description = PersistentStoreDescription(path: "quakes.sqlite")
/// description.tracksPersistentHistory = true
/// description.busyTimeout = 30_000
/// let container = PersistentContainer(managedObjectModel: model, store: description)
/// ```
public struct PersistentStoreDescription: Sendable, Hashable {
  /// The path of the store's file, absolute or relative to the process's working directory.
  public var path: String
  /// Whether to open the store read-only.
  ///
  /// A store that Core Data wrote is then read with the names that migrations have left in its file. In WAL mode,
  /// SQLite still creates files beside the store, which ``isImmutable`` prevents. A store of another model, which
  /// cannot be opened for writing, can be read if it has every table and column of this model.
  ///
  /// ```swift
  /// var catalog = PersistentStoreDescription(path: "catalog.sqlite")
  /// catalog.isReadOnly = true
  /// ```
  public var isReadOnly = false
  /// Whether the file will not change while it is open, so that it is read without locks and without creating files
  /// beside it.
  ///
  /// This makes the store read-only. A write-ahead log beside the file is ignored. `StoreFile` of CoreDataFiles opens
  /// such a file with its log.
  public var isImmutable = false {
    didSet { if isImmutable { isReadOnly = true } }
  }
  /// The configuration with the store's entities; `nil` for all entities.
  ///
  /// ```swift
  /// var catalog = PersistentStoreDescription(path: "catalog.sqlite")
  /// catalog.configuration = "Catalog"
  /// ```
  public var configuration: String?
  /// Whether to open a store for writing although its version hashes differ from the model's, like Core Data's
  /// `NSIgnorePersistentStoreVersioningOption`.
  ///
  /// Entities, tables, columns and uniqueness constraints must still match. You are responsible for the rest: required
  /// values, counts of relationships, and the ranges of types that share a column type. The hashes in the file do not
  /// change.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.ignoresModelVersion = true
  /// ```
  public var ignoresModelVersion = false
  /// Whether to migrate a store of another model when it is opened for writing, like Core Data's
  /// `NSMigratePersistentStoresAutomaticallyOption`.
  ///
  /// The source model must be known: see ``sourceModels`` and ``sourceModelProvider``. Otherwise, or if this is
  /// `false`, opening the store throws ``ObjectGraphError/incompatibleModel(path:entities:)``. The migration is one
  /// transaction in the store's own file. It keeps object IDs, versions, history tokens and the store's identifier.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.migratesStoreAutomatically = false
  /// ```
  public var migratesStoreAutomatically = true
  /// Whether to infer the mapping from the source model, like Core Data's `NSInferMappingModelAutomaticallyOption`.
  ///
  /// There is no other way to get a mapping, so `false` prevents migrations. See ``MappingModel``.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.infersMappingModelAutomatically = false
  /// ```
  public var infersMappingModelAutomatically = true
  /// Earlier versions of the model that a store may have been created with.
  ///
  /// The version with the store's version hashes is used. Core Data's hashes cannot be computed here: for its stores,
  /// exactly one version must have the store's entities, tables and columns.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.sourceModels = [firstModel, secondModel]
  /// let container = PersistentContainer(managedObjectModel: model, store: description)
  /// try container.loadPersistentStores()  // migrates a store of either version
  /// ```
  public var sourceModels: [ManagedObjectModel] = []
  /// Finds the model of a store if none of ``sourceModels`` fits; `nil` for no provider.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.sourceModels = [firstModel]
  /// description.sourceModelProvider == nil  // true: the first version alone is known
  /// ```
  public var sourceModelProvider: (any SourceModelProvider)? {
    get { provider?.base }
    set { provider = newValue.map { AnySourceModelProvider(base: $0) } }
  }
  private var provider: AnySourceModelProvider?
  /// Whether a migration may leave unused tables and columns in the file to be faster, like Core Data's
  /// `NSPersistentStoreDeferredLightweightMigrationOptionKey`.
  ///
  /// They are never read, and such columns are null in new rows. Call
  /// ``PersistentStoreCoordinator/finishDeferredLightweightMigration()`` at a time of your choice to remove them.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.sourceModels = [firstModel]
  /// description.defersLightweightMigration = true
  /// ```
  public var defersLightweightMigration = false
  /// Observes and cancels a migration while the store is opened; `nil` for none.
  ///
  /// ```swift
  /// let progress = MigrationProgress()
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.migrationProgress = progress  // progress.cancel() leaves the store as it was
  /// ```
  public var migrationProgress: MigrationProgress?
  /// The stages of a staged migration, like Core Data's `NSPersistentStoreStagedMigrationManagerOptionKey`; `nil` for
  /// none.
  ///
  /// If it is set, ``sourceModels`` are ignored: the stages contain the versions.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.stagedMigrationManager = try StagedMigrationManager([
  ///   .lightweight(LightweightMigrationStage([firstModel, secondModel]))
  /// ])
  /// ```
  public var stagedMigrationManager: StagedMigrationManager?
  /// Whether to migrate a store that has another model.
  var migrates: Bool {
    !isReadOnly && !ignoresModelVersion && migratesStoreAutomatically && infersMappingModelAutomatically
      && (!sourceModels.isEmpty || provider != nil || stagedMigrationManager != nil)
  }
  /// SQLite pragmas by name, set in this order when the store is opened.
  ///
  /// Pragmas for the file format (`page_size`, `auto_vacuum`) only affect new stores. An unknown name or a value that
  /// SQLite does not accept is an error: ``ObjectGraphError/pragma(_:found:expected:path:)``.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.pragmas = [.init("cache_size", "-16000"), .init("synchronous", "FULL")]
  /// ```
  public var pragmas: [Pragma] = []
  /// The vacuum to run when the store is opened for writing, like Core Data's `NSSQLiteManualVacuumOption`; `nil` for
  /// none.
  ///
  /// It returns free pages to the file system. See ``PersistentStoreCoordinator/vacuum(_:of:)``.
  public var manualVacuum: VacuumMode?
  /// Whether SQLite analyzes its indexes when the store is opened for writing, like Core Data's
  /// `NSSQLiteAnalyzeOption`: query plans then depend on what is stored.
  ///
  /// It reads every index, in time linear in their rows, and writes the table `sqlite_stat1`.
  public var analyzesIndexes = false
  /// How long to wait for another writer, in milliseconds.
  public var busyTimeout: Int32 = 5_000
  /// Whether saves and batch inserts of more than 500 rows store rows on a second thread while the caller's thread
  /// prepares the next ones.
  ///
  /// This is faster if a second processor is free, but takes more processor time. If the second thread waits for a
  /// processor for a fifth of its time, it ends, and the caller's thread continues alone.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.insertsOnTwoThreads = false  // the other processors are for others
  /// ```
  public var insertsOnTwoThreads = true
  /// For tests: how much the second thread may wait.
  var insertThreadPatience = InsertThread.Patience()

  /// Receives the store's SQL; `nil` for no trace, which costs nothing.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.sqlTrace = .standardError()
  /// ```
  public var sqlTrace: SQLTrace?

  /// Whether to keep history: a transaction for each save and each batch request, with all of its changes.
  ///
  /// The history tables are created when a store is first opened with this option. If a store with history is opened
  /// for writing without it, its transactions and changes are deleted, because they would be incomplete from then on.
  /// Tokens from before are then expired when history is tracked again. Without this option, history costs nothing.
  public var tracksPersistentHistory = false
  /// Whether to notify the coordinator's observers of changes by any connection, in this process or another.
  ///
  /// See ``PersistentStoreCoordinator/observeRemoteChanges(_:)``.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.tracksPersistentHistory = true
  /// description.postsRemoteChanges = true
  /// description.remoteChangeInterval = 1
  /// ```
  public var postsRemoteChanges = false
  /// How often to check for changes by others, in seconds.
  public var remoteChangeInterval = 0.1

  /// The data that must exist as long as the store is open.
  package var image: KeptImage?
  /// Records a migration; `nil` for no recording.
  package var migrationLog: MigrationLog?

  /// The access of a connection that only reads.
  var readingAccess: Connection.Access { isImmutable ? .immutable : .readOnly }

  /// Describes a store with default options; opening it creates its file unless it is read-only.
  ///
  /// ```swift
  /// let description = PersistentStoreDescription(path: "quakes.sqlite")
  /// try coordinator.addPersistentStore(description)
  /// ```
  public init(path: String) { self.path = path }

  /// A pragma and its value, in SQLite's syntax.
  ///
  /// ```swift
  /// let limit = PersistentStoreDescription.Pragma("journal_size_limit", "67108864")
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.pragmas.append(limit)
  /// ```
  public struct Pragma: Sendable, Hashable {
    public var name: String
    public var value: String

    /// Creates a pragma with its value.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }
}
