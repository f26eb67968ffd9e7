// Stacks of this process: sampled ones, and those of jemalloc's heap profiler.
import Support
#if os(Linux)
  internal import Glibc
  internal import Instruments

  extension ProbeCase {
    /// How many of the stacks of 100 ms of work are as they must be.
    func stacks() throws -> [Figure] {
      let stacks = try sampled()
      let folded = FoldedStacks.fold(stacks.counts)
      func count(_ isMeant: (String) -> Bool) -> Int {
        folded.filter { isMeant($0.key) }.values.reduce(0, +)
      }
      return [
        ("samples", stacks.samples), ("lost", stacks.lost), ("folded", count { _ in true }),
        ("working", count { $0.contains("spin(until:") }),
        // Callers come first.
        ("called", count { $0.contains("sampled()") && !$0.hasSuffix("sampled()") }),
        ("handler", count { $0.contains("noteStack") }),
      ]
    }

    // Not private: their names would be others.
    @inline(never)
    func sampled() throws -> SampledStacks {
      try StackSampler.start(everyMicroseconds: 500)
      // Its own time: of 100 ms of the clock's, a machine that is busy with other tests may leave it little.
      let end = ProcessTime.cpuSeconds() + 0.1
      if spin(until: { ProcessTime.cpuSeconds() >= end }) == 0 { print("") }
      return StackSampler.stop()
    }

    @inline(never)
    func spin(until isOver: () -> Bool) -> UInt64 {
      var sum: UInt64 = 1
      while !isOver() { for step in 0..<UInt64(1_000) { sum = sum &* 31 &+ step } }
      return sum | 1
    }

    /// How many bytes the heap profile tells of: 32 MiB are allocated where it is on, as many before and after.
    func heapProfile() throws -> [Figure] {
      if HeapProfile.obstacle != nil { return [("obstacle", 1)] }
      var template = Array("\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/heap-XXXXXX".utf8CString)
      let descriptor = mkstemp(&template)
      defer {
        close(descriptor)
        unlink(template)
      }
      let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      allocateMuch()
      try HeapProfile.begin()
      allocateMuch()
      try HeapProfile.end(writingTo: path)
      allocateMuch()
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      let length = read(descriptor, &bytes, bytes.count)
      let folded = HeapProfile.foldedStacks(String(decoding: bytes[..<max(length, 0)], as: UTF8.self))
      return [
        ("obstacle", 0), ("length", length), ("all", folded.values.reduce(0, +)),
        ("found", folded.filter { $0.key.contains("allocateMuch()") }.values.reduce(0, +)),
      ]
    }

    @inline(never)
    func allocateMuch() { for _ in 0..<512 { libc.free(libc.malloc(65_536)) } }
  }
#endif
