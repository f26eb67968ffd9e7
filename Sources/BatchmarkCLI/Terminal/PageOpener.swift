// A page that was written, shown in the browser of whoever asked for it.
internal import Reports

/// Opens pages in the program that the desktop has for them.
enum PageOpener {
  /// Opens a file; says so where nothing here can.
  static func open(_ path: String) {
    #if os(Linux)
      let command = "xdg-open"
    #else
      let command = "open"
    #endif
    if ToolProcess.lines(of: [command, path]) == nil {
      Console.complain("--open: '\(command)' cannot open a page here; open \(path.onOneLine) in a browser")
    }
  }
}
