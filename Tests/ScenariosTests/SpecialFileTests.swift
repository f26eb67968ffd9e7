// A8: feeds and scenarios that are not plain files, or endless ones, are refused by name without waiting.
import CoreDataModel
import Foundation
import MissionTags
import BatchmarkEngine
import Scenarios
import Testing

@Suite("A8 · feeds and scenarios that are not files", .tags(.a8), .timeLimit(.minutes(10)))
struct SpecialFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func feedError(_ path: String) -> SourceError? {
    do {
      _ = try SourceDescription.feed(path: path).rows(for: quake)
      return nil
    } catch {
      return error
    }
  }

  @Test("A pipe and a device are refused as feeds by name, and standard input with what to do")
  func feeds() throws {
    let pipe = directory.path + "/pipe.csv"
    try #require(mkfifo(pipe, 0o600) == 0)
    let expected = "expected a feed, CSV with a header, JSON Lines or GeoJSON in a plain file"
    #expect(feedError(pipe)?.description == "\(pipe): found a named pipe; \(expected)")
    #expect(feedError("/dev/zero")?.description == "/dev/zero: found a device; \(expected)")
    for name in ["-", "/dev/stdin"] {
      #expect(
        feedError(name)?.description
          == "\(name): found standard input; expected a feed, CSV with a header, JSON Lines or GeoJSON in a file, which can be read "
          + "more than once")
    }
    #expect(feedError(pipe)?.isUnreadable == true)
  }

  @Test("A feed of more than 4 GiB is refused at once, as invalid rather than unreadable")
  func longFeed() throws {
    let file = try directory.write("time,mag,place,id\n", to: "long.csv")
    try #require(truncate(file, (4 << 30) + 1) == 0)
    #expect(
      feedError(file)?.description
        == "\(file): found more than 4 GiB; expected a feed, CSV with a header, JSON Lines or GeoJSON of at most 4 GiB")
    #expect(feedError(file)?.isUnreadable == false)
  }

  @Test("A pipe as a scenario is refused by name, and so is a scenario of more than 64 MiB")
  func scenarios() throws {
    let pipe = directory.path + "/pipe.yml"
    try #require(mkfifo(pipe, 0o600) == 0)
    let expected = ScenarioFileError(path: pipe, found: "a named pipe", expected: "a scenario file in a plain file")
    #expect(throws: expected) { try ScenarioFiles.text(of: pipe) }
    // This includes one among a folder's files.
    #expect(try ScenarioFiles.find(in: [directory.path]) == [pipe])
    let long = try directory.write("scenario: x\n", to: "long.yml")
    try #require(truncate(long, (64 << 20) + 1) == 0)
    let error = #expect(throws: ScenarioErrors.self) { try ScenarioFiles.text(of: long) }
    #expect(error?.description == "\(long): found more than 64 MiB; expected a scenario file of at most 64 MiB")
    for name in ["-", "/dev/stdin"] {
      let error = #expect(throws: ScenarioFileError.self) { try ScenarioFiles.text(of: name) }
      #expect(error?.found == "standard input")
      #expect(try ScenarioFiles.find(in: [name]) == [name])
    }
  }

  @Test("A name that is not UTF-8 in a folder of scenarios is refused with a sentence")
  func names() throws {
    _ = try directory.write("", to: "a.yml")
    let name = Array((directory.path + "/b").utf8) + [0xFF] + Array(".yml".utf8) + [0]
    let path = name.map { CChar(bitPattern: $0) }
    let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
    try #require(descriptor >= 0)
    close(descriptor)
    let error = #expect(throws: ScenarioFileError.self) { try ScenarioFiles.find(in: [directory.path]) }
    #expect(
      error?.description
        == "\(directory.path)/b\u{FFFD}.yml: found a name that is not text in UTF-8; expected another name; rename the "
        + "file")
  }

  @Test("Deeply nested values in a feed are skipped on a thread with a small stack, and deeper ones refused")
  func deepFeed() throws {
    func feed(_ depth: Int) -> String {
      let value = String(repeating: "{\"a\":[0,", count: depth / 2) + "1" + String(repeating: "]}", count: depth / 2)
      return """
        {"type": "FeatureCollection", "extra": \(value), "features": [{"type": "Feature", "id": "x", "properties": \
        {"mag": 1, "place": "p", "time": 0}, "geometry": {"type": "Point", "coordinates": [0, 0, 0]}}]}
        """
    }
    let right = try directory.write(feed(256), to: "right.json")
    let wrong = try directory.write(feed(258), to: "wrong.json")
    let hostile = try directory.write(feed(200_000), to: "hostile.json")
    let entity = quake
    let found = onSmallStack {
      [right, wrong, hostile].map { path -> String in
        do throws(SourceError) {
          return "\(try SourceDescription.feed(path: path).rows(for: entity).count)"
        } catch {
          return error.found
        }
      }
    }
    #expect(found == ["1", "values nested more than 256 deep", "values nested more than 256 deep"])
  }
}
