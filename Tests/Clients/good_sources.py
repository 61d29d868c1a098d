"""The films that must play: how each is made, and what each client must see of it."""
import hashlib, json, os, re, subprocess, time, urllib.request
from urllib.parse import urljoin
from checks import Server

SECONDS = 40
FRAMES = SECONDS * 25

# gst, chromium: extra arguments for the driver, None leaves the client out.
# chromium has no HEVC and no AC-3 decoder here. event: no index, the playlist grows as it is fetched.
TWO_LANGUAGES = ['--audio', 'fr', '--expect-tone', 440, '--expect-tone2', 880, '--expect-audio', 2]
ONE = ['--expect-tone', 440]
SOURCES = {
    'film': dict(file='film.mkv', event=False, size='1280x720', audio=2, gst=TWO_LANGUAGES, chromium=TWO_LANGUAGES),
    'hevc': dict(file='hevc.mp4', event=False, size='640x360', audio=1, gst=ONE, chromium=None),
    'ts': dict(file='ts.ts', event=True, size='640x360', audio=1, gst=ONE, chromium=ONE),
    'av1': dict(file='av1.mkv', event=False, size='640x360', audio=1, gst=ONE, chromium=ONE),
    'fragmented': dict(file='fragmented.mp4', event=True, size='640x360', audio=1, gst=ONE, chromium=ONE),
}
PICTURE = ['-f', 'lavfi', '-i', f'testsrc2=size=640x360:rate=25:duration={SECONDS}', '-f', 'lavfi', '-i', f'sine=f=440:r=48000:d={SECONDS}', '-ac', '2']
H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '50', '-pix_fmt', 'yuv420p', '-crf', '28']
RECIPES = {
    'hevc': ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'keyint=50:min-keyint=50:bframes=3:log-level=error', '-tag:v', 'hvc1', '-c:a', 'ac3'],
    'ts': [*H264, '-c:a', 'aac'],
    'av1': ['-c:v', 'libsvtav1', '-preset', '12', '-g', '50', '-crf', '40', '-c:a', 'aac'],
    'fragmented': [*H264, '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov+default_base_moof'],
}
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def make(folder, root, wanted):
    """name -> path, of the sources wanted and of those that bad inputs are cut from."""
    os.makedirs(folder, exist_ok=True)
    out = {}
    for name, s in SOURCES.items():
        out[name] = path = os.path.join(folder, s['file'])
        recipe = hashlib.sha256(json.dumps([SECONDS, PICTURE, RECIPES.get(name)]).encode()).hexdigest()
        mark = path + '.recipe'
        if os.path.exists(path) and os.path.exists(mark) and open(mark).read() == recipe:
            continue
        if name not in wanted and not ({'bad', 'readme'} & set(wanted) and name in ('film', 'hevc')) and not ('caches' in wanted and name in ('film', 'ts')):
            continue
        print(f'making {s["file"]}', flush=True)
        if name == 'film':
            subprocess.run([os.path.join(root, 'script/make-sample'), path, str(SECONDS)], check=True, stdout=subprocess.DEVNULL)
        else:
            made = subprocess.run(['ffmpeg', '-hide_banner', '-nostdin', '-y', '-loglevel', 'error', *PICTURE, *RECIPES[name], path],
                                  env=dict(os.environ, SVT_LOG='0'), capture_output=True, text=True)
            if made.returncode:  # x265 and SVT-AV1 talk even when all is well
                raise SystemExit(f'ffmpeg could not make {s["file"]}: {made.stderr[-600:]}')
        with open(mark, 'w') as f:
            f.write(recipe)
    return out


