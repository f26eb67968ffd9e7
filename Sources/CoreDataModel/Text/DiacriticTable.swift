// Letters with diacritics and what they are without, since the standard library offers no decomposition.

/// The letters that Unicode 14 composes of one letter and marks above, below or through it.
///
/// Source: the canonical decompositions of UnicodeData.txt, marks being of combining class 200 and above.
enum DiacriticTable {
  /// The plain letter of a composed one; nil when there is nothing to take off.
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

  /// Each row is a plain letter and then the letters that are composed of it.
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
