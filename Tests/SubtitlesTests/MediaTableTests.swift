import Foundation
import Subtitles
import Testing

/// Files of other projects, of which the first cues are held against what was read of them by hand: the projects' own expectations where they have some.
@Suite struct MediaTableTests {
    static let media = ProcessInfo.processInfo.environment["PRISM_MEDIA"]

    static let table: [(name: String, hint: String, cues: [String])] = [
        (
            "astisub/example-in-carriage-return.srt", "srt",
            [
                "0-3766 |Did one of the last stories strike you as/more interesting than the other?",
                "3767-10732 |That's true. You don’t often find 632/pieces of gum stuck on a sidewalk",
                "10733-14066 |at a busy bus stop or anywhere/else for that matter.",
            ]
        ),
        (
            "astisub/example-in-html-entities.srt", "srt",
            [
                "331-3750 |The man in black fled across the desert, \u{A0}/& the gunslinger followed.",
                "4101-5430 |Go,\u{A0}then,",
                "6331-9675 |there are other < worlds than these.",
            ]
        ),
        (
            "astisub/example-in-non-utf8.srt", "srt",
            [
                "99000-101040 |(deep rumbling)",
                "124080-127120 5@44,7 |MAN:/How did we end up here?",
                "132160-135200 |This place is horrible.",
                "140240-142280 |Smells like balls.",
            ]
        ),
        (
            "astisub/example-in-styled.srt", "srt",
            [
                "17985-20521 |[b#0.255.0][instrumental music][]",
                "47115-48282 |[#255.0.255][ticks][]",
                "58192-59727 |[#0.255.0][instrumental music][]",
                "61662-63063 |[bu][dog barking][]",
            ]
        ),
        (
            "astisub/example-in.srt", "srt",
            [
                "99000-101040 |(deep rumbling)",
                "124080-127120 5@44,7 |MAN:/How did we end up here?",
                "132160-135200 |This place is horrible.",
                "140240-142280 |Smells like balls.",
            ]
        ),
        (
            "astisub/example-opn-in.stl", "stl",
            [
                "0-320 1 |Title: Test-OPN/Story:/Lang: opn/Config: 1",
                "12920-18480 |[i]TEST ÆæØøÅå/#123&\"@!?`++?'*$£-§§[]",
                "18560-21000 |[i]TEST ÆæØøÅå/#123&\"@!?`++?'*$£-[]",
                "21080-24600 |[i]TEST ÆæØøÅå/#123&\"@!?`++?'*$£-[]",
            ]
        ),
        ("exo/ssa/empty_style_line", "ass", ["1000-3000 |First line."]),
        ("exo/ssa/invalid_layer", "ass", ["0-1230 |Blank layer.", "2340-3450 |Non-numeric layer.", "4560-5670 |Non-integer layer."]),
        (
            "exo/ssa/overlapping_timecodes", "ass",
            [
                "1000-4230 |First subtitle - end overlaps second",
                "2000-5230 |Second subtitle - beginning overlaps first",
                "6000-8440 |Third subtitle - out of order",
                "8440-9440 |Fourth subtitle - same timings as fifth",
            ]
        ),
        (
            "exo/ssa/positioning", "ass",
            [
                "0-1230 4@50,25 |[b]First subtitle.[]",
                "2340-3450 4@25,25 |[b]Second subtitle.[]",
                "4560-8900 4@50,50 |[b]Third subtitle, (only last counts).[]",
                "9560-12900 4@50,50 |[b]Fourth subtitle.[]",
            ]
        ),
        ("exo/ssa/positioning_without_playres", "ass", ["0-1230 2@50,22 |First subtitle."]),
        (
            "exo/ssa/style_bold_italic", "ass",
            [
                "1000-3000 |[b]First line with Bold.[]",
                "5000-7000 |[i]Second line with Italic.[]",
                "9000-11000 |[bi]Third line with Bold Italic.[]",
            ]
        ),
        (
            "exo/ssa/style_outline_color", "ass",
            [
                "1000-2000 |Line with BLUE (&H00FF0000) outline.",
                "3000-4000 |Line with ignored outline because BorderStyle is not 3.",
            ]
        ),
        ("exo/ssa/style_strikeout", "ass", ["1000-3000 |[s]First line with Strikeout.[]", "5000-7000 |Second line without Strikeout."]),
        ("exo/ssa/style_underline", "ass", ["1000-3000 |[u]First line with Underline.[]", "5000-7000 |Second line without Underline."]),
        (
            "exo/ssa/typical_utf16le", "ass",
            [
                "0-1230 |[b]This is the first subtitle.[]",
                "2340-3450 |[b]This is the second subtitle  with a newline /and another.[]",
                "4560-8900 |[b]This is the third subtitle, with a comma.[]",
            ]
        ),
        (
            "exo/subrip/typical", "srt",
            [
                "0-1234 |This is the first subtitle.",
                "2345-3456 |This is the second subtitle./Second subtitle with second line.",
                "7204567-7208901 |This is the third subtitle.",
            ]
        ),
        (
            "exo/subrip/typical_missing_sequence", "srt",
            [
                "0-1234 |This is the first subtitle.",
                "2345-3456 |This is the second subtitle./Second subtitle with second line.",
                "7204567-7208901 |This is the third subtitle.",
            ]
        ),
        (
            "exo/subrip/typical_no_hours_and_millis", "srt",
            [
                "0-1234 |This is the first subtitle.",
                "2000-3000 |This is the second subtitle./Second subtitle with second line.",
                "7204567-7208901 |This is the third subtitle.",
            ]
        ),
        (
            "exo/subrip/typical_utf16be", "srt",
            [
                "0-1234 |This is the first subtitle.",
                "2345-3456 |This is the second subtitle./Second subtitle with second line.",
                "7204567-7208901 |This is the third subtitle.",
            ]
        ),
        (
            "exo/subrip/typical_utf16le", "srt",
            [
                "0-1234 |This is the first subtitle.",
                "2345-3456 |This is the second subtitle./Second subtitle with second line.",
                "7204567-7208901 |This is the third subtitle.",
            ]
        ),
        ("exo/ttml/chain_multiple_styles.xml", "xml", ["10000-18000 |[bis#255.0.0]text 1[]", "20000-28000 |[bis#0.0.0]text 2[]"]),
        (
            "exo/ttml/inherit_and_override_style.xml", "xml",
            [
                "10000-18000 |[biu#255.255.0]default + s0 styles[]",
                "20000-28000 |[iu#255.255.0]default + s0 + overrides[]",
                "30000-38000 |default styling only",
            ]
        ),
        ("exo/ttml/inherit_global_and_parent.xml", "xml", ["10000-18000 |[s#0.255.0]text 1[]", "20000-28000 |[bius#255.255.0]text 2[]"]),
        ("exo/ttml/inherit_region_attributes_from_style.xml", "xml", ["2000-4000 8@20,10 |text 1", "4000-6000 8@50,30 |text 2", "8000-10000 8@40,30 |text 3"]),
        ("exo/ttml/inline_style_attributes.xml", "xml", ["10000-18000 |[biu#255.255.0]text 1[]", "20000-28000 |[is#0.255.0]text 2[]"]),
        ("exo/ttml/no_underline_linethrough.xml", "xml", ["10000-18000 |text 1", "20000-28000 |text 2"]),
        ("exo/ttml/overlapping_times.xml", "xml", ["10000-25000 |cue 1", "15000-20000 |cue 2: nested inside cue 1", "16000-28000 |cue 3: overlaps with cue 2"]),
        ("exo/ttml/simple.xml", "xml", ["10000-18000 |cue 1", "20000-28000 |cue 2", "30000-38000 |cue 3"]),
        (
            "exo/ttml/text_align.xml", "xml",
            [
                "10000-18000 1 |Start alignment",
                "20000-28000 1 |Left alignment",
                "30000-38000 |Center alignment",
                "40000-48000 3 |Right alignment",
            ]
        ),
        ("exo/webvtt/typical", "", ["0-1234 |This is the first subtitle.", "2345-3456 |This is the second subtitle."]),
        ("exo/webvtt/typical_with_comments", "", ["0-1234 |This is the first subtitle.", "2345-3456 |This is the second subtitle."]),
        ("exo/webvtt/with_bom", "", ["0-1234 |This is the first subtitle.", "2345-3456 |This is the second subtitle."]),
        ("exo/webvtt/with_consecutive_cues", "", ["0-1234 |This is the first subtitle.", "1234-3456 |This is the second subtitle."]),
        ("exo/webvtt/with_wide_unicode_chars_and_cr_endings", "", ["0-1234 |😛/😛"]),
        ("libpgs-js/test.srt", "srt", ["1000-2000 |Hello World!", "3000-4000 |This is a test!/:-)"]),
        ("mp4parser/subs.srt", "srt", ["73964-75727 |I have to go home.", "75800-77324 |My mother will kill me."]),
        ("shaka/chapters.srt", "srt", ["0-5000 |Chapter 1", "5000-30000 |Chapter 2", "30000-61349 |Chapter 3"]),
        (
            "shaka/text-clip.vtt", "vtt",
            [
                "3837-7297 |Captain's log, stardate 41636.9.",
                "7466-11846 |As feared, our examination of the/overdue Federation freighter Odin,",
            ]
        ),
        ("subtitleedit/auto_detect_Danish.srt", "srt", ["0-2200 |Danske underteksster", "2201-4201 |FBI agent Dunham."]),
        (
            "subtitleedit/auto_detect_Russian.srt", "srt",
            [
                "51397-56603 |Ричмонде, штат Вирджиния 1865/BORGERKRIGENS оформление",
                "65211-69515 |Последний броненосец/блокады DER BRYDER союз",
            ]
        ),
        ("subtitleedit/auto_detect_windows-1251.srt", "srt", ["32198-36198 |www.titlovi.com", "39198-42118 |Г О Р Ш Т А К   3/[i]Из зоре времена долазимо,[]"]),
        ("subtitleedit/seconv/test.ass", "ass", ["1000-4000 |Hello, World!", "5000-8000 |This is a test subtitle.", "10000-13000 |Testing SeConv subtitle converter."]),
        ("subtitleedit/seconv/test.srt", "srt", ["1000-4000 |Hello, World!", "5000-8000 |This is a test subtitle.", "10000-13000 |Testing SeConv subtitle converter."]),
        ("subtitleedit/seconv/test.ssa", "ssa", ["1000-4000 |Hello, World!", "5000-8000 |This is a test subtitle.", "10000-13000 |Testing SeConv subtitle converter."]),
        ("subtitleedit/seconv/test.vtt", "vtt", ["1000-4000 |Hello, World!", "5000-8000 |This is a test subtitle.", "10000-13000 |Testing SeConv subtitle converter."]),
        (
            "ttconv/srt/alignment.srt", "srt",
            [
                "0-1000 1 |V: Bottom - H: Left",
                "2000-3000 |V: Bottom - H: Center",
                "4000-5000 3 |V: Bottom - H: Right",
                "6000-7000 4 |V: Center - H: Left",
            ]
        ),
        (
            "ttconv/stl/irt/requirement-0056-001_modified.stl", "stl",
            [
                "0-2000 |Subtitle 1 Group 1",
                "3000-5000 |Subtitle 2 Group 1",
                "6000-8000 |Subtitle 3 Group 2",
                "9000-10000 |Subtitle 4 Group 3",
            ]
        ),
        ("ttconv/stl/irt/requirement-0069-001.stl", "stl", ["0-2000 9@90,0 |Test Text"]),
        ("ttconv/stl/irt/requirement-0074-001.stl", "stl", ["0-2000 |^ ! \" §  % & / ( ) = ?   * '/< > ° ; : -"]),
        ("ttconv/stl/irt/requirement-0090-002.stl", "stl", ["0-2000 8@50,0 |[#0.0.255]AlphaBlue on AlphaGreen AlphaBlue on black[]"]),
        (
            "ttconv/stl/sandflow/cumulative_set.stl", "stl",
            [
                "40-1000 |Not part of cumulative set.",
                "2000-3000 8@50,0 |1",
                "3000-4000 8@50,0 |1/2",
                "4000-5000 8@50,0 |1/2/3",
            ]
        ),
        ("ttconv/stl/sandflow/multi_tti_subtitle.stl", "stl", ["920-2920 |[#0.0.255]Foo Bar Baz[]"]),
        ("ttconv/stl/sandflow/overlapping_tti.stl", "stl", ["1000-5000 |Subtitle One", "3000-7000 |Subtitle Two"]),
        ("ttconv/stl/sandflow/setting_background_before_startbox.stl", "stl", ["920-2920 |[#0.0.255]Background is yellow.[]"]),
        ("ttconv/stl/sandflow/vp18_3_lines.stl", "stl", ["40-3000 |[#255.255.0]This[]"]),
        ("ttconv/stl/sandflow/vp20_2_newlines.stl", "stl", ["40-3000 |[#255.255.0]This is row 20/This is row 22[]"]),
        ("ttconv/ttml/lwsp_default.ttml", "ttml", ["0-? |hello my name is Mathilda", "0-? |bonjour mon nom/est"]),
        ("ttconv/ttml/lwsp_preserve.ttml", "ttml", ["0-? |hello  my /name  is Mathilda"]),
        ("ttconv/ttml/referential_styling.ttml", "ttml", ["0-? |[#0.128.0]one[]", "0-? |[#0.0.0]two[]"]),
        (
            "ttconv/vtt/valid/alignment.vtt", "vtt",
            [
                "1002-3004 7@0,10 |horizontal left; vertical top",
                "4005-6007 7@0,50 |horizontal start; vertical middle",
                "7008-9010 |horizontal center; vertical bottom",
                "10011-12013 8@50,10 |horizontal middle; vertical top",
            ]
        ),
        ("ttconv/vtt/valid/font.vtt", "vtt", ["1002-3004 |Normal", "4005-6007 |[i]Italic[]", "7008-9010 |- [i]Partial Italic[]/- Normal"]),
        ("ttconv/vtt/valid/style.vtt", "vtt", ["3600040-3603000 |[#255.255.0]This[]/is/row 18"]),
        ("ttconv/vtt/wpt-tests/file-parsing/arrows.vtt", "vtt", ["0-1000 |text0", "0-1000 |text1", "0-1000 |text2", "0-1000 |text3"]),
        ("ttconv/vtt/wpt-tests/file-parsing/ids.vtt", "vtt", ["0-1000 |text0", "0-1000 |text1", "0-1000 |text2", "0-1000 |text3"]),
        ("ttconv/vtt/wpt-tests/file-parsing/newlines.vtt", "vtt", ["0-1000 |text0", "0-1000 |text1", "0-1000 |text2", "0-1000 |text3"]),
        ("ttconv/vtt/wpt-tests/file-parsing/nulls.vtt", "vtt", ["0-1000 |text0", "0-1000 |text1", "0-1000 |�text2", "0-1000 3 |text3"]),
        ("ttconv/vtt/wpt-tests/file-parsing/stylesheets.vtt", "vtt", ["0-1000 |text", "0-1000 |text"]),
        ("ttconv/vtt/wpt-tests/file-parsing/timings-60.vtt", "vtt", ["0-216001000 |text1", "216000000-216001000 |text2"]),
        ("ttconv/vtt/wpt-tests/file-parsing/timings-garbage.vtt", "vtt", []),
        ("ttconv/vtt/wpt-tests/file-parsing/whitespace-chars.vtt", "vtt", ["0-1000 |   text0", "0-1000 |text1", "0-1000 |text2"]),
        ("ttconv/vtt/wpt-tests/rendering/align_end.vtt", "vtt", ["0-5000 3 |This is a test"]),
        ("ttconv/vtt/wpt-tests/rendering/bidi_ruby.vtt", "vtt", ["0-5000 |.(אא)ab)(x)"]),
        ("ttconv/vtt/wpt-tests/rendering/class_with_timestamp.vtt", "vtt", ["0-10000 |This is a test subtitle"]),
        ("ttconv/vtt/wpt-tests/rendering/decode_escaped_entities.vtt", "vtt", ["0-5000 |Here are the escaped entities: & < > \u{200E} \u{200F} \u{A0}"]),
        ("ttconv/vtt/wpt-tests/rendering/line_50_percent.vtt", "vtt", ["0-5000 8@50,50 |This is a test subtitle"]),
        ("ttconv/vtt/wpt-tests/rendering/test_voice.vtt", "vtt", ["0-5000 |This is a test subtitle"]),
    ]

    @Test(.enabled(if: media != nil), arguments: table.indices) func filesGiveTheirFirstCues(_ index: Int) throws {
        let row = Self.table[index]
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: (Self.media ?? "") + "/subtitles/" + row.name)))
        let cues = CueTable.show(bytes, SubtitleFile.Options(formatHint: row.hint))
        #expect(Array(cues.prefix(row.cues.count)) == row.cues && (!row.cues.isEmpty || cues.isEmpty), "\(row.name)")
    }
}
