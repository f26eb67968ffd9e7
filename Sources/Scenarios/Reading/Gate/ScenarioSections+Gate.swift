// The key `gate`: how far metrics may change before `pair` fails, one metric per line.
package import BatchmarkEngine

extension ScenarioSections {
  /// Reads the rules; `cells` is `nil` if some cells could not be read.
  func readGate(_ node: YAMLNode, of cells: [Cell]?, operation: Operation.Kind) -> Gate {
    let example = "limits by figure, such as {time: 3%, heap_peak: 1%, vm_steps: none}"
    guard let entries = entries(node, expected: example) else { return Gate() }
    if entries.isEmpty { diagnose(node.place, found: "an empty mapping", expected: example) }
    let reading = schema.gateReading(of: cells, operation: operation, mayNameOthers: changes.mayNameOthers)
    return Gate(entries.compactMap { rule($0, reading) })
  }

  private func rule(_ entry: YAMLNode.Entry, _ reading: GateReading) -> GateRule? {
    do throws(MetricMistake) {
      let (cells, phase, subject, kind) = try reading.subject(entry.key)
      guard let text = text(entry.value, expected: "a limit, such as 1%") else { return nil }
      do throws(MetricMistake) {
        return GateRule(
          text: "\(entry.key): \(text)", origin: .scenario, cells: cells, phase: phase, subject: subject,
          limit: try reading.limit(text, of: subject, kind))
      } catch {
        diagnose(
          entry.value.place(ofScalar: error.offset), found: error.found, expected: error.expected,
          suggestion: error.suggestion)
      }
    } catch {
      diagnose(entry.keyPlace, found: error.found, expected: error.expected, suggestion: error.suggestion)
    }
    return nil
  }
}

extension ScenarioSchema {
  fileprivate func gateReading(
    of cells: [Cell]?, operation: Operation.Kind, mayNameOthers: Bool
  ) -> GateReading {
    GateReading(
      metrics: metrics,
      words: MetricReader(operation: operation, cells: cells, mayNameOthers: mayNameOthers))
  }

  /// The rule for a scenario from `metric=limit` on the command line.
  ///
  /// A rule about a cell that the scenario does not have applies to none of its cells.
  ///
  /// - Throws: ``GateArgumentError`` for an unknown metric or an invalid limit.
  package func gateRule(_ figure: String, limit: String, for scenario: Scenario) throws(GateArgumentError) -> GateRule {
    let reading = gateReading(of: scenario.cells, operation: scenario.operation.kind, mayNameOthers: true)
    do throws(MetricMistake) {
      let (cells, phase, subject, kind) = try reading.subject(figure)
      return GateRule(
        text: "\(figure)=\(limit)", origin: .commandLine, cells: cells, phase: phase, subject: subject,
        limit: try reading.limit(limit, of: subject, kind))
    } catch {
      throw GateArgumentError(found: error.found, expected: error.expected, suggestion: error.suggestion)
    }
  }
}

/// An invalid rule of the command line.
package struct GateArgumentError: Error, Sendable, Hashable {
  package let found: String
  package let expected: String
  /// The nearest word; `nil` if none is near.
  package let suggestion: String?
}
