// Compares the minimum memory and disk space for the rows of scenarios with this machine's, before any row is made.
internal import Analysis
internal import Foundation
internal import Harness
internal import Instruments
internal import BatchmarkEngine
internal import Scenarios
internal import Support
internal import SystemPackage

/// The memory and the disk space that rows need.
struct SourceNeeds {
  let memoryBytes: Double
  let diskBytes: Double

  init(_ size: SourceSize) {
    memoryBytes = size.memoryBytes
    diskBytes = size.diskBytes
  }

  /// Smaller sizes are not reported.
  private static let leastReported = Double(1 << 30)

  /// The note next to the number of rows; empty if every machine has enough.
  var note: String {
    guard max(memoryBytes, diskBytes) >= SourceNeeds.leastReported else { return "" }
    let (memory, disk) = (SourceNeeds.text(memoryBytes), SourceNeeds.text(diskBytes))
    let needs = "that take at least \(memory) of memory and \(disk) of disk"
    guard let own = SourceNeeds.memory, memoryBytes > own else { return needs }
    return needs + "; this machine has \(SourceNeeds.text(own)) of memory"
  }

  /// Refuses rows that do not fit into memory, or onto the output's disk.
  ///
  /// - Parameters:
  ///   - scenarios: The scenarios with the rows.
  ///   - output: The folder for stores; `nil` if none is written.
  /// - Throws: ``CommandError``.
  static func check(_ scenarios: [PlannedScenario], output: String?) throws(CommandError) {
    for scenario in scenarios {
      let variants = scenario.scenario.cells.distinctConditions.compactMap { scenario.scenario.variants[$0] }
      for one in variants.isEmpty ? [scenario.scenario] : variants { try check(one, output: output) }
    }
  }

  /// The same for one scenario.
  static func check(_ scenario: Scenario, output: String?) throws(CommandError) {
    guard let size = scenario.sourceSize, !size.isSmall else { return }
    let needs = SourceNeeds(size)
    let found = "\(scenario.file): found \(size.rows) rows that take at least"
    let advice = "fewer rows, shorter values, or"
    if let memory, needs.memoryBytes > memory {
      throw CommandError(
        .invalidFile,
        "\(found) \(text(needs.memoryBytes)) of memory; expected at most the \(text(memory)) of this machine: \(advice) a "
          + "machine with more memory")
    }
    if let output, let free = freeBytes(for: output), needs.diskBytes > free {
      throw CommandError(
        .unwritableOutput,
        "\(found) \(text(needs.diskBytes)) of disk; expected at most the \(text(free)) that are free at \(output): \(advice) "
          + "another folder with --out")
    }
  }

  /// The memory of this machine or the control group; `nil` if the system does not report it.
  private static var memory: Double? {
    [Machine.memoryBytes, Machine.controlGroupLimits?.memoryBytes].compactMap { $0.map(Double.init) }.min()
  }

  private static func freeBytes(for output: String) -> Double? {
    var folder = FilePath(output)
    while FileKind(at: folder.string) == nil, folder.removeLastComponent() {}
    return Machine.volume(at: folder.string).map { Double($0.freeBytes) }
  }

  private static func text(_ bytes: Double) -> String { EnvironmentFacts.bytes(Int64(min(bytes, 9e18))) }
}
