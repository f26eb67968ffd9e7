// The output of `run --dry-run`: the cells, their rounds, and their expected cost.
package import Analysis

/// Writes a forecast in Markdown.
package enum ForecastMarkdown {
  /// The page; `source` is the user's name for the earlier run, `nil` if there is none.
  package static func render(
    _ forecast: RunForecast, from source: String?, as form: PageForm = .markdown
  ) -> String {
    var document = Document()
    let cells = forecast.cells
    let samples = cells.reduce(0) { $0 + $1.samples }
    document.heading(1, "\(HumanUnits.counted(cells.count, "cell")), \(HumanUnits.counted(samples, "sample"))")
    document.paragraph(sentence(on: forecast, from: source))
    var table = Table(
      "Cell",
      [
        .number("Rows"), .number("Rounds"), .number("Samples"), .time("Time"), .bytes("Disk"), .bytes("Memory"),
        .text("Known from"),
      ])
    let reason = source == nil ? "no earlier run is known" : "the earlier run has nothing like it"
    for cell in cells {
      table.append(
        cell.cell.id,
        [
          .count(cell.rows), .count(cell.rounds), .count(cell.samples), .figure(cell.seconds, or: reason),
          .figure(cell.diskBytes, or: reason), .figure(cell.memoryBytes, or: reason), .text(words(on: cell.basis)),
        ])
    }
    document.table(table)
    return document.text(as: form)
  }

  /// The scenarios of each shard, with their expected times if an earlier run shows them.
  package static func division(
    _ record: ShardRecord, _ forecast: RunForecast, as form: PageForm = .markdown
  ) -> String {
    var document = Document()
    document.heading(1, HumanUnits.counted(record.shard.count, "shard"))
    var table = Table("Shard", [.text("Scenarios"), .number("Cells"), .number("Samples"), .time("Time")])
    for shard in 1...record.shard.count {
      let names = record.blocks.filter { $0.shard == shard }.map(\.scenario)
      let cells = forecast.cells.filter { names.contains($0.cell.scenario) }
      let seconds = cells.compactMap(\.seconds)
      table.append(
        "\(shard)/\(record.shard.count)",
        [
          .text(names.isEmpty ? "none" : names.joined(separator: ", ")), .count(cells.count),
          .count(cells.reduce(0) { $0 + $1.samples }),
          .figure(
            seconds.count == cells.count ? seconds.reduce(0, +) : nil,
            or: "no earlier run is named by --estimate-from, or it lacks cells"),
        ])
    }
    document.table(table)
    return document.text(as: form)
  }

  private static func sentence(on forecast: RunForecast, from source: String?) -> String {
    guard let source, let seconds = forecast.seconds else {
      return forecast.maxSeconds.map { "It takes at most about \(HumanUnits.duration($0))." }
        ?? "How long it takes is not known: name an earlier run with --estimate-from, or take one with --quick."
    }
    var parts = ["It takes about \(HumanUnits.duration(seconds)), as the samples of \(Markdown.code(source)) did."]
    if forecast.unknown > 0 {
      parts.append("Of \(HumanUnits.counted(forecast.unknown, "cell")) nothing is known.")
    }
    if let disk = forecast.diskBytes {
      parts.append("A store takes up to \(HumanUnits.bytes(disk)) of disk at a time.")
    }
    if let memory = forecast.memoryBytes { parts.append("A worker takes up to \(HumanUnits.bytes(memory)) of memory.") }
    return parts.joined(separator: " ")
  }

  private static func words(on basis: CellForecast.Basis) -> String {
    switch basis {
    case .measured: "the cell itself"
    case .scaled(let rows): "\(HumanUnits.counted(rows, "row")), in proportion"
    case .nothing: ""
    }
  }
}
