// The capabilities that the tests of this module show: A2 wall time, A3 memory, A4 WAL growth, A5 reports, A6 the command line, A7 verdicts,
// D10 stores of Core Data's, D13 integrity.
import Testing

extension Tag {
  @Tag static var a2: Self
  @Tag static var a3: Self
  @Tag static var a4: Self
  @Tag static var a5: Self
  @Tag static var a6: Self
  @Tag static var a7: Self
  @Tag static var b8: Self
  @Tag static var c1: Self
  @Tag static var c2: Self
  @Tag static var d8: Self
  @Tag static var d10: Self
  @Tag static var d13: Self
  @Tag static var a9: Self
  @Tag static var a11: Self
}
