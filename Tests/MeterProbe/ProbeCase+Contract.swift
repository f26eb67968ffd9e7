// The promises of C, POSIX and glibc about the allocation functions. Every figure is 1 if the promise is kept.
#if os(Linux)
  internal import Glibc

  extension ProbeCase {
    func contract() -> [Figure] {
      var answers: [(name: String, holds: Bool)] = []
      var counted = 0
      let change = Change {
        answers = emptyBlocks() + refusals() + alignments() + errorNumbers()
        // The array of answers also allocates, so it is built before the last measurement.
        counted = failuresThatWereCounted()
      }
      return answers.map { ($0.name, $0.holds ? 1 : 0) } + [("failuresCounted", counted), ("change", change.left)]
    }

    private func emptyBlocks() -> [(String, Bool)] {
      let first = libc.malloc(0)
      let second = libc.malloc(0)
      let cleared = libc.calloc(0, 8)
      defer {
        libc.free(first)
        libc.free(second)
        libc.free(cleared)
      }
      libc.free(nil)
      return [
        ("malloc of 0 gives a block of its own", first != nil && second != nil && first != second),
        ("calloc of 0 gives a block", cleared != nil),
        ("realloc to 0 frees and gives null", libc.realloc(libc.malloc(10), 0) == nil),
        ("the usable size of null is 0", libc.usableSize(nil) == 0),
      ]
    }

    private func refusals() -> [(String, Bool)] {
      func isRefused(_ allocate: () -> UnsafeMutableRawPointer?) -> Bool {
        errno = 0
        return allocate() == nil && errno == ENOMEM
      }
      let block = libc.malloc(100)
      libc.fill(block, 7, bytes: 100)
      let kept = isRefused { libc.realloc(block, .max / 2) } && isRefused { libc.reallocarray(block, 1 << 62, 8) }
      let isIntact = UnsafeRawBufferPointer(start: block, count: 100).allSatisfy { $0 == 7 }
      libc.free(block)
      return [
        ("malloc of too much", isRefused { libc.malloc(.max) }),
        ("calloc of too much", isRefused { libc.calloc(1, .max) }),
        ("calloc that overflows", isRefused { libc.calloc(1 << 62, 8) }),
        ("reallocarray of null that overflows", isRefused { libc.reallocarray(nil, 1 << 62, 8) }),
        ("pvalloc that overflows", isRefused { libc.pvalloc(-1) }),
        ("aligned_alloc of too much", isRefused { libc.alignedAlloc(64, .max) }),
        ("a refused realloc leaves the block alone", kept && isIntact),
      ]
    }

    private func alignments() -> [(String, Bool)] {
      let untouched = UnsafeMutableRawPointer(bitPattern: 1)
      var block = untouched
      errno = 0
      let notAPower = libc.posixMemalign(&block, 24, 8) == EINVAL
      let belowAPointer = libc.posixMemalign(&block, 4, 8) == EINVAL
      let tooMuch = libc.posixMemalign(&block, 64, .max) == ENOMEM
      let errnoKept = errno == 0
      let resultKept = block == untouched
      let refused = libc.alignedAlloc(24, 8) == nil && errno == EINVAL
      errno = 0
      let refusedHuge = libc.memalign(-1, 8) == nil && errno == EINVAL
      let page = libc.pvalloc(4097)
      let wholePages = libc.usableSize(page) >= 8192
      libc.free(page)
      return [
        ("posix_memalign wants a power of two", notAPower),
        ("posix_memalign wants a multiple of a pointer", belowAPointer),
        ("posix_memalign of too much", tooMuch),
        ("posix_memalign keeps errno and result", errnoKept && resultKept),
        ("aligned_alloc wants a power of two", refused),
        ("memalign refuses what cannot be rounded up", refusedHuge),
        ("pvalloc gives whole pages", wholePages),
      ]
    }

    private func errorNumbers() -> [(String, Bool)] {
      errno = 77
      libc.free(libc.malloc(8 << 20))
      libc.freeSized(libc.malloc(100), 100)
      libc.freeAlignedSized(libc.alignedAlloc(64, 100), 64, 100)
      return [("success and free keep errno", errno == 77)]
    }

    /// Failed calls are no allocations.
    private func failuresThatWereCounted() -> Int {
      Change {
        _ = libc.malloc(.max)
        _ = libc.calloc(1 << 62, 8)
        _ = libc.alignedAlloc(24, 8)
      }.allocations
    }
  }
#endif
