// Who asks: what each request that writes carries for history.

/// Who asks a store to write, as history names it.
struct RequestOrigin: Sendable, Hashable {
  var author: String?
  var contextName: String?
}
