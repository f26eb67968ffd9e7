// Cases with several threads. The threads start and wait before the measurement, because starting one allocates.
#if os(Linux)
  internal import Glibc
  internal import Synchronization

  extension ProbeCase {
    /// One thread allocates and another frees: peaks per thread would count two hundred blocks at once.
    func crossThread() -> [Figure] {
      let slot = Slot()
      let team = Team(of: 2) { thread in
        for _ in 0..<200 {
          if thread == 0 { slot.give(libc.malloc(1 << 20)) } else { slot.take(libc.free) }
        }
      }
      defer { team.dissolve() }
      return Change { team.work() }.figures
    }

    /// One thread allocates, and another makes the block larger and frees it.
    func crossThreadGrowth() -> [Figure] {
      let slot = Slot()
      let team = Team(of: 2) { thread in
        for _ in 0..<200 {
          if thread == 0 {
            slot.give(libc.malloc(1 << 20))
          } else {
            slot.take { libc.free(libc.realloc($0, 3 << 20)) }
          }
        }
      }
      defer { team.dissolve() }
      return Change { team.work() }.figures
    }

    /// Four threads that constantly allocate and free: every call must be counted.
    func contention() -> [Figure] {
      let sum = Sum()
      let meeting = Meeting(of: 4)
      let team = Team(of: 4) { thread in
        var usable = 0
        meeting.meet()
        for round in 0..<50_000 {
          let block = libc.malloc(16 + (round &* 31 &+ thread &* 7) % 4000)
          usable += libc.usableSize(block)
          libc.free(block)
        }
        sum.value.add(usable, ordering: .relaxed)
      }
      defer { team.dissolve() }
      // The work is done twice; the first time is a warm-up.
      return Change { team.work() }.figures + [("usable", sum.value.load(ordering: .relaxed) / 2)]
    }

    /// Four threads that hold eight blocks each at the same moment: the peak contains all of them.
    func heldByAll() -> [Figure] {
      let meeting = Meeting(of: 4)
      let team = Team(of: 4) { _ in
        withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: 8) { blocks in
          for index in blocks.indices { blocks.initializeElement(at: index, to: libc.malloc(1 << 20)) }
          meeting.meet()
          for block in blocks { libc.free(block) }
        }
      }
      defer { team.dissolve() }
      return Change { team.work() }.figures
    }
  }

  /// Threads that do one piece of work together on request.
  private final class Team: Sendable {
    private let turn = Atomic(0)
    private let finished = Atomic(0)
    private let threads: Mutex<[pthread_t]>
    private let body: @Sendable (Int) -> Void

    init(of count: Int, _ body: @escaping @Sendable (Int) -> Void) {
      self.body = body
      threads = Mutex([])
      threads.withLock { threads in
        for number in 0..<count {
          let start = Unmanaged.passRetained(Start(team: self, number: number))
          var thread = pthread_t()
          let error = pthread_create(
            &thread, nil,
            { start in
              guard let start else { return nil }
              let member = Unmanaged<Start>.fromOpaque(start).takeRetainedValue()
              member.team.run(member.number)
              return nil
            }, start.toOpaque())
          guard error == 0 else { exit(70) }
          threads.append(thread)
        }
      }
    }

    /// Lets every thread do the work once and waits for them.
    func work() {
      let count = threads.withLock { $0.count }
      finished.store(0, ordering: .relaxed)
      turn.add(1, ordering: .releasing)
      while finished.load(ordering: .acquiring) < count { sched_yield() }
    }

    /// Ends the threads.
    func dissolve() {
      turn.store(-1, ordering: .relaxed)
      threads.withLock { threads in
        for thread in threads { pthread_join(thread, nil) }
        threads = []
      }
    }

    private func run(_ number: Int) {
      var done = 0
      while true {
        let turn = turn.load(ordering: .acquiring)
        if turn < 0 { return }
        guard turn > done else {
          sched_yield()
          continue
        }
        done = turn
        body(number)
        finished.add(1, ordering: .releasing)
      }
    }

    private final class Start {
      let team: Team
      let number: Int

      init(team: Team, number: Int) {
        self.team = team
        self.number = number
      }
    }
  }

  /// A slot for one block, between a thread that gives and a thread that takes.
  private final class Slot: Sendable {
    private let address = Atomic(UInt(0))

    func give(_ block: UnsafeMutableRawPointer?) {
      address.store(UInt(bitPattern: block), ordering: .releasing)
      while address.load(ordering: .acquiring) != 0 { sched_yield() }
    }

    /// Waits for a block.
    ///
    /// The giver continues when it has been used.
    func take(_ use: (UnsafeMutableRawPointer?) -> Void) {
      var found: UInt = 0
      while found == 0 {
        sched_yield()
        found = address.load(ordering: .acquiring)
      }
      use(UnsafeMutableRawPointer(bitPattern: found))
      address.store(0, ordering: .releasing)
    }
  }

  /// A point at which threads wait for each other.
  private final class Meeting: Sendable {
    private let count: Int
    private let arrived = Atomic(0)

    init(of count: Int) { self.count = count }

    func meet() {
      let ticket = arrived.add(1, ordering: .acquiringAndReleasing).oldValue
      let awaited = (ticket / count + 1) * count
      while arrived.load(ordering: .acquiring) < awaited { sched_yield() }
    }
  }

  private final class Sum: Sendable {
    let value = Atomic(0)
  }
#endif