def run(tally, tool, name, path, root):
    s = SOURCES[name]
    static = os.path.join(root, '.tools', 'bin', 'ffmpeg')
    probe(tally, tool, name, path, s)
    server = Server(tally, tool, name, path)
    if server.playlist:
        url = server.playlist
        if s['event']:
            event(tally, name, url)
        curl(tally, name, server)
        tally.client(f'{name}: Shaka Packager and the playlists agree', 'check_master.py', url, '--all', '--packager', os.path.join(root, '.tools/bin/packager'))
        tally.client(f'{name}: static ffmpeg reads it whole and seeks', 'ff_hls.py', url, '--ffmpeg', static, '--whole', '--seek', 20, *(['--copy'] if name == 'av1' else []),
                     '--expect-tone', 440, '--expect-audio', s['audio'], '--expect-duration', SECONDS, *(['--audio', 'en'] if s['audio'] > 1 else []))
        # the static ffmpeg has no AV1 decoder
        same_pictures(tally, name, 'ffmpeg' if name == 'av1' else static, path, url)
        tally.client(f'{name}: GStreamer plays and seeks' + (', and switches the language' if s['audio'] > 1 else ''), 'gst_hls.py', url, '--seek', 20, '--seconds', 3, '--expect-size', s['size'], *s['gst'])
        if s['chromium'] is not None:
            tally.client(f'{name}: Chromium plays and seeks' + (', and switches the language' if s['audio'] > 1 else ''), 'browser_hls.py', url, '--text', '-', '--seek', 20, '--seconds', 3,
                         '--expect-size', s['size'], '--shot', os.path.join(tally.folder, f'{name}.png'), *s['chromium'])
            if name == 'film':
                tally.client('film: the player page plays, seeks and switches the language in Chromium', 'player_page.py', server.player, '--seek', 20, '--audio', 'Français', '--chapters', 3,
                             '--shot', os.path.join(tally.folder, 'player.png'))
    server.stop()
    verify(tally, tool, name, path)
    validate(tally, tool, name, path)


def call(words, limit=60):
    began = time.time()
    try:
        p = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return -1, b'', f'no end after {limit} s', time.time() - began
    return p.returncode, p.stdout, p.stderr.decode(errors='replace'), time.time() - began


def probe(tally, tool, name, path, s):
    code, out, err, took = call([tool, 'probe', '--json', path])
    reasons = []
    if code:
        reasons.append(f'exit {code}: {err[-200:]}')
    else:
        try:
            json.loads(out)
        except ValueError as e:
            reasons.append(f'no JSON: {e}')
        code, out, err, _ = call([tool, 'probe', path])
        if code or not out.strip():
            reasons.append(f'as text: exit {code}')
    tally.check(f'{name}: probe tells what it is, as JSON and as text', reasons, took)


def verify(tally, tool, name, path):
    code, out, err, took = call([tool, 'segverify', '--json', path])
    reasons = [] if code == 0 else [f'exit {code}: {(err or out.decode(errors="replace"))[-300:]}']
    tally.check(f'{name}: segverify finds every segment true to its playlist', reasons, took)


def validate(tally, tool, name, path):
    """No rule of HLS is broken by what is served of it."""
    code, out, err, took = call([tool, 'validate', '--json', path], 120)
    reasons = []
    try:
        report = json.loads(out)['report']
        reasons = [f'{f["rule"]}: {f["problem"]}' for f in report['findings'] if f['severity'] == 'must']
        if not report['segments']:
            reasons.append('no segment was read')
    except (ValueError, KeyError) as e:
        reasons.append(f'no report: {e!r} {err[-200:]}')
    if code != (1 if reasons else 0):
        reasons.append(f'exit {code}: {err[-200:]}')
    tally.check(f'{name}: validate finds no rule of HLS broken', reasons, took)
    if name != 'film':
        return
    began, reasons = time.time(), []
    bare = dict(os.environ, PATH='/nonexistent')
    p = subprocess.run([tool, 'validate', '--require-validator', path], capture_output=True, text=True, env=bare, timeout=60)
    if p.returncode != 3 and not os.path.exists('/usr/local/bin/mediastreamvalidator'):
        reasons.append(f'without mediastreamvalidator: exit {p.returncode}')
    p = subprocess.run([tool, 'validate', os.path.join(os.path.dirname(path), 'none.m3u8')], capture_output=True, text=True, timeout=60)
    if p.returncode != 2:
        reasons.append(f'no playlist there: exit {p.returncode}')
    tally.check('film: validate says by its exit code what could not be run', reasons, time.time() - began)


