// `--only` and `--skip`, which every command has that measures some cells of scenarios.
internal import ArgumentParser

/// Which cells are meant.
struct CellOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Only cells that have this scenario, engine, strategy, key=value, id or tag:NAME; in such a word * is any text \
      and ? any character, and /expression/ is looked for in the id (repeatable: cells that any of them selects).
      """, valueName: "cells"))
  var only: [String] = []

  @Option(
    help: ArgumentHelp(
      "Leave out the cells that this selects, in the words of --only, which it overrules (repeatable).",
      valueName: "cells"))
  var skip: [String] = []
}
