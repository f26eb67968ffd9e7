// A process for the tests to look into: runs one named case and prints what the allocation meter and the other
// instruments said of it as one line of JSON, numbers only.
#if os(Linux)
  internal import Glibc
  internal import Instruments

  /// The command line is `MeterProbe CASE [fixed]`; with `fixed`, without address randomization.
  let arguments = CommandLine.arguments
  var refused: [ProbeCase.Figure] = []
  if arguments.last == "fixed" {
    do { try AddressRandomization.reexecuteWithout() } catch { refused = [("refused", 1)] }
  }

  guard arguments.count > 1, let figures = try ProbeCase(rawValue: arguments[1])?.figures() else {
    fail("usage: MeterProbe \(ProbeCase.allCases.map(\.rawValue).joined(separator: "|")) [fixed]", status: 64)
  }
  print("{" + (figures + refused).map { "\"\($0.name)\": \($0.value)" }.joined(separator: ", ") + "}")
#else
  print("the allocation meter is for Linux")
#endif