def fetch(url):
    with opener.open(url, timeout=30) as r:
        return r.read()


def media_playlists(master):
    text = fetch(master).decode()
    uris = re.findall(r'URI="([^"]+)"', text) + [l for l in text.splitlines() if l and not l.startswith('#')]
    return [urljoin(master, u) for u in uris]


def segments(url):
    return [urljoin(url, l) for l in fetch(url).decode().splitlines() if l and not l.startswith('#')]


def event(tally, name, master):
    """Read an EVENT presentation as a player does, until every playlist has its end."""
    began, reasons = time.time(), []
    for url in media_playlists(master):
        seen, before = set(), []
        while time.time() < began + 60:
            text = fetch(url).decode()
            now = segments(url)
            if now[:len(before)] != before:
                reasons.append('a segment that was listed is gone')
            before = now
            for u in now:
                if u not in seen:
                    seen.add(u)
                    if len(fetch(u)) < 100:
                        reasons.append(f'{u} is all but empty')
            if '#EXT-X-ENDLIST' in text:
                break
            if '#EXT-X-PLAYLIST-TYPE:EVENT' not in text:
                reasons.append('neither EVENT nor ended')
                break
            time.sleep(0.2)
        else:
            reasons.append(f'no ENDLIST after {len(seen)} segments')
    tally.check(f'{name}: the EVENT playlist grows to its end', reasons, time.time() - began)


def curl(tally, name, server):
    """Status lines, types and ranges, by curl."""
    began, reasons = time.time(), []

    def get(url, *more):
        code, out, err, _ = call(['curl', '-sS', '--noproxy', '*', '-m', '30', '-o', '/dev/null', '-w', '%{http_code} %{content_type} %{size_download}', *more, url])
        return out.decode().split(' ') if code == 0 else ['0', err, '0']

    def want(what, got, status, kind=None, size=None):
        if got[0] != status or (kind and not got[1].startswith(kind)) or (size is not None and int(got[-1]) != size):
            reasons.append(f'{what}: {" ".join(got)}')

    media = media_playlists(server.playlist)[-1]
    first = segments(media)[0]
    whole = len(fetch(first))
    want('master', get(server.playlist), '200', 'application/vnd.apple.mpegurl')
    want('player', get(server.player), '200', 'text/html')
    want('segment', get(first), '200', 'video/', whole)
    want('range', get(first, '-r', '10-109'), '206', 'video/', 100)
    want('last bytes', get(first, '-r', '-7'), '206', 'video/', 7)
    want('range past the end', get(first, '-r', f'{whole + 5}-'), '416')
    want('HEAD', get(first, '-I'), '200', 'video/')
    want('unknown', get(urljoin(server.playlist, 'nothing.m4s')), '404')
    want('climbing', get(urljoin(server.playlist, '/') + '../../../../etc/passwd', '--path-as-is'), '404')
    if hashlib.sha256(fetch(first)).digest() != hashlib.sha256(fetch(first)).digest():
        reasons.append('a segment fetched twice differs')
    tally.check(f'{name}: curl gets types, ranges and refusals', reasons, time.time() - began)


def same_pictures(tally, name, ffmpeg, path, url):
    """Every decoded picture, hashed, of the source and of what is served."""
    began, lines = time.time(), []
    for source in (path, url):
        code, out, err, _ = call([ffmpeg, '-v', 'error', '-nostdin', '-i', source, '-map', '0:v:0', '-f', 'framemd5', '-'], 120)
        lines.append([l.rsplit(',', 1)[-1].strip() for l in out.decode().splitlines() if l[:1].isdigit()])
        if code:
            lines[-1] = [f'exit {code}: {err[-200:]}']
    a, b = lines
    reasons = []
    if len(a) != FRAMES:
        reasons.append(f'the source gives {len(a)} pictures')
    if a != b:
        at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        reasons.append(f'{len(b)} pictures of {len(a)}, the first that differs is {at}: {b[at:at + 1]}')
    tally.check(f'{name}: {FRAMES} served pictures are those of the source', reasons, time.time() - began)
