// Inserts on two processors: while a separate thread makes SQLite store rows, the caller's thread prepares the next
// ones.
internal import SQLiteDriver
internal import Support

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// The second thread of a ``RowInserter``, and the ring of buffers through which it receives rows.
///
/// The caller's thread fills one buffer after another, and this thread stores their rows in the same order. A waiting thread
/// is woken only when there is enough work: waking it costs as much as storing some rows.
// Sendable by proof: `inserter`, `failure` and `storing` belong to the thread from its start until it was joined, and
// to the caller before and after; `filling` belongs to the caller; `thread` is set before the caller has the object.
// Both threads only share `state`, behind the mutex, and the buffers, each of which belongs to one of them at a time.
final class InsertThread: @unchecked Sendable {
  private struct State {
    /// Buffers that are filled but not stored yet.
    var filled = 0
    /// Whether no more buffers will be filled.
    var isEnded = false
    /// Whether no more rows will be stored.
    var isGivenUp = false
    /// Whether the storing thread has ended because it waited too long for a processor to be useful.
    var isHindered = false
    var fillerWaits = false
    var storerWaits = false
  }

  /// How much a second thread may wait for a processor that others use.
  struct Patience: Sendable, Hashable {
    /// How long it may run in any case, in nanoseconds: about as long as the system lets a thread run at a time.
    var start: UInt64 = 3_000_000
    /// The share of its time that it may wait.
    var share = 0.2

    /// Whether a thread is no longer useful after running and waiting for these times in nanoseconds; the waiting time
    /// is `nil` if it is unknown.
    func ends(after time: UInt64, waited: @autoclosure () -> UInt64?) -> Bool {
      time >= start && Double(waited() ?? 0) >= share * Double(time)
    }
  }

  private static let size = 4

  private let buffers: [PackedRows]
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let change: UnsafeMutablePointer<pthread_cond_t>
  private let state: UnsafeMutablePointer<State>
  // Exclusivity is unchecked, because every row uses these; each belongs to only one thread.
  @exclusivity(unchecked) private var filling = 0
  @exclusivity(unchecked) private var storing = 0
  private var inserter: RowInserter
  private let patience: Patience
  private var failure: (error: SQLiteError, keys: ClosedRange<Int64>?)?
  private var thread: PlainThread?

  /// `nil` if there is only one processor or no thread can be started.
  ///
  /// - Parameters:
  ///   - inserter: Stores the rows; it must not have any waiting rows.
  ///   - patience: How long the thread may wait for a processor.
  init?(_ inserter: RowInserter, _ patience: Patience) {
    let processors = ThreadProcessors.allowed()
    guard processors.count > 1 else { return nil }
    self.inserter = inserter
    self.patience = patience
    buffers = (0..<InsertThread.size).map { _ in PackedRows() }
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    change = .allocate(capacity: 1)
    pthread_cond_init(change, nil)
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    // The system often puts threads that wait for each other on one processor, which gains nothing.
    let others = processors.filter { $0 != ThreadProcessors.current() }
    // If the process may have no more threads, one thread does everything.
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

  /// The buffer into which the next row is packed.
  @inline(__always)
  var buffer: PackedRows { buffers[filling] }

  /// Ends a packed row, and hands the buffer over if it is full.
  ///
  /// - Returns: False if no more rows are wanted: an earlier one was refused, or ``isHindered``.
  @inline(__always)
  func endRow() -> Bool { buffer.endRow() ? handOver() : true }

  /// Hands the buffer over, and waits for the next one.
  @inline(never)
  private func handOver() -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    state.pointee.filled += 1
    if state.pointee.storerWaits { pthread_cond_signal(change) }
    filling = (filling + 1) % InsertThread.size
    if state.pointee.filled == InsertThread.size {
      state.pointee.fillerWaits = true
      while state.pointee.filled > InsertThread.size / 2, !state.pointee.isGivenUp, !state.pointee.isHindered {
        pthread_cond_wait(change, mutex)
      }
      state.pointee.fillerWaits = false
    }
    if state.pointee.isGivenUp { return false }
    // If all buffers are filled, this is the one that is stored next.
    if state.pointee.filled < InsertThread.size { buffer.removeAll() }
    return !state.pointee.isHindered
  }

  /// Whether the thread waited so long for a processor that the caller is faster alone.
  ///
  /// Only read this after the thread has ended.
  var isHindered: Bool { state.pointee.isHindered }

  /// Waits until the packed rows are stored; stores rows itself that a hindered thread has left.
  ///
  /// - Parameter isComplete: Whether to store the last rows if they do not form a whole group.
  /// - Returns: The error and the keys if a row was refused.
  func end(isComplete: Bool) -> (error: SQLiteError, keys: ClosedRange<Int64>?)? {
    pthread_mutex_lock(mutex)
    let isFull = state.pointee.filled == InsertThread.size
    if !isFull, !isComplete { buffer.removeIncompleteGroup() }
    if !isFull, buffer.rows > 0 { state.pointee.filled += 1 }
    state.pointee.isEnded = true
    pthread_cond_signal(change)
    pthread_mutex_unlock(mutex)
    thread?.join()
    while isHindered, failure == nil, state.pointee.filled > 0 {
      do throws(SQLiteError) { try inserter.insert(buffers[storing]) } catch { failure = (error, inserter.refused) }
      state.pointee.filled -= 1
      storing = (storing + 1) % InsertThread.size
    }
    return failure
  }

  // MARK: - The thread that stores rows

  private func run() {
    let begin = MonotonicClock.now()
    let wait = ProcessorWait()
    while let buffer = next() {
      do throws(SQLiteError) {
        try inserter.insert(buffer)
      } catch {
        failure = (error, inserter.refused)
        return giveUp()
      }
      // Check before returning the buffer, so that a caller waiting for the buffer sees it at once.
      let isHindered = patience.ends(after: MonotonicClock.now() - begin, waited: wait?.nanoseconds())
      handBack(isHindered: isHindered)
      if isHindered { return }
    }
  }

  /// Waits for the next buffer.
  ///
  /// - Returns: `nil` if there are no more.
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

  /// Returns a buffer with stored rows; a hindered thread stores no others.
  private func handBack(isHindered: Bool) {
    pthread_mutex_lock(mutex)
    state.pointee.filled -= 1
    storing = (storing + 1) % InsertThread.size
    if isHindered { state.pointee.isHindered = true }
    if state.pointee.fillerWaits, isHindered || state.pointee.filled <= InsertThread.size / 2 {
      pthread_cond_signal(change)
    }
    pthread_mutex_unlock(mutex)
  }

  private func giveUp() {
    pthread_mutex_lock(mutex)
    state.pointee.isGivenUp = true
    pthread_cond_signal(change)
    pthread_mutex_unlock(mutex)
  }
}
