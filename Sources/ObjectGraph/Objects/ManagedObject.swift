// An object in a context: its identity, its values, and its state since it was read.
public import CoreDataModel

/// An object of the graph.
///
/// It belongs to its context and may only be used on that context's queue; only its ``objectID`` crosses queues.
/// Subclasses override the callbacks; pass them to the coordinator to assign them to entities.
///
/// ```swift
/// final class Dog: ManagedObject {
///   static let nameKey = AttributeKey<String>("name")
///   var name: String? {
///     get { self[Dog.nameKey] }
///     set { self[Dog.nameKey] = newValue }
///   }
/// }
/// ```
open class ManagedObject {
  /// The state of an object between memory and store.
  enum State: UInt8 {
    /// In a context, but never saved.
    case inserted
    /// As last stored, plus changes.
    case stored
    /// The next save deletes it.
    case deletionPending
    /// Deleted from the store by others, or dropped by a save, a rollback, or its deletion before a save.
    case detached
    /// Deleted by a save of its context.
    case deleted
    /// Stored, but forgotten by its context, which was reset.
    case forgotten
    /// The one object that a batch insert passes to its handler for every row.
    case scratch
  }

  /// Identifies the object in other contexts and on other queues; temporary until the object is saved.
  ///
  /// ```swift
  /// let quakeID = quake.objectID
  /// try await container.performBackgroundTask { context in
  ///   try context.existingObject(with: quakeID)["place"] = "Nevada"
  ///   try context.save()
  /// }
  /// ```
  public final internal(set) var objectID: ManagedObjectID {
    get { ManagedObjectID(store: store, entityIndex: Int32(truncatingIfNeeded: layout.index), key: key) }
    set { (store, key) = (newValue.store, newValue.key) }
  }

  // The parts of the ID; the layout has the entity's index in the model.
  private final var store: StoreIdentity
  private final var key: Int64
  final let layout: EntityLayout
  // Every value that is set reads or writes these. An object is used on one queue and no user code runs while they are
  // written, so accesses cannot overlap, and checking each would cost a tenth of a batch insert.
  /// The values, shared with the row they were read from until one is changed; `nil` while the object is a fault.
  @exclusivity(unchecked) final var row: RowSnapshot?
  /// The row as it was last read or saved, kept from the first change on; `nil` if nothing was changed.
  @exclusivity(unchecked) final var committed: RowSnapshot?
  /// The values that were set since the object was last read or saved; for a new object, every value counts.
  @exclusivity(unchecked) final var changedSlots = SlotMask()
  /// The to-many relationships, once one was accessed, and the object's invalid assignments.
  @exclusivity(unchecked) final var links: ToManyLinks?
  /// The queue on which the object may be used; `nil` for the scratch object.
  final let owner: ContextQueue?
  // Small members are last and together, because every word counts with a hundred thousand objects. Exclusivity is
  // unchecked, because each object that is created or swept uses these: no access lasts longer than a read or a write.
  @exclusivity(unchecked) final var state: State
  /// Whether the object is in the context's list of changed objects.
  @exclusivity(unchecked) final var isListed = false
  /// Whether the object is in the context's map, and whether the row cache therefore keeps its row.
  @exclusivity(unchecked) final var isRegistered = false
  @exclusivity(unchecked) final var isRowCached = false
  /// What observers were last notified of about the object since it was read or saved.
  @exclusivity(unchecked) final var reported = Reported.nothing
  /// Whether to watch for writes while will-save callbacks run.
  @exclusivity(unchecked) final var watch = Watch.off
  /// Whether ``prepareForDeletion()`` is running.
  final var isBeingDeleted = false
  /// Whether ``awakeFromFetch()`` is running, in which setting a value is not a change.
  @exclusivity(unchecked) final var isAwaking = false

  /// What observers know about an object's unsaved changes.
  enum Reported: UInt8 {
    case nothing
    /// It was inserted or changed; the next change must be reported again.
    case changed
    /// It was inserted or changed, and the next notification will contain it once more.
    case changedSince
    case deleted
  }

  /// Whether a write happened between two rounds of will-save callbacks.
  enum Watch: UInt8 {
    case off, on, written
  }

  /// Only the library calls this: objects come from ``init(context:)``,
  /// ``ManagedObjectContext/insertNewObject(forEntityName:)`` and fetches.
  // This must stay the only designated initializer: with another one that is not public, classes in other modules would
  // not inherit the next one.
  public required init(_ seed: ObjectSeed) {
    store = seed.store
    key = seed.key
    layout = seed.layout
    row = seed.row.map(RowSnapshot.init(_:))
    state = seed.state
    owner = seed.owner
  }

  /// Creates a new object of the class's entity with its default values: `let dog = try Dog(context: context)`.
  ///
  /// ```swift
  /// let dog = try Dog(context: context)
  /// dog[Dog.name] = "Rex"
  /// try context.save()
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/wrongClass(found:expected:)`` if no entity of the coordinator has this class, or
  ///   several have it, ``ObjectGraphError/abstractEntity(_:)``.
  public convenience init(context: ManagedObjectContext) throws(ObjectGraphError) {
    context.queue.check()
    let layout = try context.persistentStoreCoordinator.layout(of: type(of: self))
    // The context, which is used below, retains the queue, the store of temporary IDs and the layout, which retains its
    // defaults.
    self.init(
      ObjectSeed(
        objectID: context.newID(layout), layout: layout, row: layout.defaults, state: .inserted, owner: context.queue))
    context.takeIn(self)
  }

