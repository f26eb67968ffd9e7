// A process for the tests to examine: runs one named case and prints the figures of the allocation meter and the other
// instruments as one line of JSON, with numbers only.
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
