// A8, D10: damaged models are refused, or read as far as they hold, and never end the process.
import Foundation
import Testing

@testable import CoreDataFiles
@testable import CoreDataModel
@testable import ObjectGraph

@Suite("A8 D10 · damaged models", .tags(.a8, .d10), .enabled(if: SharedStores.exist, "no ../shared/data/stores"))
struct ModelMutationTests {
  /// How many of the copies were read and how many refused.
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

  private static let caches: [(store: String, copies: Int)] = [
    ("SampleModel3_V1.sqlite", 18_000), ("TestModel.sqlite", 900), ("SampleModel_V1.sqlite", 90),
    ("NoteStore-macOS-12-Monterey.sqlite", 10),
  ]

  @Test("Model caches, damaged as they are stored", arguments: caches)
  func compressed(_ cache: (store: String, copies: Int)) throws {
    let bytes = try SharedStores.modelCache(cache.store)
    let outcomes = outcomes(of: bytes, seed: 1, copies: cache.copies) { copy in
      _ = try RecoveredModel(modelCache: copy, path: cache.store)
    }
    #expect(outcomes.refused > 0)
  }

  @Test("Model caches, damaged after they are decompressed", arguments: caches)
  func archives(_ cache: (store: String, copies: Int)) throws {
    let bytes = try RawDeflate.inflate(SharedStores.modelCache(cache.store), limit: 1 << 20)
    let outcomes = outcomes(of: bytes, seed: 2, copies: cache.copies) { copy in
      _ = try RecoveredModel(archive: copy)
    }
    #expect(outcomes.refused > 0)
    if cache.copies > 100 { #expect(outcomes.read > 0) }
  }

  @Test("The metadata of a store")
  func metadata() throws {
    let bytes = try #require(try SharedStores.blob("Z_PLIST", of: "Z_METADATA", in: "SampleModel3_V1.sqlite"))
    let outcomes = outcomes(of: bytes, seed: 3, copies: 57_000) { copy in
      _ = try PropertyList(binary: copy)
    }
    #expect(outcomes.read > 0)
    #expect(outcomes.refused > 0)
  }

  @Test("Model files")
  func files() {
    let outcomes = outcomes(of: Array(ModelFileTests.library.utf8), seed: 4, copies: 3_000) { copy in
      _ = try RecoveredModel(xml: Data(copy))
    }
    #expect(outcomes.read > 0)
    #expect(outcomes.refused > 0)
  }
}
