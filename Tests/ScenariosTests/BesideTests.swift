// The section `beside`: readers and writers, their rate and their query, on their own, swept and set, and mistakes in
// them.
import BatchmarkEngine
import CoreDataModel
import MissionTags
import ObjectGraph
import Scenarios
import Testing

@Suite("A15 · the key 'beside'", .tags(.a15, .a1))
struct BesideTests {
  private func beside(_ text: String, _ more: String = "") -> String {
    scenario("measure:", "beside: {\(text)}\n\(more)measure:")
  }

  @Test("Readers, writers, their rate, their query and how they wait are read")
  func everything() throws {
    let work = try read(
      beside(
        "readers: 2, writers: 1, rate: 1_000/s, query: {where: magnitude >= 5, limit: 20}, transaction: deferred, "
          + "timeout: 0")
    ).beside
    #expect(work.readers == 2)
    #expect(work.writers == 1)
    #expect(work.rate == 1_000)
    #expect(work.query.condition == .comparison(attribute: "magnitude", .greaterOrEqual, [.real(5)]))
    #expect(work.query.limit == 20)
    #expect(work.transaction == .deferred)
    #expect(work.busyTimeout == 0)
    #expect(work.isThere)
  }

  @Test(
    "Without the key, or without readers and writers, nothing runs beside the operation, and the question stays the same"
  )
  func nobody() throws {
    let plain = try read(validScenario)
    #expect(!plain.beside.isThere)
    let none = try read(beside("readers: 0, rate: 5/s"))
    #expect(!none.beside.isThere)
    #expect(none.fingerprint == plain.fingerprint)
  }

  @Test("A sweep of readers makes cells with and without them, with different ids")
  func swept() throws {
    let scenario = try read(
      beside("rate: 50/s", "sweep: {readers: [0, 2], rate: [10/s, 20 /s]}\n").replacing(
        "rate: 50/s", with: "timeout: 9"))
    #expect(scenario.cells.count == 2 * 2 * 2)
    #expect(scenario.cells.first?.id == "quakes/objectgraph/save[rate=10/s,readers=0,save_every=100]")
    for cell in scenario.cells {
      let work = scenario.variant(for: cell).beside
      #expect(cell.parameters["readers"] == .count(work.readers))
      #expect(cell.parameters["rate"] == .word("\(work.rate)/s"))
      #expect(work.busyTimeout == 9)
    }
  }

  @Test("Readers and writers are processes unless the scenario asks for threads, which is another question")
  func place() throws {
    let processes = try read(beside("readers: 2"))
    #expect(processes.beside.place == .processes)
    #expect(try read(beside("readers: 2, in: processes")).fingerprint == processes.fingerprint)
    let threads = try read(beside("readers: 2, in: threads"))
    #expect(threads.beside.place == .threads && threads.fingerprint != processes.fingerprint)
    #expect(try read(beside("readers: 2"), "in=threads").beside.place == .threads)
    let swept = try read(beside("readers: 2", "sweep: {in: [processes, threads]}\n"))
    #expect(swept.cells.map { swept.variant(for: $0).beside.place } == [.processes, .processes, .threads, .threads])
    #expect(swept.cells.last?.id == "quakes/sqlite/insert[in=threads]")
  }

  @Test("Settings of the command line replace its values, and a sweep")
  func settings() throws {
    let text = beside("query: {limit: 3}", "sweep: {readers: [0, 2]}\n")
    let scenario = try read(text, "readers=4", "rate=7/s", "writers=1")
    #expect(scenario.beside.readers == 4)
    #expect(scenario.beside.writers == 1)
    #expect(scenario.beside.rate == 7)
    #expect(scenario.beside.query.limit == 3)
    #expect(scenario.cells.count == 2)
  }

