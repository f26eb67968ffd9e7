// `--only` and `--skip`, which every command has that measures some cells of scenarios.
internal import ArgumentParser

/// Which cells are meant.
struct CellOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Only cells that have this scenario, engine, strategy, key=value, id or tag:NAME; * and ? stand for any characters \
      of such a word, and /expression/ is looked for in the id (repeatable: cells that any of them selects).
      """, valueName: "cells"))
  var only: [String] = []

  @Option(
    help: ArgumentHelp(
      "No cells that this selects, as --only reads it, even where --only selects them (repeatable).",
      valueName: "cells"))
  var skip: [String] = []
}
