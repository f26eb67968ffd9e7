// Where a store lies and how to open it.

/// A store to open: its path and its options.
public struct PersistentStoreDescription: Sendable, Hashable {
  public var path: String
  public var isReadOnly = false
  /// SQLite pragmas by name, set in this order when the store is opened.
  ///
  /// Those that shape the file (`page_size`, `auto_vacuum`) act on a new store only.
  public var pragmas: [Pragma] = []
  /// How long to wait for another writer, in milliseconds.
  public var busyTimeout: Int32 = 5_000

  /// Where the store's SQL is written down; nil for nowhere, which costs nothing.
  public var sqlLog: SQLLog?

  public init(path: String) { self.path = path }

  /// One pragma and its value, as SQLite spells them.
  public struct Pragma: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }
}
