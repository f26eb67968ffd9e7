// A2, A7: two workers that take turns: never at the same time, in the given order, and without hanging on invalid
// messages.
import Foundation
import MissionTags
import Synchronization
import Testing

@testable import Harness

@Suite("A2 A7 · turns", .tags(.a2, .a7))
struct TurnTests {
  /// Two pipes in their own folder.
  ///
  /// Both ends are kept open, like in the harness.
  private final class Pipes {
    let folder: String
    let ends: [FileHandle]

    init() throws {
      let folder = FileManager.default.temporaryDirectory.path + "/turns-\(UUID().uuidString)"
      self.folder = folder
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      ends = try ["a", "b"].map { name in
        #expect(mkfifo(folder + "/" + name, 0o600) == 0)
        return try #require(FileHandle(forUpdatingAtPath: folder + "/" + name))
      }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func turns(isBase: Bool, _ baseFirst: [Bool]) -> Turns {
      Turns(
        outbox: folder + (isBase ? "/a" : "/b"), inbox: folder + (isBase ? "/b" : "/a"),
        goesFirst: baseFirst.map { $0 == isBase }, processorsBetween: [])
    }
  }

  private final class Log: Sendable {
    let lines = Mutex<[String]>([])
  }

  @Test("Work is done in turns, in the order of every trial, and never at once")
  func order() async throws {
    let pipes = try Pipes()
    let baseFirst = [true, false, false, true, true]
    let log = Log()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for isBase in [true, false] {
        let turns = pipes.turns(isBase: isBase, baseFirst)
        group.addTask {
          let taking = try TurnTaking(turns, processor: nil)
          for trial in baseFirst.indices {
            _ = try taking.take(trial: trial) {
              log.lines.withLock { $0.append("\(trial) \(isBase) begins") }
              usleep(1_000)
              log.lines.withLock { $0.append("\(trial) \(isBase) ends") }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let expected = baseFirst.enumerated().flatMap { trial, first in
      [first, !first].flatMap { ["\(trial) \($0) begins", "\(trial) \($0) ends"] }
    }
    #expect(log.lines.withLock { $0 } == expected)
  }

  @Test("Missing pipes and an unexpected message are reported in a sentence")
  func faults() throws {
    let missing = Turns(outbox: "/nowhere/a", inbox: "/nowhere/b", goesFirst: [true], processorsBetween: [])
    #expect(throws: SampleError.self) { try TurnTaking(missing, processor: nil) }
    let pipes = try Pipes()
    let first = try TurnTaking(pipes.turns(isBase: true, [true]), processor: nil)
    try pipes.ends[1].write(contentsOf: Data([0]))
    let error = #expect(throws: SampleError.self) { try first.take(trial: 0) {} }
    #expect(error?.description == "the other worker of the pair did not take its turn")
    let none = #expect(throws: SampleError.self) { try first.take(trial: 1) {} }
    #expect(none?.description == "there are turns for 1 trials and none for trial 2")
  }

  @Test("A job with turns is sent to the worker and back unchanged")
  func coding() throws {
    let turns = Turns(outbox: "a", inbox: "b", goesFirst: [true, false], processorsBetween: [0, 1])
    #expect(try JSONDecoder().decode(Turns.self, from: JSONEncoder().encode(turns)) == turns)
  }
}
