"""Seeds of the targets that read subtitles and captions, for make-corpus, which says where they go (`seed`) how a box (`box`) and fields of bits (`packed`) are written."""
import struct


def segment(kind, payload):
    return struct.pack(">BH", kind, len(payload)) + payload


def display_set(number, state=0x80, objects=((0, 100, 900, 0x40),), crop=b""):
    """A 4 by 2 picture in two fragments, shown at each of those places; none: a clear."""
    placed = b"".join(struct.pack(">HBBHH", 0, window, flags | (0x80 if crop else 0), x, y) + crop for window, x, y, flags in objects)
    segments = [segment(0x16, struct.pack(">HHBHBBBB", 1920, 1080, 0x10, number, state, 0, 0, len(objects)) + placed)]
    if objects and state:
        lines = bytes.fromhex("00020101000000010083020000")
        segments += [segment(0x17, struct.pack(">BBHHHH", 1, 0, 100, 900, 4, 2)), segment(0x14, bytes.fromhex("00000001eb8080ff0210808080")[:11] + b"\xff"),
                     segment(0x15, struct.pack(">HBB", 0, 0, 0x80) + struct.pack(">I", len(lines) + 4)[1:] + struct.pack(">HH", 4, 2) + lines[:6]),
                     segment(0x15, struct.pack(">HBB", 0, 0, 0x40) + lines[6:])]
    return segments + [segment(0x80, b"")]


def pictures(seed):
    sets = [display_set(0), display_set(1, 0, ()), display_set(2, 0x40, ((0, 1, 2, 0), (1, 3, 4, 0x40)), struct.pack(">HHHH", 1, 0, 2, 2)), display_set(3, 0)]
    seed("pgs", "sup", b"".join(b"PG" + struct.pack(">II", 90000 * at, 0) + each for at, parts in enumerate(sets) for each in parts))
    for name, parts in zip(("shown", "cleared", "cropped", "moved"), sets):
        seed("pgs", name, b"".join(parts))
    seed("pgs", "damaged", b"".join(sets[0])[:-9] + b"".join(sets[1]))
    seed("pgs", "dvb", bytes.fromhex("0f14000100050001 3f00ef 0f1000010008 1e0b00ff008f00cc 0f120001000602000f003feb".replace(" ", "")))
    seed("pgs", "idx", "# VobSub index file, v7 (do not modify this line!)\r\nsize: 720x576\r\npalette: 000000, ffffff, 0000FF\r\ntime offset: -40\r\n"
         "custom colors: ON, tridx: 1000, colors: 000000, 444444, 888888, cccccc\r\nlangidx: 0\r\nid: en, index: 0\r\n# alt: English\r\ndelay: -00:00:01:000\r\n"
         "timestamp: 00:00:01:500, filepos: 00000a800\r\n")
    pack = bytes.fromhex("000001ba44000400040101 89c3f8".replace(" ", ""))
    unit = bytes.fromhex("81800521000100012000 0a0002".replace(" ", ""))
    seed("pgs", "sub", pack + b"\0\0\1\xbd" + struct.pack(">H", len(unit)) + unit + pack + b"\0\0\1\xbd" + struct.pack(">H", 9) + bytes.fromhex("810000 20 0102030405".replace(" ", "")))


