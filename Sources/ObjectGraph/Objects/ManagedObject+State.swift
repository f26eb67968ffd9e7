// An object's state, and whether it changed since it was read or saved.
public import CoreDataModel

extension ManagedObject {
  /// The context of the object; `nil` once the object is deleted or forgotten.
  ///
  /// ```swift
  /// let context = quake.managedObjectContext
  /// context?.name = "editor"
  /// try context?.save()
  /// ```
  public final var managedObjectContext: ManagedObjectContext? { isGone ? nil : context }

  /// The description of the object's own entity, which may be a sub-entity of the fetched one.
  ///
  /// ```swift
  /// let names = quake.entity.attributes.map(\.name)
  /// let isUnique = !quake.entity.uniquenessConstraints.isEmpty
  /// ```
  public final var entity: EntityDescription { layout.entity }

  /// Whether the object was created in its context and not saved yet.
  ///
  /// ```swift
  /// let quake = try Quake(context: context)
  /// quake.isInserted  // true, until it is saved
  /// ```
  public final var isInserted: Bool { state == .inserted }
  /// Whether a stored object has unsaved changes.
  public final var isUpdated: Bool { state == .stored && isChanged }
  /// Whether the next save deletes the object, or its row is gone or was never stored.
  ///
  /// As in Core Data, it is false again once a save of its context has deleted the object.
  ///
  /// ```swift
  /// try context.delete(quake)
  /// quake.isDeleted  // true
  /// ```
  public final var isDeleted: Bool { state == .deletionPending || state == .detached || isBeingDeleted }
  /// Whether saving would write the object.
  ///
  /// ```swift
  /// quake[Quake.place] = "Reno, Nevada"
  /// if quake.hasChanges { try context.save() }
  /// ```
  public final var hasChanges: Bool { isInserted || isUpdated || state == .deletionPending }
  /// Whether the object's values have not been read yet; a fetch with ``FetchRequest/propertiesToFetch`` may have read
  /// some of them.
  ///
  /// ```swift
  /// try context.refresh(quake, mergeChanges: false)
  /// quake.isFault  // true, until a value is read
  /// ```
  public final var isFault: Bool { row == nil }

  /// Whether the object is no longer in its context.
  final var isGone: Bool { state == .detached || state == .deleted || state == .forgotten }

  /// Whether a stored property or a relationship differs from when it was last read or saved; for a new object, whether any
  /// was set.
  ///
  /// Unlike ``hasChanges``, it ignores transient attributes and values that were set to their former value: a save does
  /// not write objects without other changes.
  ///
  /// ```swift
  /// quake[Quake.place] = quake[Quake.place]
  /// quake.hasPersistentChangedValues  // false, though isUpdated is true
  /// ```
  public final var hasPersistentChangedValues: Bool {
    owner?.check()
    return hasChangesToStore
  }

  /// Like ``hasPersistentChangedValues``, without checking the queue.
  final var hasChangesToStore: Bool {
    if links?.isChanged == true { return true }
    if state == .inserted { return layout.columnOrder.contains(where: isSet) }
    if changedSlots.isEmpty { return false }
    return layout.columnOrder.contains { changedSlots.contains($0) && isOtherwise($0) }
  }

  /// Whether a value of a new object was set in any way.
  final func isSet(_ slot: Int) -> Bool {
    changedSlots.contains(slot) || row.map { !$0[slot].isStored(as: layout.defaults[slot]) } ?? false
  }

  /// Whether the value of a changed slot differs from the stored one.
  final func isOtherwise(_ slot: Int) -> Bool {
    guard let row, let committed else { return true }
    return !row[slot].isStored(as: committed[slot])
  }

  /// Stops counting slots as changed if their values equal the stored ones.
  ///
  /// Transient slots stay, because their earlier values are unknown.
  ///
  /// - Returns: Whether there is anything to store.
  final func forgetEqualValues() -> Bool {
    var isToStore = links?.isChanged == true
    var changes = SlotMask()
    for slot in layout.slots.indices where changedSlots.contains(slot) {
      let isTransient = layout.isTransient(slot)
      guard isTransient || isOtherwise(slot) else { continue }
      changes.insert(slot)
      if !isTransient { isToStore = true }
    }
    changedSlots = changes
    return isToStore
  }

  /// Whether anything was set since the object was last read or saved.
  final var isChanged: Bool { !changedSlots.isEmpty || invalidAssignment != nil || links?.isChanged == true }

  /// The values, which are read first if the object is a fault; `nil` if its row is gone.
  @inline(__always)
  final var values: RowSnapshot? { row ?? fulfil() }

  /// Reads the values of a fault.
  // If a row cannot be read now, a getter must neither crash nor treat the object as deleted: the object stays a fault,
  // and the save or the throwing accessor that needs the row reports the reason.
  @inline(never)
  private final func fulfil() -> RowSnapshot? { try? filled() }

  /// The values, which are read first if the object is a fault.
  ///
  /// - Throws: ``ObjectGraphError/missingObject(_:)`` if its row is gone, ``ObjectGraphError/store(_:during:)`` if it
  ///   cannot be read.
  final func filled() throws(ObjectGraphError) -> RowSnapshot {
    if let row { return row }
    guard state == .stored || state == .deletionPending, let context, let row = try context.fill(self) else {
      throw .missingObject(objectID)
    }
    if hasCallbacks { awake() }
    return self.row ?? row
  }

  /// Calls the class's own code after values were read.
  final func awake() {
    let wasAwaking = isAwaking
    isAwaking = true
    awakeFromFetch()
    isAwaking = wasAwaking
  }

  /// Drops the values, so that the next access reads them again.
  final func turnIntoFault() {
    row = nil
    if isRegistered { context?.registered.mayHaveFaults = true }
    links?.partial = nil
    committed = nil
    changedSlots = SlotMask()
    invalidAssignment = nil
    forgetStoredLinks()
  }

  /// Detaches a stored object from a context that is being reset: it stays a fault forever.
  final func forget() {
    detach(as: .forgotten)
    turnIntoFault()
  }

  /// Makes to-many relationships be read again on their next use.
  ///
  /// Their changes stay.
  final func forgetStoredLinks() {
    guard let links, state != .inserted else { return }
    for index in links.lists.indices { links.lists[index].forget() }
  }

  /// Detaches the object and removes its references to other objects, so that no two objects keep each other in memory.
  final func detach(as state: State) {
    self.state = state
    forgetLinkChanges()
    invalidAssignment = nil
  }

  /// Drops changes of to-many relationships.
  final func forgetLinkChanges() {
    guard let links else { return }
    for index in links.lists.indices {
      let stored = links.lists[index].stored
      links.lists[index] = ToManyList(stored: stored)
    }
  }

  /// Makes a stored row the object's own.
  final func become(_ objectID: ManagedObjectID, _ row: RowSnapshot) {
    self.objectID = objectID
    reported = .nothing
    state = .stored
    take(row)
  }

  /// Sets a stored row as its values, without changes.
  final func take(_ row: RowSnapshot) {
    self.row = row
    committed = nil
    changedSlots = SlotMask()
    invalidAssignment = nil
  }
}
