// The allocations of Swift code and its runtime.
#if os(Linux)
  internal import Glibc
  internal import Instruments

  extension ProbeCase {
    /// One array of a million integers, allocated by libswiftCore.
    func array() -> [Figure] {
      var sum = 0
      let change = Change {
        var numbers = [Int]()
        numbers.reserveCapacity(1_000_000)
        for number in 0..<1_000_000 { numbers.append(number) }
        sum += numbers.reduce(0, &+)
      }
      return change.figures + [("sum", sum)]
    }

    /// 100,000 objects, each with a string that is too long for inline storage.
    func objects() -> [Figure] {
      var characters = 0
      let change = Change {
        var objects: [Thing] = []
        for number in 0..<100_000 { objects.append(Thing(name: "an object with the number \(number)")) }
        characters += objects.reduce(0) { $0 + $1.name.utf8.count }
      }
      return change.figures + [("characters", characters)]
    }

    /// Collections of every kind, some hashed by value, like in a worker's code.
    func workload() -> [Figure] {
      var total = 0
      let change = Change {
        var generator = Numbers(state: 42)
        var byName: [String: [Int]] = [:]
        for _ in 0..<20_000 {
          let number = generator.next()
          byName["the name of number \(number % 700)", default: []].append(number)
        }
        let distinct = Set(byName.values.joined())
        let sorted = byName.sorted { $0.value.count < $1.value.count }.map(\.key)
        total += distinct.count + sorted.joined(separator: ", ").utf8.count
      }
      return change.figures + [("total", total)]
    }

    /// The sampler together with the meter: it must not change the meter's figures, and it sees what is held while it
    /// looks.
    func sampler() throws -> [Figure] {
      let sampler = MemorySampler()
      try sampler.start()
      defer { sampler.stop() }
      let idle = Change { waitForSamples(20, of: sampler) }

      let start = sampler.peaks
      let bytes = 32 << 20
      let block = libc.malloc(bytes)
      libc.fill(block, 1, bytes: bytes)
      sampler.sample()
      let marked = sampler.peaks
      libc.free(block)
      Jemalloc.purge()
      sampler.resetPeaks()
      let after = sampler.peaks

      func above(_ peaks: MemoryPeaks, _ figure: (MemoryPeaks) -> Int64?) -> Int {
        Int((figure(peaks) ?? 0) - (figure(start) ?? 0))
      }
      return [
        ("allocationsBySampler", idle.allocations), ("leftBySampler", idle.left),
        ("allocated", above(marked, \.allocated)), ("active", above(marked, \.active)),
        ("resident", above(marked, \.resident)), ("residentSet", above(marked, \.residentSet)),
        ("allocatedAfterReset", above(after, \.allocated)), ("residentSetAfterReset", above(after, \.residentSet)),
      ]
    }

    /// The heap observed while blocks are allocated and freed, 4 MiB of them with the mark.
    func heapTimeline() throws -> [Figure] {
      let meter = try AllocationMeter.required()
      let sampler = MemorySampler()
      try sampler.start()
      defer { sampler.stop() }
      // Twice, because the first time includes what Swift sets up on first use.
      var course: [HeapPoint] = []
      var own: Int64 = 0
      for _ in 0..<2 { (course, own) = follow(sampler, meter) }
      waitForSamples(3, of: sampler)
      let later = sampler.heapTimeline
      return [
        ("first", Int(course.first?.liveBytes ?? -1)), ("peak", Int(course.map(\.liveBytes).max() ?? -1)),
        ("last", Int(course.last?.liveBytes ?? -1)), ("lastMarked", Int(course.last?.sqliteBytes ?? -1)),
        ("allocationsBySampler", Int(own)), ("points", course.count), ("pointsAfterTheEnd", later.count),
      ]
    }

    /// The course, and the number of other allocations than the three blocks.
    private func follow(_ sampler: MemorySampler, _ meter: AllocationMeter) -> ([HeapPoint], Int64) {
      let mebibyte = 1 << 20
      let before = meter.figuresByOwner()
      sampler.followHeap(meter, from: before)
      _ = meter.mark(1)
      let marked = libc.malloc(4 * mebibyte)
      _ = meter.mark(0)
      let kept = libc.malloc(12 * mebibyte)
      libc.free(libc.malloc(64 * mebibyte))
      waitForSamples(300, of: sampler)
      let after = meter.figuresByOwner()
      sampler.endHeap(at: after)
      libc.free(kept)
      _ = meter.mark(1)
      libc.free(marked)
      _ = meter.mark(0)
      return (sampler.heapTimeline, after.all.allocations - before.all.allocations - 3)
    }

    private func waitForSamples(_ count: Int, of sampler: MemorySampler) {
      let start = sampler.peaks.samples
      while sampler.peaks.samples < start + count { usleep(1000) }
    }
  }

  private final class Thing {
    let name: String

    init(name: String) { self.name = name }
  }

  /// Arbitrary numbers that are always the same.
  private struct Numbers {
    var state: UInt32

    mutating func next() -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 8)
    }
  }
#endif
