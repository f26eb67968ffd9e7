// The meanings of the terms in reports. Every page ends with them, and its tables link to them.

/// The terms in reports, with their meanings.
enum Glossary {
  struct Term {
    var name: String
    /// A single line of Markdown.
    var meaning: String
    /// Titles of columns, or their beginnings, that use the term.
    var columns: [String] = []

    var anchor: String { Glossary.anchorPrefix + name.lowercased().replacing(" ", with: "-") }
  }

  static let anchorPrefix = "term-"

  /// The terms in alphabetical order, as in the article Glossary of BatchmarkCLI.
  static let terms = [
    Term(
      name: "Cell",
      meaning: "One strategy of one engine with its parameters, within a scenario. Its id is "
        + "`scenario/engine/strategy[key=value,…]`.", columns: ["Cell"]),
    Term(
      name: "Content hash",
      meaning: "A hash over the entity and attribute values of all stored rows, whatever their order, without keys "
        + "and versions. All cells of a scenario must end with the same one. Relationships have a hash of their "
        + "own.", columns: ["Content hash"]),
    Term(
      name: "CPU time",
      meaning: "The time that processors worked for a phase, of all threads together.", columns: ["CPU time"]),
    Term(
      name: "Exact counter",
      meaning: "A figure that repeats to the last unit from run to run, such as allocations, WAL frames or VM steps. "
        + "Times and sampled figures are not exact."),
    Term(
      name: "Exponent",
      meaning: "How a time grows with the number of rows: it is proportional to rows to the power of the exponent. 1 "
        + "is linear.", columns: ["Exponent"]),
    Term(
      name: "Heap peak",
      meaning: "The most memory in live allocations of all threads at one moment of a phase, above the level at its "
        + "start. Every allocation counts, so it is exact.", columns: ["Heap peak", "Bytes a row", "SQLite's part"]),
    Term(
      name: "Interval",
      meaning: "The range that contains the true value with 95 % confidence; in brackets after a figure."),
    Term(
      name: "Knee",
      meaning: "The smallest value of a swept number that takes at most 5 % longer than the best.", columns: ["Knee"]),
    Term(
      name: "Margin",
      meaning: "The slow-down that matters to a comparison, 5 % by default."),
    Term(
      name: "Median",
      meaning: "The middle of the values, in order; of an even number, the mean of the two in the middle.",
      columns: ["Wall time", "Time", "Rows a second"]),
    Term(
      name: "Pair",
      meaning: "Two samples, one of each side of a comparison, taken at the same time on one processor.",
      columns: ["Pairs"]),
    Term(
      name: "Pass",
      meaning: "A kind of sample by its instruments: timing (none), counters (the metering VFS and SQLite's "
        + "counters), memory (the allocation meter and jemalloc's statistics)."),
    Term(
      name: "Peer",
      meaning: "Another persistence library, measured for comparison."),
    Term(
      name: "Phase",
      meaning: "A part of a sample that is measured apart: load (parsing), ingest or another operation (the main "
        + "phase), merge (updating an observing context), checkpoint, verify.", columns: ["Phase"]),
    Term(
      name: "Placebo",
      meaning: "A comparison of a build with itself, which must find nothing."),
    Term(
      name: "Reference",
      meaning: "The cell that ratios are formed against: plain SQLite with one prepared statement in one "
        + "transaction. Other cells may be faster.", columns: ["Times the reference"]),
    Term(
      name: "Resident peak",
      meaning: "The most memory that the process had in RAM during a phase, file pages included, as the kernel "
        + "counts it.", columns: ["Resident peak"]),
    Term(
      name: "Round",
      meaning: "One sample of every cell, in an order drawn for that round."),
    Term(
      name: "Sample",
      meaning: "One run of a cell in one pass, in a worker process of its own with a store of its own.",
      columns: ["Samples"]),
    Term(
      name: "Set aside",
      meaning: "Not used for times, but counted: the rounds of failed samples, and disturbed pairs."),
    Term(
      name: "Stage",
      meaning: "A part of a save or a batch insert that `profile` shows.", columns: ["Stage"]),
    Term(
      name: "Strategy",
      meaning: "One way in which an engine does an operation."),
    Term(
      name: "Version",
      meaning: "The counter `Z_OPT` of a row, which each write raises by one.", columns: ["Versions"]),
    Term(
      name: "WAL",
      meaning: "SQLite's write-ahead log. Its *backlog* is the frames that no checkpoint has moved into the database "
        + "file yet; its *restarts* count how often it was begun or written from its "
        + "beginning again.", columns: ["Frames"]),
    Term(
      name: "WAL peak",
      meaning: "The largest size of the WAL during a phase.", columns: ["WAL peak"]),
    Term(
      name: "Worker",
      meaning: "The process that takes one sample; the same executable, started for that sample."),
  ]

  /// HTML with a link to the definition of the column's term; without a link if the glossary does not have it.
  static func link(_ column: String?, _ html: String) -> String {
    guard let column, let term = terms.first(where: { $0.columns.contains { column.hasPrefix($0) } }) else {
      return html
    }
    return "<a href=\"#\(term.anchor)\">\(html)</a>"
  }

  /// The whole glossary.
  static var html: String {
    let entries = terms.map { term in
      "<dt id=\"\(term.anchor)\">\(HTML.escaped(term.name))</dt><dd>\(HTML.inline(term.meaning))</dd>"
    }
    return "<dl>\(entries.joined(separator: "\n"))</dl>"
  }

  /// The same, in Markdown.
  static var markdown: String { terms.map { "- **\($0.name)**: \($0.meaning)" }.joined(separator: "\n") }
}
