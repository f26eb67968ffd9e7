// Inserts on two processors: while a thread of their own has SQLite store rows, the caller's makes the next ones.
internal import SQLiteDriver
internal import Support

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// The second thread of a ``RowInserter``, and the ring of buffers in which it receives rows.
///
/// The caller's thread fills one buffer after another, and this one stores their rows in the same order. A thread that has
/// to wait is only woken when there is work for a while: waking it costs as much as storing some rows.
// Sendable by proof: `inserter` and `failure` are the thread's from its start until it was joined, and the caller's before and
// after; `filling` is the caller's and `storing` the thread's; `thread` is set before the caller has the object. What both
// threads touch meanwhile is `state`, behind the mutex, and the buffers, each of which it gives to one of them at a time.
final class InsertThread: @unchecked Sendable {
  private struct State {
    /// Buffers that are filled and not stored.
    var filled = 0
    /// Whether no more buffers will be filled.
    var isEnded = false
    /// Whether no more rows will be stored.
    var isGivenUp = false
    var fillerWaits = false
    var storerWaits = false
  }

  private static let size = 4

  private let buffers: [PackedRows]
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let change: UnsafeMutablePointer<pthread_cond_t>
  private let state: UnsafeMutablePointer<State>
  private var filling = 0
  private var storing = 0
  private let inserter: RowInserter
  private var failure: (error: SQLiteError, keys: ClosedRange<Int64>?)?
  private var thread: PlainThread?

  /// Nil where there is one processor, or no thread to be had.
  ///
  /// - Parameter inserter: Stores the rows; no row of it waits.
  init?(_ inserter: RowInserter) {
    let processors = ThreadProcessors.allowed()
    guard processors.count > 1 else { return nil }
    self.inserter = inserter
    buffers = (0..<InsertThread.size).map { _ in PackedRows() }
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    change = .allocate(capacity: 1)
    pthread_cond_init(change, nil)
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    // Threads that wait for each other are often put on one processor, where nothing is won.
    let others = processors.filter { $0 != ThreadProcessors.current() }
    // Where the process may have no more threads, one does it all.
    thread = try? PlainThread(stackBytes: 512 << 10) {
      ThreadProcessors.stay(on: others)
      self.run()
    }
    if thread == nil { return nil }
  }

  deinit {
    for buffer in buffers { buffer.deallocate() }
    pthread_cond_destroy(change)
    change.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
    state.deallocate()
  }

  // MARK: - The caller's thread

  /// Where the next row is packed.
  @inline(__always)
  var buffer: PackedRows { buffers[filling] }

  /// A row was packed: hands the buffer over when it is full.
  ///
  /// - Returns: False when an earlier row was refused, so that no more are wanted.
  @inline(__always)
  func endRow() -> Bool { buffer.endRow() ? handOver() : true }

  /// Hands the buffer over, and waits until there is another.
  @inline(never)
  private func handOver() -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    state.pointee.filled += 1
    if state.pointee.storerWaits { pthread_cond_signal(change) }
    filling = (filling + 1) % InsertThread.size
    if state.pointee.filled == InsertThread.size {
      state.pointee.fillerWaits = true
      while state.pointee.filled > InsertThread.size / 2, !state.pointee.isGivenUp { pthread_cond_wait(change, mutex) }
      state.pointee.fillerWaits = false
    }
    if state.pointee.isGivenUp { return false }
    buffer.removeAll()
    return true
  }

  /// Waits until the rows that were packed are stored.
  ///
  /// - Parameter isComplete: Whether the last rows are stored that make no whole group.
  /// - Returns: Why a row was refused, and which one, if so.
  func end(isComplete: Bool) -> (error: SQLiteError, keys: ClosedRange<Int64>?)? {
    if !isComplete { buffer.removeIncompleteGroup() }
    if buffer.rows > 0 { _ = handOver() }
    pthread_mutex_lock(mutex)
    state.pointee.isEnded = true
    pthread_cond_signal(change)
    pthread_mutex_unlock(mutex)
    thread?.join()
    return failure
  }

  // MARK: - The thread that stores rows

  private func run() {
    var inserter = inserter
    while let buffer = next() {
      do throws(SQLiteError) {
        try inserter.insert(buffer)
      } catch {
        failure = (error, inserter.refused)
        return giveUp()
      }
      handBack()
    }
  }

  /// Waits for the next buffer.
  ///
  /// - Returns: Nil when there will be none.
  private func next() -> PackedRows? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if state.pointee.filled == 0, !state.pointee.isEnded {
      state.pointee.storerWaits = true
      while state.pointee.filled < InsertThread.size / 2, !state.pointee.isEnded { pthread_cond_wait(change, mutex) }
      state.pointee.storerWaits = false
    }
    return state.pointee.filled == 0 ? nil : buffers[storing]
  }

  /// The buffer's rows are stored.
  private func handBack() {
    pthread_mutex_lock(mutex)
    state.pointee.filled -= 1
    storing = (storing + 1) % InsertThread.size
    if state.pointee.fillerWaits, state.pointee.filled <= InsertThread.size / 2 { pthread_cond_signal(change) }
    pthread_mutex_unlock(mutex)
  }

  private func giveUp() {
    pthread_mutex_lock(mutex)
    state.pointee.isGivenUp = true
    pthread_cond_signal(change)
    pthread_mutex_unlock(mutex)
  }
}
