// A process for tests with failing files and failing memory: every call of a workload fails in turn, and its stores are
// checked each time. It prints one line of JSON for each kind of fault.
internal import CSQLite
internal import Foundation

/// The command line is `FaultProcess WORKLOAD FOLDER EVERY [FAULT once|lasting NUMBER]`; the last part is where to
/// continue after a crash.
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments == ["list"] {
  for workload in Workload.all { print(workload.name) }
  exit(0)
}
guard arguments.count == 3 || arguments.count == 6, let every = Int(arguments[2]), every > 0,
  let workload = Workload.all.first(where: { $0.name == arguments[0] })
else {
  print("usage: FaultProcess list | FaultProcess WORKLOAD FOLDER EVERY [FAULT once|lasting NUMBER]")
  exit(64)
}
var first: FaultPoint?
if arguments.count == 6, let fault = Fault(rawValue: arguments[3]), let number = Int(arguments[5]) {
  first = FaultPoint(fault: fault, isLasting: arguments[4] == "lasting", number: number)
}
guard FaultyAllocator.install() == SQLITE_OK, FaultyVFS.register() == SQLITE_OK else {
  print("SQLite takes no allocator or no VFS")
  exit(70)
}
do {
  try FaultLoop(workload, in: arguments[1], every: every).run(from: first)
} catch {
  print("\(workload.name): \(error)")
  exit(1)
}
