// What tests carry from one block of a context to another one of the same context.
import ObjectGraph

/// A value that belongs to a context's queue, on its way between blocks there.
// Sendable by proof: each test uses the value inside blocks of its context's queue, or on its own thread while no such block
// runs. Of an object of another context it uses the identity alone.
final class Carried<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// An object that may be gone by the time it is looked at.
struct WeakObject {
  weak var object: ManagedObject?
}
