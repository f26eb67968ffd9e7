// The models of stores that Core Data wrote, for their migration: from the store's own copy, else from model files.
public import CoreDataModel
public import ObjectGraph
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Finds the model that a store was made with: the copy that Core Data keeps in the store since 2015, else a version in
/// model files.
///
/// ```swift
/// var description = PersistentStoreDescription(path: "MyApp.sqlite")
/// description.sourceModelProvider = StoredModelProvider(modelFiles: ["MyApp.xcdatamodeld"])
/// ```
public struct StoredModelProvider: SourceModelProvider {
  /// Model files with versions: a `.xcdatamodeld` with all that are in it, a `.xcdatamodel`, or the file `contents` of one.
  public var modelFiles: [String]

  /// A provider that knows some model files.
  ///
  /// ```swift
  /// let cachesAlone = StoredModelProvider()
  /// let provider = StoredModelProvider(modelFiles: ["MyApp.xcdatamodeld"])
  /// ```
  public init(modelFiles: [String] = []) { self.modelFiles = modelFiles }

  /// The model of the store's own copy, or every version in the model files.
  ///
  /// - Throws: ``CoreDataFileError`` for a copy or a model file that cannot be read.
  public func sourceModels(of store: SourceStore) throws -> [ManagedObjectModel] {
    if let cache = store.modelCache { return [try RecoveredModel(modelCache: cache, path: store.path).model] }
    return try modelFiles.flatMap { try versions(in: $0) }
      .map { try RecoveredModel(modelFileAt: $0).model }
  }

  /// The versions in a `.xcdatamodeld`; the path itself for any other.
  private func versions(in path: String) throws -> [String] {
    guard FileKind(at: path) == .folder else { return [path] }
    let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".xcdatamodel") }
    return names.isEmpty ? [path] : names.sorted().map { path + "/" + $0 }
  }
}
