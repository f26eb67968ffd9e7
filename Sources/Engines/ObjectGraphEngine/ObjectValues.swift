// The values of a fetched object, read through typed keys as an app reads them, and hashed as they are stored.
internal import Foundation
internal import BatchmarkEngine
internal import CoreDataModel
internal import ObjectGraph

/// Reads every value of an entity's objects.
struct ObjectValues {
  /// One attribute: its typed key, or its name where values of its type are rare.
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

  /// By the attributes' names, the order in which rows are hashed.
  fileprivate let fields: [Field]

  init(of entity: EntityDescription) { fields = entity.attributes.sorted { $0.name < $1.name }.map(Field.init) }

  /// Looks at each value of the object, which fills it where it is a fault.
  func hash(of object: ManagedObject) -> RowHash {
    var row = RowHash()
    for index in fields.indices { fields[index].add(object, to: &row) }
    return row
  }
}

extension ObjectValues.Field {
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
