// An object in a context: its identity, its values, and its state since it was read.
public import CoreDataModel

/// An object of the graph.
///
/// It belongs to its context and is used on that context's queue alone; what crosses queues is its ``objectID``.
/// Subclasses override the callbacks; they are named for entities when the coordinator is made.
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
  /// Where an object stands between memory and store.
  enum State: UInt8 {
    /// In a context, never saved.
    case inserted
    /// As the store last had it, plus changes.
    case stored
    /// The next save deletes it.
    case deletionPending
    /// Deleted from the store by others, or dropped by a save, a rollback, or its deletion before a save.
    case detached
    /// Deleted by a save of its context.
    case deleted
    /// Stored, and forgotten by its context, which was reset.
    case forgotten
    /// The one object a batch insert hands to its handler again and again.
    case scratch
  }

  /// Names the object for other contexts and queues; temporary until it is saved.
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

  // The parts of the ID: the entity's place in the model is the layout's.
  private final var store: StoreIdentity
  private final var key: Int64
  final let layout: EntityLayout
  // These are written or asked for with every value that is set. An object is used on one queue and nothing of a user's
  // runs while they are written, so no two accesses can meet, and checking each would cost a tenth of a batch insert.
  /// The values, shared with the row they were read from until one is changed; nil while the object is a fault.
  @exclusivity(unchecked) final var row: RowSnapshot?
  /// The row as it was last read or saved, kept from the first change on; nil while nothing was changed.
  @exclusivity(unchecked) final var committed: RowSnapshot?
  /// Which values were set since the object was last read or saved; for a new object every value counts.
  @exclusivity(unchecked) final var changedSlots = SlotMask()
  /// The to-many relationships, once one was looked at or changed, and the object's invalid assignments.
  @exclusivity(unchecked) final var links: ToManyLinks?
  /// Whose queue the object may be used on; nil for the scratch object.
  final let owner: ContextQueue?
  // Small members last and together: a hundred thousand objects feel every word. Unchecked, because each object that is made
  // or swept asks: no access to these lasts longer than reading or writing them.
  @exclusivity(unchecked) final var state: State
  /// Whether the context's list of changed objects has the object.
  @exclusivity(unchecked) final var isListed = false
  /// Whether the context's map has the object, and whether the row cache keeps its row because of that.
  @exclusivity(unchecked) final var isRegistered = false
  @exclusivity(unchecked) final var isRowCached = false
  /// What observers were last notified of about the object since it was read or saved.
  @exclusivity(unchecked) final var reported = Reported.nothing
  /// Whether a write is looked out for while will-save callbacks run.
  @exclusivity(unchecked) final var watch = Watch.off
  /// Whether ``prepareForDeletion()`` is being called.
  final var isBeingDeleted = false
  /// Whether ``awakeFromFetch()`` is being called, in which what is set is not a change.
  @exclusivity(unchecked) final var isAwaking = false

  /// What observers know of an object's unsaved changes.
  enum Reported: UInt8 {
    case nothing
    /// That it was inserted or changed; the next change is news again.
    case changed
    /// The same, and the next news will have the object once more.
    case changedSince
    case deleted
  }

  /// Whether a write was seen between two rounds of will-save callbacks.
  enum Watch: UInt8 {
    case off, on, written
  }

  /// Called by the library alone: objects come from ``init(context:)``,
  /// ``ManagedObjectContext/insertNewObject(forEntityName:)`` and fetches.
  // The only initializer of its kind: with another that is not public, classes elsewhere would not inherit the next one.
  public required init(_ seed: ObjectSeed) {
    store = seed.store
    key = seed.key
    layout = seed.layout
    row = seed.row.map(RowSnapshot.init(_:))
    state = seed.state
    owner = seed.owner
  }

  /// Makes a new object in the context, with its defaults set, of the entity whose class this is:
  /// `let dog = try Dog(context: context)`.
  ///
  /// ```swift
  /// let dog = try Dog(context: context)
  /// dog[Dog.name] = "Rex"
  /// try context.save()
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/wrongClass(found:expected:)`` when the coordinator knows the class of no entity, or of
  ///   several, ``ObjectGraphError/abstractEntity(_:)``.
  public convenience init(context: ManagedObjectContext) throws(ObjectGraphError) {
    context.queue.check()
    let layout = try context.persistentStoreCoordinator.layout(of: type(of: self))
    // The context, which is used below, holds the queue, the store of temporary IDs and the layout, and that its defaults.
    self.init(
      ObjectSeed(
        objectID: context.newID(layout), layout: layout, row: layout.defaults, state: .inserted, owner: context.queue))
    context.takeIn(self)
  }

  /// Nil when the context is gone.
  final var context: ManagedObjectContext? { owner?.context }

  // MARK: Accessors

  /// What the class itself answers for a key: for ``value(forKey:)``, and for predicates and orders in memory where the
  /// entity has no such property; nil for every other key.
  ///
  /// The key may be an attribute's, which ``primitiveValue(forKey:)`` then reads. A fetch knows what is stored and nothing of
  /// this.
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

  /// Called once in an object's life, when it is made; its defaults are set.
  ///
  /// What it sets is saved with the object.
  ///
  /// ```swift
  /// final class Visit: ManagedObject {
  ///   override func awakeFromInsert() { self["begun"] = .date(Date()) }
  /// }
  /// ```
  open func awakeFromInsert() {}

  /// Called whenever a fault is filled.
  ///
  /// The attributes it sets are not changes: like primitive values, they are saved with the object's next change.
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

  /// Called before each save that would write the object, again after it dirtied something.
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

  /// Called when the object is about to be deleted: its relationships are as they were, and ``isDeleted`` is true, so that
  /// objects that delete each other know when to stop.
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
  /// An override calls `super`, which checks the model's rules.
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
  /// An override calls `super`, which checks the model's rules.
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
  /// An override calls `super`, which checks the model's delete rules.
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

/// What a managed object is made from; only the library makes one, for one object, and only that object's initializer may
/// use it.
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
  // The parts of the ID and of the row: out of whole ones, what the object keeps is copied by way of type information.
  // Not counted, because whoever makes an object holds all of them until it is made: counting them here as well took a
  // twentieth of a fetch.
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

/// Objects are equal when they are the same one: in a context there is one for each row.
extension ManagedObject: Hashable {
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }
  public final func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
