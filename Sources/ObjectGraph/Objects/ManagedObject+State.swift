// An object's state: where it stands, and whether it changed since it was read or saved.
public import CoreDataModel

extension ManagedObject {
  /// The context the object lives in; nil once it is gone.
  ///
  /// ```swift
  /// let context = quake.managedObjectContext
  /// context?.name = "editor"
  /// try context?.save()
  /// ```
  public final var managedObjectContext: ManagedObjectContext? { isGone ? nil : context }

  /// The description of the object's own entity; a fetch may have named one that it inherits from.
  ///
  /// ```swift
  /// let names = quake.entity.attributes.map(\.name)
  /// let isUnique = !quake.entity.uniquenessConstraints.isEmpty
  /// ```
  public final var entity: EntityDescription { layout.entity }

  /// Whether the object was made in its context and not yet saved.
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
  /// As in Core Data it is false again once a save of its context has deleted the object.
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
  /// Whether the object's values are still to be read; a fetch with ``FetchRequest/propertiesToFetch`` may have
  /// read some of them.
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
  /// Unlike ``hasChanges`` it leaves out transient attributes, and values that were set to what they were: an object with
  /// no other changes is not written by a save.
  ///
  /// ```swift
  /// quake[Quake.place] = quake[Quake.place]
  /// quake.hasPersistentChangedValues  // false, though isUpdated is true
  /// ```
  public final var hasPersistentChangedValues: Bool {
    owner?.check()
    return hasChangesToStore
  }

  /// The same where the queue is known to be right.
  final var hasChangesToStore: Bool {
    if links?.isChanged == true { return true }
    if state == .inserted { return layout.columnOrder.contains(where: isSet) }
    if changedSlots.isEmpty { return false }
    return layout.columnOrder.contains { changedSlots.contains($0) && isOtherwise($0) }
  }

  /// Whether a value of a new object was set, by whatever way it came.
  final func isSet(_ slot: Int) -> Bool {
    changedSlots.contains(slot) || row.map { !$0[slot].isStored(as: layout.defaults[slot]) } ?? false
  }

  /// Whether the value of a slot that was set is another one than the store has.
  final func isOtherwise(_ slot: Int) -> Bool {
    guard let row, let committed else { return true }
    return !row[slot].isStored(as: committed[slot])
  }

  /// Stops counting slots as changed whose value equals the store's.
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

  /// Whether something was set since the object was last read or saved.
  final var isChanged: Bool { !changedSlots.isEmpty || invalidAssignment != nil || links?.isChanged == true }

  /// The values, read first when the object is a fault; nil when its row is gone.
  @inline(__always)
  final var values: RowSnapshot? { row ?? fulfil() }

  /// Reads the values of a fault.
  // A row that cannot be read now is not a reason to crash a getter, nor to take the object for deleted: it stays empty, and
  // the save or the throwing accessor that needs the row says why.
  @inline(never)
  private final func fulfil() -> RowSnapshot? { try? filled() }

  /// The values, read first when the object is a fault.
  ///
  /// - Throws: ``ObjectGraphError/missingObject(_:)`` when its row is gone, ``ObjectGraphError/store(_:during:)`` when it
  ///   cannot be read.
  final func filled() throws(ObjectGraphError) -> RowSnapshot {
    if let row { return row }
    guard state == .stored || state == .deletionPending, let context, let row = try context.fill(self) else {
      throw .missingObject(objectID)
    }
    if hasCallbacks { awake() }
    return self.row ?? row
  }

  /// Calls the class's own code for values that were read.
  final func awake() {
    let wasAwaking = isAwaking
    isAwaking = true
    awakeFromFetch()
    isAwaking = wasAwaking
  }

  /// Drops the values, so that the next look reads them again.
  final func turnIntoFault() {
    row = nil
    if isRegistered { context?.registered.mayHaveFaults = true }
    links?.partial = nil
    committed = nil
    changedSlots = SlotMask()
    invalidAssignment = nil
    forgetStoredLinks()
  }

  /// Ends the object of a stored row in a context that is reset: it is a fault for good.
  final func forget() {
    detach(as: .forgotten)
    turnIntoFault()
  }

  /// Makes to-many relationships be read again when they are next used.
  ///
  /// Their changes stay.
  final func forgetStoredLinks() {
    guard let links, state != .inserted else { return }
    for index in links.lists.indices { links.lists[index].forget() }
  }

  /// Ends the object: it refers to no other object any more, so that no two keep each other in memory.
  final func detach(as state: State) {
    self.state = state
    forgetLinkChanges()
    invalidAssignment = nil
  }

  /// Drops what was changed in to-many relationships.
  final func forgetLinkChanges() {
    guard let links else { return }
    for index in links.lists.indices {
      let stored = links.lists[index].stored
      links.lists[index] = ToManyList(stored: stored)
    }
  }

  /// Takes a row of the store as the object's own.
  final func become(_ objectID: ManagedObjectID, _ row: RowSnapshot) {
    self.objectID = objectID
    reported = .nothing
    state = .stored
    take(row)
  }

  /// Takes a row of the store as its values, without changes.
  final func take(_ row: RowSnapshot) {
    self.row = row
    committed = nil
    changedSlots = SlotMask()
    invalidAssignment = nil
  }
}
