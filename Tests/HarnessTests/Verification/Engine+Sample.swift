// Takes a sample with an engine of a test.
import BatchmarkEngine
import Foundation
import Harness
import Scenarios

extension Engine {
  /// Takes a timed sample of the first cell of a scenario in its own folder.
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
