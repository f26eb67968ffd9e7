// Which exit status takes precedence.
import Harness
import HarnessFixtures
import MissionTags
import Testing

@Suite("A6 · exit statuses", .tags(.a6))
struct CommandStatusTests {
  @Test("Statuses have the numbers that scripts rely on")
  func numbers() {
    #expect(CommandStatus.allCases.map(\.rawValue) == [0, 1, 3, 4, 5, 6, 64, 65, 66, 70, 73, 130, 141])
  }

  @Test("If several of 130, 141, 70, 3, 6, 4, 1 and 5 apply, the first wins, whatever their order")
  func precedence() {
    var statuses: [CommandStatus] = [
      .interrupted, .closedPipe, .internalError, .failedSamples, .untrusted, .notComparable, .regression,
    ]
    statuses += [.inconclusive, .success]
    while let strongest = statuses.first {
      #expect(CommandStatus.first(of: statuses) == strongest)
      #expect(CommandStatus.first(of: statuses.reversed()) == strongest)
      statuses.removeFirst()
    }
    #expect(CommandStatus.first(of: []) == .success)
  }
}
