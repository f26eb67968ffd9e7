// Builds keyed archives object by object.
package import CoreDataModel

/// A keyed archive that is built object by object.
package struct ArchiveWriter {
  private var objects: [PropertyList] = [.string("$null")]
  private var classes: [[String]: PropertyList] = [:]

  package init() {}

  /// The archive's null object.
  package var nothing: PropertyList { .reference(0) }

  package mutating func add(_ value: PropertyList) -> PropertyList {
    objects.append(value)
    return .reference(objects.count - 1)
  }

  /// Adds an object of a class, which is listed with its superclasses.
  package mutating func add(_ classNames: [String], _ values: [String: PropertyList]) -> PropertyList {
    let place = reserve()
    fill(place, classNames, values)
    return place
  }

  /// Reserves the place of an object that is written later, so that other objects can refer to it already.
  package mutating func reserve() -> PropertyList { add(.dictionary([:])) }

  package mutating func fill(_ place: PropertyList, _ classNames: [String], _ values: [String: PropertyList]) {
    guard let index = place.reference else { return }
    objects[index] = .dictionary(values.merging(["$class": type(classNames)]) { $1 })
  }

  private mutating func type(_ names: [String]) -> PropertyList {
    if let known = classes[names] { return known }
    let type = add(
      .dictionary(["$classname": .string(names[0]), "$classes": .array(names.map { .string($0) })]))
    classes[names] = type
    return type
  }

  package mutating func array(_ elements: [PropertyList]) -> PropertyList {
    add(["NSArray", "NSObject"], ["NS.objects": .array(elements)])
  }

  package mutating func set(_ elements: [PropertyList]) -> PropertyList {
    add(["NSSet", "NSObject"], ["NS.objects": .array(elements)])
  }

  package mutating func dictionary(_ entries: [(String, PropertyList)]) -> PropertyList {
    let keys = entries.map { add(.string($0.0)) }
    return add(["NSDictionary", "NSObject"], ["NS.keys": .array(keys), "NS.objects": .array(entries.map(\.1))])
  }

  /// Adds a dictionary of Core Data's own class with a fixed set of keys.
  package mutating func knownKeysDictionary(_ entries: [(String, PropertyList)]) -> PropertyList {
    let keys = array(entries.map { add(.string($0.0)) })
    let mapping = add(
      ["NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy", "NSObject"],
      ["keys": keys, "length": .integer(Int64(entries.count)), "version": .integer(1)])
    return add(
      ["NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary", "NSObject"],
      [
        "searchMapping": mapping, "values": array(entries.map(\.1)), "version": .integer(1),
        "emptyToken": add(.string("__empty_slot_token_4c24_98dc_ac1e_b773__")),
      ])
  }

  package func bytes(root: PropertyList) -> [UInt8] {
    PropertyListWriter.bytes(
      .dictionary([
        "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$objects": .array(objects),
        "$top": .dictionary(["root": root]),
      ]))
  }
}
