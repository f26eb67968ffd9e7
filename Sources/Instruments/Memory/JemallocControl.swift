// The only place that calls jemalloc: reads and writes its named values. A build for the thread sanitizer, which needs
// its own allocator, has no jemalloc.
#if !BATCHMARK_SANITIZE
  internal import CJemalloc
#endif

/// Calls jemalloc's `mallctl` without allocating.
///
/// The names are in `man jemalloc`, "MALLCTL NAMESPACE".
enum JemallocControl {
  #if BATCHMARK_SANITIZE
    static let isLinked = false

    static func read<Value: BitwiseCopyable>(_ name: StaticString, into value: inout Value) -> Bool { false }

    static func write<Value: BitwiseCopyable>(_ name: StaticString, _ value: Value) -> Bool { false }

    static func call(_ name: StaticString) -> Bool { false }
  #else
    static let isLinked = true

    /// Reads a value; returns false and leaves the value unchanged if jemalloc has none with this name and size.
    static func read<Value: BitwiseCopyable>(_ name: StaticString, into value: inout Value) -> Bool {
      withUnsafeMutableBytes(of: &value) { bytes in
        var size = bytes.count
        return jemalloc_mallctl(characters(of: name), bytes.baseAddress, &size, nil, 0) == 0
      }
    }

    /// Writes a value; false if jemalloc refuses it.
    @discardableResult
    static func write<Value: BitwiseCopyable>(_ name: StaticString, _ value: Value) -> Bool {
      var value = value
      return withUnsafeMutableBytes(of: &value) { bytes in
        jemalloc_mallctl(characters(of: name), nil, nil, bytes.baseAddress, bytes.count) == 0
      }
    }

    /// Runs a command, which is a name without a value.
    @discardableResult
    static func call(_ name: StaticString) -> Bool {
      jemalloc_mallctl(characters(of: name), nil, nil, nil, 0) == 0
    }

    private static func characters(of name: StaticString) -> UnsafePointer<CChar> {
      UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }
  #endif

  static func size(_ name: StaticString) -> Int64? {
    var value = 0
    return read(name, into: &value) ? Int64(value) : nil
  }

  static func count(_ name: StaticString) -> UInt64? {
    var value: UInt64 = 0
    return read(name, into: &value) ? value : nil
  }

  static func flag(_ name: StaticString) -> Bool? {
    // Read it as a byte: a Bool may only be 0 or 1.
    var value: UInt8 = 0
    return read(name, into: &value) ? value != 0 : nil
  }

  static func text(_ name: StaticString) -> String? {
    var value: UnsafePointer<CChar>?
    guard read(name, into: &value) else { return nil }
    return value.map { String(cString: $0) }
  }
}
