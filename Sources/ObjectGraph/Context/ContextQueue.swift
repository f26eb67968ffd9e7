// The queue a context owns: everything that touches the context's objects runs on it, and this is checked.
internal import Dispatch
internal import Synchronization
#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A serial queue that knows which thread is running on it.
///
/// The check is one comparison with the thread that entered: cheap enough to stay in release builds.
final class ContextQueue: Sendable {
  enum Kind { case privateQueue, mainQueue }

  let kind: Kind
  private let queue: DispatchQueue
  /// The thread that is inside; 0 when none is.
  private let owner = Atomic<UInt>(0)
  /// The context whose queue it is; nil once it is gone.
  ///
  /// Objects know their context through it: one weak reference for all of them.
  // Safe by proof: written once, while the context is made and nothing else has it or the queue. No `weak let`, because the
  // context has its queue before it can be referred to.
  nonisolated(unsafe) private(set) weak var context: ManagedObjectContext?
  /// The thread that holds the main queue while it runs a block of a private one, where the main queue's own mark is
  /// not to be seen; 0 when none does.
  private static let mainHolder = Atomic<UInt>(0)
  private static let mainMark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  init(_ kind: Kind) {
    self.kind = kind
    queue = kind == .mainQueue ? .main : DispatchQueue(label: "ObjectGraph.ManagedObjectContext")
    if kind == .mainQueue { _ = ContextQueue.mainMark }
  }

  func adopt(_ context: ManagedObjectContext) { self.context = context }

  /// Whether the caller is on this queue.
  @inline(__always)
  var isCurrent: Bool {
    owner.load(ordering: .relaxed) == currentThread() || (kind == .mainQueue && isMainQueue)
  }

  private var isMainQueue: Bool {
    DispatchQueue.getSpecific(key: ContextQueue.mainMark) == true
      || ContextQueue.mainHolder.load(ordering: .relaxed) == currentThread()
  }

  /// Stops the program when the caller is not on this queue: two threads in one context corrupt it silently.
  @inline(__always)
  func check() {
    if !isCurrent { stop() }
  }

  // No error, because subscripts and properties cannot throw one, and because after it both threads would continue in the
  // context. Not a precondition, which says nothing in release builds, where misuse is met first.
  @inline(never)
  private func stop() -> Never {
    let name = context?.name.map { "the context '\($0)'" } ?? "a context"
    fatalError(
      "\(name) or one of its objects was used off its queue; use perform or performAndWait, and object IDs to cross")
  }

  /// Runs the body on this queue and returns when it is done: on the caller's thread for a private queue, and at
  /// once when the caller is on the queue already.
  func sync<T>(_ body: () throws -> T) rethrows -> T {
    if isCurrent { return try body() }
    let holdsMain = isMainQueue
    return try queue.sync {
      // The block runs on this thread, with the main queue still taken: its contexts are entered already.
      holdsMain ? try mark(ContextQueue.mainHolder) { try enter(body) } : try enter(body)
    }
  }

  func async(_ body: @escaping @Sendable () -> Void) {
    queue.async { self.enter(body) }
  }

  private func enter<T>(_ body: () throws -> T) rethrows -> T { try mark(owner, body) }

  /// Runs the body while the place names this thread.
  private func mark<T>(_ position: borrowing Atomic<UInt>, _ body: () throws -> T) rethrows -> T {
    let outer = position.exchange(currentThread(), ordering: .acquiring)
    defer { position.store(outer, ordering: .releasing) }
    return try body()
  }
}

/// The calling thread's identity; never 0.
@inline(__always)
func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}
