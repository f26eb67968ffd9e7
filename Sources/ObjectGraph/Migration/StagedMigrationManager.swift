// The stages of a migration in order, checked on creation.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Migrates a store stage by stage, from its present version to the model that it is opened with.
///
/// Set it in ``PersistentStoreDescription/stagedMigrationManager``. Each change from one version to the next is one
/// transaction. If one fails, the store has the previous version, and opening it again continues from there.
///
/// If a stage does not start where the previous one ends, a lightweight migration connects them. The same happens
/// between the last stage and the model that the store is opened with.
///
/// ```swift
/// let manager = try StagedMigrationManager([
///   .lightweight(LightweightMigrationStage([firstModel, secondModel])),
///   .custom(CustomMigrationStage(migratingFrom: secondModel, to: thirdModel, didMigrate: linkPets)),
/// ])
/// ```
public final class StagedMigrationManager: Sendable, Hashable {
  /// The stages in order.
  public let stages: [MigrationStage]
  /// The versions of all stages in order, each once.
  let versions: [Version]

  /// A version of the model and how to get to it.
  struct Version: Sendable {
    var model: ManagedObjectModel
    /// The name in errors of the stage that ends with it.
    let stage: String
    /// The stage's code, if it has any.
    let custom: CustomMigrationStage?

    var hashes: [String: Data] { model.entityVersionHashesByName }
  }

  /// Creates a manager for these stages.
  ///
  /// ```swift
  /// let manager = try StagedMigrationManager([.lightweight(LightweightMigrationStage([firstModel]))])
  /// ```
  ///
  /// - Parameter stages: The stages, the oldest versions first.
  /// - Throws: ``ObjectGraphError/invalidStages(stage:found:expected:path:)`` for stages that do not form a sequence:
  ///   without a model, with a version that occurred before, or with a change that cannot be inferred.
  public init(_ stages: [MigrationStage]) throws(ObjectGraphError) {
    self.stages = stages
    var versions: [Version] = []
    for (index, stage) in stages.enumerated() {
      let name =
        "stage \(index + 1) of \(stages.count)" + (stage.label.map { ", '\($0)'" } ?? "")
      if stage.models.isEmpty {
        throw .invalidStages(stage: name, found: "no model", expected: "one version or several", path: nil)
      }
      for (position, model) in stage.models.enumerated() {
        let hashes = model.entityVersionHashesByName
        // It starts where the previous stage ended.
        if position == 0, versions.last?.hashes == hashes { continue }
        if let known = versions.first(where: { $0.hashes == hashes }) {
          throw .invalidStages(
            stage: name, found: "\(StagedMigrationManager.name(hashes)), to which \(known.stage) leads already",
            expected: "each version once, the oldest first; a version hash modifier tells versions apart that have the "
              + "same hashes", path: nil)
        }
        var custom: CustomMigrationStage?
        if position > 0, case .custom(let stage) = stage { custom = stage }
        let version = Version(model: model, stage: name, custom: custom)
        if let last = versions.last { try StagedMigrationManager.check(last.model, version, path: nil) }
        versions.append(version)
      }
    }
    if versions.isEmpty {
      throw .invalidStages(stage: nil, found: "no stages", expected: "one stage or several", path: nil)
    }
    self.versions = versions
  }

  /// The versions up to a model, which is added as the last one if no stage has it.
  ///
  /// - Returns: The versions, and the index of the model.
  func versions(
    to model: ManagedObjectModel, path: String
  ) throws(ObjectGraphError) -> (versions: [Version], target: Int) {
    let hashes = model.entityVersionHashesByName
    if let target = versions.firstIndex(where: { $0.hashes == hashes }) {
      var all = versions
      // The coordinator's model may differ in ways that hashes do not show.
      all[target].model = model
      return (all, target)
    }
    let last = Version(model: model, stage: "the way from the last stage to the model", custom: nil)
    if let version = versions.last { try StagedMigrationManager.check(version.model, last, path: path) }
    return (versions + [last], versions.count)
  }

  /// Refuses a change that cannot be inferred.
  private static func check(
    _ source: ManagedObjectModel, _ version: Version, path: String?
  ) throws(ObjectGraphError) {
    let problems = ModelMatching(from: CompiledModel(source), to: CompiledModel(version.model)).problems
    if problems.isEmpty { return }
    throw .invalidStages(
      stage: version.stage, found: "changes that cannot be inferred: \(ObjectGraphError.mappingNotInferred(problems))",
      expected:
        "versions of which each follows from the one before by lightweight migration: add a version between them "
        + "that has both the old and the new properties, and move the values in a custom stage", path: path)
  }

  /// The name of a version in errors.
  static func name(_ hashes: [String: Data]) -> String {
    let names = hashes.keys.sorted()
    return "the version \(StoreMetadata.digest(of: hashes).prefix(8))… of \(names.joined(separator: ", "))"
  }

  /// Two managers are equal if they are identical.
  public static func == (one: StagedMigrationManager, other: StagedMigrationManager) -> Bool { one === other }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
