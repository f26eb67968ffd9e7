// The SQLite meter's reads and writes against the kernel's, in a process that does nothing else.
import Foundation
import MissionTags
import Testing

#if os(Linux)
  @Suite("A4 · the kernel counts what the meter counts", .tags(.a4))
  struct KernelCounterTests {
    /// The kernel reports to a process what it read and wrote; some containers forbid it.
    private static let isTold = FileManager.default.contents(atPath: "/proc/self/io") != nil

    @Test(
      "Every read and write is there, to the call and to the byte, but for the log's index",
      .enabled(if: isTold, "/proc/self/io cannot be read here"),
      arguments: ["kernelLog", "kernelJournal", "kernelTemporary"])
    func agreement(probe: String) throws {
      let answer = try Probe.run(probe, metered: false)
      // SQLite makes the index as long as it needs by writing one byte to each 4,096 of a part of 32 KiB. That is no call
      // of the VFS, and there is one part in each of these logs.
      let index = try answer["maps"] > 0 ? 8 : 0
      #expect(try answer["kernelWrites"] == answer["writes"] + index)
      #expect(try answer["kernelBytesWritten"] == answer["bytesWritten"] + index)
      #expect(try answer["kernelReads"] == answer["reads"])
      #expect(try answer["kernelBytesRead"] == answer["bytesRead"])
      #expect(try answer["writes"] > 400)
      #expect(try (answer["checkpoints"] > 3) == (probe == "kernelLog"))
      #expect(try (answer["temporaryBytes"] > 100_000) == (probe != "kernelLog"))
    }
  }
#endif
