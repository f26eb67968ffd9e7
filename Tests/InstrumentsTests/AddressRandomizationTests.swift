// Address randomization, in separate processes.
import MissionTags
import Testing

@testable import Instruments

@Suite("A3 · address randomization", .onlyWithJemalloc, .tags(.a3))
struct AddressRandomizationTests {
  @Test(
    "Without randomization, two processes put the same block at the same address",
    .enabled("personality(2) is not permitted here") {
      try Probe.run("state", "fixed", metered: false).figures["refused"] == nil
    })
  func fixed() throws {
    let first = try Probe.run("state", "fixed", metered: false)
    let second = try Probe.run("state", "fixed", metered: false)
    #expect(try first["addressesFixed"] == 1)
    #expect(try first["blockAddress"] == second["blockAddress"])
  }

  @Test("A restart keeps the process, its arguments and the preloaded meter")
  func reexecution() throws {
    let answer = try Probe.run("state", "fixed")
    #expect(try answer["process"] == answer.process)
    #expect(try answer["arguments"] == 3)
    #expect(try answer["meterLoaded"] == 1)
  }

  @Test("A process that still has random addresses after a restart gets an error, and continues")
  func onlyOnce() throws {
    let answer = try Probe.run(
      "state", "fixed", metered: false, environment: [AddressRandomization.marker: "1"])
    #expect(try answer["process"] == answer.process)
    // If the kernel never randomizes, there is nothing to refuse.
    #expect(answer.figures["refused"] == (AddressRandomization.isOff ? nil : 1))
  }

  @Test("A process restarts only on request")
  func untouched() throws {
    let answer = try Probe.run("state", metered: false)
    #expect(try answer["addressesFixed"] == (AddressRandomization.isOff ? 1 : 0))
  }
}
