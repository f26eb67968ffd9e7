// The values of one row, shared between an object, the store's requests and the statement that binds them.
//
// Functions that row loops of other modules call are public so that they can be inlined; `package` functions never are
// (Experiments.md). They are not API and do not appear in the documentation.

/// A row's slots in one allocation, with its version counter; copy on write.
// Sendable by proof: storage is only written when the value being changed holds its only reference.
@_documentation(visibility: internal)
public struct RowSnapshot: @unchecked Sendable {
  /// The number of slots and the version, in one word, because every word counts with a hundred thousand rows.
  public struct Header {
    @usableFromInline var bits: Int64

    /// Creates a header with at most 2^24 slots.
    ///
    /// A version beyond ±2^39, which no number of saves reaches, is clamped.
    ///
    /// A clamped version matches no row, so a save of such a row fails.
    @inlinable public init(count: Int, version: Int64) {
      precondition(count < 1 << 24)
      bits = min(max(version, -(1 << 39)), 1 << 39 - 1) << 24 | Int64(count)
    }

    @inlinable public var count: Int { Int(bits & (1 << 24 - 1)) }
    /// `Z_OPT` of the stored row; 0 for a row that was never stored.
    @inlinable public var version: Int64 { bits >> 24 }
  }

  public final class Storage: ManagedBuffer<Header, UInt64> {
    deinit {
      withUnsafeMutablePointers { header, words in
        let slots = RowSlots(words, count: header.pointee.count)
        for slot in 0..<header.pointee.count { slots.deinitialize(slot) }
      }
    }
  }

  @usableFromInline package var storage: Storage

  /// Creates a snapshot with this storage.
  @inlinable public init(_ storage: Storage) { self.storage = storage }

  /// Creates a snapshot with these values.
  package init(_ values: [AttributeValue], version: Int64 = 0) {
    self.init(count: values.count, version: version) { slots in
      for (slot, value) in values.enumerated() { slots.initialize(slot, to: value) }
    }
  }

  /// Creates a snapshot; `initialize` must initialize all of its slots.
  @inlinable public init(count: Int, version: Int64, initialize: (RowSlots) -> Void) {
    let buffer = Storage.create(minimumCapacity: RowSlots.words(for: count)) { _ in
      Header(count: count, version: version)
    }
    buffer.withUnsafeMutablePointerToElements { initialize(RowSlots($0, count: count)) }
    storage = unsafeDowncast(buffer, to: Storage.self)
  }

  // Read through a pointer: a class property would be checked for exclusive access each time.
  @inlinable public var count: Int { storage.withUnsafeMutablePointerToHeader { $0.pointee.count } }

  @inlinable public var version: Int64 {
    get { storage.withUnsafeMutablePointerToHeader { $0.pointee.version } }
    set {
      makeUnique()
      storage.header = Header(count: count, version: newValue)
    }
  }

  /// The value of a slot; slots come from the layout that the snapshot was made for.
  @inlinable public subscript(slot: Int) -> AttributeValue {
    @inline(__always) get {
      storage.withUnsafeMutablePointers { RowSlots($1, count: $0.pointee.count)[slot] }
    }
    @inline(__always) set {
      makeUnique()
      storage.withUnsafeMutablePointers { header, words in
        let slots = RowSlots(words, count: header.pointee.count)
        if slots.hasData(slot) {
          let data = slots.takeData(slot)
          slots.initialize(slot, to: newValue)
          return withExtendedLifetime(data) {}
        }
        slots.deinitialize(slot)
        slots.initialize(slot, to: newValue)
      }
    }
  }

  /// Copies the values of a snapshot with the same layout into this one, reusing its memory.
  @inlinable public mutating func assign(from other: RowSnapshot) {
    makeUnique()
    let count = count
    storage.withUnsafeMutablePointerToElements { mine in
      other.storage.withUnsafeMutablePointerToElements { others in
        let (mine, others) = (RowSlots(mine, count: count), RowSlots(others, count: count))
        for slot in 0..<count {
          if mine.hasData(slot) {
            let data = mine.takeData(slot)
            mine.initialize(slot, from: others)
            withExtendedLifetime(data) {}
            continue
          }
          mine.deinitialize(slot)
          mine.initialize(slot, from: others)
        }
      }
    }
  }

  @inlinable @inline(__always)
  mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { copyStorage() }
  }

  @usableFromInline @inline(never)
  mutating func copyStorage() {
    let (old, count) = (storage, count)
    self = RowSnapshot(count: count, version: version) { slots in
      old.withUnsafeMutablePointerToElements { words in
        let olds = RowSlots(words, count: count)
        for slot in 0..<count { slots.initialize(slot, from: olds) }
      }
    }
  }
}

/// A set of slots, for tracking which values of an object changed.
///
/// The first 64 slots need no allocation.
@_documentation(visibility: internal)
public struct SlotMask: Equatable, Sendable {
  @usableFromInline package var low: UInt64 = 0
  @usableFromInline package var high: [UInt64] = []

  /// Creates an empty set.
  @inlinable public init() {}

  package init(_ slots: some Sequence<Int>) {
    for slot in slots { insert(slot) }
  }

  public var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

  @inlinable public func contains(_ slot: Int) -> Bool {
    if slot < 64 { return low & (1 << UInt64(slot)) != 0 }
    let word = slot / 64 - 1
    return word < high.count && high[word] & (1 << UInt64(slot % 64)) != 0
  }

  @inlinable @inline(__always)
  public mutating func insert(_ slot: Int) {
    if slot < 64 { low |= 1 << UInt64(slot) } else { insertHigh(slot) }
  }

  @usableFromInline @inline(never)
  mutating func insertHigh(_ slot: Int) {
    let word = slot / 64 - 1
    while high.count <= word { high.append(0) }
    high[word] |= 1 << UInt64(slot % 64)
  }
}
