// A coverage-guided fuzzer for code that reads other people's files. libFuzzer calls it with arbitrary bytes, and it
// must always return. `scripts/fuzz` builds and runs it; it is not part of other builds.
import Analysis
import CoreDataModel
import Engines
import Foundation
import Harness
import ObjectGraph

@testable import CoreDataFiles
@testable import Reports
@testable import BatchmarkEngine
@testable import Scenarios

/// The meaning of the bytes: one for each process, named by `FUZZ_TARGET`.
enum Target: String, CaseIterable {
  case store, modelCache, archive, propertyList, model, scenario, csv, geojson, jsonLines, predicate
  case results, pair, journal, selfTest, history, accepted
}

private let target: Target = {
  let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
  guard let target = Target(rawValue: name) else {
    let names = Target.allCases.map(\.rawValue).joined(separator: ", ")
    FileHandle.standardError.write(Data("fuzzer: FUZZ_TARGET is '\(name)'; expected one of \(names)\n".utf8))
    exit(64)
  }
  return target
}()

/// A folder of this process, with a single file that is rewritten for each input.
let folder: String = {
  let folder = FileManager.default.temporaryDirectory.path + "/fuzzed-\(getpid())"
  try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  return folder
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafeRawPointer, _ count: Int) -> CInt {
  let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
  switch target {
  case .store: withFile("store.sqlite", bytes, readStore)
  case .modelCache: _ = try? RecoveredModel(modelCache: bytes, path: folder)
  case .archive: _ = try? RecoveredModel(archive: bytes)
  case .propertyList: _ = try? PropertyList(binary: bytes)
  case .model: _ = try? RecoveredModel(xml: Data(bytes))
  case .scenario: readScenario(String(decoding: bytes, as: UTF8.self))
  case .csv, .geojson: withFile("feed", bytes, readFeed)
  case .jsonLines: withFile("feed.jsonl", bytes, readFeed)
  case .predicate: PredicateReading.shared?.read(String(decoding: bytes, as: UTF8.self))
  case .results: withFile("results.json", bytes, readResults)
  case .pair: withFile("pair.json", bytes, readPair)
  case .journal: withFile(Journal.fileName, bytes) { _ in _ = try? JournalContents(directory: folder) }
  case .selfTest: withFile(SelfTestJournal.fileName, bytes) { _ in readSelfTest(bytes) }
  case .history: readHistory(bytes)
  case .accepted: withFile("accepted-changes.json", bytes, readAccepted)
  }
  return 0
}

/// Calls with the path of a file with these bytes.
func withFile(_ name: String, _ bytes: [UInt8], _ body: (String) -> Void) {
  let path = folder + "/" + name
  guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return }
  defer { try? FileManager.default.removeItem(atPath: path) }
  body(path)
}

/// Reads a scenario; mistakes must have messages.
private func readScenario(_ text: String) {
  do throws(ScenarioErrors) {
    _ = try ScenarioReader(schema: ScenarioSchema(BuiltInEngines.all)).read(text: text, file: "fuzzed.yml")
  } catch {
    _ = error.description
  }
}

/// Reads a feed into every attribute that feeds of earthquakes have, then into one attribute of each type.
private func readFeed(_ path: String) {
  let quake = EntityDescription("Quake", attributes: GeneratorSettings.attributes)
  _ = try? SourceDescription.feed(path: path).rows(for: quake)
  for type in AttributeType.allCases {
    let one = EntityDescription("One", attributes: [AttributeDescription(type.rawValue, type, isOptional: true)])
    _ = try? SourceDescription.feed(path: path).rows(for: one)
  }
}
