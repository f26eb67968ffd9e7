// Raw DEFLATE, the compression of the model that Core Data keeps in a store.
internal import CoreDataModel
internal import CZlib

/// Decompresses and compresses raw DEFLATE: RFC 1951 without header or checksum.
enum RawDeflate {
  /// Raw streams have a window of up to 32 KiB and no header.
  ///
  /// For zlib, a negative number means such a stream.
  private static let windowBits: Int32 = -15
  private static let chunkSize = 65_536
  private static let expected = "raw DEFLATE, the compression of a model cache"

  /// The decompressed bytes; bytes after the end of the stream are ignored.
  ///
  /// Decompression stops at the limit, whatever size the input claims.
  ///
  /// - Throws: ``MalformedContent`` if the input is not such a stream, is truncated or decompresses to more than the
  ///   limit.
  static func inflate(_ bytes: [UInt8], limit: Int) throws(MalformedContent) -> [UInt8] {
    if bytes.isEmpty { throw MalformedContent(found: "no bytes", expected: expected) }
    // The stream's state points back to the stream, which therefore must not move.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer {
      inflateEnd(stream)
      stream.deallocate()
    }
    guard zlib_shim_inflate_init(stream, windowBits) == Z_OK else {
      throw MalformedContent(found: "no memory to decompress in", expected: "a little more than 32 KiB")
    }
    var input = bytes
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(chunkSize, max(1, limit)))
    let count = UInt32(clamping: input.count)
    let status = input.withUnsafeMutableBufferPointer { source in
      stream.pointee.next_in = source.baseAddress
      stream.pointee.avail_in = count
      return inflate(stream, into: &output, through: &chunk, limit: limit)
    }
    switch status {
    case Z_STREAM_END: return output
    case Z_OK:
      throw MalformedContent(found: "compressed data with more than \(limit) bytes in it", expected: "at most that")
    case Z_BUF_ERROR: throw MalformedContent(found: "compressed data that ends early", expected: "all of it")
    default: throw MalformedContent(found: "bytes of another kind", expected: expected)
    }
  }

  /// The compressed bytes; `nil` if zlib runs out of memory.
  static func deflate(_ bytes: [UInt8]) -> [UInt8]? {
    var count = compressBound(uLong(bytes.count))
    var output = [UInt8](repeating: 0, count: Int(count))
    guard compress2(&output, &count, bytes, uLong(bytes.count), 6) == Z_OK else { return nil }
    // Remove zlib's header of two bytes and its checksum of four.
    return Array(output.prefix(Int(count)).dropFirst(2).dropLast(4))
  }

  /// Fills the output until the stream ends, fails or exceeds the limit; the status is then `Z_OK`.
  private static func inflate(
    _ stream: UnsafeMutablePointer<z_stream>, into output: inout [UInt8], through chunk: inout [UInt8], limit: Int
  ) -> Int32 {
    while true {
      let (status, produced) = chunk.withUnsafeMutableBufferPointer { buffer in
        stream.pointee.next_out = buffer.baseAddress
        stream.pointee.avail_out = UInt32(clamping: buffer.count)
        let status = CZlib.inflate(stream, Z_NO_FLUSH)
        return (status, buffer.count - Int(stream.pointee.avail_out))
      }
      if produced > limit - output.count { return Z_OK }
      output.append(contentsOf: chunk.prefix(produced))
      if status != Z_OK { return status }
    }
  }
}
