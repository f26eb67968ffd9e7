// A report about a store's file: its size and shape, its entities, its use of space, and its anomalies.
internal import CoreDataModel

/// A report about a store that does not reveal the content of its rows.
///
/// Figures are counts, bytes and shares from 0 to 1; a share of nothing is `nil`. Only ``Values``, which are gathered
/// on request, contain anything from the rows.
///
/// ```swift
/// let inspection = try StoreInspection(of: "MyApp.sqlite")
/// for entity in inspection.entities { print(entity.name, entity.rows) }
/// for anomaly in inspection.anomalies { print(anomaly) }
/// ```
public struct StoreInspection: Sendable, Hashable, Codable {
  /// The version of the encoded form; readers of other versions cannot read it.
  public static let currentSchemaVersion = 1

  /// The version in which the inspection was encoded.
  public var schemaVersion = StoreInspection.currentSchemaVersion
  public var file: File
  /// The log beside the file; `nil` if there is none.
  public var writeAheadLog: WriteAheadLog?
  public var metadata: Metadata
  public var model: Model
  /// In the order of their numbers.
  public var entities: [Entity]
  /// The tables of many-to-many relationships.
  public var joinTables: [JoinTable]
  /// `nil` for a store that never kept history.
  public var history: History?
  public var sizes: Sizes
  /// Errors in the file, and correct but surprising content, in whole sentences.
  public var anomalies: [String]
}

extension StoreInspection {
  /// The file as SQLite sees it.
  ///
  /// ```swift
  /// let wasted = inspection.file.freePages * inspection.file.pageSize  // bytes that a vacuum would give back
  /// if inspection.file.freeShare ?? 0 > 0.5 { print("a vacuum gives back \(wasted) bytes") }
  /// ```
  public struct File: Sendable, Hashable, Codable {
    /// The file's name without its folder.
    public var name: String
    public var bytes: Int64
    public var pageSize: Int64
    /// Pages of the database, including those that are only in the write-ahead log.
    public var pages: Int64
    /// Unused pages.
    public var freePages: Int64
    /// The share of unused pages, from 0 to 1.
    public var freeShare: Double?
    /// `wal` or `rollback`, by bytes 18 and 19 of the file, regardless of the mode that a connection would choose.
    public var journalMode: String
    /// `none`, `full` or `incremental`.
    public var autoVacuum: String
    public var encoding: String
  }

  /// The write-ahead log, as far as it can be read without SQLite.
  ///
  /// ```swift
  /// if let log = inspection.writeAheadLog {
  ///   print("\(log.committedFrames) of \(log.frames) frames were committed")
  /// }
  /// ```
  public struct WriteAheadLog: Sendable, Hashable, Codable {
    public var bytes: Int64
    /// The size of the shared memory beside it; `nil` if there is none.
    public var sharedMemoryBytes: Int64?
    /// `nil` if the log has no header.
    public var pageSize: Int64?
    /// How many frames fit into the log: its size without the header, divided by the size of a frame.
    public var frames: Int64
    /// The frames of transactions committed since the log last restarted.
    ///
    /// Frames after them are leftovers. The log does not record which of the frames a checkpoint has already copied
    /// into the file.
    public var committedFrames: Int64

    public init(
      bytes: Int64, sharedMemoryBytes: Int64?, pageSize: Int64?, frames: Int64, committedFrames: Int64
    ) {
      self.bytes = bytes
      self.sharedMemoryBytes = sharedMemoryBytes
      self.pageSize = pageSize
      self.frames = frames
      self.committedFrames = committedFrames
    }
  }

  /// The content of `Z_METADATA`.
  ///
  /// ```swift
  /// let metadata = inspection.metadata
  /// print("\(metadata.versionHashes) entities, \(metadata.applicationKeys) keys of the application")
  /// ```
  public struct Metadata: Sendable, Hashable, Codable {
    /// The store's identifier, which is the host of its objects' URIs.
    public var uuid: String?
    /// The version of Core Data that last wrote the store.
    public var frameworkVersion: Int?
    /// The version identifiers of the model, from the metadata.
    public var modelVersionIdentifiers: [String]
    /// The number of entities with a version hash.
    public var versionHashes: Int
    /// Entities of `Z_PRIMARYKEY` without a version hash, by name.
    public var entitiesWithoutHash: [String]
    /// Version hashes of entities that `Z_PRIMARYKEY` does not name, by name.
    public var hashesWithoutEntity: [String]
    /// Keys that Core Data did not write.
    public var applicationKeys: Int
    /// The size of the copy of the model in bytes; `nil` if there is none.
    public var modelCacheBytes: Int64?
  }

  /// Where the model was found, and what it does not specify.
  ///
  /// ```swift
  /// if inspection.model.origin == .schema {
  ///   for remark in inspection.model.remarks { print(remark) }
  /// }
  /// ```
  public struct Model: Sendable, Hashable, Codable {
    public var origin: RecoveredModel.Origin
    public var remarks: [String]
  }

  /// What the space is used for.
  ///
  /// ```swift
  /// for object in inspection.sizes.objects?.prefix(5) ?? [] {
  ///   print(object.kind, object.name, object.bytes)
  /// }
  /// ```
  public struct Sizes: Sendable, Hashable, Codable {
    /// A table or an index.
    public struct Object: Sendable, Hashable, Codable {
      public enum Kind: String, Sendable, Hashable, Codable {
        case table, index
      }

      public var name: String
      public var kind: Kind
      /// The table of an index; for a table, its own name.
      public var table: String
      public var pages: Int64
      public var bytes: Int64
      /// The share of all of the database's pages.
      public var share: Double?
      /// Unused bytes of its pages.
      public var unusedBytes: Int64
    }

    /// The largest first; `nil` if SQLite was built without the dbstat table, which has the sizes.
    public var objects: [Object]?
  }

  /// The tables of persistent history.
  ///
  /// ```swift
  /// if let history = inspection.history {
  ///   print("\(history.transactions) transactions since \(history.first ?? "")")
  /// }
  /// ```
  public struct History: Sendable, Hashable, Codable {
    public var transactions: Int64
    public var changes: Int64
    public var inserts: Int64
    public var updates: Int64
    public var deletes: Int64
    /// Authors, processes and other names; `nil` in a store from 2017, where transactions contain them.
    public var strings: Int64?
    /// Bytes of tables and indexes; `nil` if sizes are unknown.
    public var bytes: Int64?
    public var share: Double?
    /// The times of the first and last transaction, as ISO 8601 in UTC.
    public var first: String?
    public var last: String?
  }
}
