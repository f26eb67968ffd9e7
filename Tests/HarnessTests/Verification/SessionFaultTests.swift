// A1, A10: a session that omits work, does it elsewhere, or makes claims that its files contradict.
import BatchmarkEngine
import Foundation
import Harness
import Instruments
import MissionTags
import Testing

@Suite("A1 A10 · sessions with false answers", .tags(.a1, .a10))
struct SessionFaultTests {
  private func fault(
    _ trick: SpoilingInsertEngine.Trick, store: String = "{journal_mode: wal}", repeats: Int = 1
  ) -> SessionFault? {
    do {
      _ = try SpoilingInsertEngine(trick: trick).sample(store: store, repeats: repeats)
    } catch {
      if case .untrue(let fault) = error as? VerificationError { return fault }
    }
    return nil
  }

  @Test("A file that replaces the store is detected as another one", arguments: ["wal", "delete"])
  func otherFile(journal: String) {
    #expect(fault(.otherFile, store: "{journal_mode: \(journal)}") == .otherFile)
  }

  @Test("A checkpoint that leaves frames in the WAL is found, and without a WAL there is nothing to find")
  func checkpoint() throws {
    guard case .notCheckpointed(let frames) = fault(.noCheckpoint) else {
      Issue.record("the checkpoint was believed")
      return
    }
    #expect(frames > 0)
    #expect(fault(.noCheckpoint, store: "{journal_mode: delete}") == nil)
  }

  @Test("Rows must be stored again if they are ingested again", arguments: ["wal", "delete"])
  func again(journal: String) {
    #expect(fault(.onlyOnce, store: "{journal_mode: \(journal)}", repeats: 2) == .nothingIngestedAgain)
    #expect(fault(.onlyOnce, store: "{journal_mode: \(journal)}") == nil)
  }

  @Test("An answer that contradicts the file is not believed")
  func answers() {
    #expect(fault(.otherPageSize) == .pragma(name: "page_size", answered: "1024", found: "4096"))
  }

  @Test("A failure in a warm-up of fewer rows says so, because its counts are those of the warm-up")
  func warmUpFailure() {
    let late = SpoilingInsertEngine(promptRows: 6)
    #expect(
      late.complaint(warmUp: 20)?.hasPrefix(
        "in the warm-up, of 20 rows: when the phase ingest had ended, another connection saw 6 rows; expected 20")
        == true)
    #expect(late.complaint(warmUp: 60)?.hasPrefix("when the phase ingest had ended") == true)
  }

  @Test("Warm-up rows are a copy: a session that keeps them has none of the measured rows")
  func warmUp() throws {
    let texts = BytesColumn(bytes: Array("onetwo".utf8), starts: [0, 3, 6], nulls: [])
    let rows = SourceRows(
      ColumnarRows(
        entityName: "Quake", attributes: [],
        columns: [
          .text(texts), .integers(NumberColumn([1, nil], placeholder: 0)),
          .reals(NumberColumn([0.5, 2], placeholder: 0)),
        ], count: 2))
    let copy = rows.copy(ofFirst: 1).tables[0]
    #expect(copy.count == 1)
    guard case .text(let text) = copy.columns[0], case .integers(let numbers) = copy.columns[1],
      case .reals(let reals) = copy.columns[2]
    else {
      Issue.record("the columns changed their kinds")
      return
    }
    #expect(text.count == 1 && text.string(at: 0) == "one" && text !== texts)
    #expect(numbers.count == 1 && numbers[0] == 1 && reals.count == 1 && reals[0] == 0.5)
  }
}
