// Why a file cannot be read whole, in words for both kinds of sentence that the readers make.

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// Why a file cannot be read at all, whatever its content.
package enum InputFileError: Error, Hashable, Sendable {
  /// The system refused with this error number.
  case system(Int32)
  /// It is there, and no plain file.
  case kind(FileKind)
  /// The path means the stream that the process was started with.
  case standardInput
  case tooLong(InputFile.Limit)
  /// It was written to while it was read.
  case changed

  /// Whether the file cannot be read; otherwise its content is wrong.
  package var isUnreadable: Bool {
    if case .tooLong = self { false } else { true }
  }

  /// What was found, as a phrase: `no such file or directory`, `a named pipe`.
  package var found: String {
    switch self {
    case .system(let number): InputFileError.text(number)
    case .kind(let kind): kind.rawValue
    case .standardInput: "standard input"
    case .tooLong(let limit): "more than \(limit.text)"
    case .changed: "a file that was written to while it was read"
    }
  }

  /// What was expected in place of it, as a phrase; `thing` says what the file should be: `a scenario file`.
  package func expected(_ thing: String) -> String {
    switch self {
    case .system: "\(thing) that can be read"
    case .kind: "\(thing) in a plain file"
    case .standardInput: "\(thing) in a file, which can be read more than once"
    case .tooLong(let limit): "\(thing) of at most \(limit.text)"
    case .changed: "\(thing) that is finished"
    }
  }

  /// The same as what follows on `cannot be read:`.
  package var reason: String {
    switch self {
    case .system: found
    case .kind: "it is \(found) and no plain file"
    case .standardInput: "standard input can be read only once; put it into a file"
    case .tooLong(let limit): "it has more than \(limit.text), which is the limit"
    case .changed: "it was written to while it was read; try again when it is finished"
    }
  }

  /// The system's words, as they stand within a sentence.
  private static func text(_ number: Int32) -> String {
    let text = String(cString: strerror(number))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
