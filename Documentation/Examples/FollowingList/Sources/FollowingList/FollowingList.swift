// A list in the terminal that follows an import in another process.
//
//     FollowingList follow STORE          shows the strong quakes of a store until it is stopped
//     FollowingList import STORE [COUNT]  stores quakes, in another terminal
//     FollowingList                       does both with its own store, and checks what the list shows at the end
import Foundation

@main
@MainActor
enum Program {
  static func main() async {
    do {
      try await run()
    } catch {
      fail("\(error)")
    }
  }

  private static func run() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("follow"?, 2): try await TerminalList(arguments[1]).follow()
    case ("import"?, 2): try await importQuakes(5_000, into: arguments[1])
    case ("import"?, 3):
      guard let count = Int(arguments[2]), count > 0 else {
        return fail("COUNT: found \(arguments[2]); expected a number")
      }
      try await importQuakes(count, into: arguments[1])
    case (nil, _):
      if let complaint = try await check() { fail(complaint) }
    default: fail("expected follow STORE, import STORE [COUNT], or nothing")
    }
  }

  /// Starts an import in another process and follows it to its end; returns what is wrong then, or nil.
  private static func check() async throws -> String? {
    let folder = FileManager.default.temporaryDirectory.appending(path: "FollowingList-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "quakes.sqlite").path
    let list = try TerminalList(path)
    let other = Process()
    other.executableURL = Bundle.main.executableURL
    other.arguments = ["import", path, "2000"]
    let following = Task { try await list.follow() }
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    other.terminationHandler = { _ in end.finish() }
    try other.run()
    for await _ in ends {}
    following.cancel()
    try await following.value
    guard other.terminationStatus == 0, list.transitions > 0, try list.agreesWithStore() else {
      return "the list is not what the store holds after \(list.transitions) transitions"
    }
    print("the list followed an import of another process: it is what a fetch finds")
    return nil
  }

  private static func fail(_ sentence: String) {
    FileHandle.standardError.write(Data("FollowingList: \(sentence)\n".utf8))
    exit(64)
  }
}
