"""The films that must play: how each is made, what is to be known of it, and the checks that need no player."""
import hashlib, json, os, re, signal, subprocess, time, urllib.request
from urllib.parse import urljoin
import burnt_in
from checks import Server

SECONDS = 40
FRAMES = SECONDS * burnt_in.RATE

# event: no index, the playlist grows as it is fetched. tones: the language and first pitch of each audio track. serve: more words for the tool.
# starts: the language it is to start in, where that is not the first. clients: those that are asked, all where it is left out; leave: what they are not asked.
ONE, TWO = [(None, 440)], [('en', 440), ('fr', 880)]
SOURCES = {
    'film': dict(file='film.mkv', event=False, tones=TWO),
    'hevc': dict(file='hevc.mp4', event=False, tones=ONE),
    'av1': dict(file='av1.mkv', event=False, tones=ONE),
    'ts': dict(file='ts.ts', event=False, tones=ONE),
    'nocues': dict(file='nocues.mkv', event=False, tones=ONE),
    'flv': dict(file='flv.flv', event=False, tones=ONE),
    # Decoded and encoded; the second track not before it is asked for.
    'bridged': dict(file='bridged.mkv', event=False, tones=TWO),
    # Starts in the language that is asked for, though the first is the container's default; every other one is switched to.
    'languages': dict(file='languages.mkv', event=False, tones=[('en', 440), ('fr', 880), ('ja', 660)], serve=['--language', 'cs,fre'], starts='fr',
                      clients=('Chromium', 'Chromium with hls.js', 'GStreamer', 'libVLC', 'FFmpeg', 'curl'), leave=['seek', 'exact', 'end']),
    'fragmented': dict(file='fragmented.mp4', event=True, tones=ONE),
}
for about in SOURCES.values():
    about.update({'size': '640x360', 'seconds': SECONDS, 'random access': 50})
H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '50', '-pix_fmt', 'yuv420p', '-crf', '28']
LANGUAGES = {'en': ('eng', 'English'), 'fr': ('fra', 'Français'), 'ja': ('jpn', '日本語')}
RECIPES = {
    'film': [*H264, '-c:a', 'aac'],
    'hevc': ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'keyint=50:min-keyint=50:bframes=3:log-level=error', '-tag:v', 'hvc1', '-c:a', 'eac3'],
    'av1': ['-c:v', 'libsvtav1', '-preset', '12', '-g', '50', '-crf', '40', '-c:a', 'aac'],
    'ts': [*H264, '-c:a', 'aac'],
    'bridged': [*H264, '-c:a', 'libmp3lame'],
    'languages': [*H264, '-c:a', 'aac', '-disposition:a:0', 'default'],
    # As a recorder leaves it: clusters of unknown size, no Cues, no duration.
    'nocues': [*H264, '-c:a', 'aac', '-f', 'matroska', '-live', '1'],
    'flv': [*H264, '-c:a', 'aac', '-flvflags', 'no_duration_filesize'],
    'fragmented': [*H264, '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov+default_base_moof'],
}


def words(name):
    """The arguments of ffmpeg that make a source."""
    tones = SOURCES[name]['tones']
    inputs = [w for source in [burnt_in.picture(SOURCES[name]['size'], SECONDS), *(burnt_in.sound(hertz, SECONDS) for _, hertz in tones)] for w in ('-f', 'lavfi', '-i', source)]
    maps = [w for i in range(1 + len(tones)) for w in ('-map', str(i))]
    names = [w for i, (language, _) in enumerate(tones) if language for w in (f'-metadata:s:a:{i}', f'language={LANGUAGES[language][0]}', f'-metadata:s:a:{i}', f'title={LANGUAGES[language][1]}')]
    return [*inputs, *maps, *RECIPES[name], '-ac', '2', *names]


opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def make(folder, root, wanted):
    """name -> path, of the sources wanted and of what the other checks need: the sample, and what bad inputs are cut from."""
    os.makedirs(folder, exist_ok=True)
    out = {}
    for name, file in {**{n: s['file'] for n, s in SOURCES.items()}, 'sample': 'sample.mkv'}.items():
        out[name] = path = os.path.join(folder, file)
        command = [os.path.join(root, 'script/make-sample'), path, str(SECONDS)] if name == 'sample' else ['ffmpeg', '-hide_banner', '-nostdin', '-y', '-loglevel', 'error', *words(name), path]
        recipe = hashlib.sha256(json.dumps([w for w in command if w not in (path, os.path.join(root, 'script/make-sample'))]).encode()).hexdigest()
        mark = path + '.recipe'
        if os.path.exists(path) and os.path.exists(mark) and open(mark).read() == recipe:
            continue
        if name not in wanted and not ({'bad', 'readme', 'page'} & set(wanted) and name in ('sample', 'hevc')) and not ({'caches', 'lan'} & set(wanted) and name in ('film', 'ts')) and not ('page' in wanted and name == 'languages') and not ('sessions' in wanted and name in ('film', 'ts', 'fragmented')):
            continue
        print(f'making {file}', flush=True)
        made = subprocess.run(command, env=dict(os.environ, SVT_LOG='0'), capture_output=True, text=True)
        if made.returncode:  # x265 and SVT-AV1 talk even when all is well
            raise SystemExit(f'{file} could not be made: {made.stderr[-600:]}')
        with open(mark, 'w') as f:
            f.write(recipe)
    return out


def serve(tally, tool, name, path, root):
    """Start serving a source and check all that needs no player; gives the server."""
    s = SOURCES[name]
    probe(tally, tool, name, path, s)
    server = Server(tally, tool, name, path, s.get('serve', ()))
    if server.playlist:
        if s['event']:
            event(tally, name, server.playlist)
        curl(tally, name, server)
        tally.client(f'{name}: Shaka Packager and the playlists agree', 'check_master.py', server.playlist, '--all', '--packager', os.path.join(root, '.tools/bin/packager'))
    return server


def compare(tally, tool, name, path, server, root):
    """Every picture, and every segment."""
    # the static ffmpeg has no AV1 decoder
    same_pictures(tally, name, 'ffmpeg' if name == 'av1' else os.path.join(root, '.tools', 'bin', 'ffmpeg'), path, server.playlist)
    verify(tally, tool, name, path)
    validate(tally, tool, name, path)


def page(tally, tool, path):
    """The tool's own page, on a film with chapters."""
    server = Server(tally, tool, 'sample', path)
    if server.player:
        tally.client('the player page plays, seeks and switches the language in Chromium', 'player_page.py', server.player, '--seek', 20, '--audio', 'Français', '--chapters', 3,
                     '--shot', os.path.join(tally.folder, 'player.png'))
    server.stop()


def heard_page(tally, tool, path):
    """The page starts in the language asked for and switches to the others, heard: by the browser's list of tracks, and by a playlist a track."""
    server = Server(tally, tool, 'languages-page', path, SOURCES['languages']['serve'])
    tones = [w for language, hertz in sorted(SOURCES['languages']['tones'], key=lambda t: t[0] != 'fr') for w in ('--tone', f'{LANGUAGES[language][1]}={hertz}')]
    if server.player:
        for more, how in (([], 'its list of tracks'), (['--plain'], 'a playlist a track')):
            tally.client(f'the player page starts in the language asked for and is heard to switch, by {how}', 'page_sound.py', server.player, *tones, *more)
    server.stop()


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


def interrupted(tally, tool, path):
    """An interrupt that comes the moment the address is out ends it, every time."""
    began, late = time.time(), 0
    for _ in range(20):
        p = subprocess.Popen([tool, 'serve', '--no-page', path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        p.stdout.readline()
        p.send_signal(signal.SIGINT)
        try:
            late += p.wait(5) != 0
        except subprocess.TimeoutExpired:
            late += 1
            p.kill()
            p.wait()
        p.stdout.close()
    tally.check('film: an interrupt ends it at once, 20 times of 20', f'{late} times not' if late else None, time.time() - began)


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
