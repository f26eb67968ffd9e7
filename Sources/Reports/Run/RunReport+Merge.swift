// A merged run: which machine measured what, and what is missing.
internal import Analysis

extension RunReport {
  /// What is missing in a partial merge; empty for a complete run.
  static func absence(in results: Report) -> String {
    guard let absent = results.absent else { return "" }
    let shards = HumanUnits.list(absent.shards.map { "\($0)" })
    let scenarios =
      absent.scenarios.isEmpty
      ? "nothing was to be measured there"
      : "so that \(HumanUnits.list(absent.scenarios.map { Markdown.code($0) })) \(absent.scenarios.count == 1 ? "is" : "are") missing"
    return
      "**Incomplete: \(absent.shards.count == 1 ? "shard" : "shards") \(shards) of \(absent.count) "
      + "\(absent.shards.count == 1 ? "was" : "were") not merged**, \(scenarios)."
  }

  /// The machines of a merged run, each with its scenarios; nothing for a run on one machine.
  static func machines(of results: Report, in document: inout Document) {
    guard let machines = results.machines else { return }
    document.paragraph(
      "The scenarios were divided among \(HumanUnits.counted(machines.count, "shard")). Each was measured whole on one machine, "
        + "and no time of one machine is compared with that of another.")
    document.table(table(of: machines, hasScenarios: true))
    differences(between: machines, in: &document)
  }

  /// What is missing in a merge of machines that measured the same; empty if it is complete.
  static func absence(ofMachines absent: AbsentShards?) -> String {
    guard let absent else { return "" }
    return
      "**Incomplete: \(HumanUnits.list(absent.shards.map { "\($0)" })) of \(absent.count) machines \(absent.shards.count == 1 ? "is" : "are") missing.**"
  }

  /// The section on machines that measured the same: their names, differences and similarities.
  static func machines(_ machines: [MergedMachine], alike: [EnvironmentFact], in document: inout Document) {
    document.heading(2, "Machines")
    document.table(table(of: machines, hasScenarios: false))
    differences(between: machines, in: &document)
    document.fold("What all machines have alike") {
      $0.list(alike.map { ListItem("\(Markdown.escaped($0.name)): \(Markdown.escaped($0.value))") })
    }
  }

  /// The machines, each with its scenarios if they differ.
  private static func table(of machines: [MergedMachine], hasScenarios: Bool) -> Table {
    var table = Table("Shard", [.text("Machine"), .text("Started")] + (hasScenarios ? [.text("Scenarios")] : []))
    for machine in machines {
      table.append(
        machine.shard.description,
        [
          .text(machine.machine), .text(machine.started),
          .text(machine.scenarios.isEmpty ? "none" : machine.scenarios.joined(separator: ", ")),
        ])
    }
    return table
  }

  /// The facts that differ between machines.
  private static func differences(between machines: [MergedMachine], in document: inout Document) {
    let facts = machines.flatMap { machine in
      machine.environment.map { "\(machine.shard), \(Markdown.escaped($0.name)): \(Markdown.escaped($0.value))" }
    }
    document.fold("What differed between the machines") { $0.list(facts.map { ListItem($0) }) }
  }
}
