// Reads the kernel's files in /proc and /sys, which are small, report no size, and do not always exist.
#if os(Linux)
  internal import Glibc

  /// Reads and writes the kernel's files.
  enum SystemFile {
    /// The whole file as text; `nil` if it cannot be read.
    static func text(_ path: String) -> String? {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var bytes: [UInt8] = []
      while true {
        var count = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, initialized in
          count = read(file, buffer.baseAddress, buffer.count)
          initialized = max(count, 0)
        }
        if count > 0 {
          bytes += chunk
        } else if count == 0 {
          return String(decoding: bytes, as: UTF8.self)
        } else if errno != EINTR {
          return nil
        }
      }
    }

    /// The first line without surrounding spaces; `nil` if there is none.
    static func firstLine(_ path: String) -> String? {
      text(path)?.split(separator: "\n").first.map { String($0.trimmingBlanks()) }
    }

    /// The value after `key:` or `key=` in the first line that has it, without surrounding spaces.
    static func value(of key: String, in text: String, separator: Character) -> String? {
      for line in text.split(separator: "\n") {
        guard let end = line.firstIndex(of: separator), line[..<end].trimmingBlanks() == key else { continue }
        return String(line[line.index(after: end)...].trimmingBlanks())
      }
      return nil
    }

    /// The names in a folder; `nil` if it cannot be read.
    static func names(in path: String) -> [String]? {
      guard let directory = opendir(path) else { return nil }
      defer { closedir(directory) }
      var names: [String] = []
      while let entry = readdir(directory) {
        names.append(
          withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
          })
      }
      return names
    }

    /// Writes a few bytes into an existing file; false if the kernel does not accept them.
    static func write(_ text: String, to path: String) -> Bool {
      let file = open(path, O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { return false }
      defer { close(file) }
      var text = text
      return text.withUTF8 { Glibc.write(file, $0.baseAddress, $0.count) == $0.count }
    }
  }

  extension Substring {
    /// The text without spaces and tabs at either end.
    func trimmingBlanks() -> Substring {
      let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
      var trimmed = drop(while: isBlank)
      while let last = trimmed.last, isBlank(last) { trimmed.removeLast() }
      return trimmed
    }
  }
#endif
