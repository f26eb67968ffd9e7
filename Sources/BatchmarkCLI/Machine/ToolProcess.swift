// Other programs that a command calls, such as git; found in PATH.
internal import Foundation

enum ToolProcess {
  /// The lines that a command says on standard output, empty ones left out; nil when it cannot be started or fails.
  static func lines(of arguments: [String]) -> [String]? {
    let pipe = Pipe()
    guard let process = start(arguments, output: pipe.fileHandleForWriting, errors: .nullDevice) else { return nil }
    try? pipe.fileHandleForWriting.close()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? text.split(separator: "\n").map(String.init) : nil
  }

  /// Starts a command without input; nil when that fails.
  static func start(_ arguments: [String], output: FileHandle, errors: FileHandle) -> Process? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    do { try process.run() } catch { return nil }
    return process
  }
}
