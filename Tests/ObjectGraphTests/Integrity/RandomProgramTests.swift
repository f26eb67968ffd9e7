// D13: random programs of edits, saves, conflicts, batch requests and merges; none may break a rule.
import Foundation
import MissionTags
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver
import Testing

@Suite("D13 · random programs")
struct RandomProgramTests {
  /// The number of programs, from `BATCHMARK_PROGRAMS`, and the seed of the first, from `BATCHMARK_PROGRAM_SEED`.
  static let programs = ProcessInfo.processInfo.environment["BATCHMARK_PROGRAMS"].flatMap { Int($0) } ?? 2_000
  static let firstSeed = ProcessInfo.processInfo.environment["BATCHMARK_PROGRAM_SEED"].flatMap { UInt64($0) } ?? 1
  static let parts = 8

  @Test(
    "Whatever a program does, the file keeps the rules and each context shows the right objects", .tags(.d13, .d5, .c1),
    arguments: 0..<parts)
  func programs(part: Int) throws { try run(.edits, part, of: Self.programs) }

  @Test(
    "The policy decides about each value that two contexts change", .tags(.d13, .d5, .c1), arguments: 0..<parts)
  func conflicts(part: Int) throws { try run(.conflicts, part, of: Self.programs / 10) }

  @Test("The order that a context shows is the order that is stored", .tags(.d13, .d1), arguments: 0..<parts)
  func orders(part: Int) throws { try run(.orders, part, of: Self.programs / 10) }

  @Test("A parent has all that its child saved", .tags(.d13, .d6), arguments: 0..<parts)
  func families(part: Int) throws { try run(.families, part, of: Self.programs / 10) }

  @Test(
    "A failed or undone change leaves both ends, child and parent as they were", .tags(.d13, .d5, .d6),
    arguments: 0..<parts)
  func undoing(part: Int) throws { try run(.undoing, part, of: Self.programs / 10) }

  private func run(_ kind: RandomProgram.Kind, _ part: Int, of programs: Int) throws {
    let folder = try ProgramFolder()
    var tally = ProgramTally()
    var failures = 0
    for number in stride(from: part, to: programs, by: Self.parts) {
      let program = RandomProgram(kind, seed: Self.firstSeed + UInt64(number))
      guard let failure = try program.run(in: folder, &tally) else { continue }
      Issue.record("\(failure)")
      failures += 1
      if failures == 3 { break }
    }
    // A few programs alone may save nothing.
    if failures == 0, programs >= 100 {
      #expect(tally.saves > 0 && tally.rowsChecked > 0 && tally.objectsCompared > 0)
      switch kind {
      case .edits: #expect(tally.takenCodes > 0 && tally.transactions > 0)
      case .conflicts: #expect(tally.decided > 0)
      case .orders: #expect(tally.ordersCompared > 0)
      case .families: #expect(tally.handedOver > 0)
      case .undoing: #expect(tally.refusedResolutions > 0 && tally.takenBack > 0 && tally.namesSettled > 0)
      }
      if ProcessInfo.processInfo.environment["BATCHMARK_PROGRAMS"] != nil { print("\(kind), part \(part): \(tally)") }
    }
  }
}

extension RandomProgramTests {
  /// One program of each kind that 200,000 programs found last.
  ///
  /// A generator that draws differently makes other programs from the seeds.
  @Test(
    "A program that once broke a rule now keeps it", .tags(.d13, .d5),
    arguments: [
      505_313, 530_504, 662_385, 724_691, 726_406, 902_688, 972_889, 1_060_105, 2_028_386, 2_065_802,
      3_046_421, 3_050_864,
    ] as [UInt64])
  func brokenOnce(seed: UInt64) throws {
    var tally = ProgramTally()
    if let failure = try RandomProgram(.edits, seed: seed).run(in: ProgramFolder(), &tally) {
      Issue.record("\(failure)")
    }
  }
}

/// A file that programs use one after the other.
final class ProgramFolder {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "programs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  var path: String { directory.appending(path: "store.sqlite").path }

