// The values of a fetched object, read through typed keys as in an app, and hashed as they are stored.
internal import Foundation
internal import BatchmarkEngine
internal import CoreDataModel
internal import ObjectGraph

/// Reads every value of an entity's objects.
struct ObjectValues {
  /// One attribute: its typed key, or its name if values of its type are rare.
  fileprivate enum Field {
    case string(AttributeKey<String>)
    case integer(AttributeKey<Int64>)
    case boolean(AttributeKey<Bool>)
    case double(AttributeKey<Double>)
    case date(AttributeKey<Date>)
    case other(String, AttributeType)

    init(_ attribute: AttributeDescription) {
      let name = attribute.name
      self =
        switch attribute.type {
        case .string: .string(AttributeKey(name))
        case .int16, .int32, .int64: .integer(AttributeKey(name))
        case .boolean: .boolean(AttributeKey(name))
        case .double: .double(AttributeKey(name))
        case .date: .date(AttributeKey(name))
        case .float, .decimal, .binary, .uuid, .uri, .transformable: .other(name, attribute.type)
        }
    }
  }

  /// Sorted by attribute name, which is the order of hashing.
  let attributes: [AttributeDescription]
  fileprivate let fields: [Field]
  private let types: [AttributeType]

  init(of entity: EntityDescription) { self.init(of: entity.attributes) }

  /// The values of some attributes, sorted by name or in the given order.
  init(of attributes: [AttributeDescription], sorted isSorted: Bool = true) {
    self.attributes = isSorted ? attributes.sorted { $0.name < $1.name } : attributes
    fields = self.attributes.map(Field.init)
    types = self.attributes.map(\.type)
  }

  /// One of the values, by its position.
  func value(_ position: Int, of object: ManagedObject) -> AttributeValue { fields[position].value(of: object) }

  /// Reads and hashes each value of the object, which fires a fault.
  func hash(of object: ManagedObject) -> RowHash {
    var row = RowHash()
    for index in fields.indices { fields[index].add(object, to: &row) }
    return row
  }

  /// Hashes each value of a dictionary that was fetched with these attributes, in their order.
  func hash(of dictionary: DictionaryRow) -> RowHash {
    var row = RowHash()
    for (value, type) in zip(dictionary.values, types) { row.add(value, type: type) }
    return row
  }
}

extension ObjectValues.Field {
  fileprivate func value(of object: ManagedObject) -> AttributeValue {
    switch self {
    case .string(let key): object[key].map { .string($0) } ?? .null
    case .integer(let key): object[key].map { .integer($0) } ?? .null
    case .boolean(let key): object[key].map { .boolean($0) } ?? .null
    case .double(let key): object[key].map { .real($0) } ?? .null
    case .date(let key): object[key].map { .date($0) } ?? .null
    case .other(let name, _): object[name]
    }
  }

  @inline(__always)
  fileprivate func add(_ object: ManagedObject, to row: inout RowHash) {
    switch self {
    case .string(let key):
      if var text = object[key] { text.withUTF8 { row.add(text: UnsafeRawBufferPointer($0)) } } else { row.addNull() }
    case .integer(let key): if let number = object[key] { row.add(number) } else { row.addNull() }
    case .boolean(let key): if let isTrue = object[key] { row.add(isTrue ? 1 as Int64 : 0) } else { row.addNull() }
    case .double(let key): if let number = object[key] { row.add(number) } else { row.addNull() }
    case .date(let key):
      if let date = object[key] { row.add(date.timeIntervalSinceReferenceDate) } else { row.addNull() }
    case .other(let name, let type): row.add(object[name], type: type)
    }
  }
}
