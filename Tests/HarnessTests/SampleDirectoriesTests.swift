// The samples' folders: paths of the same length, wherever a run writes.
import BatchmarkEngine
import Foundation
import Harness
import HarnessFixtures
import MissionTags
import Testing

@Suite("A2 · sample folders", .tags(.a2))
struct SampleDirectoriesTests {
  @Test("Paths have one length, whatever the output's path and the sample's number", arguments: [0, 1, 7, 60, 110])
  func padded(extra: Int) throws {
    let folder = try TemporaryFolder()
    let output = folder.path + (extra == 0 ? "" : "/" + String(repeating: "o", count: extra))
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    let directories = try SampleDirectories(output: output)
    let paths = try [1, 2, 99, 123_456].map { try directories.make(number: $0) }
    #expect(Set(paths.map(\.utf8.count)) == [224])
    #expect(Set(paths).count == 4)
    for path in paths {
      #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
      directories.remove(path)
    }
    directories.removeIfEmpty()
    #expect(!FileManager.default.fileExists(atPath: directories.root))
  }

  @Test("A long output path gets the next length, and one that SQLite cannot open is refused")
  func long() throws {
    let folder = try TemporaryFolder()
    func output(_ length: Int) throws -> String {
      var path = folder.path
      while path.utf8.count < length - 101 { path += "/" + String(repeating: "d", count: 100) }
      path += "/" + String(repeating: "e", count: length - path.utf8.count - 1)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      return path
    }
    let directories = try SampleDirectories(output: try output(240))
    #expect(try directories.make(number: 1).utf8.count == 448)
    let tooLong = try output(430)
    #expect(throws: OutputError.pathTooLong(path: tooLong + "/stores", limit: 424)) {
      try SampleDirectories(output: tooLong)
    }
  }

  @Test("A folder that was removed with its contents is not created again for the next sample")
  func removed() throws {
    let folder = try TemporaryFolder()
    let output = folder.path + "/out"
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: false)
    let directories = try SampleDirectories(output: output)
    try FileManager.default.removeItem(atPath: output)
    #expect(throws: OutputError.self) { try directories.make(number: 1) }
    #expect(throws: OutputError.self) { try SampleDirectories(output: output) }
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test("Leftovers of an interrupted run are removed; kept stores are not, whatever the name of their scenario")
  func leftovers() throws {
    let folder = try TemporaryFolder()
    let first = try SampleDirectories(output: folder.path)
    let left = try first.make(number: 3)
    try write("", to: left + "/store.sqlite")
    let kept = ["quakes", "sample-1"].map {
      first.keptStore(of: Cell(scenario: $0, engine: "sqlite", strategy: "insert"))
    }
    for store in kept { try write("", to: store) }
    let directories = try SampleDirectories(output: folder.path)
    #expect(!FileManager.default.fileExists(atPath: left))
    directories.removeIfEmpty()
    #expect(kept.allSatisfy { FileManager.default.fileExists(atPath: $0) })
  }

  @Test("An output that is a file, or lies under one, cannot be written")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/file"
    try write("", to: file)
    #expect {
      try SampleDirectories(output: file)
    } throws: { error in
      if case .unwritable = error as? OutputError { true } else { false }
    }
  }
}
