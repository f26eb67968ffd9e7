// A8, D10: damaged models are refused or partly read, and never crash the process.
import Foundation
import MissionTags
import ObjectGraphFixtures
import StoreFixtures
import Testing

@testable import CoreDataFiles
@testable import CoreDataModel
@testable import ObjectGraph

@Suite("A8 D10 · damaged models", .tags(.a8, .d10))
struct ModelMutationTests {
  /// How many of the copies were read and how many were refused.
  private func outcomes(
    of bytes: [UInt8], seed: UInt64, copies: Int, _ read: ([UInt8]) throws -> Void
  ) -> (read: Int, refused: Int) {
    var mutator = Mutator(seed: seed)
    var outcomes = (read: 0, refused: 0)
    for _ in 0..<copies {
      do {
        try read(mutator.mutated(bytes))
        outcomes.read += 1
      } catch is CoreDataFileError {
        outcomes.refused += 1
      } catch is MalformedContent {
        outcomes.refused += 1
      } catch {
        Issue.record("another error: \(error)")
      }
    }
    return outcomes
  }

  /// There are fewer copies of larger models.
  private static let caches: [(store: SampleStore, copies: Int)] = SampleStore.all.compactMap { store in
    let copies =
      switch store.shape {
      case .users: store.isOwn ? 12_000 : 6_000
      case .authors: store.isOwn ? 500 : 400
      case .cars, .garden, .sightings, .catalog: 40
      case .library, .journal, .notes: 10
      case .recipes, .shelf: 0
      }
    return copies > 0 ? (store, copies) : nil
  }

  @Test("Model caches that were damaged as stored are read or refused", arguments: caches)
  func compressed(_ cache: (store: SampleStore, copies: Int)) throws {
    let bytes = try cache.store.modelCache()
    let outcomes = outcomes(of: bytes, seed: 1, copies: cache.copies) { copy in
      _ = try RecoveredModel(modelCache: copy, path: cache.store.name)
    }
    #expect(outcomes.refused > 0)
  }

  @Test("Model caches that were damaged after decompression are read or refused", arguments: caches)
  func archives(_ cache: (store: SampleStore, copies: Int)) throws {
    let bytes = try RawDeflate.inflate(cache.store.modelCache(), limit: 1 << 20)
    let outcomes = outcomes(of: bytes, seed: 2, copies: cache.copies) { copy in
      _ = try RecoveredModel(archive: copy)
    }
    if cache.copies > 10 { #expect(outcomes.refused > 0) }
    if cache.copies > 100 { #expect(outcomes.read > 0) }
  }

  @Test("Damaged metadata of a store are read or refused", arguments: SampleStore.all(.users))
  func metadata(store: SampleStore) throws {
    let bytes = try #require(try store.blob("Z_PLIST", of: "Z_METADATA"))
    let outcomes = outcomes(of: bytes, seed: 3, copies: store.isOwn ? 37_000 : 20_000) { copy in
      _ = try PropertyList(binary: copy)
    }
    #expect(outcomes.read > 0)
    #expect(outcomes.refused > 0)
  }

  @Test("Damaged model files are read or refused")
  func files() {
    let outcomes = outcomes(of: Array(ModelFileTests.library.utf8), seed: 4, copies: 3_000) { copy in
      _ = try RecoveredModel(xml: Data(copy))
    }
    #expect(outcomes.read > 0)
    #expect(outcomes.refused > 0)
  }
}
