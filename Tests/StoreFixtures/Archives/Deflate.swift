// Compression like in a model cache.
internal import CZlib

/// The bytes as raw DEFLATE: zlib's own format without its header and checksum.
package func deflated(_ bytes: [UInt8]) -> [UInt8] {
  var count = compressBound(uLong(bytes.count))
  var output = [UInt8](repeating: 0, count: Int(count))
  precondition(compress2(&output, &count, bytes, uLong(bytes.count), 6) == Z_OK, "zlib has no memory")
  return Array(output.prefix(Int(count)).dropFirst(2).dropLast(4))
}
