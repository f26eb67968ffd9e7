// `--only` and `--skip`, which every command has that measures some cells of scenarios.
internal import ArgumentParser

/// Which cells are meant.
struct CellOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Take only cells with this scenario, engine, strategy, key=value, id or tag:NAME. * matches any text, ? any \
      character, and /expression/ any part of the id (repeatable: a cell needs to match one).
      """, valueName: "cells"))
  var only: [String] = []

  @Option(
    help: ArgumentHelp(
      "Leave out matching cells, in the words of --only, also those that --only selects (repeatable).",
      valueName: "cells"))
  var skip: [String] = []
}
