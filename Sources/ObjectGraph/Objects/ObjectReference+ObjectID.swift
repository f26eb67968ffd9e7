// References of rows and the IDs of objects, one made of the other.
internal import CoreDataModel

extension ObjectReference {
  init(_ objectID: ManagedObjectID) {
    self.init(key: objectID.key, entityIndex: objectID.entityIndex)
  }

  /// Whether both name the same object, wherever it stands among others.
  func leadsTo(_ objectID: ManagedObjectID) -> Bool { key == objectID.key && entityIndex == objectID.entityIndex }
}
