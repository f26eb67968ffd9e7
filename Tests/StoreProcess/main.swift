// A process for the tests to kill, to follow and to starve: one role a run, one line of JSON for each thing it does.
internal import Foundation

/// The command line is `StoreProcess ROLE STORE …`; `Role` has the rest.
let arguments = Array(CommandLine.arguments.dropFirst())
do {
  guard let role = Role(arguments) else {
    report(
      Failure(
        failed: "usage: StoreProcess write STORE SEED FIRST COUNT ROWS | follow STORE JOURNAL LAST | fill FOLDER HOW"))
    exit(64)
  }
  try role.run()
} catch {
  report(Failure(failed: "\(error)"))
  exit(1)
}
