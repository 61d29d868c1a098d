/// Codes and tags that stand for others (RFC 5646 §4.5).
enum LanguageAliases {
    /// The primary subtag in force for one that was withdrawn, or that names the standard form of a macrolanguage, which is how the
    /// macrolanguage's own code is used.
    static func current(_ code: String) -> String { withdrawn[code] ?? members[code] ?? code }

    /// The tag in force for one that was registered whole before there were subtags (RFC 5646 §2.2.8), in lower case; empty where nothing took
    /// its place.
    static func grandfathered(_ tag: String) -> String? { registered[tag] }

    /// Codes of ISO 639 that were taken back, and the ones to use instead.
    static let withdrawn = [
        "iw": "he", "in": "id", "ji": "yi", "jw": "jv", "jaw": "jv", "mo": "ro", "mol": "ro", "scc": "sr", "scr": "hr", "fri": "fy", "esp": "eo", "ajp": "apc",
    ]

    /// Members of macrolanguages that CLDR treats as the macrolanguage itself: Mandarin is what is meant by Chinese, Gulf Arabic is not what
    /// is meant by Arabic. Those that are not here stay languages of their own.
    static let members: [String: String] = {
        var found: [String: String] = [:]
        for pair in pairs.split(separator: " ") {
            let codes = pair.split(separator: ">").map(String.init)
            if codes.count == 2 { found[codes[0]] = codes[1] }
        }
        return found
    }()

    private static let pairs = """
        aju>jrb als>sq arb>ar ayr>ay azj>az bcc>bal bcl>bik bxk>luy bxr>bua cld>syr cmn>zh cwd>cr dgo>doi dhd>mwr dik>din \
        diq>zza ekk>et emk>man esk>ik fuc>ff gaz>om gbo>grb gno>gon gug>gn gya>gba hdn>hai hea>hmn ike>iu khk>mn kmr>ku \
        knc>kr kng>kg kpv>kv lvs>lv mhr>chm mup>raj ojg>oj pbu>ps pes>fa plt>mg pnb>lah rmy>rom spy>kln src>sc swh>sw \
        ttq>tmh umu>del uzn>uz xpe>kpe xsl>den ydd>yi zai>zap zsm>ms zyb>za
        """

    /// Whether a subtag is an extended language of this prefix (§2.2.2): behind any other, three letters are some writer's country.
    static func extends(_ prefix: String, _ subtag: String) -> Bool {
        prefix == "sgn" ? subtag.utf8.count == 3 && ISO639.language(subtag) != nil : extensions[prefix]?.contains(subtag) ?? false
    }

    /// IANA's registry of language subtags, Type: extlang; of sign languages there are too many to list.
    private static let extensions: [String: Set<String>] = [
        "zh": words("cdo cjy cmn cnp cpx csp czh czo gan hak hnm hsn luh lzh mnp nan sjc wuu yue"),
        "ar": words("aao abh abv acm acq acw acx acy adf aeb aec afb ajp apc apd arb arq ars ary arz auz avl ayh ayl ayn ayp pga shu ssh"),
        "ms": words("bjn btj bve bvu coa dup hji jak jax kvb kvr kxd lce lcf liw max meo mfa mfb min mqg msi mui orn ors pel pse tmw urk vkk vkt xmm zlm zmi zsm"),
        "sw": words("swc swh"), "uz": words("uzn uzs"), "lv": words("ltg lvs"), "kok": words("gom knn"),
    ]

    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    private static let registered = [
        "en-gb-oed": "en-GB-oxendict", "i-ami": "ami", "i-bnn": "bnn", "i-default": "", "i-enochian": "", "i-hak": "hak", "i-klingon": "tlh", "i-lux": "lb",
        "i-mingo": "", "i-navajo": "nv", "i-pwn": "pwn", "i-tao": "tao", "i-tay": "tay", "i-tsu": "tsu", "sgn-be-fr": "sfb", "sgn-be-nl": "vgt",
        "sgn-ch-de": "sgg", "art-lojban": "jbo", "cel-gaulish": "", "no-bok": "nb", "no-nyn": "nn", "zh-guoyu": "zh", "zh-hakka": "hak", "zh-min": "",
        "zh-min-nan": "nan", "zh-xiang": "hsn",
    ]

    /// Languages whose speakers follow each other's films, though neither code is an alias of the other: a macrolanguage and the forms it is
    /// used in. Cantonese and Mandarin are not here, nor are spoken forms of Arabic: the wrong sound is worse than the container's default.
    static func areClose(_ a: String, _ b: String) -> Bool { close.contains("\(a) \(b)") || close.contains("\(b) \(a)") }

    private static let close: Set<String> = ["no nb", "no nn", "nb nn", "sh sr", "sh hr", "sh bs", "ne npi", "or ory", "tl fil", "ak tw"]
}
