"""What ffprobe and ffmpeg make of a file, and whether a refusal of ours is right by them."""
import json, os, re, subprocess

# codecs an HLS player takes in fragmented MP4
NATIVE = {'h264', 'hevc', 'av1'}


def family(path):
    """The container by its first bytes, whatever the name says; None for none of the five."""
    with open(path, 'rb') as f:
        head = f.read(1024)
    if head[:4] == b'\x1aE\xdf\xa3':
        return 'matroska'
    if head[4:8] in (b'ftyp', b'moov', b'moof', b'styp', b'sidx', b'mdat', b'wide', b'free', b'skip', b'pnot', b'emsg', b'prft'):
        return 'mp4'
    if head[:3] == b'FLV':
        return 'flv'
    if head[:4] == b'RIFF' and head[8:12] == b'AVI ':
        return 'avi'
    for size, at in ((188, 0), (192, 4), (204, 0)):
        if len(head) > at + 2 * size and all(head[at + i * size] == 0x47 for i in range(3)):
            return 'mpegts'
    return None


def ask(words, limit):
    """-> (exit code or None when it took too long, stdout, stderr)"""
    try:
        p = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, '', f'no end after {limit} s'
    return p.returncode, p.stdout.decode(errors='replace'), p.stderr.decode(errors='replace')


def encrypted(path):
    with open(path, 'rb') as f:
        # a table may list protected entries beside the clear ones that the start uses
        head = f.read(4 << 20)
        f.seek(max(f.tell(), os.path.getsize(path) - (4 << 20)))
        if re.search(rb'encv.{60,4096}?sinf', head, re.S) or re.search(rb'encv.{60,4096}?sinf', f.read(), re.S):
            return True
    code, out, err = ask(['ffprobe', '-v', 'error', '-read_intervals', '%+#8', '-show_entries', 'packet_side_data=side_data_type', '-of', 'csv=p=0', path], 20)
    return 'Encryption' in out


def facts(path):
    """What the file is by FFmpeg: streams, and how many pictures of the first seconds it copies and decodes."""
    code, out, err = ask(['ffprobe', '-v', 'error', '-of', 'json', '-show_streams', '-show_format', path], 20)
    said = (err.strip().splitlines() or [''])[-1][-160:]
    try:
        d = json.loads(out or '{}')
    except ValueError:
        d = {}
    streams = d.get('streams', [])
    pictures = [s for s in streams if s.get('codec_type') == 'video' and not s.get('disposition', {}).get('attached_pic') and not s.get('disposition', {}).get('timed_thumbnails')]
    got = dict(opens=code == 0 and bool(streams), said=said, format=d.get('format', {}).get('format_name'), audio=[s.get('codec_name') for s in streams if s.get('codec_type') == 'audio'],
               tags=[s.get('codec_tag_string') for s in streams], encrypted=any(s.get('codec_tag_string') in ('encv', 'enca', 'drmi', 'drms') or 'enc_key_id' in s.get('tags', {}) for s in streams) or encrypted(path))
    if pictures:
        v = pictures[0]
        got['video'] = {k: v.get(k) for k in ('index', 'codec_name', 'profile', 'pix_fmt', 'field_order', 'width', 'height', 'codec_tag_string', 'nb_frames')}
        got['video']['side'] = [s.get('side_data_type') for s in v.get('side_data_list', [])]
        got['video']['dovi'] = next((s.get('dv_profile') for s in v.get('side_data_list', []) if 'dv_profile' in s), None)
        code, out, err = ask(['ffmpeg', '-v', 'error', '-nostdin', '-t', '5', '-i', path, '-map', f'0:{v["index"]}', '-fps_mode', 'passthrough', '-f', 'framemd5', '-'], 40)
        got['decoded'] = sum(1 for l in out.splitlines() if l and l[0] != '#')
        got['decoding'] = (err.strip().splitlines() or [''])[-1][-160:]
    return got


def right(text, got):
    """-> (whether the refusal is right: True, False, or None where a person must look, why)"""
    video = got.get('video')
    if re.search(r'no video stream', text):
        return (video is None, 'no video stream' if video is None else f'ffprobe finds {video["codec_name"]}')
    m = re.search(r'(\S+) video cannot be remuxed: (.*)|nothing here plays (\S+) video', text)
    if m:
        if not video:
            # FFmpeg gives up where we still read the track's name
            return (not got['opens'] or None), f'ffprobe: {got["said"] or "no video"}'
        if video['codec_name'] not in NATIVE:
            return True, 'the codec has no place in HLS'
        why = m[2] or ''
        if 'interlaced' in why:
            return (video.get('field_order') not in (None, 'progressive', 'unknown'), f'field order {video.get("field_order")}')
        if 'no decoder in the player' in why:
            pix = video.get('pix_fmt') or ''
            return (bool(re.search('422|444|gbr|12|14|h264.*10|gray', pix)) or '10' in pix and video['codec_name'] == 'h264', pix)
        if 'Dolby Vision profile 5' in why:
            return (video.get('dovi') == 5, f'dv_profile {video.get("dovi")}')
        if not got.get('decoded'):
            return True, f'nothing decodes: {got.get("decoding")}'
        return None, why
    if 'is encrypted' in text:
        return (got['encrypted'] or None), 'encrypted by its sample entry or side data' if got['encrypted'] else 'ffprobe sees no encryption'
    if got.get('format') in ('bin', 'tty', 'idf', 'xbin', 'adf'):
        return True, 'FFmpeg draws any bytes as text art'
    if 'did not start within' in text and not got.get('decoded'):
        return True, f'nor do ffprobe and ffmpeg show a picture of it: {got.get("decoding") or got["said"]}'
    if re.search(r'no media|no picture|empty', text):
        if got.get('format') in ('hls', 'applehttp', 'dash') and 'that it names is missing' in text:
            return True, 'FFmpeg plays on without what is missing'
        if got['encrypted']:
            return True, 'encrypted'
        if not got['opens']:
            return True, f'ffprobe: {got["said"]}'
        if video and not got.get('decoded'):
            return True, f'nothing decodes: {got.get("decoding")}'
        return False, f'ffprobe opens it as {got["format"]}' + (f', {got.get("decoded")} pictures decode' if video else ', no video')
    return None, text
