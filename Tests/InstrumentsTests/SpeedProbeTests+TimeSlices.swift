// A2: work in slices: the other side gets its turns, its time is not counted here, and invalid messages are reported.
import Foundation
import Instruments
import Support
import Testing

extension SpeedProbeTests {
  /// Two pipes, and a thread at the other ends that answers every byte with the next of its words.
  private final class Other {
    let toOther = Pipe()
    let toUs = Pipe()

    init(_ answers: [UInt8], after milliseconds: UInt32 = 0) {
      let (inbox, outbox) = (toOther.fileHandleForReading, toUs.fileHandleForWriting)
      Thread.detachNewThread {
        for answer in answers {
          guard let heard = try? inbox.read(upToCount: 1), heard == Data([TimeSlices.Word.yours.rawValue]) else {
            return
          }
          usleep(milliseconds * 1_000)
          try? outbox.write(contentsOf: Data([answer]))
        }
        try? outbox.close()
      }
    }

    /// Works until this much of its own time has passed, or sleeps until this much of all time has.
    func share(milliseconds: UInt64, isDone: Bool = false, sleeps: Bool = false) throws -> (
      own: UInt64, all: UInt64, ending: TimeSlices.Ending
    ) {
      let (own, all) = (TimeSlices.now(), MonotonicClock.now())
      let ending = try TimeSlices.share(
        outbox: toOther.fileHandleForWriting.fileDescriptor, inbox: toUs.fileHandleForReading.fileDescriptor,
        isOtherDone: isDone
      ) {
        try SpeedProbe.start()
        if sleeps {
          Thread.sleep(forTimeInterval: Double(milliseconds) / 1e3)
        } else {
          while TimeSlices.now() < own + milliseconds * 1_000_000 {}
        }
        _ = SpeedProbe.stop()
      }
      return (TimeSlices.now() - own, MonotonicClock.now() - all, ending)
    }
  }

  @Test("The other side has time slices until it is done, and its time does not count as ours")
  func slices() throws {
    let other = Other(
      Array(repeating: TimeSlices.Word.yours.rawValue, count: 5) + [TimeSlices.Word.done.rawValue], after: 4)
    let (own, all, ending) = try other.share(milliseconds: 300)
    #expect(ending.handovers == 6 && ending.isOtherDone && !ending.isOtherLost)
    #expect(all - own >= 6 * 4_000_000)
  }

  @Test("A waiting side keeps its slice five times as long, so that a wait rarely ends in the other's slices")
  func waits() throws {
    let answers = Array(repeating: TimeSlices.Word.yours.rawValue, count: 400)
    let ending = try Other(answers, after: 1).share(milliseconds: 300, sleeps: true).ending
    // In slices of a millisecond, there would be about 150.
    #expect((1...60).contains(ending.handovers) && !ending.isOtherLost)
  }

  @Test("A side that is done has no slices, and without work no side has one")
  func alone() throws {
    let other = Other([])
    let ending = try other.share(milliseconds: 10, isDone: true).ending
    #expect(ending.handovers == 0 && ending.isOtherDone)
    #expect(try other.share(milliseconds: 0).ending.handovers == 0)
  }

  @Test("An invalid message and an end without a message are reported", arguments: [[UInt8(1)], []])
  func lost(answers: [UInt8]) throws {
    let other = Other(answers)
    let ending = try other.share(milliseconds: 200).ending
    #expect(ending.isOtherLost && !ending.isOtherDone && ending.handovers == 1)
  }
}
