// Names of files are bytes, and words of this program are text: what cannot be both is refused before it becomes another
// name.
internal import Foundation
internal import Harness

/// The words that the process was started with, as bytes.
enum ArgumentText {
  /// Refuses arguments, and a folder to work in, that are not UTF-8: as text they would name other files.
  static func check() throws(CommandError) {
    for index in 1..<max(Int(CommandLine.argc), 1) {
      guard let argument = CommandLine.unsafeArgv[index], let shown = unreadable(argument) else { continue }
      throw CommandError(
        .usage, "the argument \(shown) is not text in UTF-8; rename the file, or name it by a link with another name")
    }
    guard let folder = getcwd(nil, 0) else { return }
    defer { free(folder) }
    guard let shown = unreadable(folder) else { return }
    throw CommandError(
      .unreadableFile, "the name of the folder \(shown) is not text in UTF-8; rename it, or work in another folder")
  }

  /// Bytes that are not UTF-8 as a message shows them, each of those in hexadecimal; nil for text.
  static func unreadable(_ bytes: UnsafePointer<CChar>) -> String? {
    guard String(validatingCString: bytes) == nil else { return nil }
    let bytes = UnsafeRawBufferPointer(start: bytes, count: strlen(bytes))
    return bytes.map { byte in
      (0x20..<0x7F).contains(byte)
        ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
