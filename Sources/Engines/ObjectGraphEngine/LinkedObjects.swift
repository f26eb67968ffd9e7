// The objects at the other end of a link, by name, as in a program that relates many objects to a few.
internal import ObjectGraph
internal import BatchmarkEngine

/// The destination objects that a context has made or found, by name.
///
/// Use it only on its context's queue.
final class LinkedObjects {
  private let link: Link
  private let name: AttributeKey<String>
  private let destinationName: AttributeKey<String>
  private var objects: [TextKey: ManagedObject] = [:]
  /// The IDs of stored objects, for when the context no longer holds them.
  private var stored: [TextKey: ManagedObjectID] = [:]

  init(_ link: Link) {
    self.link = link
    name = AttributeKey(link.attribute)
    destinationName = AttributeKey(link.destinationAttribute)
  }

  /// Links an object to the one that its attribute names, which is created if there is none; an object without a name
  /// is not linked.
  func link(_ object: ManagedObject, in context: ManagedObjectContext) throws {
    guard let value = object[name] else { return }
    try object.setObject(destination(named: TextKey(value), in: context), forKey: link.relationship)
  }

  func findStored(in context: ManagedObjectContext) throws {
    for object in try context.fetch(FetchRequest(entityName: link.destinationEntityName)) {
      if let value = object[destinationName] { objects[TextKey(value)] = object }
    }
  }

  /// Keeps only the IDs of the objects, between a save and the end of the context or of its objects.
  func release() {
    for (value, object) in objects { stored[value] = object.objectID }
    objects = [:]
  }

  private func destination(named value: TextKey, in context: ManagedObjectContext) throws -> ManagedObject {
    if let object = objects[value] { return object }
    let object: ManagedObject
    if let objectID = stored[value] {
      object = try context.object(with: objectID)
    } else {
      object = try context.insertNewObject(forEntityName: link.destinationEntityName)
      object[destinationName] = value.text
    }
    objects[value] = object
    return object
  }
}
