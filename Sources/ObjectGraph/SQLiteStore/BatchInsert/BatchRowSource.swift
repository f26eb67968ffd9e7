// The sources of a batch insert's rows: an array of dictionaries, a handler for dictionaries, a handler for objects.
internal import CoreDataModel

/// Provides the rows of a batch insert one by one, in the same memory.
protocol BatchRowSource {
  /// Whether the last row was provided.
  var isAtEnd: Bool { get }
  /// The current row; attributes that were not given have their defaults.
  var row: RowSnapshot { get }
  /// The attributes that the row was given.
  var given: SlotMask { get }

  /// Moves to the next row.
  ///
  /// - Parameters:
  ///   - number: The row's number for errors, counted from 1.
  ///   - stages: Receives the stages.
  /// - Returns: False if there are no more rows.
  /// - Throws: ``ObjectGraphError`` for keys and values that do not fit the entity.
  mutating func next(number: Int, _ stages: some BatchInsertStages) throws(ObjectGraphError) -> Bool
  /// Called after the row was stored.
  mutating func clear(_ stages: some BatchInsertStages)
  /// Called when the transaction has all of its rows; the source may rebuild what the next rows need.
  mutating func release()
}

extension BatchRowSource {
  func release() {}
}

/// Takes each row from a dictionary in an array.
struct DictionaryArrayRows<Row: Sequence<NamedValue>>: BatchRowSource {
  private let dictionaries: [Row]
  private let layout: EntityLayout
  private var position = 0
  /// The one row, reused; its slots are bound directly to the statement.
  private(set) var row: RowSnapshot

  init(_ dictionaries: [Row], of layout: EntityLayout) {
    self.dictionaries = dictionaries
    self.layout = layout
    row = layout.defaults
  }

  var isAtEnd: Bool { position == dictionaries.count }
  var given: SlotMask { layout.slots(of: dictionaries[position - 1]) }

  mutating func next(number: Int, _ stages: some BatchInsertStages) throws(ObjectGraphError) -> Bool {
    if isAtEnd { return false }
    stages.began(.conversion)
    try row.assign(dictionaries[position], of: layout, number: number)
    position += 1
    return true
  }

  func clear(_ stages: some BatchInsertStages) {}
}

/// Passes the same dictionary to a handler for every row.
struct DictionaryHandlerRows: BatchRowSource {
  private let handler: BatchInsertRequest.DictionaryHandler
  private let layout: EntityLayout
  private var dictionary: [String: AttributeValue] = [:]
  private(set) var row: RowSnapshot
  private(set) var isAtEnd = false

  init(_ handler: @escaping BatchInsertRequest.DictionaryHandler, of layout: EntityLayout) {
    self.handler = handler
    self.layout = layout
    row = layout.defaults
  }

  var given: SlotMask { layout.slots(of: dictionary) }

  mutating func next(number: Int, _ stages: some BatchInsertStages) throws(ObjectGraphError) -> Bool {
    stages.began(.handler)
    isAtEnd = handler(&dictionary)
    if isAtEnd { return false }
    stages.began(.conversion)
    try row.assign(dictionary, of: layout, number: number)
    return true
  }

  mutating func clear(_ stages: some BatchInsertStages) {
    stages.began(.conversion)
    dictionary.removeAll(keepingCapacity: true)
  }

  mutating func release() { dictionary = [:] }
}

/// Passes the same object to a handler for every row; a handler that keeps it would see later rows in it.
struct ManagedObjectHandlerRows: BatchRowSource {
  private let handler: BatchInsertRequest.ManagedObjectHandler
  private let object: ManagedObject
  private(set) var isAtEnd = false

  init(_ handler: @escaping BatchInsertRequest.ManagedObjectHandler, _ object: ManagedObject) {
    self.handler = handler
    self.object = object
  }

  var row: RowSnapshot { object.row ?? object.layout.defaults }
  var given: SlotMask { object.changedSlots }

  mutating func next(number: Int, _ stages: some BatchInsertStages) throws(ObjectGraphError) -> Bool {
    stages.began(.handler)
    isAtEnd = handler(object)
    if isAtEnd { return false }
    stages.began(.conversion)
    if let invalidAssignment = object.invalidAssignment { throw object.layout.refused(invalidAssignment, row: number) }
    return true
  }

  func clear(_ stages: some BatchInsertStages) {
    stages.began(.conversion)
    object.row?.assign(from: object.layout.defaults)
    object.changedSlots = SlotMask()
  }
}

/// A value of a dictionary with its name.
typealias NamedValue = (key: String, value: AttributeValue)

extension RowSnapshot {
  /// Sets the values of a dictionary in the row, converted to the attributes' types; other attributes get their
  /// defaults.
  ///
  /// - Parameters:
  ///   - dictionary: The values.
  ///   - layout: The row's entity.
  ///   - number: The row's number for errors.
  /// - Throws: ``ObjectGraphError`` for keys and values that do not fit the entity.
  fileprivate mutating func assign(
    _ dictionary: some Sequence<NamedValue>, of layout: EntityLayout, number: Int
  ) throws(ObjectGraphError) {
    assign(from: layout.defaults)
    for (key, value) in dictionary {
      guard let slot = layout.slot(named: key), !layout.isToOne(slot) else {
        throw layout.refusedKey(key, row: number)
      }
      let type = layout.types[slot]
      if value.isOfKind(type) {
        self[slot] = value
      } else if let conformed = value.conformed(to: type) {
        self[slot] = conformed
      } else {
        throw layout.wrongType(value, slot: slot, row: number)
      }
    }
  }
}

extension EntityLayout {
  /// The slots of the attributes in a dictionary.
  fileprivate func slots(of dictionary: some Sequence<NamedValue>) -> SlotMask {
    var slots = SlotMask()
    for (key, _) in dictionary { if let slot = slot(named: key) { slots.insert(slot) } }
    return slots
  }

  /// Why a row cannot have a value for the key.
  fileprivate func refusedKey(_ key: String, row: Int) -> ObjectGraphError {
    isRelationship(key)
      ? .relationshipInBatch(entity: entity.name, key: key, row: row) : unknownAttribute(key, row: row)
  }

  /// Why a value that a handler set on the object cannot be stored.
  fileprivate func refused(_ invalidAssignment: InvalidAssignment, row: Int) -> ObjectGraphError {
    slot(named: invalidAssignment.key) == nil || isRelationship(invalidAssignment.key)
      ? refusedKey(invalidAssignment.key, row: row)
      : .wrongType(
        entity: entity.name, key: invalidAssignment.key, found: invalidAssignment.found,
        expected: invalidAssignment.expected, row: row)
  }
}