  func empty() {
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
  }
}

/// A program from a seed: a model, contexts and steps.
struct RandomProgram {
  /// The subject of a program.
  enum Kind {
    /// Everything, at random.
    case edits
    /// Two contexts at a time change the same values.
    case conflicts
    /// Objects of ordered relationships are moved.
    case orders
    /// Children that have seen everything in their parents are changed and saved.
    case families
    /// Deletions are canceled, saves fail after conflicts were resolved, and new objects get their IDs.
    case undoing
  }

  struct Failure: CustomStringConvertible {
    let kind: Kind
    let seed: UInt64
    let model: ProgramModel
    let contexts: ProgramContexts
    let message: String
    let fewest: [ProgramStep]
    let fewestMessage: String

    var description: String {
      """
      \(kind), seed \(seed): \(message)
      \(model); contexts \(contexts)
      enough of the steps: \(fewestMessage)
      \(fewest.map { "  \($0)" }.joined(separator: "\n"))
      """
    }
  }

  let seed: UInt64
  private let kind: Kind
  private let model: ProgramModel
  private let contexts: ProgramContexts
  private static let length = 40
  private static let rounds = 8

  init(_ kind: Kind, seed: UInt64) {
    self.seed = seed
    self.kind = kind
    var random = SeededGenerator(seed: seed &* 0x9E37_79B9)
    model = ProgramModel(seed: random.next())
    contexts = random.pick(
      ProgramContexts.all.filter { contexts in
        switch kind {
        case .edits, .orders: true
        case .conflicts: contexts.kinds.count > 1
        case .families, .undoing: contexts.kinds.indices.contains { contexts.line(from: $0).count > 1 }
        }
      })
  }

  /// Runs the program.
  ///
  /// If something is wrong, removes steps while something still is.
  func run(in folder: ProgramFolder, _ tally: inout ProgramTally) throws -> Failure? {
    var source = ProgramSteps(seed: seed, contexts)
    let steps = steps(&source)
    guard let message = try play(steps, folder, &tally) else { return nil }
    var fewest = steps
    var fewestMessage = message
    var size = steps.count / 2
    while size > 0 {
      var start = 0
      var isShorter = false
      while start < fewest.count {
        var fewer = fewest
        fewer.removeSubrange(start..<min(start + size, fewer.count))
        if let found = try play(fewer, folder, &tally) {
          (fewest, fewestMessage, isShorter) = (fewer, found, true)
        } else {
          start += size
        }
      }
      if !isShorter || size > 1 { size /= 2 }
    }
    return Failure(
      kind: kind, seed: seed, model: model, contexts: contexts, message: message, fewest: fewest,
      fewestMessage: fewestMessage)
  }

  private func steps(_ source: inout ProgramSteps) -> [ProgramStep] {
    switch kind {
    case .edits:
      source.prologue() + (0..<RandomProgram.length).map { _ in source.next() } + source.epilogue()
    case .conflicts: source.contention(rounds: RandomProgram.rounds)
    case .orders: source.ordering(length: RandomProgram.length)
    case .families: source.family(rounds: RandomProgram.rounds)
    case .undoing: source.undoing(rounds: RandomProgram.rounds)
    }
  }

  /// The failure of these steps; nil if there is none.
  private func play(_ steps: [ProgramStep], _ folder: ProgramFolder, _ tally: inout ProgramTally) throws -> String? {
    folder.empty()
    let run = try ProgramRun(kind, model, contexts, in: folder)
    defer { run.close() }
    do {
      try run.onAllQueues {
        for step in steps { try run.perform(step) }
        // The library's own check agrees with the test's.
        let integrity = try run.coordinators[0].integrity()
        if !integrity.isSound { throw ProgramMismatch("the store's integrity: \(integrity.breaches)") }
      }
    } catch let mismatch as ProgramMismatch {
      return mismatch.description
    }
    tally = tally + run.tally
    return nil
  }
}
