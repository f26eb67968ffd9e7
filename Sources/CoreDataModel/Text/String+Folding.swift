// Removes case and diacritics from text, so that the rest compares by code points.

extension String {
  /// The text as the options compare it.
  ///
  /// Diacritics are removed first, so that both orders of the options give the same result. One pass, with a fast path
  /// for ASCII.
  package func folded(_ options: ComparisonOptions) -> String {
    if options.isEmpty { return self }
    if utf8.allSatisfy({ $0 < 0x80 }) { return options.contains(.caseInsensitive) ? lowercased() : self }
    var folded = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      guard options.contains(.diacriticInsensitive) else {
        scalar.appendCaseFolded(to: &folded)
        continue
      }
      if scalar.isDiacritic { continue }
      let base = DiacriticTable.base(of: scalar) ?? scalar
      if options.contains(.caseInsensitive) {
        base.appendCaseFolded(to: &folded)
      } else {
        folded.append(base)
      }
    }
    return String(folded)
  }
}

extension Unicode.Scalar {
  /// Whether it is a mark above, below or through a letter; vowel signs of other scripts are not.
  var isDiacritic: Bool {
    value >= 0x300 && properties.canonicalCombiningClass.rawValue >= 200
  }

  /// Appends the letter's full Unicode case folding: lowercase, then uppercase and lowercase again, so that both forms
  /// of sharp s become ss, and a final sigma becomes a sigma.
  func appendCaseFolded(to text: inout String.UnicodeScalarView) {
    // The dotless i has no case pair of its own: its capital is that of i.
    if value == 0x131 { return text.append(self) }
    if isASCII { return text.append(contentsOf: properties.lowercaseMapping.unicodeScalars) }
    for lower in properties.lowercaseMapping.unicodeScalars {
      for upper in lower.properties.uppercaseMapping.unicodeScalars {
        text.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
      }
    }
  }
}

/// The letters that Unicode 14 composes from a letter and marks above, below or through it.
///
/// Source: the canonical decompositions of UnicodeData.txt, for marks with combining class 200 and above.
enum DiacriticTable {
  /// The plain letter of a composed letter; `nil` if it has no mark.
  package static func base(of scalar: Unicode.Scalar) -> Unicode.Scalar? { bases[scalar] }

  private static let bases: [Unicode.Scalar: Unicode.Scalar] = {
    var bases: [Unicode.Scalar: Unicode.Scalar] = [:]
    for row in rows {
      let scalars = row.unicodeScalars
      guard let base = scalars.first else { continue }
      for composed in scalars.dropFirst() { bases[composed] = base }
    }
    return bases
  }()

  /// Each row has a plain letter, followed by the letters composed from it.
  private static let rows: [String] = [
    "AÀÁÂÃÄÅĀĂĄǍǞǠǺȀȂȦḀẠẢẤẦẨẪẬẮẰẲẴẶÅ", "BḂḄḆ", "CÇĆĈĊČḈ", "DĎḊḌḎḐḒ", "EÈÉÊËĒĔĖĘĚȄȆȨḔḖḘḚḜẸẺẼẾỀỂỄỆ", "FḞ",
    "GĜĞĠĢǦǴḠ", "HĤȞḢḤḦḨḪ", "IÌÍÎÏĨĪĬĮİǏȈȊḬḮỈỊ", "JĴ", "KĶǨḰḲḴ", "LĹĻĽḶḸḺḼ", "MḾṀṂ", "NÑŃŅŇǸṄṆṈṊ",
    "OÒÓÔÕÖŌŎŐƠǑǪǬȌȎȪȬȮȰṌṎṐṒỌỎỐỒỔỖỘỚỜỞỠỢ", "PṔṖ", "RŔŖŘȐȒṘṚṜṞ", "SŚŜŞŠȘṠṢṤṦṨ", "TŢŤȚṪṬṮṰ",
    "UÙÚÛÜŨŪŬŮŰŲƯǓǕǗǙǛȔȖṲṴṶṸṺỤỦỨỪỬỮỰ", "VṼṾ", "WŴẀẂẄẆẈ", "XẊẌ", "YÝŶŸȲẎỲỴỶỸ", "ZŹŻŽẐẒẔ",
    "aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ", "bḃḅḇ", "cçćĉċčḉ", "dďḋḍḏḑḓ", "eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ", "fḟ",
    "gĝğġģǧǵḡ", "hĥȟḣḥḧḩḫẖ", "iìíîïĩīĭįǐȉȋḭḯỉị", "jĵǰ", "kķǩḱḳḵ", "lĺļľḷḹḻḽ", "mḿṁṃ", "nñńņňǹṅṇṉṋ",
    "oòóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ", "pṕṗ", "rŕŗřȑȓṙṛṝṟ", "sśŝşšșṡṣṥṧṩ", "tţťțṫṭṯṱẗ",
    "uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự", "vṽṿ", "wŵẁẃẅẇẉẘ", "xẋẍ", "yýÿŷȳẏẙỳỵỷỹ", "zźżžẑẓẕ", "ÆǢǼ", "ØǾ", "æǣǽ",
    "øǿ", "ſẛ", "ƷǮ", "ʒǯ", "ΑΆἈἉἊἋἌἍἎἏᾈᾉᾊᾋᾌᾍᾎᾏᾸᾹᾺΆᾼ", "ΕΈἘἙἚἛἜἝῈΈ", "ΗΉἨἩἪἫἬἭἮἯᾘᾙᾚᾛᾜᾝᾞᾟῊΉῌ",
    "ΙΊΪἸἹἺἻἼἽἾἿῘῙῚΊ", "ΟΌὈὉὊὋὌὍῸΌ", "ΡῬ", "ΥΎΫὙὛὝὟῨῩῪΎ", "ΩΏὨὩὪὫὬὭὮὯᾨᾩᾪᾫᾬᾭᾮᾯῺΏῼ",
    "αάἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ", "εέἐἑἒἓἔἕὲέ", "ηήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ", "ιΐίϊἰἱἲἳἴἵἶἷὶίῐῑῒΐῖῗ",
    "οόὀὁὂὃὄὅὸό", "ρῤῥ", "υΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ", "ωώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ", "ϒϓϔ", "ІЇ", "АӐӒ", "ГЃ",
    "ЕЀЁӖ", "ЖӁӜ", "ЗӞ", "ИЍЙӢӤ", "КЌ", "ОӦ", "УЎӮӰӲ", "ЧӴ", "ЫӸ", "ЭӬ", "аӑӓ", "гѓ", "еѐёӗ", "жӂӝ", "зӟ",
    "ийѝӣӥ", "кќ", "оӧ", "уўӯӱӳ", "чӵ", "ыӹ", "эӭ", "ії", "ѴѶ", "ѵѷ", "ӘӚ", "әӛ", "ӨӪ", "өӫ", "اآأإ", "وؤ",
    "يئ", "ہۂ", "ےۓ", "ەۀ",
  ]
}
