// The key `measure`: how often and how long to measure.
import BatchmarkEngine

/// Reads how to measure.
struct MeasureSection: NodeReading {
  let diagnostics: Diagnostics

  /// Reads the settings; what is missing or wrong is as it is without them.
  func read(_ node: YAMLNode?) -> MeasureSettings {
    var settings = MeasureSettings()
    guard let section = node.flatMap({ section($0, .measure) }) else { return settings }
    if let rounds = section["rounds"].flatMap({ count($0, of: .rounds) }) { settings.rounds = rounds }
    if let limit = section["sample_limit"].flatMap({ seconds($0) }) { settings.sampleLimit = limit }
    if let node = section["warm_up"], let rows = node.text == "all" ? .max : count(node, of: .warmUpRows) {
      settings.warmUpRows = rows
    }
    settings.cellLimit = section["cell_limit"].flatMap { seconds($0) }
    return settings
  }
}
