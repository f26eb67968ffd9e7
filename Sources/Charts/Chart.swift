// The interface of every picture: a title, a description and a drawing for a width.

/// A picture that can be drawn at any width.
///
/// The same chart can become an element of a page, with ``svg(width:identifier:)``, or a separate file, with
/// ``file(width:)``.
package protocol Chart: Sendable {
  /// The accessible title, in a few words.
  var title: String { get }
  /// A description of the picture for people who cannot see it.
  var summary: String { get }
  /// Draws the picture for a width in pixels within ``Drawing/widths``.
  func drawing(width: Double) -> Drawing
}

extension Chart {
  /// The SVG element for a page, without a style sheet: the page includes ``ChartStyle/css`` once.
  ///
  /// The width is in pixels; below 640 the layout is for phones. The identifier makes the ids of this picture unique on
  /// its page.
  package func svg(width: Double, identifier: String) -> String {
    element(drawing(width: Drawing.width(width)), identifier: identifier, isFile: false)
  }

  /// A complete SVG file with its own style sheet, which follows the reader's light or dark mode, and a painted
  /// background.
  package func file(width: Double = 860) -> String {
    element(drawing(width: Drawing.width(width)), identifier: "chart", isFile: true) + "\n"
  }

  private func element(_ drawing: Drawing, identifier: String, isFile: Bool) -> String {
    let id = XML.identifier(identifier)
    let margin = isFile ? 16.0 : 0
    let (width, height) = (drawing.width + 2 * margin, drawing.height + 2 * margin)
    var svg = "<svg"
    if isFile { svg += " xmlns=\"http://www.w3.org/2000/svg\"" }
    svg += " class=\"c-chart\" width=\"\(XML.number(width))\" height=\"\(XML.number(height))\""
    svg += " viewBox=\"\(XML.number(-margin)) \(XML.number(-margin)) \(XML.number(width)) \(XML.number(height))\""
    svg += " role=\"img\" aria-labelledby=\"\(id)-title \(id)-desc\">"
    svg += "<title id=\"\(id)-title\">\(XML.escaped(title))</title>"
    svg += "<desc id=\"\(id)-desc\">\(XML.escaped(summary))</desc>"
    if isFile {
      svg += "<style>\(ChartStyle.css)</style><rect class=\"c-bg\" x=\"-16\" y=\"-16\""
      svg += " width=\"\(XML.number(width))\" height=\"\(XML.number(height))\"/>"
    }
    return svg + drawing.body + "</svg>"
  }
}
