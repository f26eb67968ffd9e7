// Commands that measure cells alone, and so none with readers or writers beside it.
internal import BatchmarkEngine
internal import Harness

extension [PlannedScenario] {
  /// Refuses cells with readers or writers beside their operation.
  ///
  /// - Parameters:
  ///   - command: The command's name.
  ///   - reason: Why it needs a cell alone, as the middle of a sentence.
  /// - Throws: ``CommandError`` with the first such cell.
  func refuseConcurrentWork(in command: String, since reason: String) throws(CommandError) {
    for planned in self {
      guard let cell = planned.scenario.cells.first(where: { planned.scenario.variant(for: $0).beside.isThere }) else {
        continue
      }
      throw CommandError(
        .usage,
        "\(command) takes no cell with readers or writers beside it, since \(reason); found \(cell.id); expected "
          + "others, chosen by --only or --skip, or --set readers=0 --set writers=0")
    }
  }
}
