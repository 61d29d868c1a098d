"""Films with words whose text, times and places are known: text tracks, mov_text, and captions in the picture."""
import os, subprocess
import burnt_in

SECONDS = 40
PICTURE = ['-f', 'lavfi', '-i', burnt_in.picture('640x360', SECONDS), '-f', 'lavfi', '-i', burnt_in.sound(440, SECONDS)]
H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '50', '-pix_fmt', 'yuv420p', '-crf', '28']

# (start, end, SubRip text, plain text). Segments are cut at whole seconds that nobody here has to know: the third cue is longer than any.
ENGLISH = [
    (1.0, 2.5, '<i>It begins</i> quietly.', 'It begins quietly.'),
    (3.0, 5.25, 'Two lines:\nthis is the second.', 'Two lines:\nthis is the second.'),
    (6.0, 19.0, '{\\an8}Above, and across a boundary.', 'Above, and across a boundary.'),
    (8.04, 11.5, '<b>Bread</b> & butter < 3 > 2', 'Bread & butter < 3 > 2'),
    (20.5, 22.0, 'Naïve café – “quoted” 日本', 'Naïve café – “quoted” 日本'),
    (24.0, 26.0, '<u>After</u> the seek.', 'After the seek.'),
    (25.0, 27.5, '<font color="#ffff00">Both at once.</font>', 'Both at once.'),
    (33.0, 35.0, 'Near the end.', 'Near the end.'),
    (38.0, 39.8, 'The end.', 'The end.'),
]
FRENCH = [
    (1.0, 2.5, 'Cela commence.', 'Cela commence.'),
    (7.0, 9.0, 'Un œuf, à la fin.', 'Un œuf, à la fin.'),
    (24.0, 27.0, 'Après le saut.', 'Après le saut.'),
    (38.0, 39.8, 'Fin.', 'Fin.'),
]
# mov_text has no two samples at a time: FFmpeg's muxer ends a cue where the next begins.
ONE_BY_ONE = [(a, min([b, *(x for x, *_ in ENGLISH if x > a)]), *rest) for a, b, *rest in ENGLISH]
FORCED = [(10.0, 12.0, '{\\an8}SHIPYARD', 'SHIPYARD'), (30.0, 32.0, 'STATION', 'STATION')]
# Shown with a picture, so their times are pictures'. The first is loaded within the second that is looked through for channels.
CAPTIONS = [(1.0, 4.0, None, 'FIRST CAPTION'), (6.0, 15.0, None, 'ACROSS A BOUNDARY'), (24.0, 26.4, None, 'AFTER THE SEEK'), (33.0, 35.0, None, 'NEAR THE END')]
OUTSIDE = [(2.0, 4.0, '<i>Von außen.</i>', 'Von außen.'), (23.8, 26.0, 'Nach dem Sprung.', 'Nach dem Sprung.')]

# tracks: what each rendition is called, its language, whether it is forced, and its cues, in the playlist's order.
SOURCES = {
    'words': dict(file='words.mkv', serve=['--subtitle-language', 'en', '--subtitle', '{outside}:de'],
                  tracks=[('English', 'en', False, ENGLISH), ('Français', 'fr', False, FRENCH), ('English (forced)', 'en', True, FORCED), ('German', 'de', False, OUTSIDE)]),
    'words-mp4': dict(file='words.mp4', serve=['--subtitle-language', 'fr'], tracks=[('English', 'en', False, ONE_BY_ONE), ('French', 'fr', False, FRENCH)]),
    # Fed through a pipe: the playlist grows while it is fetched. Read once, so clients come one after the other to what is there.
    'words-pipe': dict(file='words.mkv', pipe=True, serve=['--subtitle-language', 'en'], clients=('the page in Chromium', 'Chromium with hls.js', 'Firefox with hls.js', 'FFmpeg'),
                       tracks=[('English', 'en', False, ENGLISH), ('Français', 'fr', False, FRENCH), ('English (forced)', 'en', True, FORCED)]),
    'captions': dict(file='captions.ts', serve=['--subtitle-language', 'en'], tracks=[('CC1', '', False, CAPTIONS)]),
}


def in_file(name):
    """How many of the tracks are the container's own."""
    return 0 if name == 'captions' else sum(track[3] is not OUTSIDE for track in SOURCES[name]['tracks'])


def subrip(cues):
    stamp = lambda t: f'{int(t) // 3600:02}:{int(t) // 60 % 60:02}:{int(t) % 60:02},{round(t * 1000) % 1000:03}'
    return ''.join(f'{n}\n{stamp(a)} --> {stamp(b)}\n{text}\n\n' for n, (a, b, text, _) in enumerate(cues, 1))


