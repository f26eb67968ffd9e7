// `--prepare` and `--cleanup`, which every command has that takes samples.
internal import Analysis
internal import ArgumentParser
internal import Harness

/// The commands that the user wants run around each sample.
struct HookOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Have the shell run this before each sample, outside of any time. It knows the sample by BATCHMARK_CELL, \
      BATCHMARK_PASS, BATCHMARK_ROUND and BATCHMARK_DIRECTORY, and of the side of a pair by BATCHMARK_SIDE. When it \
      fails, so does the sample.
      """,
      valueName: "command"))
  var prepare: String?

  @Option(
    help: ArgumentHelp(
      "Have the shell run this after each sample, also after one that failed, with the same variables as --prepare.",
      valueName: "command"))
  var cleanup: String?

  var hooks: SampleHooks { SampleHooks(prepare: prepare, cleanup: cleanup) }
}
