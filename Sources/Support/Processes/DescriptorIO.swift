// One read and one write of a descriptor, from whichever C library the system has: types here have methods of those names.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Reads once into the block; the result and `errno` are those of read(2).
func readDescriptor(_ descriptor: Int32, into block: inout [UInt8]) -> Int {
  block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
}

/// Writes once what comes after the first bytes; the result and `errno` are those of write(2).
func writeDescriptor(_ descriptor: Int32, _ bytes: [UInt8], after written: Int) -> Int {
  bytes.withUnsafeBytes { write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written) }
}
