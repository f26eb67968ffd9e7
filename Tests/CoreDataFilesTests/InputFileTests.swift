// A8: the only way to read input files: files that are not plain, too long or still being written are refused by name,
// without waiting.
import CoreDataFiles
import Foundation
import MissionTags
import ObjectGraphFixtures
import Support
import Testing

@Suite("A8 · files that are read whole", .tags(.a8), .timeLimit(.minutes(10)))
struct InputFileTests {
  private let folder: CopiedStore

  init() throws { folder = try CopiedStore() }

  private func path(_ name: String) -> String { folder.directory.path + "/" + name }

  private func error(_ path: String, limit: Int64 = 100) -> InputFileError? {
    do {
      _ = try InputFile.bytes(of: path, limit: InputFile.Limit(bytes: limit))
      return nil
    } catch {
      return error
    }
  }

  @Test("A folder, a pipe, a socket and devices are refused by name, without opening them")
  func kinds() throws {
    #expect(mkfifo(path("pipe"), 0o600) == 0)
    try makeSocket(path("socket"))
    symlink(path("pipe"), path("link"))
    let kinds: [(String, FileKind)] = [
      (folder.directory.path, .folder), (path("pipe"), .pipe), (path("link"), .pipe), (path("socket"), .socket),
      ("/dev/null", .device), ("/dev/zero", .device),
    ]
    for (path, kind) in kinds { #expect(error(path) == .kind(kind)) }
    #expect(InputFileError.kind(.pipe).found == "a named pipe")
    #expect(InputFileError.kind(.pipe).expected("a scenario file") == "a scenario file in a plain file")
  }

  @Test("Standard input is refused under each of its names, and a file called - can be read by another path")
  func standardInput() throws {
    for path in ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] { #expect(error(path) == .standardInput) }
    try Data("x".utf8).write(to: URL(filePath: path("-")))
    #expect(error(path("-")) == nil)
  }

  @Test("For a missing file, the error has the system's reason")
  func missing() {
    #expect(error(path("none")) == .system(ENOENT))
    #expect(InputFileError.system(ENOENT).found == "no such file or directory")
  }

  @Test("A file is read up to its limit, and one byte more is refused, before it is read")
  func limit() throws {
    let file = path("file")
    try Data(repeating: 7, count: 100).write(to: URL(filePath: file))
    #expect(try InputFile.bytes(of: file, limit: InputFile.Limit(bytes: 100)) == [UInt8](repeating: 7, count: 100))
    #expect(error(file, limit: 99) == .tooLong(InputFile.Limit(bytes: 99)))
    // A sparse file claims a terabyte.
    #expect(truncate(file, 1 << 40) == 0)
    #expect(error(file, limit: InputFile.Limit.feed.bytes) == .tooLong(.feed))
    #expect(InputFileError.tooLong(.feed).expected("a feed") == "a feed of at most 4 GiB")
    #expect(InputFile.Limit.scenario.text == "64 MiB" && InputFile.Limit(bytes: 4_097).text == "4097 bytes")
  }
}

extension InputFileTests {
  @Test("A file that grows, shrinks or is overwritten while it is open is refused", arguments: [5, 50, 3_000_000])
  func changing(length: Int) throws {
    let path = path("file")
    try Data(repeating: 1, count: 50).write(to: URL(filePath: path))
    let file = try InputFile(path)
    #expect(truncate(path, off_t(length)) == 0)
    // The same length, but another time.
    if length == 50 { try FileManager.default.setAttributes([.modificationDate: Date.distantPast], ofItemAtPath: path) }
    #expect(throws: InputFileError.changed) { try file.bytes(limit: .feed) }
  }

  @Test(
    "Blocks are the whole file in order, and all but the last are full", arguments: [0, 1, 1 << 20, (1 << 20) + 13])
  func blocks(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    try Data(bytes).write(to: URL(filePath: path("file")))
    var read: [UInt8] = []
    var sizes: [Int] = []
    try InputFile(path("file")).readBlocks {
      read.append(contentsOf: $0)
      sizes.append($0.count)
    }
    #expect(read == bytes)
    #expect(sizes.dropLast().allSatisfy { $0 == 1 << 20 })
    #expect(try InputFile.bytes(of: path("file"), limit: .feed) == bytes)
  }

  @Test("A store, its log and a model that are not plain files are refused by name")
  func readers() throws {
    #expect(mkfifo(folder.path, 0o600) == 0)
    let store = fileError { _ = try StoreFile(path: folder.path) }
    #expect(store.map { "\($0)" }?.contains("found a named pipe; expected a store") == true)
    let model = fileError { _ = try RecoveredModel(modelFileAt: folder.path) }
    #expect(model == .invalid(path: folder.path, found: "a named pipe", expected: "a model in a plain file"))
    for name in ["-", "/dev/stdin"] {
      let reason = InputFileError.standardInput.reason
      #expect(fileError { _ = try StoreFile(path: name) } == .unreadable(path: name, reason: reason))
      #expect(
        fileError { _ = try RecoveredModel(modelFileAt: name) }.map { "\($0)" }?.contains("cannot be read") == true)
    }
  }

  @Test("A log that is a link or a pipe is refused, and the link's target stays as it is")
  func logs() throws {
    try Data("SQLite format 3\u{0}".utf8).write(to: URL(filePath: folder.path))
    let other = path("other")
    try Data("mine".utf8).write(to: URL(filePath: other))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: other)
    symlink(other, folder.path + "-wal")
    let expected = "the log of a store in a plain file, or nothing"
    #expect(
      fileError { _ = try StoreFile(path: folder.path) }
        == .invalid(path: folder.path + "-wal", found: "a symbolic link", expected: expected))
    #expect(try Data(contentsOf: URL(filePath: other)) == Data("mine".utf8))
    #expect(try FileManager.default.attributesOfItem(atPath: other)[.posixPermissions] as? Int == 0o644)
    unlink(folder.path + "-wal")
    #expect(mkfifo(folder.path + "-journal", 0o600) == 0)
    #expect(
      fileError { _ = try StoreFile(path: folder.path) }
        == .invalid(path: folder.path + "-journal", found: "a named pipe", expected: expected))
  }

  /// Makes a socket with a name.
  private func makeSocket(_ path: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
  }
}
