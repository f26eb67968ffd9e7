// Where the rows of a batch insert come from: an array of dictionaries, a handler of dictionaries, a handler of objects.
internal import CoreDataModel

/// Gives the rows of a batch insert one by one, in the same memory.
protocol BatchRowSource {
  /// Whether the last row was given.
  var isAtEnd: Bool { get }
  /// The row that was given last; what it was not given has its default.
  var row: RowSnapshot { get }
  /// The attributes that it was given.
  var given: SlotMask { get }

  /// Takes the next row.
  ///
  /// - Parameters:
  ///   - number: The row's number in errors, counted from 1.
  ///   - stages: Receives the stages.
  /// - Returns: False if there are no more rows.
  /// - Throws: ``ObjectGraphError`` for keys and values that do not fit the entity.
  mutating func next(number: Int, _ stages: some BatchInsertStages) throws(ObjectGraphError) -> Bool
  /// The row was stored.
  mutating func clear(_ stages: some BatchInsertStages)
  /// The transaction has its rows: what the next ones need can be made again.
  mutating func release()
}

extension BatchRowSource {
  func release() {}
}

/// One row a dictionary of an array.
struct DictionaryArrayRows<Row: Sequence<NamedValue>>: BatchRowSource {
  private let dictionaries: [Row]
  private let layout: EntityLayout
  private var position = 0
  /// The one row, reused; its slots are bound straight to the statement.
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

/// Offers a handler one dictionary again and again.
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

/// Offers a handler one object again and again; should the handler keep it, it sees later rows in it.
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
  /// Puts the values of a dictionary into the row, converted to the attributes' types; the others get their defaults.
  ///
  /// - Parameters:
  ///   - dictionary: The values.
  ///   - layout: The row's entity.
  ///   - number: Which row it is, as errors say it.
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
  /// The slots of the attributes that a dictionary names.
  fileprivate func slots(of dictionary: some Sequence<NamedValue>) -> SlotMask {
    var slots = SlotMask()
    for (key, _) in dictionary { if let slot = slot(named: key) { slots.insert(slot) } }
    return slots
  }

  /// Why a row cannot be given a value under the key.
  fileprivate func refusedKey(_ key: String, row: Int) -> ObjectGraphError {
    isRelationship(key)
      ? .relationshipInBatch(entity: entity.name, key: key, row: row) : unknownAttribute(key, row: row)
  }

  /// Why what a handler set on the object cannot be stored.
  fileprivate func refused(_ invalidAssignment: InvalidAssignment, row: Int) -> ObjectGraphError {
    slot(named: invalidAssignment.key) == nil || isRelationship(invalidAssignment.key)
      ? refusedKey(invalidAssignment.key, row: row)
      : .wrongType(
        entity: entity.name, key: invalidAssignment.key, found: invalidAssignment.found,
        expected: invalidAssignment.expected, row: row)
  }
}
