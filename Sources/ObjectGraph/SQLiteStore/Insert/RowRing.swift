// A ring of buffers between two threads: one fills them with rows, the other stores these.
#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// Hands buffers of rows from one thread to another, and back when they are stored.
///
/// A thread that has to wait is only woken when there is work for a while: waking it costs as much as storing some rows.
///
/// Everything that both threads touch is behind the mutex; a buffer is one thread's at a time.
final class RowRing {
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
  /// Where the filling thread is.
  private var filling = 0
  /// Where the storing thread is.
  private var storing = 0

  init() {
    buffers = (0..<RowRing.size).map { _ in PackedRows() }
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    change = .allocate(capacity: 1)
    pthread_cond_init(change, nil)
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit {
    for buffer in buffers { buffer.deallocate() }
    pthread_cond_destroy(change)
    change.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
    state.deallocate()
  }

  // MARK: - The thread that fills buffers

  /// The buffer to fill.
  var current: PackedRows { buffers[filling] }

  /// Hands the current buffer over, and waits until there is another.
  ///
  /// - Returns: False when no more rows will be stored.
  func handOver() -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    state.pointee.filled += 1
    if state.pointee.storerWaits { pthread_cond_signal(change) }
    filling = (filling + 1) % RowRing.size
    if state.pointee.filled == RowRing.size {
      state.pointee.fillerWaits = true
      while state.pointee.filled > RowRing.size / 2, !state.pointee.isGivenUp { pthread_cond_wait(change, mutex) }
      state.pointee.fillerWaits = false
    }
    if state.pointee.isGivenUp { return false }
    buffers[filling].removeAll()
    return true
  }

  /// No more buffers will be filled.
  func end() {
    pthread_mutex_lock(mutex)
    state.pointee.isEnded = true
    pthread_cond_signal(change)
    pthread_mutex_unlock(mutex)
  }

  // MARK: - The thread that stores rows

  /// Waits for the next buffer.
  ///
  /// - Returns: Nil when there will be none.
  func next() -> PackedRows? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if state.pointee.filled == 0, !state.pointee.isEnded {
      state.pointee.storerWaits = true
      while state.pointee.filled < RowRing.size / 2, !state.pointee.isEnded { pthread_cond_wait(change, mutex) }
      state.pointee.storerWaits = false
    }
    return state.pointee.filled == 0 ? nil : buffers[storing]
  }

  /// The buffer's rows are stored.
  func handBack() {
    pthread_mutex_lock(mutex)
    state.pointee.filled -= 1
    storing = (storing + 1) % RowRing.size
    if state.pointee.fillerWaits, state.pointee.filled <= RowRing.size / 2 { pthread_cond_signal(change) }
    pthread_mutex_unlock(mutex)
  }

  /// No more rows will be stored.
  func giveUp() {
    pthread_mutex_lock(mutex)
    state.pointee.isGivenUp = true
    pthread_cond_signal(change)
    pthread_mutex_unlock(mutex)
  }
}
