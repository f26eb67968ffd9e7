// What a store's file is: its size and shape, its entities, what uses the bytes, and what is odd about it.
internal import CoreDataModel

/// What can be reported about a store without what is in its rows.
///
/// Figures are counts, bytes and shares from 0 to 1; a share of nothing is nil. Only ``Values``, which are gathered when
/// asked for, hold anything of a row's content.
///
/// ```swift
/// let inspection = try StoreInspection(of: "MyApp.sqlite")
/// for entity in inspection.entities { print(entity.name, entity.rows) }
/// for anomaly in inspection.anomalies { print(anomaly) }
/// ```
public struct StoreInspection: Sendable, Hashable, Codable {
  /// The version of the encoded form; a reader of another version cannot read it.
  public static let currentSchemaVersion = 1

  /// The version that the inspection was encoded in.
  public var schemaVersion = StoreInspection.currentSchemaVersion
  public var file: File
  /// The log beside the file; nil when there is none.
  public var writeAheadLog: WriteAheadLog?
  public var metadata: Metadata
  public var model: Model
  /// In the order of their numbers.
  public var entities: [Entity]
  /// The tables of many-to-many relationships.
  public var joinTables: [JoinTable]
  /// Nil in a store that never kept history.
  public var history: History?
  public var sizes: Sizes
  /// Errors in the file, and what is correct but surprising, in whole sentences.
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
    /// Pages of the database, those only in the write-ahead log among them.
    public var pages: Int64
    /// Pages that hold nothing.
    public var freePages: Int64
    /// The share of pages that hold nothing, from 0 to 1.
    public var freeShare: Double?
    /// `wal` or `rollback`, by bytes 18 and 19 of the file, whatever mode a connection would choose.
    public var journalMode: String
    /// `none`, `full` or `incremental`.
    public var autoVacuum: String
    public var encoding: String
  }

  /// The write-ahead log, as far as it can be read outside of SQLite.
  ///
  /// ```swift
  /// if let log = inspection.writeAheadLog {
  ///   print("\(log.committedFrames) of \(log.frames) frames were committed")
  /// }
  /// ```
  public struct WriteAheadLog: Sendable, Hashable, Codable {
    public var bytes: Int64
    /// The size of the shared memory beside it; nil when there is none.
    public var sharedMemoryBytes: Int64?
    /// Nil where the log has no header.
    public var pageSize: Int64?
    /// How many frames the log has room for: its size without the header, by the size of a frame.
    public var frames: Int64
    /// The frames of transactions committed since the log last restarted.
    ///
    /// Frames after them are leftovers.
    ///
    /// The log does not record which of them a checkpoint has already copied into the file.
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
    /// The store's identifier, the host of its objects' URIs.
    public var uuid: String?
    /// The generation of Core Data that wrote the store last.
    public var frameworkVersion: Int?
    /// The model's name for its version, from the metadata.
    public var modelVersionIdentifiers: [String]
    /// How many entities' version hashes there are.
    public var versionHashes: Int
    /// Entities of `Z_PRIMARYKEY` without a version hash, by name.
    public var entitiesWithoutHash: [String]
    /// Version hashes of entities that `Z_PRIMARYKEY` does not name, by name.
    public var hashesWithoutEntity: [String]
    /// Keys that Core Data did not write.
    public var applicationKeys: Int
    /// The bytes of the copy of the model; nil where there is none.
    public var modelCacheBytes: Int64?
  }

  /// Where the model was found, and what it leaves open.
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

  /// What uses the bytes.
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
      /// The table that an index is on; a table's own name.
      public var table: String
      public var pages: Int64
      public var bytes: Int64
      /// The share of all of the database's pages.
      public var share: Double?
      /// Bytes of its pages that hold nothing.
      public var unusedBytes: Int64
    }

    /// The largest first; nil where SQLite was built without the dbstat table, which alone knows.
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
    /// Authors, processes and other names; nil in a store of 2017, whose transactions hold their own.
    public var strings: Int64?
    /// Tables and indexes; nil where sizes are not known.
    public var bytes: Int64?
    public var share: Double?
    /// When the first and last transaction were made, as ISO 8601 in UTC.
    public var first: String?
    public var last: String?
  }
}
