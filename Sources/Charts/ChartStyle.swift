// The style sheet of all pictures, used once per page and in every file.

/// The style of pictures: light or dark by the reader's choice, light on paper.
package enum ChartStyle {
  /// The rules for every chart of a page.
  ///
  /// The classes and the custom properties begin with `c-`.
  ///
  /// A page can set the properties `--c-bg`, `--c-ink`, `--c-soft` and `--c-grid` on `.c-chart`.
  package static let css: String = {
    var css = ".c-chart{\(Palette.light.properties)color-scheme:light dark;"
    css += "display:block;max-width:100%;height:auto;print-color-adjust:exact;-webkit-print-color-adjust:exact}"
    css += "@media screen and (prefers-color-scheme:dark){.c-chart{\(Palette.dark.properties)}}"
    css += ".c-chart text{font-family:\(sans);font-size:12px;fill:var(--c-ink)}"
    for style in TextStyle.allCases { css += rules(for: style) }
    css += ".c-chart .c-halo{paint-order:stroke;stroke:var(--c-bg);stroke-width:4px;stroke-linejoin:round}"
    css += ".c-chart .c-on{fill:var(--c-in)}"
    css += shapes
    for index in Palette.colors {
      for key in ["\(index)", "\(index)m"] {
        css += ".c-k\(key){--c-fill:var(--c-f\(key));--c-edge:var(--c-e\(key));--c-in:var(--c-i\(key))}"
      }
    }
    for step in 0..<Palette.tones {
      css += ".c-t\(step){--c-fill:var(--c-ft\(step));--c-edge:var(--c-et\(step));--c-in:var(--c-it\(step))}"
    }
    return css
  }()

  private static let sans =
    "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'DejaVu Sans',sans-serif"
  private static let monospaced =
    "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"

  private static func rules(for style: TextStyle) -> String {
    var rule = ".c-chart .c-\(style.rawValue){font-size:\(XML.number(style.size))px;"
    if style.isMonospaced { rule += "font-family:\(monospaced);" }
    if style.isBold { rule += "font-weight:600;" }
    if style.isSoft { rule += "fill:var(--c-soft);" }
    if style == .inside { rule += "fill:var(--c-in);" }
    if style == .inside || style == .frame { rule += "pointer-events:none;" }
    if style == .figure || style == .detail || style == .tick { rule += "font-variant-numeric:tabular-nums;" }
    return rule + "}"
  }

  private static let shapes = """
    .c-bg{fill:var(--c-bg)}\
    .c-grid,.c-row{fill:none;stroke:var(--c-grid);stroke-width:1px}\
    .c-axis{stroke:var(--c-soft);stroke-width:1px}\
    .c-ref,.c-rule{stroke:var(--c-soft);stroke-width:1.5px;stroke-dasharray:3 3;fill:none}\
    .c-guide{stroke:var(--c-soft);stroke-width:1.5px;stroke-dasharray:7 4;fill:none}\
    .c-lead{stroke:var(--c-soft);stroke-width:1px;fill:none}\
    .c-band{fill:var(--c-soft);opacity:.16}\
    .c-mark,.c-part{fill:var(--c-fill);stroke:var(--c-edge);stroke-width:1.2px}\
    .c-pale{fill:var(--c-fill);stroke:var(--c-edge);stroke-width:1px}\
    .c-line{fill:none;stroke:var(--c-edge);stroke-width:2.25px;stroke-linejoin:round;stroke-linecap:round}\
    .c-note{fill:none;stroke:var(--c-edge);stroke-width:1.5px}\
    .c-whisker{fill:none;stroke:var(--c-edge);stroke-width:2px}\
    .c-raw{fill:none;stroke:var(--c-edge);stroke-width:3.5px;stroke-linecap:round;opacity:.5}\
    .c-fill{fill:var(--c-fill);opacity:.25}\
    .c-plain{--c-edge:var(--c-soft)}\
    .c-hit{fill:transparent}\
    .c-item:hover .c-mark,.c-item:hover .c-part,.c-item:hover .c-pale{stroke:var(--c-ink);stroke-width:2px}\
    .c-item:hover .c-line{stroke-width:3.5px}
    """
}