def captions(seed, box, packed):
    """Scripts: frames that pass, the kind, two bytes."""
    def odd(byte):
        return byte if bin(byte).count("1") % 2 else byte | 0x80

    def line21(text, field=4):
        pairs = bytes.fromhex(text)
        return b"".join(bytes([1, field, odd(pairs[i]), odd(pairs[i + 1])]) for i in range(0, len(pairs), 2))

    def words(text, field=4):
        return line21((text + " " * (len(text) % 2)).encode().hex(), field)

    def dtvcc(sequence, *codes):
        packet = b"".join(bytes.fromhex(code) for code in codes)
        packet = bytes([0x20 | len(packet)]) + packet
        packet = bytes([sequence << 6 | (len(packet) + 2) // 2]) + packet + b"\0" * ((len(packet) + 1) % 2)
        return b"".join(bytes([20 if i == 0 else 0, 7 if i == 0 else 6, packet[i], packet[i + 1]]) for i in range(0, len(packet), 2))

    def wait(frames):
        return bytes([frames, 0, 0, 0])

    pop = line21("1420 1420 142E 142E 1470 1721") + words("Hello") + line21("1137 1232 112E") + words("there") + line21("142F 142F")
    seed("captions", "pop-on", (pop + wait(90) + line21("142C")) * 3)
    seed("captions", "roll-up", b"".join(line21(f"142{5 + n % 3} 142D 1{n % 8}60") + words(f"LINE {n}") + wait(100) for n in range(8)))
    seed("captions", "paint-on", line21("1429 1440 1421 1424 1428") + words("abc") + wait(40) + words("def") + line21("142B 1420"))
    seed("captions", "field-2", line21("0103", 5) + words("NAME", 5) + line21("0F1D 1520 152E 1550", 5) + words("CC3", 5) + line21("152F", 5) + wait(255) * 3)
    seed("captions", "windows", dtvcc(0, "98 3A 4A 69 71 1F 11", "48 49 0D 1080 00000000 1025") + dtvcc(1, "99 03 80 00 00 0E 3B 97 00 00 5A 00 18 D83D 18 DE00")
         + dtvcc(2, "89 03 8D 05 8B 01 90 05 C0 91 30 00 00 92 01 02 7F E9") + dtvcc(0, "8A 01 88 02 8C FF 8E 8F 80 03 08 0C 0E") + wait(250) * 2)
    triplets = bytes.fromhex("FC942C FD8080 FF0221 FE4100")
    seed("captions", "message", b"\0\x31GA94\3" + b"\xC4\xFF" + triplets + b"\xFF")
    seed("captions", "user-data", b"GA94\3" + b"\xC4\xFF" + triplets + b"\xFF")
    seed("captions", "dvd", bytes.fromhex("434301F8 84 FF9420 FE8080 FF942F FE8080"))
    seed("captions", "scte-20", b"\3\x81" + packed((2, 5), *[field for n in (1, 2) for field in ((0, 2), (n, 2), (11, 5), (0x29, 8), (0x34, 8), (1, 1))]))
    packet = bytes.fromhex("9669 00 4F 43 0007 72 E4") + triplets + bytes.fromhex("73 F1 01020304050607 74 0007")
    packet = packet[:2] + bytes([len(packet) + 1]) + packet[3:]
    packet += bytes([-sum(packet) & 255])
    seed("captions", "cdp", packet)
    seed("captions", "sample", box("cdat", bytes.fromhex("9420942F")) + box("cdt2", bytes.fromhex("152C")) + box("ccdp", packet))
    seed("captions", "scenarist", "Scenarist_SCC V1.0\n\n00:00:01:00\t9420 9420 94ae 9470 c8e5 ecec efa1 942f\n\n00:00:59;29\t942c\n")


def timed_text(seed):
    """Text subtitles: one file of each format, small, with what its parser has a rule for."""
    head = "[Script Info]\nPlayResX: 640\nPlayResY: 360\nWrapStyle: 2\n\n[V4+ Styles]\nFormat: Name, Fontname, Bold, Italic, Alignment, MarginV\nStyle: Default,Arial,0,0,2,10\n" \
        "Style: Sign,Arial,-1,-1,8,300\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
    seed("ass", "script", head + "Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\an8\\pos(320,90)\\i1}One\\Ntwo{\\r}, {\\k10}three\nDialogue: 1,0:00:02.00,0:00:03.00,Sign,,0,0,300,,"
         "{\\c&H00FFFF&\\fs30\\fnArial}a{\\p1}m 0 0{\\p0}\\{b\\}\nComment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,x\n")
    seed("ass", "legacy", "[V4 Styles]\r\nStyle: Default,Arial,20,1,2,3,4,-1,0,1,1,1,6,10,10,10,0,0\r\n[Events]\r\nDialogue: Marked=0,0:00:01.00,0:00:02:00,*Default,,,,,,{\\a6}a{x}{ b\r\n")
    seed("webvtt", "document", "WEBVTT x\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n\nNOTE\na\n\nSTYLE\n::cue {}\n\nid\n00:01.000 --> 00:02.000 line:10%,end position:20%,line-left size:30.5% align:start\n"
         "<b>a<i.red>b</i></b> <v Fred>c</v> &amp;&lt;&#x41; <ruby>d<rt>e</ruby>\n\n00:00:02.000 --> 00:00:03.000 vertical:rl line:-1\n<c></c>\nf\n\n00:02.000 --> 00:01.000\ng\n")
    seed("webvtt", "text", "<i--> 00:01.000 --> 00:02.000 &amp <b>\n\nx")
    seed("ttml", "document", "<?xml version='1.0'?><tt xmlns:tts='s' xmlns:ttp='p' ttp:frameRate='25' tts:extent='640px 360px'><head><styling><style xml:id='a' tts:color='#ffff00'/><style xml:id='b' style='a' "
         "tts:fontWeight='bold'/></styling><layout><region xml:id='r' tts:origin='10% 20px' tts:extent='5c 50%' tts:displayAlign='after'><style tts:textAlign='right'/></region></layout></head><body region='r'>"
         "<div begin='1s' timeContainer='seq'><p style='b' dur='25f'>a<br/>&lt;b&#65;<span begin='0.1s' tts:fontStyle='italic'>c</span></p><p end='00:00:02:12' xml:space='preserve'> <![CDATA[d]]>\n</p></div></body></tt>")
    gsi = bytearray(b" " * 1024)
    for at, value in ((0, b"850STL25.01"), (11, b"1"), (12, b"00"), (14, b"09"), (251, b"4023"), (256, b"00000000")):
        gsi[at:at + len(value)] = value

    def tti(number, begin, end, cumulative, field):
        return (bytes([0, number, 0, 0xFF, cumulative]) + bytes(begin) + bytes(end) + bytes([20, 2, 0]) + field).ljust(128, b"\x8f")

    seed("ebu-stl", "teletext", bytes(gsi) + tti(1, (0, 0, 1, 0), (0, 0, 2, 0), 1, b"\x0d\x0b\x0b\x03H\xc2e\x0a\x0a\x8a\x8a\x0b\x80two\x81") + tti(2, (0, 0, 2, 0), (0, 0, 3, 0), 3, b"\x0bthree"))
    seed("subtitle-file", "srt", "1\n00:00:01,000 --> 00:00:02,500\n{\\an8}<i>One</i>\ntwo &amp;\n\n2\n0:03.5 --> 00:00:04 X1:10\n<font color=\"#00ff00\">b\n")
    seed("subtitle-file", "microdvd", "{1}{1}25.000\n{25}{50}{y:i}One|two\n")
    seed("subtitle-file", "sami", "<SAMI><BODY>\n<SYNC Start=1000><P Class=ENCC>One<br>two\n<SYNC Start=2000><P>&nbsp;\n</BODY></SAMI>\n")
    seed("subtitle-file", "mpl2", "[10][20]/One|two\n[30][40]b\n")
    seed("subtitle-file", "utf16", "1\n00:00:01,000 --> 00:00:02,500\n\u0434\u0430\n".encode("utf-16-le"))
    seed("subtitle-file", "cp1251", "1\n00:00:01,000 --> 00:00:02,500\n\u041f\u0440\u0438\u0432\u0435\u0442, \u0434\u0440\u0443\u0433\n".encode("cp1251"))
