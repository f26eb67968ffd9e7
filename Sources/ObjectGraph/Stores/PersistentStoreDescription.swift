// Where a store is and how to open it.
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
  /// Whether the store is only read.
  ///
  /// A store that Core Data wrote is then read under whatever names migrations have left in its file. SQLite still makes
  /// files beside a store in WAL mode, which ``isImmutable`` prevents. A store of another model, which does not open for
  /// writing, may be read as long as it has every table and column of this one.
  ///
  /// ```swift
  /// var catalog = PersistentStoreDescription(path: "catalog.sqlite")
  /// catalog.isReadOnly = true
  /// ```
  public var isReadOnly = false
  /// Whether nothing changes the file while it is open, so that it is read without locks and nothing is written beside it.
  ///
  /// It makes the store read-only. A write-ahead log beside the file is ignored. `StoreFile` of CoreDataFiles opens such a file
  /// with its log.
  public var isImmutable = false {
    didSet { if isImmutable { isReadOnly = true } }
  }
  /// The configuration of the model whose entities the store holds; nil for all entities.
  ///
  /// ```swift
  /// var catalog = PersistentStoreDescription(path: "catalog.sqlite")
  /// catalog.configuration = "Catalog"
  /// ```
  public var configuration: String?
  /// Whether a store opens for writing though its version hashes are not the model's, as Core Data's
  /// `NSIgnorePersistentStoreVersioningOption` asks for.
  ///
  /// Entities, tables, columns and uniqueness constraints must still agree. You are responsible for what they do not show: which
  /// values are required, the counts of relationships, and the range of types with the same column. The hashes in the file do
  /// not change.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.ignoresModelVersion = true
  /// ```
  public var ignoresModelVersion = false
  /// Whether a store that was made with another model is changed to fit the model when it is opened for writing, as Core
  /// Data's `NSMigratePersistentStoresAutomaticallyOption` asks for.
  ///
  /// The source model must be known: see ``sourceModels`` and ``sourceModelProvider``. Without it, and with `false`, such a
  /// store is ``ObjectGraphError/incompatibleModel(path:entities:)``. The migration is one transaction in the store's
  /// own file. It keeps object IDs, versions, history tokens and the store's identifier.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.migratesStoreAutomatically = false
  /// ```
  public var migratesStoreAutomatically = true
  /// Whether the mapping from the source model is inferred, as Core Data's `NSInferMappingModelAutomaticallyOption` asks for.
  ///
  /// There is no other way to get one, so that `false` keeps a store from being migrated. See ``MappingModel``.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.infersMappingModelAutomatically = false
  /// ```
  public var infersMappingModelAutomatically = true
  /// Earlier versions of the model that a store may have been made with.
  ///
  /// The one with the store's version hashes is taken. Hashes that Core Data wrote cannot be worked out here: then it is the
  /// one with the store's entities, tables and columns, and there must be one alone.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.sourceModels = [firstModel, secondModel]
  /// let container = PersistentContainer(managedObjectModel: model, store: description)
  /// try container.loadPersistentStores()  // migrates a store of either version
  /// ```
  public var sourceModels: [ManagedObjectModel] = []
  /// Finds the model of a store that no model of ``sourceModels`` fits; nil for none.
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
  /// Whether a migration leaves tables and columns that the model no longer has in the file, where that makes it faster, as
  /// Core Data's `NSPersistentStoreDeferredLightweightMigrationOptionKey` asks for.
  ///
  /// Nobody reads them, and new rows have no value in such a column. They are removed by
  /// ``PersistentStoreCoordinator/finishDeferredLightweightMigration()``, at a time of your choice.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.sourceModels = [firstModel]
  /// description.defersLightweightMigration = true
  /// ```
  public var defersLightweightMigration = false
  /// Follows and cancels a migration while the store is opened; nil for none.
  ///
  /// ```swift
  /// let progress = MigrationProgress()
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.migrationProgress = progress  // progress.cancel() leaves the store as it was
  /// ```
  public var migrationProgress: MigrationProgress?
  /// The stages of a migration that is not inferred as a whole, as Core Data's
  /// `NSPersistentStoreStagedMigrationManagerOptionKey` gives them; nil for none.
  ///
  /// With it, ``sourceModels`` are not looked at: the versions are those of the stages.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.stagedMigrationManager = try StagedMigrationManager([
  ///   .lightweight(LightweightMigrationStage([firstModel, secondModel]))
  /// ])
  /// ```
  public var stagedMigrationManager: StagedMigrationManager?
  /// Whether a store with another model is migrated.
  var migrates: Bool {
    !isReadOnly && !ignoresModelVersion && migratesStoreAutomatically && infersMappingModelAutomatically
      && (!sourceModels.isEmpty || provider != nil || stagedMigrationManager != nil)
  }
  /// SQLite pragmas by name, set in this order when the store is opened.
  ///
  /// Pragmas that shape the file (`page_size`, `auto_vacuum`) affect only a new store. A name that SQLite does not know, or a
  /// value that it does not accept, is an error: ``ObjectGraphError/pragma(_:found:expected:path:)``.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.pragmas = [.init("cache_size", "-16000"), .init("synchronous", "FULL")]
  /// ```
  public var pragmas: [Pragma] = []
  /// The vacuum that returns free pages to the file system when the store is opened for writing, like Core Data's
  /// `NSSQLiteManualVacuumOption`; nil for none, which costs nothing.
  ///
  /// See ``PersistentStoreCoordinator/vacuum(_:of:)``.
  public var manualVacuum: VacuumMode?
  /// Whether SQLite analyzes its indexes when the store is opened for writing, as Core Data's `NSSQLiteAnalyzeOption` asks
  /// for: queries are then planned by what is stored.
  ///
  /// It reads every index, in time linear in their rows, and writes the table `sqlite_stat1`.
  public var analyzesIndexes = false
  /// How long to wait for another writer, in milliseconds.
  public var busyTimeout: Int32 = 5_000
  /// Whether saves and batch inserts of more than 500 rows have a thread of their own store rows while the caller's makes the
  /// next ones.
  ///
  /// It takes less time where a second processor is free, and more processor time. A thread that waits for a processor for a
  /// fifth of its time ends, and the caller's continues alone.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.insertsOnTwoThreads = false  // the other processors are for others
  /// ```
  public var insertsOnTwoThreads = true
  /// For tests: how much that thread may wait.
  var insertThreadPatience = InsertThread.Patience()

  /// Receives the store's SQL; nil for nothing, which costs nothing.
  ///
  /// ```swift
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.sqlTrace = .standardError()
  /// ```
  public var sqlTrace: SQLTrace?

  /// Whether history is kept: a transaction for each save and each batch request, with all of its changes.
  ///
  /// Its tables are made when a store is first opened with it. A store that has history and is opened for writing
  /// without it loses its transactions and changes, because from then on they would be incomplete: tokens from
  /// before are expired when it is tracked again. Off, it costs nothing.
  public var tracksPersistentHistory = false
  /// Whether the coordinator notifies its observers of what any connection stores, in this process or another.
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
  /// How often the store looks for what others stored, in seconds.
  public var remoteChangeInterval = 0.1

  /// What must be there as long as the store is open.
  package var image: KeptImage?
  /// Records a migration; nil to record nothing.
  package var migrationLog: MigrationLog?

  /// What a connection that only reads may do.
  var readingAccess: Connection.Access { isImmutable ? .immutable : .readOnly }

  /// A store with the defaults of every option; its file is made when it is opened, unless it is only to be read.
  ///
  /// ```swift
  /// let description = PersistentStoreDescription(path: "quakes.sqlite")
  /// try coordinator.addPersistentStore(description)
  /// ```
  public init(path: String) { self.path = path }

  /// One pragma and its value, as SQLite spells them.
  ///
  /// ```swift
  /// let limit = PersistentStoreDescription.Pragma("journal_size_limit", "67108864")
  /// var description = PersistentStoreDescription(path: "quakes.sqlite")
  /// description.pragmas.append(limit)
  /// ```
  public struct Pragma: Sendable, Hashable {
    public var name: String
    public var value: String

    /// A pragma and what it is set to.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }
}
