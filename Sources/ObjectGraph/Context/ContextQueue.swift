// The queue of a context: everything that uses the context's objects must run on it, which is checked.
internal import Dispatch
internal import Synchronization

/// A serial queue that knows which thread is running on it.
///
/// The check is one comparison with the thread that entered, cheap enough for release builds.
final class ContextQueue: Sendable {
  enum Kind { case privateQueue, mainQueue }

  let kind: Kind
  private let queue: DispatchQueue
  /// The thread that runs on the queue; 0 if none does.
  private let owner = Atomic<UInt>(0)
  /// The context that owns the queue; `nil` once it is deallocated.
  ///
  /// Objects find their context through it, which takes one weak reference for all of them.
  // Safe by proof: written once, while the context is created and nothing else refers to it or the queue. It cannot be
  // a `weak let`, because the context has its queue before anything can refer to the context.
  nonisolated(unsafe) private(set) weak var context: ManagedObjectContext?
  /// The thread that holds the main queue while it runs a block of a private queue, where the main queue's own mark is
  /// not visible; 0 if there is none.
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

  /// Stops the program if the caller is not on this queue: two threads in one context corrupt it silently.
  @inline(__always)
  func check() {
    if !isCurrent { stop() }
  }

  // Throwing is not possible, because subscripts and properties call this, and both threads would continue in the
  // context. A precondition has no message in release builds, where misuse usually shows first.
  @inline(never)
  private func stop() -> Never {
    let name = context?.name.map { "the context '\($0)'" } ?? "a context"
    fatalError(
      "\(name) or one of its objects was used off its queue; use perform or performAndWait, and object IDs to cross")
  }

  /// Runs the body on this queue and waits for it: a private queue uses the caller's thread, and a caller that is
  /// already on the queue runs the body at once.
  func sync<T>(_ body: () throws -> T) rethrows -> T {
    if isCurrent { return try body() }
    let holdsMain = isMainQueue
    return try queue.sync {
      // The block runs on this thread, which still holds the main queue: it may also use the main queue's contexts.
      holdsMain ? try mark(ContextQueue.mainHolder) { try enter(body) } : try enter(body)
    }
  }

  func async(_ body: @escaping @Sendable () -> Void) {
    queue.async { self.enter(body) }
  }

  private func enter<T>(_ body: () throws -> T) rethrows -> T { try mark(owner, body) }

  /// Runs the body while the atomic contains this thread.
  private func mark<T>(_ position: borrowing Atomic<UInt>, _ body: () throws -> T) rethrows -> T {
    let outer = position.exchange(currentThread(), ordering: .acquiring)
    defer { position.store(outer, ordering: .releasing) }
    return try body()
  }
}
