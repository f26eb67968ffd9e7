// A conflict between an object's changes and changes stored by others, and the ways to resolve it.
public import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Another context or process changed or deleted a row after the object read it.
///
/// It is found either in the row cache, before any SQL (`persistedSnapshot` is `nil`), or in the database, by the
/// version of the row (`cachedSnapshot` is what the cache had).
///
/// ```swift
/// if case .optimisticLocking(let conflicts) = error {
///   for conflict in conflicts where conflict.newVersion == 0 { print("\(conflict.objectID) was deleted") }
/// }
/// ```
public struct MergeConflict: Sendable, Hashable, CustomStringConvertible {
  /// The object that the save should store.
  public let objectID: ManagedObjectID
  /// The values that the object last read.
  public let objectSnapshot: [String: AttributeValue]
  /// The object's unsaved values that differ from ``objectSnapshot``; empty for an object that the save deletes.
  public let changedValues: [String: AttributeValue]
  /// The row in the cache; `nil` if it had no such row.
  public let cachedSnapshot: [String: AttributeValue]?
  /// The row in the store; `nil` if the conflict was found in the cache or the row is gone.
  public let persistedSnapshot: [String: AttributeValue]?
  /// The version (`Z_OPT`) of the row that the object read.
  public let oldVersion: Int
  /// The version in the store; 0 if the row is gone.
  public let newVersion: Int

  public var description: String {
    newVersion == 0
      ? "\(objectID), read in version \(oldVersion), was deleted by another writer"
      : "\(objectID), read in version \(oldVersion), was changed to version \(newVersion) by another writer"
  }
}

/// How to resolve a conflict.
///
/// ```swift
/// let highest = MergePolicy(mergeType: .error) { conflict in
///   guard case .integer(let stored)? = (conflict.persistedSnapshot ?? conflict.cachedSnapshot)?["felt"],
///     case .integer(let mine)? = conflict.changedValues["felt"]
///   else { return .storeTrumps }
///   return .values(["felt": .integer(max(stored, mine))])
/// }
/// ```
public enum MergeResolution: Sendable, Hashable {
  /// The save fails.
  case fail
  /// Property by property: the store's changes win, other local changes stay.
  case storeTrumps
  /// Property by property: local changes win, other changes in the store stay.
  case objectTrumps
  /// The whole local object is written, including unchanged properties.
  case overwrite
  /// The local changes are discarded.
  case rollback
  /// These values are written over the store's.
  ///
  /// A to-one relationship accepts null, or its value in a snapshot of the conflict. Other values that do not fit their
  /// property, and unknown keys, have no effect.
  case values([String: AttributeValue])
}

extension MergePolicy {
  /// The policy's resolution of a conflict.
  func resolution(of conflict: MergeConflict) -> MergeResolution {
    if let resolver { return resolver.resolve(conflict) }
    return switch mergeType {
    case .error: .fail
    case .storeTrump: .storeTrumps
    case .objectTrump: .objectTrumps
    case .overwrite: .overwrite
    case .rollback: .rollback
    }
  }
}

/// A conflict that was found: the object, and the row that it conflicts with.
struct FoundConflict {
  let object: ManagedObject
  /// The row as it is stored now; `nil` if it was deleted.
  let external: RowSnapshot?
  let isInDatabase: Bool

  /// The conflict in the form that users see.
  func described(cached: RowSnapshot?) -> MergeConflict {
    let layout = object.layout
    let original = object.committed ?? object.row
    return MergeConflict(
      objectID: object.objectID, objectSnapshot: original.map(layout.dictionary) ?? [:],
      changedValues: object.unsavedValues,
      cachedSnapshot: (isInDatabase ? cached : external).map(layout.dictionary),
      persistedSnapshot: isInDatabase ? external.map(layout.dictionary) : nil,
      oldVersion: Int(original?.version ?? 0), newVersion: Int(external?.version ?? 0))
  }
}

extension EntityLayout {
  /// The row's stored values by name.
  func dictionary(_ row: RowSnapshot) -> [String: AttributeValue] {
    Dictionary(uniqueKeysWithValues: columnOrder.map { (slots[$0].name, row[$0]) })
  }
}

extension ManagedObject {
  /// The values of stored properties that the next save would write, by name.
  fileprivate final var unsavedValues: [String: AttributeValue] {
    guard state == .stored, let row else { return [:] }
    var values: [String: AttributeValue] = [:]
    for slot in layout.columnOrder where changedSlots.contains(slot) && isOtherwise(slot) {
      values[layout.slots[slot].name] = row[slot]
    }
    return values
  }

  /// Makes the external row the new base, with local changes on top according to the resolution.
  ///
  /// Afterwards the object has the row's version, and a save without further conflicts succeeds.
  ///
  /// - Returns: Whether the object still has anything to save.
  final func resolve(with external: RowSnapshot, _ resolution: MergeResolution) -> Bool {
    guard let local = row else { return false }
    let base = committed ?? local
    var merged = external
    var changes = SlotMask()
    for slot in 0..<layout.slotCount {
      let isLocal = changedSlots.contains(slot) && (layout.isTransient(slot) || isOtherwise(slot))
      let keepsLocal: Bool
      switch resolution {
      case .storeTrumps:
        keepsLocal = isLocal && (layout.isTransient(slot) || external[slot].isStored(as: base[slot].readBack))
      case .objectTrumps: keepsLocal = isLocal
      case .overwrite: keepsLocal = true
      case .rollback, .fail, .values: keepsLocal = false
      }
      if keepsLocal && !local[slot].isStored(as: external[slot]) {
        merged[slot] = local[slot]
        changes.insert(slot)
      }
    }
    if case .values(let values) = resolution {
      for (key, value) in values {
        guard let slot = layout.slot(named: key), let value = fitting(value, slot, among: [local, base, external])
        else {
          continue
        }
        merged[slot] = value
        changes.insert(slot)
      }
    }
    committed = changes.isEmpty ? nil : external
    row = merged
    changedSlots = changes
    return !changes.isEmpty
  }

  /// A policy's value converted for the slot; `nil` if it does not fit.
  ///
  /// A to-one relationship accepts its destination in one of the rows, or none.
  private final func fitting(_ value: AttributeValue, _ slot: Int, among rows: [RowSnapshot]) -> AttributeValue? {
    guard layout.isToOne(slot) else { return value.conformed(to: layout.types[slot]) }
    return value.isNull || rows.contains { $0[slot] == value } ? value : nil
  }
}

extension AttributeValue {
  /// The value as a store would return it: decimals of up to 15 digits, and null for NaN.
  fileprivate var readBack: AttributeValue {
    if isStoredAsNull { return .null }
    guard case .decimal(let decimal) = self else { return self }
    return Double(decimal.description).flatMap { Decimal(stored: $0) }.map { .decimal($0) } ?? .null
  }
}
