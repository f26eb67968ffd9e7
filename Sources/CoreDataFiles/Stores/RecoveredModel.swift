// A model as a file of Core Data's tells it, with what the file leaves open.
public import CoreDataModel

/// A model read out of a model file or a store.
public struct RecoveredModel: Sendable {
  /// Where a model was found.
  public enum Origin: String, Sendable, Hashable, Codable {
    /// A `.xcdatamodel`, or the current version in a `.xcdatamodeld`.
    case modelFile = "model file"
    /// The copy of the model that Core Data keeps in a store since 2015.
    case modelCache = "model cache"
    /// The tables of a store that has no copy of its model.
    case schema
  }

  public var model: ManagedObjectModel
  public var origin: Origin
  /// What the file does not tell, or this library does not keep, in whole sentences that name entity and property.
  public var remarks: [String]

  public init(model: ManagedObjectModel, origin: Origin, remarks: [String] = []) {
    self.model = model
    self.origin = origin
    self.remarks = remarks
  }
}
