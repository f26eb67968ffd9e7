// The checks that the idioms use.
import ObjectGraph

/// Says what an idiom did not do.
struct Unexpected: Error, CustomStringConvertible {
  let description: String
}

func expect<Value: Equatable>(_ found: Value, is expected: Value, _ what: String) throws {
  if found != expected { throw Unexpected(description: "\(what): found \(found), expected \(expected)") }
}

/// The error that the body throws.
func refusal(of what: String, _ body: () throws -> Void) throws -> ObjectGraphError {
  do {
    try body()
  } catch let error as ObjectGraphError {
    return error
  }
  throw Unexpected(description: "\(what): found that it is carried out, expected an error")
}

/// The next element of a stream.
func next<News: Sendable>(_ stream: AsyncStream<News>) async throws -> News {
  for await news in stream { return news }
  throw Unexpected(description: "the stream: found its end, expected news")
}
