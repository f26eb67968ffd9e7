// A8: endlessly nested text is refused with a sentence, also on a thread with a small stack.
import MissionTags
@testable import CoreDataFiles
import CoreDataModel
import Foundation
import ObjectGraphFixtures
import SQLiteDriver
import Synchronization
import Support
import Testing

@Suite("A8 · depth of JSON and XML", .tags(.a8))
struct NestingTests {
  private func obstacle(json: String) -> String? { Array(json.utf8).withUnsafeBytes(Nesting.obstacle(json:)) }
  private func isTooDeep(json: String) -> Bool { obstacle(json: json) == "values nested more than 256 deep" }
  private func isTooDeep(xml: String) -> Bool { Nesting.isTooDeep(xml: Array(xml.utf8)) }

  private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  @Test("256 levels of JSON are read, and one more is refused", arguments: ["[", "{\"a\":"])
  func json(opening: String) {
    #expect(!isTooDeep(json: repeated(opening, 256)))
    #expect(isTooDeep(json: repeated(opening, 257)))
    #expect(isTooDeep(json: repeated(opening, 1_000_000)))
  }

  @Test("Only open brackets outside of text count")
  func brackets() {
    #expect(!isTooDeep(json: repeated("[]", 1_000)))
    #expect(!isTooDeep(json: "[\"" + repeated("[", 1_000) + "\"]"))
    #expect(!isTooDeep(json: "\"\\\"" + repeated("[", 1_000) + "\""))
    #expect(isTooDeep(json: repeated("[\"]\\\"]\",", 257)))
    #expect(isTooDeep(json: "\"\\\\\"" + repeated("[", 257)))
    // JSON in UTF-16, in which quotes look different, and a file of zeros.
    #expect(obstacle(json: "[\u{0}]\u{0}") == "binary data" && obstacle(json: "\u{0}") == "binary data")
    #expect(obstacle(json: "{\"a\": [1, \"\\u0000\"]}") == nil)
  }

  @Test("256 levels of XML are read, and one more is refused")
  func xml() {
    #expect(!isTooDeep(xml: repeated("<a>", 256)))
    #expect(isTooDeep(xml: repeated("<a b='>'>", 257)))
    #expect(!isTooDeep(xml: repeated("<a/>", 1_000)))
    #expect(!isTooDeep(xml: repeated("<a b=\"/>\"/>", 1_000)))
    #expect(isTooDeep(xml: repeated("<a b='/>'>", 257)))
    #expect(!isTooDeep(xml: repeated("<a></a>", 1_000)))
    #expect(!isTooDeep(xml: "<?x <a?><!--" + repeated("<a>", 1_000) + "--><![CDATA[" + repeated("<a>", 1_000) + "]]>"))
    #expect(isTooDeep(xml: repeated("<!--</a>--><![CDATA[</a>]]><?a </a>?><a>", 257)))
    for rest in ["<", "<a", "<!--", "<![CDATA[", "<?", "<a b='", "<!"] { #expect(!isTooDeep(xml: rest)) }
  }

  @Test(
    "An infinitely nested model is refused with a sentence on a thread with a small stack", arguments: [257, 200_000])
  func model(depth: Int) throws {
    let text = "<model>" + repeated("<entity>", depth)
    let found = onSmallStack { () -> MalformedContent? in
      do throws(MalformedContent) {
        _ = try RecoveredModel(xml: Data(text.utf8))
        return nil
      } catch {
        return error
      }
    }
    #expect(found == MalformedContent(found: "values nested more than 256 deep", expected: "at most 256 levels"))
  }

  @Test("A model of the maximum depth is read on a thread with a small stack")
  func deepModel() throws {
    let text = "<model>" + repeated("<userInfo>", 255) + repeated("</userInfo>", 255) + "</model>"
    let found = onSmallStack { () -> String? in
      do throws(MalformedContent) {
        _ = try RecoveredModel(xml: Data(text.utf8))
        return nil
      } catch {
        return error.found
      }
    }
    #expect(found == "no entity")
  }
}

/// Runs the body on a thread with a stack of 512 KiB, the smallest default of any system, and waits for it.
func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
  let result = Lock<Result?>(nil)
  let isDone = DispatchSemaphore(value: 0)
  let thread = Thread {
    let found = body()
    result.withLock { $0 = found }
    isDone.signal()
  }
  thread.stackSize = 512 << 10
  thread.start()
  isDone.wait()
  return result.withLock { $0 }
}
