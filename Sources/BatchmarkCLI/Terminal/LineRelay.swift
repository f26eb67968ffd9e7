// What a tool says, shown line by line as it is said: it may be anybody's, so that it must not steer the terminal.
internal import Reports
internal import Synchronization

/// Hands on lines to standard error, without control characters.
final class LineRelay: Sendable {
  /// A line that is longer is handed on in parts.
  private static let longest = 1 << 16

  private let rest = Mutex<[UInt8]>([])

  /// Takes what arrived; what has no line end yet waits for it.
  func take(_ bytes: UnsafeRawBufferPointer) {
    rest.withLock { rest in
      rest.append(contentsOf: bytes)
      let whole = rest.lastIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map { $0 + 1 } ?? 0
      let count = rest.count - whole > LineRelay.longest ? rest.count : whole
      LineRelay.show(rest[..<count])
      rest.removeFirst(count)
    }
  }

  /// Hands on what is left.
  func end() {
    rest.withLock { rest in
      LineRelay.show(rest[...])
      rest = []
    }
  }

  private static func show(_ bytes: ArraySlice<UInt8>) {
    if !bytes.isEmpty { Console.write(encoded: String(decoding: bytes, as: UTF8.self).withoutControls) }
  }
}
