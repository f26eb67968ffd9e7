// A model as a file of Core Data has it, and what the file leaves open.
public import CoreDataModel

/// A model read out of a model file or a store.
///
/// ```swift
/// let recovered = try RecoveredModel(modelFileAt: "MyApp.xcdatamodeld")
/// for remark in recovered.remarks { print(remark) }
/// let container = PersistentContainer(
///   managedObjectModel: recovered.model, store: PersistentStoreDescription(path: "quakes.sqlite"))
/// ```
public struct RecoveredModel: Sendable {
  /// Where a model was found.
  ///
  /// ```swift
  /// if recovered.origin == .schema {
  ///   for remark in recovered.remarks { print(remark) }  // what tables alone leave open
  /// }
  /// ```
  public enum Origin: String, Sendable, Hashable, Codable {
    /// A `.xcdatamodel`, or the current version in a `.xcdatamodeld`.
    case modelFile = "model file"
    /// The copy of the model that Core Data keeps in a store since 2015.
    case modelCache = "model cache"
    /// The tables of a store that has no copy of its model.
    case schema
  }

  /// The model, checked as any other.
  public var model: ManagedObjectModel
  /// Where it was found.
  public var origin: Origin
  /// What the file does not say, or this library does not keep, in whole sentences that name entity and property.
  public var remarks: [String]

  /// A model from elsewhere, in the place of one that was read.
  ///
  /// ```swift
  /// let mine = RecoveredModel(model: recovered.model, origin: .modelFile)
  /// let file = try StoreFile(path: "MyApp.sqlite", model: mine)
  /// ```
  public init(model: ManagedObjectModel, origin: Origin, remarks: [String] = []) {
    self.model = model
    self.origin = origin
    self.remarks = remarks
  }
}
