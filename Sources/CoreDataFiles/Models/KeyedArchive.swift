// Reads keyed archives, the format in which Core Data stores a model: objects that refer to each other by number.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The objects of a keyed archive.
struct KeyedArchive: Sendable {
  /// An object: its class, and its values by key.
  struct Object: Sendable {
    /// Its index in the archive.
    let index: Int
    /// Its class, followed by the superclasses.
    let classNames: [String]
    let values: [String: PropertyList]

    var className: String { classNames.first ?? "" }

    func isKind(of className: String) -> Bool { classNames.contains(className) }
  }

  /// Limits for the lookups of each object that names a class or a set.
  private static let mostClasses = 16
  private static let mostNumbered = 1_000

  private let objects: [PropertyList]
  private let root: PropertyList

  /// - Throws: ``MalformedContent`` if the property list is not a keyed archive.
  init(_ list: PropertyList) throws(MalformedContent) {
    guard let objects = list["$objects"]?.elements, let root = list["$top"]?["root"], root.reference != nil else {
      throw MalformedContent(found: "another property list", expected: "a keyed archive, with $top and $objects")
    }
    self.objects = objects
    self.root = root
  }

  func rootObject() throws(MalformedContent) -> Object { try object(root, "the archive's root") }

  /// The object of a reference, or the value itself if it is not a reference.
  ///
  /// `nil` for no value, the archive's null object, and a reference to nothing or to another reference.
  func resolved(_ value: PropertyList?) -> PropertyList? {
    guard case .reference(let index) = value else { return value }
    guard index > 0, objects.indices.contains(index), objects[index].reference == nil else { return nil }
    return objects[index]
  }

  func object(_ value: PropertyList?) -> Object? {
    guard let index = value?.reference, let values = resolved(value)?.entries, let type = resolved(values["$class"])
    else { return nil }
    let ancestors = type["$classes"]?.elements?.prefix(KeyedArchive.mostClasses).compactMap(\.string) ?? []
    return Object(
      index: index, classNames: ancestors.isEmpty ? [type["$classname"]?.string].compactMap(\.self) : ancestors,
      values: values)
  }

  /// The object of a required reference.
  ///
  /// Errors contain the name, which is a noun phrase.
  func object(_ value: PropertyList?, _ name: @autoclosure () -> String) throws(MalformedContent) -> Object {
    if let object = object(value) { return object }
    throw MalformedContent(
      found: "an archive in which \(name()) is \(resolved(value)?.kind ?? "nothing")", expected: "an object")
  }

  /// A string, or an archived string object.
  func string(_ value: PropertyList?) -> String? {
    if let text = resolved(value)?.string { return text }
    guard let object = object(value), object.isKind(of: "NSString") else { return nil }
    if let data = resolved(object.values["NS.bytes"])?.data { return String(data: data, encoding: .utf8) }
    return resolved(object.values["NS.string"])?.string
  }

  /// The elements of an archived array or set, unresolved; `nil` for anything else.
  func elements(_ value: PropertyList?) -> [PropertyList]? {
    if let elements = resolved(value)?.elements { return elements }
    guard let object = object(value) else { return nil }
    if let elements = object.values["NS.objects"]?.elements { return elements }
    return numbered("NS.object.", object)
  }

  /// The keys and unresolved values of an archived dictionary, including the kind that models use; `nil` for anything
  /// else.
  func entries(_ value: PropertyList?) -> [(key: String, value: PropertyList)]? {
    guard let object = object(value) else { return nil }
    let keys: [PropertyList]?
    let values: [PropertyList]?
    if let mapping = self.object(object.values["searchMapping"]) {
      keys = elements(mapping.values["keys"])
      values = elements(object.values["values"])
    } else {
      keys = object.values["NS.keys"]?.elements ?? numbered("NS.key.", object)
      values = object.values["NS.objects"]?.elements ?? numbered("NS.object.", object)
    }
    guard let keys, let values, keys.count == values.count else { return nil }
    var entries: [(key: String, value: PropertyList)] = []
    for (key, value) in zip(keys, values) {
      // In a dictionary with fixed keys, a token marks a key without a value.
      if let token = object.values["emptyToken"], value == token { continue }
      guard let name = string(key) else { return nil }
      entries.append((name, value))
    }
    return entries
  }

  /// The values of the keys `prefix` with 0, 1 and so on, the older way to archive several; `nil` if there are none.
  private func numbered(_ prefix: String, _ object: Object) -> [PropertyList]? {
    var values: [PropertyList] = []
    while values.count < KeyedArchive.mostNumbered, let value = object.values["\(prefix)\(values.count)"] {
      values.append(value)
    }
    return values.isEmpty && !object.classNames.contains { $0 == "NSArray" || $0 == "NSSet" } ? nil : values
  }
}