def make(folder):
    """name -> path; made once. `outside` is the file beside the film."""
    os.makedirs(folder, exist_ok=True)
    out = {name: os.path.join(folder, about['file']) for name, about in SOURCES.items()}
    files = {}
    for name, cues in [('english', ENGLISH), ('french', FRENCH), ('forced', FORCED), ('outside', OUTSIDE)]:
        files[name] = os.path.join(folder, f'words-{name}.srt')
        with open(files[name], 'w') as f:
            f.write(subrip(cues))
    out['outside'] = files['outside']
    inputs = [w for name in ('english', 'french', 'forced') for w in ('-i', files[name])]
    named = ['-metadata:s:s:0', 'language=eng', '-metadata:s:s:0', 'title=English', '-metadata:s:s:1', 'language=fra', '-metadata:s:s:1', 'title=Français']
    call(out['words'], [*PICTURE, *inputs, *[w for i in range(5) for w in ('-map', str(i))], *H264, '-c:a', 'aac', '-c:s', 'subrip', *named,
                        '-metadata:s:s:2', 'language=eng', '-disposition:s:0', 'default', '-disposition:s:2', 'forced'])
    call(out['words-mp4'], [*PICTURE, *inputs[:4], *[w for i in range(4) for w in ('-map', str(i))], *H264, '-c:a', 'aac', '-c:s', 'mov_text',
                            '-metadata:s:s:0', 'language=eng', '-metadata:s:s:1', 'language=fra'])
    if not os.path.exists(out['captions']):
        bare, worded = out['captions'] + '.264', out['captions'] + '.cc.264'
        # coded in the order of presentation: the n-th picture's captions are those of its time
        call(bare, [*PICTURE[:4], *H264, '-bf', '0', '-x264-params', 'aud=1', '-f', 'h264'], part=bare)
        with open(bare, 'rb') as f:
            written = with_captions(f.read(), pairs(CAPTIONS))
        with open(worded, 'wb') as f:
            f.write(written)
        call(out['captions'], ['-f', 'h264', '-r', str(burnt_in.RATE), '-i', worded, *PICTURE[4:], '-map', '0', '-map', '1', '-c:v', 'copy', '-c:a', 'aac', '-f', 'mpegts'])
        os.remove(bare)
        os.remove(worded)
    return out


def call(path, words, part=None):
    if os.path.exists(path):
        return
    base, end = os.path.splitext(path)
    part = part or base + '.part' + end
    made = subprocess.run(['ffmpeg', '-nostdin', '-v', 'error', '-y', *words, part], capture_output=True, text=True)
    if made.returncode:
        raise RuntimeError(made.stderr[-400:])
    os.rename(part, path)


def pairs(cues):
    """picture number -> two bytes of line 21 of field 1: pop-on captions on row 15 (CEA-608-E)."""
    RCL, ENM, EDM, EOC, ROW_15 = (0x14, 0x20), (0x14, 0x2e), (0x14, 0x2c), (0x14, 0x2f), (0x14, 0x70)
    out = {}
    for start, end, _, text in cues:
        text += '\0' * (len(text) % 2)
        words = [code for code in (RCL, ENM, ROW_15) for _ in range(2)] + [tuple(map(ord, text[i:i + 2])) for i in range(0, len(text), 2)]
        # what is shown at its first picture was loaded before it; each command comes twice, and counts once
        first = round(start * burnt_in.RATE)
        for at, pair in [(first - len(words) + i, pair) for i, pair in enumerate(words)] + [(first, EOC), (first + 1, EOC)] + [(round(end * burnt_in.RATE) + i, EDM) for i in (0, 1)]:
            if at in out:
                raise ValueError(f'two pairs for picture {at}')
            out[at] = pair
    return out


def odd(byte):
    return byte | 0x80 if bin(byte).count('1') % 2 == 0 else byte


def with_captions(annex_b, pairs):
    """An H.264 stream with cc_data in an SEI message of each picture (ATSC A/53 Part 4, 6.2.3; ITU-T T.35)."""
    out, number = [], 0
    for unit in annex_b.split(b'\0\0\1')[1:]:
        # the zero byte before a start code of four
        unit = unit.rstrip(b'\0')
        if unit[0] & 0x1f in (1, 5):
            pair = pairs.get(number, (0, 0))
            body = b'\xb5\0\x31GA94\x03' + bytes([0xc0 | 1, 0xff, 0xfc, *map(odd, pair), 0xff])
            out.append(b'\6\4' + bytes([len(body)]) + body + b'\x80')
            number += 1
        out.append(unit)
    return b''.join(b'\0\0\0\1' + escaped(unit) if unit[:2] == b'\6\4' else b'\0\0\0\1' + unit for unit in out)


def escaped(unit):
    """No start code inside (ITU-T H.264 7.4.1)."""
    out, zeros = bytearray(), 0
    for byte in unit:
        if zeros >= 2 and byte <= 3:
            out.append(3)
            zeros = 0
        out.append(byte)
        zeros = zeros + 1 if byte == 0 else 0
    return bytes(out)
