// The SQLite meter's reads and writes compared with the kernel's, in a process that does nothing else.
import Foundation
import MissionTags
import Testing

#if os(Linux)
  @Suite("A4 · the kernel's counters and the meter's", .tags(.a4))
  struct KernelCounterTests {
    /// Whether the kernel tells a process its reads and writes; some containers forbid it.
    private static let isTold = FileManager.default.contents(atPath: "/proc/self/io") != nil

    @Test(
      "The meter counts every read and write that the kernel does, with its bytes, except for the WAL index",
      .enabled(if: isTold, "/proc/self/io cannot be read here"),
      arguments: ["kernelLog", "kernelJournal", "kernelTemporary"])
    func agreement(probe: String) throws {
      let answer = try Probe.run(probe, metered: false)
      // SQLite extends the index by writing one byte to each 4,096 bytes of a 32 KiB part. This is not a VFS call, and
      // each of these logs has one part.
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
