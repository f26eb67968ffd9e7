// `--prepare` and `--cleanup`, which every command has that takes samples.
internal import Analysis
internal import ArgumentParser
internal import Harness

/// The commands that the user wants run around each sample.
struct HookOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Run this in the shell before each sample; its time does not count. BATCHMARK_CELL, BATCHMARK_PASS, \
      BATCHMARK_ROUND and BATCHMARK_DIRECTORY describe the sample, BATCHMARK_SIDE the side of a pair. When it fails, \
      so does the sample.
      """,
      valueName: "command"))
  var prepare: String?

  @Option(
    help: ArgumentHelp(
      "Run this in the shell after each sample, also after one that failed, with the variables of --prepare.",
      valueName: "command"))
  var cleanup: String?

  var hooks: SampleHooks { SampleHooks(prepare: prepare, cleanup: cleanup) }
}
