// Temporary folders: they are removed with their owner, and leftovers of a dead process are distinguished from live folders.
import Foundation
import MissionTags
import ObjectGraphFixtures
import Support
import Testing

@Suite("D10 A6 · private folders", .tags(.d10))
struct PrivateFolderTests {
  private let place = FileManager.default.temporaryDirectory.path + "/place-\(UUID().uuidString)"

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: place).sorted() }

  /// Makes the place, does the work and removes the place.
  private func inPlace(_ work: () throws -> Void) throws {
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: place) }
    try work()
  }

  @Test("A folder is private to its user, and is removed with its contents when its owner ends")
  func owner() throws {
    try inPlace {
      var folder: PrivateFolder? = try PrivateFolder(in: place)
      let path = try #require(folder?.path)
      #expect(path.hasPrefix(place + "/"))
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o700)
      try Data("a".utf8).write(to: URL(fileURLWithPath: path + "/file"))
      folder = nil
      #expect(try names() == [])
    }
  }

  @Test("Leftovers of an ended process are removed; locked folders, links, files and folders with other names stay")
  func sweeping() throws {
    try inPlace {
      let living = try PrivateFolder(in: place)
      let prefix = try #require(living.path.split(separator: "/").last).dropLast(6)
      let files = FileManager.default
      try files.createDirectory(atPath: "\(place)/\(prefix)ended1/below", withIntermediateDirectories: true)
      try files.createDirectory(atPath: "\(place)/other", withIntermediateDirectories: true)
      try files.createSymbolicLink(atPath: "\(place)/\(prefix)linked", withDestinationPath: place + "/other")
      try Data().write(to: URL(fileURLWithPath: "\(place)/\(prefix)afile1"))
      let stays = [String(living.path.dropFirst(place.count + 1)), "other", "\(prefix)linked", "\(prefix)afile1"]
        .sorted()
      #expect(try names() != stays)
      PrivateFolder.sweep(place)
      #expect(try names() == stays)
      // Making a folder also removes leftovers.
      try files.createDirectory(atPath: "\(place)/\(prefix)ended2", withIntermediateDirectories: true)
      let another = try PrivateFolder(in: place)
      #expect(try names().count == stays.count + 1)
      withExtendedLifetime([living, another]) {}
    }
  }

  @Test("Another user's folder is never removed, not even by root", .enabled(if: geteuid() == 0, "needs root"))
  func anotherUser() throws {
    try inPlace {
      let prefix = "objectgraph-private-"
      try FileManager.default.createDirectory(atPath: "\(place)/\(prefix)theirs", withIntermediateDirectories: true)
      #expect(chown("\(place)/\(prefix)theirs", 65_534, 65_534) == 0)
      PrivateFolder.sweep(place)
      #expect(try names() == ["\(prefix)theirs"])
    }
  }

  @Test("If no folder can be made, the error names the path, the reason and what to do")
  func unwritable() throws {
    let error = #expect(throws: PrivateFolderError.self) { _ = try PrivateFolder(in: place + "/missing") }
    #expect(
      error?.description
        == "no folder for temporary files can be made in \(place)/missing: No such file or directory; name a folder "
        + "that can be written with TMPDIR")
  }
}
