// The new rows of a save, read off the objects that wait for it: a list of rows would cost words for each of very many.
internal import CoreDataModel

/// A new row of a save.
struct NewRow {
  let layout: EntityLayout
  let snapshot: RowSnapshot
  /// The key of the object's temporary ID; above 0 the key that it is to be stored under.
  let temporaryKey: Int64

  var hasPermanentKey: Bool { temporaryKey > 0 }
}

/// The new rows of a save, in the order of their objects.
struct NewRows: RandomAccessCollection {
  private let objects: [ManagedObject]

  init(of objects: [ManagedObject]) { self.objects = objects }

  var startIndex: Int { objects.startIndex }
  var endIndex: Int { objects.endIndex }

  subscript(index: Int) -> NewRow {
    let object = objects[index]
    // A new object is no fault.
    return NewRow(
      layout: object.layout, snapshot: object.row ?? object.layout.defaults, temporaryKey: object.objectID.key)
  }

  /// The rows at these places.
  func selecting(_ places: [Int]) -> NewRows { NewRows(of: places.map { objects[$0] }) }
}
