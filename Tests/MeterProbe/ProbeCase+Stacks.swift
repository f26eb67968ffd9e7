// Stacks of this process: sampled ones, and those of jemalloc's heap profiler.
import Support
#if os(Linux)
  internal import Glibc
  internal import Instruments

  extension ProbeCase {
    /// How many stacks of 100 ms of work are correct.
    func stacks() throws -> [Figure] {
      let stacks = try sampled()
      let folded = FoldedStacks.fold(stacks.counts)
      func count(_ isMeant: (String) -> Bool) -> Int {
        folded.filter { isMeant($0.key) }.values.reduce(0, +)
      }
      return [
        ("samples", stacks.counts.values.reduce(0, +)), ("lost", stacks.lost), ("folded", count { _ in true }),
        ("working", count { $0.contains("spin(until:") }),
        // Callers come first.
        ("called", count { $0.contains("sampled()") && !$0.hasSuffix("sampled()") }),
        ("handler", count { $0.contains("noteStack") }),
      ]
    }

    // This is not private, because private functions have other names.
    @inline(never)
    func sampled() throws -> SampledStacks {
      try StackSampler.start(everyMicroseconds: 500)
      // Use the processor time: on a machine that is busy with other tests, 100 ms of the clock may contain little
      // work.
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

    /// The part of the peak in a heap profile: 24 MiB that are kept, and 8 MiB that are freed before another 16 MiB are
    /// allocated.
    func heapPeak() throws -> [Figure] {
      guard let meter = AllocationMeter.loaded, HeapProfile.obstacle == nil else { return [("obstacle", 1)] }
      let file = try HeapFile()
      try HeapProfile.begin(untilPeakOf: 32 << 20, by: meter, writingTo: file.path)
      let kept = keepMuch(384)
      let passing = passOn(128)
      for block in kept + passing { libc.free(block) }
      let later = keepMore(256)
      for block in later { libc.free(block) }
      try HeapProfile.endPeak(by: meter)
      let folded = HeapProfile.foldedLiveStacks(file.text)
      func found(_ name: String) -> Int { folded.filter { $0.key.contains(name) }.values.reduce(0, +) }
      return [
        ("obstacle", 0), ("all", folded.values.reduce(0, +)), ("kept", found("keepMuch(")),
        ("passing", found("passOn(")), ("later", found("keepMore(")),
      ]
    }

    // Three functions, so that each has its own stacks.
    @inline(never)
    func keepMuch(_ count: Int) -> [UnsafeMutableRawPointer?] { (0..<count).map { _ in libc.malloc(65_536) } }

    @inline(never)
    func passOn(_ count: Int) -> [UnsafeMutableRawPointer?] { (0..<count).map { _ in libc.calloc(1, 65_536) } }

    @inline(never)
    func keepMore(_ count: Int) -> [UnsafeMutableRawPointer?] { (0..<count).map { _ in libc.malloc(65_537) } }

    /// The bytes in the heap profile: 32 MiB are allocated while it is on, and the same before and after.
    func heapProfile() throws -> [Figure] {
      if HeapProfile.obstacle != nil { return [("obstacle", 1)] }
      let file = try HeapFile()
      allocateMuch()
      try HeapProfile.begin()
      allocateMuch()
      try HeapProfile.end(writingTo: file.path)
      allocateMuch()
      let folded = HeapProfile.foldedStacks(file.text)
      return [
        ("obstacle", 0), ("length", file.text.utf8.count), ("all", folded.values.reduce(0, +)),
        ("found", folded.filter { $0.key.contains("allocateMuch()") }.values.reduce(0, +)),
      ]
    }

    @inline(never)
    func allocateMuch() { for _ in 0..<512 { libc.free(libc.malloc(65_536)) } }
  }

  /// A file for a heap profile of jemalloc, removed with this object.
  private final class HeapFile {
    private let descriptor: Int32
    let path: String

    init() throws {
      var template = Array("\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/heap-XXXXXX".utf8CString)
      descriptor = mkstemp(&template)
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
      close(descriptor)
      unlink(path)
    }

    /// Its contents, up to a mebibyte.
    var text: String {
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      let length = pread(descriptor, &bytes, bytes.count, 0)
      return String(decoding: bytes[..<max(length, 0)], as: UTF8.self)
    }
  }
#endif
