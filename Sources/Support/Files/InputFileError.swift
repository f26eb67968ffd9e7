// Why a file cannot be read, worded for both kinds of sentences in which readers report it.

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// Why a file cannot be read, regardless of its content.
package enum InputFileError: Error, Hashable, Sendable {
  /// The system refused with this error number.
  case system(Int32)
  /// It exists but is not a plain file.
  case kind(FileKind)
  /// The path names standard input or another inherited stream.
  case standardInput
  case tooLong(InputFile.Limit)
  /// It was written to while it was being read.
  case changed

  /// Whether the file cannot be read at all; otherwise it is too long.
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

  /// What was expected instead, as a phrase; `thing` says what the file should be: `a scenario file`.
  package func expected(_ thing: String) -> String {
    switch self {
    case .system: "\(thing) that can be read"
    case .kind: "\(thing) in a plain file"
    case .standardInput: "\(thing) in a file, which can be read more than once"
    case .tooLong(let limit): "\(thing) of at most \(limit.text)"
    case .changed: "\(thing) that is finished"
    }
  }

  /// The reason as it follows `cannot be read:`.
  package var reason: String {
    switch self {
    case .system: found
    case .kind: "it is \(found) and no plain file"
    case .standardInput: "standard input can be read only once; put it into a file"
    case .tooLong(let limit): "it has more than \(limit.text), which is the limit"
    case .changed: "it was written to while it was read; try again when it is finished"
    }
  }

  /// The system's message, starting in lowercase so that it fits into a sentence.
  private static func text(_ number: Int32) -> String {
    let text = String(cString: strerror(number))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