  @Test("The key may have a pinned reader, which applies to every cell without a value of its own")
  func pinned() throws {
    let ids = try read(beside("reader: pinned")).cells.map(\.id)
    #expect(ids == ["quakes/objectgraph/save[reader=pinned,save_every=100]", "quakes/sqlite/insert[reader=pinned]"])
    let text = beside("reader: pinned").replacing("save_every: 100", with: "save_every: 100, reader: none")
    #expect(try read(text).cells.map(\.id).first == "quakes/objectgraph/save[save_every=100]")
    #expect(
      complaints(beside("reader: pinned", "reader: pinned\n")) == [
        "Scenarios/x.yml:18:18: found the key 'reader' in beside and at the top; expected it in one of them"
      ])
    #expect(complaints(beside("reader: pinned", "sweep: {reader: [none, pinned]}\n")).count == 1)
  }

  @Test(
    "Impossible questions are refused, with what was found and what to write",
    arguments: [
      ("readers: two", "18:19: found 'two'; expected a whole number of processes from 0 to 64"),
      ("readers: 65", "18:19: found 65; expected a whole number of processes from 0 to 64"),
      ("rate: 200", "18:16: found '200'; expected a rate from 1/s to 100000/s, such as 200/s; did you mean '200/s'?"),
      ("rate: 0/s", "18:16: found '0/s'; expected a rate from 1/s to 100000/s, such as 200/s"),
      ("rate: 5/min", "18:16: found '5/min'; expected a rate from 1/s to 100000/s, such as 200/s"),
      (
        "reders: 2",
        "18:10: found the key 'reders'; expected one of readers, writers, rate, in, query, transaction, timeout, "
          + "reader; did you mean 'readers'?"
      ),
      (
        "query: {where: magnitud > 5}",
        "18:25: found the key 'magnitud' in the predicate; expected one of code, "
          + "magnitude, time; did you mean 'magnitude'?"
      ),
      ("query: {limit: 0}", "18:25: found 0; expected a whole number of rows from 1 to 100000000"),
      ("readers: 1, in: fibers", "18:26: found 'fibers'; expected one of processes, threads"),
      ("transaction: exclusive", "18:23: found 'exclusive'; expected one of immediate, deferred"),
    ])
  func mistakes(text: String, complaint: String) {
    #expect(complaints(beside(text)) == ["Scenarios/x.yml:" + complaint])
  }

  @Test("Readers are refused beside a store with an exclusive lock")
  func exclusive() {
    let text = beside("readers: 1").replacing("synchronous: normal", with: "locking_mode: exclusive")
    #expect(
      complaints(text) == [
        "Scenarios/x.yml:18:9: found readers or writers beside a store whose locking_mode is exclusive; expected "
          + "locking_mode: normal, since exclusive lets nobody else read or write"
      ])
    #expect(complaints(text.replacing("readers: 1", with: "readers: 0")).isEmpty)
  }

  @Test("Budgets and the question may name latencies, whose names have dots of their own")
  func latencies() throws {
    let known = ScenarioSchema(
      engines: schema.engines, metrics: MetricDeclaration.timing + MetricDeclaration.latencies)
    func read(_ lines: String) throws -> Scenario {
      try ScenarioReader(schema: known).read(text: scenario("measure:", lines + "\nmeasure:"), file: "x.yml")
    }
    let budgets = try read(
      "budgets: [save.latency.read.p99 <= 50 ms, insert.ingest.latency.write.longest < 2 * save.latency.read.p999]"
    ).budgets
    #expect(budgets.map(\.figure.column) == ["latency_read_p99_ns", "latency_write_longest_ns"])
    #expect(budgets.map(\.figure.cells) == [["quakes/objectgraph/save[save_every=100]"], ["quakes/sqlite/insert"]])
    #expect(budgets[0].limit.number == 0.05)
    #expect(budgets[1].limit.figure?.column == "latency_read_p999_ns")
    #expect(try read("about: latency.write.p99").about == .latency(.write, .p99))
    #expect(throws: ScenarioErrors.self) { try read("budgets: [save.latency.read.p98 <= 50 ms]") }
    #expect(throws: ScenarioErrors.self) { try read("about: latency.read") }
    #expect(try read("about: latency.request.longest").about == .latency(.request, .longest))
  }
}
