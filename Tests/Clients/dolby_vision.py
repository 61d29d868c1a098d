"""Streams of every dynamic range (PRISM_MEDIA), read back by MediaInfo, FFmpeg and Shaka Packager: their reading of our bytes against our playlist."""
import glob, json, os, re, subprocess, tempfile, urllib.request
from urllib.parse import urljoin
from checks import Server

# One of each profile and carriage; all of them are in the unit tests.
STREAMS = ['streams/p5.mkv', 'streams/p5-type24.ts', 'streams/p7-fel.mkv', 'streams/p7-mel-twotrack.mp4', 'streams/p7-fel-dualpid.ts', 'streams/p7-fel-bd.m2ts',
           'streams/p81.mp4', 'streams/p81-nodesc.ts', 'streams/p82.mkv', 'streams/p84.ts', 'streams/p10.0-av1.mp4', 'streams/p10.1-av1.mkv', 'streams/p10.4-av1.mp4',
           'hdr/hdr10.mkv', 'hdr/hdr10plus.ts', 'hdr/hlg.mp4', 'hdr/sdr10.mkv', 'real/dolbyVision-hdr.MOV']
TRANSFER = {'PQ': 'smpte2084', 'HLG': 'arib-std-b67'}
COMPATIBILITY = {'db1p': ('HDR10', 1), 'db4h': ('HLG', 4)}


def run(tally, tool, root):
    media = os.environ.get('PRISM_MEDIA')
    if not media:
        return tally.note('dolby-vision: PRISM_MEDIA is not set, so nothing was read')
    for name in STREAMS:
        server = Server(tally, tool, 'dolby-vision-' + re.sub(r'\W', '-', name), os.path.join(media, 'dolby-vision', name))
        if server.playlist:
            try:
                reasons = judge(server.playlist, os.path.join(root, '.tools/bin'), tally.scratch())
            except Exception as e:
                reasons = [f'{type(e).__name__}: {e}']
            tally.check(f'dolby-vision: {name}: MediaInfo, FFmpeg and Shaka Packager read what the playlist claims', reasons)
        server.stop()


def get(url):
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.read()


def lines(text):
    return [line for line in text.splitlines() if line and not line.startswith('#')]


def judge(url, tools, scratch):
    master = get(url).decode()
    claims = dict((k, v.strip('"')) for k, v in re.findall(r'([A-Z-]+)=("[^"]*"|[^,\n]*)', re.search('#EXT-X-STREAM-INF:(.*)', master)[1]))
    playlist = urljoin(url, lines(master)[0])
    text = get(playlist).decode()
    parts = [re.search('URI="([^"]+)"', text)[1], *lines(text)]
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        film = os.path.join(folder, 'film.mp4')
        with open(film, 'wb') as f:
            for part in parts:
                f.write(get(urljoin(playlist, part)))
        return [*mediainfo(film, claims), *ffmpeg(film, claims, tools), *packager(film, folder, claims, tools)]


def expect(reader, what, got, wanted):
    return [] if got == wanted else [f'{reader}: {what} is {got!r}, the playlist means {wanted!r}']


def signalled(claims):
    """Profile, level and compatibility that the playlist claims."""
    codec = claims['CODECS'].split(',')[0]
    if codec.startswith(('dvh1', 'dav1')):
        return (*map(int, codec.split('.')[1:3]), None, 0)
    m = re.match(r'd..1\.(\d+)\.(\d+)/(\w+)', claims.get('SUPPLEMENTAL-CODECS', ''))
    return (int(m[1]), int(m[2]), *COMPATIBILITY[m[3]]) if m else None


def mediainfo(film, claims):
    tracks = json.loads(subprocess.run(['mediainfo', '--Output=JSON', film], capture_output=True, check=True).stdout)['media']['track']
    track = next(t for t in tracks if t['@type'] == 'Video')
    reasons = expect('MediaInfo', 'the sample entry', track.get('CodecID'), claims['CODECS'][:4])
    formats = track.get('HDR_Format', '').split(' / ')
    wanted = signalled(claims)
    if not wanted:
        return reasons + expect('MediaInfo', 'Dolby Vision', 'Dolby Vision' in formats, False)
    at = formats.index('Dolby Vision') if 'Dolby Vision' in formats else None
    if at is None:
        return reasons + ['MediaInfo sees no Dolby Vision']
    field = lambda name: (track.get('HDR_Format_' + name) or '').split(' / ')[at]
    reasons += expect('MediaInfo', 'the profile', int(field('Profile').split('.')[1]), wanted[0])
    reasons += expect('MediaInfo', 'the level', int(field('Level')), wanted[1])
    return reasons + expect('MediaInfo', 'the layers', field('Settings'), 'BL+RPU') + expect('MediaInfo', 'the base layer', field('Compatibility') or None, wanted[2])


def ffmpeg(film, claims, tools):
    out = subprocess.run([os.path.join(tools, 'ffprobe'), '-v', 'error', '-show_streams', '-of', 'json', film], capture_output=True, check=True).stdout
    stream = json.loads(out)['streams'][0]
    record = next((s for s in stream.get('side_data_list', []) if 'dv_profile' in s), None)
    wanted = signalled(claims)
    found = record and (record['dv_profile'], record['dv_level'], record['dv_bl_signal_compatibility_id'], record['el_present_flag'])
    reasons = expect('FFmpeg', 'the record', found, wanted and (wanted[0], wanted[1], wanted[3], 0))
    transfer = stream.get('color_transfer')
    reasons += expect('FFmpeg', 'the range', next((k for k, v in TRANSFER.items() if v == transfer), 'SDR'), claims['VIDEO-RANGE'])
    if stream.get('codec_name') != 'hevc':  # its static build decodes no AV1, and knows no dav1
        return reasons
    p = subprocess.run([os.path.join(tools, 'ffmpeg'), '-v', 'warning', '-i', film, '-f', 'null', '-'], capture_output=True, text=True)
    return reasons + ([f'FFmpeg decodes it with: {p.stderr[-200:]}'] if p.returncode or p.stderr.strip() else [])


def packager(film, folder, claims, tools):
    if claims['CODECS'].startswith('dav1'):  # Shaka Packager 3 has no such sample entry
        return []
    made = os.path.join(folder, 'm.m3u8')
    subprocess.run([os.path.join(tools, 'packager'), f'in={film},stream=video,output={folder}/out.mp4,playlist_name={folder}/v.m3u8', '--hls_master_playlist_output', made],
                   capture_output=True, check=True)
    with open(made) as f:
        theirs = set(re.findall('CODECS="([^"]+)"', f.read()))
    # It lists what we call supplemental as a variant of its own.
    ours = {claims['CODECS'].split(',')[0]} | {c.split('/')[0] for c in claims.get('SUPPLEMENTAL-CODECS', '').split(',') if c}
    return expect('Shaka Packager', 'CODECS', sorted(map(str.lower, theirs)), sorted(map(str.lower, ours)))
