// A wrapper to move values between blocks of the same context.
import ObjectGraph

/// A value that belongs to a context's queue and is moved between blocks there.
// Sendable by proof: each test uses the value inside blocks of its context's queue, or on its own thread while no such
// block runs. It only uses the identity of another context's object.
final class Carried<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// An object that may be freed before it is checked.
struct WeakObject {
  weak var object: ManagedObject?
}
