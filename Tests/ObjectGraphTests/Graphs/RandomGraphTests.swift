// D1, D4, D5, D6: random work in several contexts, compared with a plain model in memory.
import Foundation
import MissionTags
import ObjectGraph
import StoreFixtures
import Testing

@Suite("D1 D4 D5 D6 · random graphs")
struct RandomGraphTests {

  @Test(
    "Random work in three contexts matches a plain model, in every context and in the file",
    .tags(.d1, .d4, .d5, .d6), arguments: 0..<(isThorough ? 20 : 6) as Range<UInt64>)
  func randomWork(seed: UInt64) throws {
    let steps = 1_000
    guard let failure = try RandomGraph.run(seed: seed, steps: steps) else { return }
    Issue.record("\(failure)")
  }
}

/// Runs random steps until something is wrong, then searches for the smallest number that is enough.
enum RandomGraph {
  struct Failure: CustomStringConvertible {
    let seed: UInt64
    let message: String
    let last: [GraphStep]
    let fewest: [GraphStep]
    let fewestMessage: String

    var description: String {
      "seed \(seed): \(message)\nthe last steps:\n\(list(last))\nenough of them: \(fewestMessage)\n\(list(fewest))"
    }

    private func list(_ steps: [GraphStep]) -> String { steps.map { "  \($0)" }.joined(separator: "\n") }
  }

  static func run(seed: UInt64, steps count: Int) throws -> Failure? {
    var source = GraphSteps(seed: seed)
    let run = try GraphRun()
    var steps: [GraphStep] = []
    do {
      try run.onAllQueues {
        for _ in 0..<count {
          let step = source.next(run.model)
          steps.append(step)
          try run.perform(step)
        }
        for index in run.contexts.indices {
          try run.perform(GraphStep(context: index, action: .save(isThorough: true)))
        }
        try GraphProbes.compareEmptyCache(run)
      }
      #expect(run.tally.saves > count / 20)
      return nil
    } catch let mismatch as GraphMismatch {
      let (fewest, message) = try shrink(steps, mismatch.description)
      return Failure(
        seed: seed, message: mismatch.description, last: steps.suffix(30), fewest: fewest, fewestMessage: message)
    }
  }

  /// Removes steps, many at once and then one by one, while the run still fails.
  private static func shrink(_ steps: [GraphStep], _ message: String) throws -> ([GraphStep], String) {
    var steps = steps
    var message = message
    var attempts = 400
    var size = max(steps.count / 2, 1)
    while attempts > 0 {
      var start = 0
      var isShorter = false
      while start < steps.count, attempts > 0 {
        attempts -= 1
        var fewer = steps
        fewer.removeSubrange(start..<min(start + size, steps.count))
        if let found = try replay(fewer) {
          (steps, message) = (fewer, found)
          isShorter = true
        } else {
          start += size
        }
      }
      if size == 1 && !isShorter { break }
      size = max(size / 2, 1)
    }
    return (steps, message)
  }

  /// The failure of these steps; nil if there is none.
  private static func replay(_ steps: [GraphStep]) throws -> String? {
    let run = try GraphRun()
    do {
      try run.onAllQueues { for step in steps { try run.perform(step) } }
      return nil
    } catch let mismatch as GraphMismatch {
      return mismatch.description
    }
  }
}
