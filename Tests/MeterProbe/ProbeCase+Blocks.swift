// Cases with one thread: blocks of known sizes.
import Support
#if os(Linux)
  internal import Glibc
  internal import Instruments

  extension ProbeCase {
    /// A block that is freed before any sampler would look.
    func held(bytes: Int) -> [Figure] {
      var nanoseconds = 0
      var usable = 0
      let change = Change {
        let start = MonotonicClock.now()
        let block = libc.malloc(bytes)
        usable = libc.usableSize(block)
        libc.free(block)
        nanoseconds = Int(MonotonicClock.now() - start)
      }
      return change.figures + [("nanoseconds", nanoseconds), ("usable", usable)]
    }

    /// A block with untouched pages: in the heap, but not in the resident set.
    func untouched() -> [Figure] {
      let bytes = 256 << 20
      let change = Change { libc.free(libc.malloc(bytes)) }
      let before = residentBytes ?? 0
      let block = libc.malloc(bytes)
      let resident = Int((residentBytes ?? .max) - before)
      libc.free(block)
      return change.figures + [("resident", resident)]
    }

    /// `calloc` of memory that was dirty before.
    func zeroed() -> [Figure] {
      let bytes = 64 << 20
      var dirty = 0
      let change = Change {
        let before = libc.malloc(bytes)
        libc.fill(before, 0xff, bytes: bytes)
        libc.free(before)
        guard let block = libc.calloc(bytes / 64, 64) else { return dirty = -1 }
        dirty += UnsafeRawBufferPointer(start: block, count: bytes).count { $0 != 0 }
        libc.free(block)
      }
      return change.figures + [("dirty", dirty)]
    }

    /// One block that grows step by step, then shrinks: there are never two of them.
    func growth() -> [Figure] {
      var handedOut = 0
      let change = Change {
        handedOut = 0
        var block = libc.realloc(nil, 16)
        handedOut += libc.usableSize(block)
        for power in 5...20 {
          block = libc.realloc(block, 1 << power)
          handedOut += libc.usableSize(block)
        }
        block = libc.reallocarray(block, 10, 10)
        handedOut += libc.usableSize(block)
        libc.free(block)
      }
      return change.figures + [("handedOut", handedOut)]
    }

    func aligned() -> [Figure] {
      var usable = 0
      var misaligned = 0
      let change = Change {
        usable = 0
        var blocks: (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) = (nil, nil)
        func take(_ block: UnsafeMutableRawPointer?, _ alignment: Int) {
          if Int(bitPattern: block) % alignment != 0 || block == nil { misaligned += 1 }
          usable += libc.usableSize(block)
          libc.free(block)
        }
        if libc.posixMemalign(&blocks.0, 4096, 5000) == 0 { take(blocks.0, 4096) }
        take(libc.alignedAlloc(64, 100), 64)
        take(libc.alignedAlloc(1 << 21, 1), 1 << 21)
        take(libc.memalign(48, 100), 64)
        take(libc.valloc(1), 4096)
        take(libc.pvalloc(1), 4096)
      }
      return change.figures + [("usable", usable), ("misaligned", misaligned)]
    }

    /// C++'s operators, which the Swift runtime uses to allocate.
    func operators() -> [Figure] {
      var usable = 0
      let change = Change {
        let plain = libc.operatorNew(100)
        let aligned = libc.operatorNewAligned(1000, 128)
        usable = libc.usableSize(plain) + libc.usableSize(aligned)
        libc.operatorDelete(plain)
        libc.operatorDeleteAligned(aligned, 1000, 128)
      }
      return change.figures + [("usable", usable)]
    }

    /// A block of every form at the same moment, each filled up to the usable size that it reports.
    func forms() -> [Figure] {
      var usable = 0
      let change = Change {
        usable = 0
        withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: 9) { blocks in
          blocks.initialize(repeating: nil)
          blocks[0] = libc.malloc(1_001)
          blocks[1] = libc.calloc(77, 13)
          blocks[2] = libc.realloc(libc.malloc(10), 33_333)
          blocks[3] = libc.reallocarray(nil, 1_000, 7)
          _ = libc.posixMemalign(&blocks[4], 256, 10_001)
          blocks[5] = libc.alignedAlloc(64, 100)
          blocks[6] = libc.memalign(48, 5_000)
          blocks[7] = libc.valloc(4_097)
          blocks[8] = libc.pvalloc(12_345)
          for block in blocks {
            let bytes = libc.usableSize(block)
            libc.fill(block, 0x5a, bytes: bytes)
            usable += bytes
          }
          for block in blocks { libc.free(block) }
        }
      }
      return change.figures + [("usable", usable)]
    }

    /// Many blocks, freed in reverse order.
    func reverse() -> [Figure] {
      let count = 1000
      let blocks = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: count)
      defer { blocks.deallocate() }
      var usable = 0
      let change = Change {
        usable = 0
        // Do not use a range: without optimization, iterating backwards over one allocates.
        var index = 0
        while index < count {
          blocks[index] = libc.malloc(8 * (index + 1))
          usable += libc.usableSize(blocks[index])
          index += 1
        }
        while index > 0 {
          index -= 1
          libc.free(blocks[index])
        }
      }
      return change.figures + [("usable", usable)]
    }

    /// A peak that was reset, and a lower one after it, above the blocks that are still held.
    func reset() -> [Figure] {
      var change = Change { libc.free(libc.malloc(8 << 20)) }
      let kept = libc.malloc(4 << 20)
      let high = change.peak
      change = Change { libc.free(libc.malloc(1 << 20)) }
      libc.free(kept)
      return change.figures + [("earlierPeak", high)]
    }

    /// The figures of the meter and of jemalloc for a thousand blocks of many sizes.
    ///
    /// They agree if jemalloc runs without thread caches, because it counts their contents as allocated.
    func agreement() -> [Figure] {
      let blocks = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1000)
      defer { blocks.deallocate() }
      var before = live(), held = before, after = before
      // Twice, because data that is set up on first use stays.
      for _ in 1...2 {
        before = live()
        for index in 0..<1000 { blocks[index] = libc.malloc(index * index + 1) }
        held = live()
        for index in 0..<1000 { libc.free(blocks[index]) }
        after = live()
      }
      return [
        ("heldByMeter", held.meter - before.meter), ("heldByJemalloc", held.jemalloc - before.jemalloc),
        ("leftByMeter", after.meter - before.meter), ("leftByJemalloc", after.jemalloc - before.jemalloc),
      ]
    }

    private func live() -> (meter: Int, jemalloc: Int) {
      (Int(AllocationMeter.loaded?.figures().liveBytes ?? 0), Int(Jemalloc.statistics()?.allocated ?? 0))
    }

    /// jemalloc's own figures while 64 MiB are held, and afterwards.
    func statistics() -> [Figure] {
      let start = Jemalloc.statistics()
      let block = libc.malloc(64 << 20)
      libc.fill(block, 1, bytes: 64 << 20)
      let held = Jemalloc.statistics()
      libc.free(block)
      let after = Jemalloc.statistics()
      guard let start, let held, let after else { return [] }
      return [
        ("allocated", Int(held.allocated - start.allocated)), ("active", Int(held.active - start.active)),
        ("resident", Int(held.resident - start.resident)),
        ("allocatedAfter", Int(after.allocated - start.allocated)), ("activeAfter", Int(after.active - start.active)),
      ]
    }

    /// The resident set's own peak before, during and after 64 MiB that were touched.
    func residentPeak() -> [Figure] {
      let bytes = 64 << 20
      let start = residentBytes ?? 0
      let retainedBefore = Jemalloc.statistics()?.retained ?? 0
      let block = libc.malloc(bytes)
      libc.fill(block, 1, bytes: bytes)
      let held = residentBytes ?? 0
      libc.free(block)
      Jemalloc.purge()
      let retained = (Jemalloc.statistics()?.retained ?? 0) - retainedBefore
      let after = residentBytes ?? 0
      let peak = ResidentSet.peak() ?? 0
      let couldReset = ResidentSet.resetPeak()
      let peakAfterReset = ResidentSet.peak() ?? 0
      return [
        ("held", Int(held - start)), ("after", Int(after - start)), ("peak", Int(peak - start)),
        ("couldReset", couldReset ? 1 : 0), ("peakAfterReset", Int(peakAfterReset - start)),
        ("resolution", Int(ResidentSet.resolutionBytes ?? 0)), ("retained", Int(retained)),
      ]
    }
  }

  /// The currently resident bytes; nil if the system does not report them.
  private var residentBytes: Int64? { WatchedProcess(Int64(getpid())).residentBytes }
#endif
