// Files through the system's own calls, whose reasons for refusing are the clearest there are.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Why a file cannot be read, in the system's words: `no such file or directory`.
struct FileRefusal: Error {
  let reason: String

  /// The refusal `errno` tells of.
  init(code: Int32) {
    let words = String(cString: strerror(code))
    reason = words.prefix(1).lowercased() + words.dropFirst()
  }
}

/// What is at a path.
enum FileKind {
  case folder, other
}

/// Looks at a path, following links.
func kindOfFile(at path: String) -> Result<FileKind, FileRefusal> {
  var status = stat()
  guard stat(path, &status) == 0 else { return .failure(FileRefusal(code: errno)) }
  return .success(status.st_mode & S_IFMT == S_IFDIR ? .folder : .other)
}

/// Reads a whole file.
func readBytes(ofFile path: String) throws(FileRefusal) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw FileRefusal(code: errno) }
  defer { close(descriptor) }
  var status = stat()
  let size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  var bytes: [UInt8] = []
  // At most a gigabyte ahead of time: a sparse file may claim more than there is memory.
  bytes.reserveCapacity(min(size, 1 << 30))
  var block = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    if count < 0 {
      if errno == EINTR { continue }
      throw FileRefusal(code: errno)
    }
    if count == 0 { return bytes }
    bytes.append(contentsOf: block[..<count])
  }
}

/// The offset of the first byte that is not part of valid UTF-8; the count when there is none.
func firstInvalidUTF8(in bytes: [UInt8]) -> Int {
  var parser = Unicode.UTF8.ForwardParser()
  var iterator = bytes.makeIterator()
  var offset = 0
  while true {
    switch parser.parseScalar(from: &iterator) {
    case .valid(let scalar): offset += scalar.count
    case .error, .emptyInput: return offset
    }
  }
}
