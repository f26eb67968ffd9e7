// How a page is written that is no file: for a person at a terminal, or for whatever reads Markdown.

/// The form of a page on standard output.
package enum PageForm: Sendable {
  case markdown
  /// In lines of at most so many characters, with tables in columns.
  case terminal(width: Int, isASCII: Bool)
}

extension Document {
  /// The page in a form.
  func text(as form: PageForm) -> String {
    switch form {
    case .markdown: markdown
    case .terminal(let width, let isASCII): text(width: width, isASCII: isASCII)
    }
  }
}
