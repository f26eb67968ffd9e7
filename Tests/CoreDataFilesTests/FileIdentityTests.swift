// A8: a file has a single identity, whatever path, link or second name is used.
import Foundation
import MissionTags
import ObjectGraphFixtures
import Support
import Testing

@Suite("A8 · the identity of files", .tags(.a8))
struct FileIdentityTests {
  private let folder: CopiedStore
  private var root: String { folder.directory.path }

  init() throws {
    folder = try CopiedStore()
    try FileManager.default.createDirectory(atPath: root + "/a/b", withIntermediateDirectories: true)
    try Data("x".utf8).write(to: URL(filePath: root + "/a/file"))
    symlink("a/b", root + "/link")
  }

  @Test("Paths, links and other names of a file identify the same file; a copy is another file")
  func sameFile() throws {
    let file = try #require(FileIdentity(of: root + "/a/file"))
    symlink("a/file", root + "/symbolic")
    link(root + "/a/file", root + "/hard")
    // After a link, the folder above is that of its target.
    for name in ["a/./file", "a/b/../file", "link/../file", "symbolic", "hard"] {
      #expect(FileIdentity(of: root + "/" + name) == file)
    }
    try FileManager.default.copyItem(atPath: root + "/a/file", toPath: root + "/copy")
    #expect(FileIdentity(of: root + "/copy") != file)
  }

  @Test("A missing file is identified by its name in its folder")
  func missing() throws {
    let missing = try #require(FileIdentity(of: root + "/a/b/new"))
    #expect(FileIdentity(of: root + "/link/new") == missing)
    #expect(FileIdentity(of: root + "/a/b/other") != missing)
    #expect(FileIdentity(of: root + "/a/new") != missing)
    #expect(FileIdentity(of: root + "/none/new") == nil)
    #expect(FileIdentity(of: "") == nil && FileIdentity.folders(above: "").isEmpty)
    try Data().write(to: URL(filePath: root + "/a/b/new"))
    #expect(FileIdentity(of: root + "/a/b/new") != missing)
  }

  @Test("The folders above a path are those that really contain it")
  func folders() throws {
    let above = FileIdentity.folders(above: root + "/link/new")
    let inside = try [root + "/a/b", root + "/a", root].map { try #require(FileIdentity(of: $0)) }
    #expect(Array(above.prefix(3)) == inside)
    #expect(above.last == FileIdentity(of: "/"))
    #expect(FileIdentity.folders(above: "/").map { $0 == FileIdentity(of: "/") } == [true])
    let here = try #require(FileIdentity(of: "."))
    #expect(FileIdentity.folders(above: "x").first == here)
  }
}
