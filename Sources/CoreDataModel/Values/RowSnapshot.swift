// The values of one row, shared between an object, the store's requests and the statement that binds them.
//
// What row loops of other modules call is public, so that it is inlined there: what is only `package` never is, whatever
// else it says (Experiments.md). It is not an API, and stays out of the documentation.

/// A row's slots in one allocation, with its version counter: a value with copy on write.
// Sendable by proof: storage is written only after it is known to be referenced once, by the value being changed.
@_documentation(visibility: internal)
public struct RowSnapshot: @unchecked Sendable {
  /// The number of slots and the version, in one word: a hundred thousand rows feel every word.
  public struct Header {
    @usableFromInline var bits: Int64

    /// At most 2^24 slots; a version beyond ±2^39, which no saves ever reach, becomes the nearest there is.
    ///
    /// No row is found by that, so a save of such a row fails.
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

  /// The snapshot whose storage that is.
  @inlinable public init(_ storage: Storage) { self.storage = storage }

  /// A snapshot with the given values.
  package init(_ values: [AttributeValue], version: Int64 = 0) {
    self.init(count: values.count, version: version) { slots in
      for (slot, value) in values.enumerated() { slots.initialize(slot, to: value) }
    }
  }

  /// A snapshot whose slots `initialize` fills, all of them.
  @inlinable public init(count: Int, version: Int64, initialize: (RowSlots) -> Void) {
    let buffer = Storage.create(minimumCapacity: RowSlots.words(for: count)) { _ in
      Header(count: count, version: version)
    }
    buffer.withUnsafeMutablePointerToElements { initialize(RowSlots($0, count: count)) }
    storage = unsafeDowncast(buffer, to: Storage.self)
  }

  // By pointer: a property of a class is checked for exclusive access each time.
  @inlinable public var count: Int { storage.withUnsafeMutablePointerToHeader { $0.pointee.count } }

  @inlinable public var version: Int64 {
    get { storage.withUnsafeMutablePointerToHeader { $0.pointee.version } }
    set {
      makeUnique()
      storage.header = Header(count: count, version: newValue)
    }
  }

  /// The value of a slot; slots come from the layout the snapshot was made for.
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

  /// Puts the other snapshot's values into this one, which is of the same layout, keeping this one's memory.
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

/// A set of slots, for which of an object's values changed.
///
/// The first 64 need no allocation.
@_documentation(visibility: internal)
public struct SlotMask: Equatable, Sendable {
  @usableFromInline package var low: UInt64 = 0
  @usableFromInline package var high: [UInt64] = []

  /// No slots.
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
