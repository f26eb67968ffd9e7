// Observes an object, a count or a fetch: the present value, followed by each different one.

/// A value computed from objects, now and after every change of them, as an asynchronous sequence.
///
/// The first value comes at once, followed by each value that differs from the previous one. Values are computed on
/// request: several changes while the reader is busy are combined, and changes while nobody reads cost almost nothing.
/// The sequence ends when its context is deallocated, its object is deleted, or the task that reads it is canceled. It
/// throws what computing a value throws. You can read it several times, each time from the start.
///
/// ```swift
/// let strong = FetchRequest<Quake>(entityName: "Quake", predicate: Quake.magnitude > 4.5)
/// for try await count in try context.observe(countOf: strong) { print("\(count) strong quakes") }
/// ```
public struct ObservedValues<Value: Sendable & Equatable>: AsyncSequence, Sendable {
  /// Computes a value; `nil` at the end of the sequence.
  typealias Look = @Sendable (ManagedObjectContext) throws -> Value?

  // The queue has only a weak reference to its context.
  private let queue: ContextQueue
  private let isRelevant: @Sendable (ContextNotification) -> Bool
  private let look: Look

  init(
    _ context: ManagedObjectContext, isRelevant: @escaping @Sendable (ContextNotification) -> Bool,
    look: @escaping Look
  ) {
    queue = context.queue
    self.isRelevant = isRelevant
    self.look = look
  }

  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Computes a value for each request.
  ///
  /// ```swift
  /// var counts = try context.observe(countOf: FetchRequest(entityName: "Quake")).makeAsyncIterator()
  /// let first = try await counts.next()
  /// ```
  public struct Iterator: AsyncIteratorProtocol {
    private let values: ObservedValues
    /// One signal for any number of changes since the last signal.
    private var signals: AsyncStream<Void>.Iterator?
    private var last: Value?

    init(_ values: ObservedValues) { self.values = values }

    public mutating func next() async throws -> Value? {
      if signals == nil {
        signals = values.signals().makeAsyncIterator()
        values.queue.context?.expectChanges()
      }
      while await signals?.next() != nil {
        guard let context = values.queue.context else { return nil }
        let look = values.look
        guard let value = try await context.perform({ try look(context) }) else { return nil }
        if value == last { continue }
        last = value
        return value
      }
      return nil
    }
  }

  /// A signal now, and more after changes.
  private func signals() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let observations = [ContextNotification.Name.objectsDidChange, .didSave, .didMerge].compactMap { name in
        queue.context?.observers.add(
          name, { news in if isRelevant(news) { continuation.yield() } }, ended: { continuation.finish() })
      }
      continuation.onTermination = { _ in for observation in observations { observation.cancel() } }
      continuation.yield()
      if observations.isEmpty { continuation.finish() }
    }
  }
}

extension ManagedObjectContext {
  /// The value that the body computes from the object, now and after each change.
  ///
  /// The sequence ends when the object is deleted.
  ///
  /// The body runs on the context's queue.
  ///
  /// ```swift
  /// for try await place in context.observe(quake, { $0[Quake.place] }) { print(place ?? "unknown") }
  /// ```
  public func observe<ObjectType: ManagedObject, Value: Sendable & Equatable>(
    _ object: ObjectType, _ body: @escaping @Sendable (ObjectType) throws -> Value
  ) -> ObservedValues<Value> {
    queue.check()
    let objectID = object.objectID
    // If nothing holds the object, only the family knows its permanent ID.
    if object.isInserted, objectID.isTemporaryID { childKeys.insert(objectID.key) }
    return ObservedValues(
      self,
      isRelevant: { news in
        news.invalidatedAllObjects || news.refreshedAllObjects || news.name == .didSave || objectID.isTemporaryID
          || [news.inserted, news.updated, news.deleted, news.refreshed].contains { $0.contains(objectID) }
      },
      look: { context in
        do {
          let object = try context.existingObject(with: objectID)
          return object.isDeleted ? nil : try (object as? ObjectType).map(body)
        } catch ObjectGraphError.missingObject {
          return nil
        }
      })
  }

  /// The value that the body computes from the request's result, now and after each change that affects it.
  ///
  /// The body runs on the context's queue, after a fetch for each value. A ``FetchedResultsController`` reports what
  /// changed, without fetching again.
  ///
  /// ```swift
  /// let newest = FetchRequest<Quake>(
  ///   entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.time, ascending: false)])
  /// for try await code in try context.observe(newest, { $0.first?[Quake.code] }) { print(code ?? "none") }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``; the sequence throws the same errors as
  ///   ``fetch(_:)``.
  public func observe<ResultType, Value: Sendable & Equatable>(
    _ request: FetchRequest<ResultType>, _ body: @escaping @Sendable (FetchResults<ResultType>) throws -> Value
  ) throws(ObjectGraphError) -> ObservedValues<Value> {
    try observing(request) { context in try body(try context.fetch(request)) }
  }

  /// The value that the body computes from the request's dictionaries, now and after each change that affects them.
  ///
  /// The body runs on the context's queue, after a fetch for each value. Dictionaries show what is stored, so pending
  /// changes do not change the value. A ``FetchedDictionariesController`` reports what changed.
  ///
  /// ```swift
  /// var strongest = FetchRequest<Quake>(entityName: "Quake")
  /// strongest.propertiesToFetch = [.expression(ExpressionDescription("strongest", .maximum, of: "magnitude"))]
  /// for try await magnitude in try context.observe(dictionariesOf: strongest, { $0.first?["strongest"] }) {
  ///   print(magnitude ?? "none")
  /// }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``; the sequence throws the same errors as
  ///   ``fetchDictionaries(_:)``.
  public func observe<Value: Sendable & Equatable>(
    dictionariesOf request: FetchRequest<some ManagedObject>,
    _ body: @escaping @Sendable (DictionaryResults) throws -> Value
  ) throws(ObjectGraphError) -> ObservedValues<Value> {
    let request = request.untyped
    return try observing(request) { context in try body(try context.fetchDictionaries(request)) }
  }

  /// The number of objects that the request finds, now and whenever it changes.
  ///
  /// ```swift
  /// let felt = FetchRequest<Quake>(entityName: "Quake", predicate: Quake.felt > 0)
  /// for try await count in try context.observe(countOf: felt) { print("\(count) quakes were felt") }
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``; the sequence throws the same errors as
  ///   ``count(for:)``.
  public func observe<ResultType>(
    countOf request: FetchRequest<ResultType>
  ) throws(ObjectGraphError) -> ObservedValues<Int> {
    try observing(request) { context in try context.count(for: request) }
  }

  private func observing<ResultType, Value: Sendable & Equatable>(
    _ request: FetchRequest<ResultType>, _ look: @escaping @Sendable (ManagedObjectContext) throws -> Value
  ) throws(ObjectGraphError) -> ObservedValues<Value> {
    let scope = try ResultScope(request.untyped, persistentStoreCoordinator.compiledModel)
    return ObservedValues(self, isRelevant: { $0.refreshedAllObjects || scope.dependsOn($0) }, look: look)
  }
}