  /// `nil` if the context was deallocated.
  final var context: ManagedObjectContext? { owner?.context }

  // MARK: Accessors

  /// The class's own value for a key, for ``value(forKey:)``, and for predicates and sort descriptors in memory if the
  /// entity has no such property; `nil` for other keys.
  ///
  /// The key may be an attribute's, which ``primitiveValue(forKey:)`` then reads. Fetches only see what is stored.
  ///
  /// ```swift
  /// final class Visit: ManagedObject {
  ///   override func accessorValue(forKey key: String) -> AttributeValue? {
  ///     guard key == "title", case .string(let name) = self["name"] else { return nil }
  ///     return .string("Visit of \(name)")
  ///   }
  /// }
  /// ```
  open func accessorValue(forKey key: String) -> AttributeValue? { nil }

  // MARK: Callbacks

  /// Called once in an object's life, when it is created with its default values.
  ///
  /// Values that it sets are saved with the object.
  ///
  /// ```swift
  /// final class Visit: ManagedObject {
  ///   override func awakeFromInsert() { self["begun"] = .date(Date()) }
  /// }
  /// ```
  open func awakeFromInsert() {}

  /// Called whenever a fault is filled.
  ///
  /// Attributes that it sets do not count as changes: like primitive values, they are saved with the object's next
  /// change.
  ///
  /// ```swift
  /// final class Visit: ManagedObject {
  ///   private(set) var initial: Character?
  ///   override func awakeFromFetch() {
  ///     if case .string(let name) = self["name"] { initial = name.first }
  ///   }
  /// }
  /// ```
  open func awakeFromFetch() {}

  /// Called before each save that would write the object, and again after it changed something.
  ///
  /// ```swift
  /// final class Visit: ManagedObject {
  ///   override func willSave() {
  ///     if hasPersistentChangedValues, self["isEdited"] != true { self["isEdited"] = true }
  ///   }
  /// }
  /// ```
  open func willSave() {}

  /// Called after each save that wrote the object.
  ///
  /// ```swift
  /// final class Visit: ManagedObject {
  ///   override func didSave() { print("stored \(objectID)") }
  /// }
  /// ```
  open func didSave() {}

  /// Called when the object is about to be deleted.
  ///
  /// Its relationships are unchanged, and ``isDeleted`` is true, so that objects that delete each other know when to
  /// stop.
  ///
  /// ```swift
  /// final class Photo: ManagedObject {
  ///   override func prepareForDeletion() {
  ///     if case .string(let path) = self["path"] { try? FileManager.default.removeItem(atPath: path) }
  ///   }
  /// }
  /// ```
  open func prepareForDeletion() {}

  /// Called before a new object is saved.
  ///
  /// An override must call `super`, which checks the model's rules.
  ///
  /// ```swift
  /// final class Visit: ManagedObject {
  ///   struct EndsTooSoon: Error {}
  ///   override func validateForInsert() throws {
  ///     try super.validateForInsert()
  ///     if case (.date(let begin), .date(let end)) = (self["begin"], self["end"]), end < begin { throw EndsTooSoon() }
  ///   }
  /// }
  /// ```
  open func validateForInsert() throws { try validateValues() }

  /// Called before a changed object is saved.
  ///
  /// An override must call `super`, which checks the model's rules.
  ///
  /// ```swift
  /// final class Invoice: ManagedObject {
  ///   struct IsSent: Error {}
  ///   override func validateForUpdate() throws {
  ///     try super.validateForUpdate()
  ///     if committedValues(forKeys: ["isSent"])["isSent"] == true { throw IsSent() }
  ///   }
  /// }
  /// ```
  open func validateForUpdate() throws { try validateValues() }

  /// Called before an object is deleted from the store.
  ///
  /// An override must call `super`, which checks the model's delete rules.
  ///
  /// ```swift
  /// final class Region: ManagedObject {
  ///   struct HasQuakes: Error {}
  ///   override func validateForDelete() throws {
  ///     try super.validateForDelete()
  ///     if try !objects(forKey: "quakes").isEmpty { throw HasQuakes() }
  ///   }
  /// }
  /// ```
  open func validateForDelete() throws { try validateDeletion() }
}

/// The data that a managed object is created from.
///
/// Only the library creates it, and only the object's initializer may use it.
///
/// ```swift
/// final class Dog: ManagedObject {
///   var barks: Int
///   required init(_ seed: ObjectSeed) {
///     barks = 0
///     super.init(seed)
///   }
/// }
/// ```
public struct ObjectSeed {
  // These are the parts of the ID and of the row, because the object's parts would be copied from whole values by way
  // of type information. They are unretained: whoever creates an object retains all of them until it exists, and
  // retaining them here took a twentieth of a fetch.
  unowned(unsafe) let store: StoreIdentity
  let key: Int64
  unowned(unsafe) let layout: EntityLayout
  unowned(unsafe) let row: RowSnapshot.Storage?
  let state: ManagedObject.State
  unowned(unsafe) let owner: ContextQueue?
}

extension ObjectSeed {
  @inline(__always)
  init(
    objectID: ManagedObjectID, layout: EntityLayout, row: RowSnapshot?, state: ManagedObject.State,
    owner: ContextQueue?
  ) {
    self.init(
      store: objectID.store, key: objectID.key, layout: layout, row: row?.storage, state: state, owner: owner)
  }
}

/// Objects are equal if they are identical: a context has one object for each row.
extension ManagedObject: Hashable {
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }
  public final func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
