// The capabilities that tests show, declared once; Documentation/Capabilities.md lists them.
public import Testing

extension Tag {
  @Tag public static var a1: Self
  @Tag public static var a2: Self
  @Tag public static var a3: Self
  @Tag public static var a4: Self
  @Tag public static var a5: Self
  @Tag public static var a6: Self
  @Tag public static var a7: Self
  @Tag public static var a8: Self
  @Tag public static var a9: Self
  @Tag public static var a10: Self
  @Tag public static var a11: Self
  @Tag public static var a12: Self
  @Tag public static var a13: Self
  @Tag public static var a14: Self
  @Tag public static var a15: Self
  @Tag public static var a16: Self
  @Tag public static var b1: Self
  @Tag public static var b2: Self
  @Tag public static var b3: Self
  @Tag public static var b4: Self
  @Tag public static var b5: Self
  @Tag public static var b6: Self
  @Tag public static var b7: Self
  @Tag public static var b8: Self
  @Tag public static var b9: Self
  @Tag public static var b10: Self
  @Tag public static var b11: Self
  @Tag public static var b12: Self
  @Tag public static var b13: Self
  @Tag public static var c1: Self
  @Tag public static var c2: Self
  @Tag public static var c3: Self
  @Tag public static var d1: Self
  @Tag public static var d2: Self
  @Tag public static var d3: Self
  @Tag public static var d4: Self
  @Tag public static var d5: Self
  @Tag public static var d6: Self
  @Tag public static var d7: Self
  @Tag public static var d8: Self
  @Tag public static var d9: Self
  @Tag public static var d10: Self
  @Tag public static var d11: Self
  @Tag public static var d12: Self
  @Tag public static var d13: Self
}
