// Taking a sample with an engine that only a test has.
import BatchmarkEngine
import Foundation
import Harness
import Scenarios

extension Engine {
  /// Takes a timed sample of the first cell of a scenario in a folder of its own.
  func sample(of scenario: String) throws -> Sample {
    let read = try ScenarioReader(schema: ScenarioSchema([self])).read(text: scenario, file: "t.yml")
    let directory = FileManager.default.temporaryDirectory.path + "/verification-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    return try SampleTaker(engines: [self]).take(
      SampleJob(
        scenarioText: scenario, scenarioFile: "t.yml", overrides: [], cell: read.cells[0], pass: .timing, round: 1,
        directory: directory))
  }
}
