// The end of a stream: a worker may write without end, and only its last words are of use.

/// Keeps the last bytes of a stream.
struct OutputTail: Sendable {
  let limit: Int
  private var bytes: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  /// Adds what arrived; amortized O(count).
  mutating func append(_ new: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: new)
    // Cut in large steps, so that each byte is moved a constant number of times.
    if bytes.count > 2 * limit { cut() }
  }

  /// The last `limit` bytes as text; bytes that are not UTF-8 become replacement characters.
  var text: String { String(decoding: bytes.suffix(limit), as: UTF8.self) }

  /// The last `limit` bytes.
  var data: ArraySlice<UInt8> { bytes.suffix(limit) }

  private mutating func cut() {
    bytes.removeFirst(bytes.count - limit)
  }
}
