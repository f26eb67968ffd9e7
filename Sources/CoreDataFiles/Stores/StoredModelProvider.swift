// Provides the models of Core Data stores for migrations: from the store's own copy, else from model files.
public import CoreDataModel
public import ObjectGraph
internal import Support

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Finds the model that a store was created with: the copy that Core Data keeps in the store since 2015, else a version
/// in model files.
///
/// ```swift
/// var description = PersistentStoreDescription(path: "MyApp.sqlite")
/// description.sourceModelProvider = StoredModelProvider(modelFiles: ["MyApp.xcdatamodeld"])
/// ```
///
/// After a migration the store has a copy of its new model.
public struct StoredModelProvider: SourceModelProvider {
  /// Model files with versions: a `.xcdatamodeld` with all of its versions, a `.xcdatamodel`, or the file `contents` of
  /// one.
  public var modelFiles: [String]

  /// Creates a provider that uses these model files.
  ///
  /// ```swift
  /// let cachesAlone = StoredModelProvider()
  /// let provider = StoredModelProvider(modelFiles: ["MyApp.xcdatamodeld"])
  /// ```
  public init(modelFiles: [String] = []) { self.modelFiles = modelFiles }

  /// The model in the store's own copy, or every version in the model files.
  ///
  /// - Throws: ``CoreDataFileError`` for a copy or a model file that cannot be read.
  public func sourceModels(of store: SourceStore) throws -> [ManagedObjectModel] {
    if let cache = store.modelCache { return [try RecoveredModel(modelCache: cache, path: store.path).model] }
    return try modelFiles.flatMap { try versions(in: $0) }
      .map { try RecoveredModel(modelFileAt: $0).model }
  }

  /// The archive of the model as Core Data keeps it in a store, without fetch request templates.
  ///
  /// - Returns: The compressed archive; `nil` if the model would not be read back unchanged.
  public func modelCache(of model: ManagedObjectModel) -> Data? {
    guard let bytes = RawDeflate.deflate(ModelArchiver.bytes(model)),
      let copy = try? RecoveredModel(modelCache: bytes, path: "").model,
      copy.entities.map(\.inArchiveOrder) == model.entities.map(\.inArchiveOrder),
      copy.configurations == model.configurations,
      copy.configurations.allSatisfy({
        copy.entities(forConfiguration: $0)?.map(\.name) == model.entities(forConfiguration: $0)?.map(\.name)
      })
    else { return nil }
    return Data(bytes)
  }

  /// The versions in a `.xcdatamodeld`; for any other path, the path itself.
  private func versions(in path: String) throws -> [String] {
    if path.hasSuffix(".xcmappingmodel") || path.hasSuffix(".cdm") {
      throw CoreDataFileError.invalid(
        path: path, found: "a mapping model",
        expected: "model files; what a mapping model does is written as a "
          + "CustomMigrationStage")
    }
    guard FileKind(at: path) == .folder else { return [path] }
    let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".xcdatamodel") }
    return names.isEmpty ? [path] : names.sorted().map { path + "/" + $0 }
  }
}

extension EntityDescription {
  /// The entity with its properties in the order in which archives are read; rules have no order.
  var inArchiveOrder: EntityDescription {
    var entity = self
    entity.attributes.sort { $0.name < $1.name }
    entity.relationships.sort { $0.name < $1.name }
    for index in entity.attributes.indices {
      entity.attributes[index].validationRules.sort { "\($0)" < "\($1)" }
    }
    return entity
  }
}
