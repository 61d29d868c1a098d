"""Subtitles: each client has to show the words of each film, at their times, in a film's middle too; and nothing of what is served breaks a rule."""
import json, os, re, subprocess, sys, time
from urllib.parse import urljoin
import checks, worded_sources

CLIENTS = ['FFmpeg', 'GStreamer', 'Chromium with hls.js', 'Firefox with hls.js', 'the page in Chromium', 'the page in WebKitGTK', 'libVLC', 'Chromium', 'WebKitGTK']
# Asked in every run.
ALWAYS = ['FFmpeg', 'Chromium with hls.js', 'the page in Chromium']
# What the elements' own HLS lists is asked of one film. libVLC 3 is asked of one, too: elsewhere it stands still after a seek now and then, or leaves
# out the words it seeks into.
ONCE = {'Chromium': 'words', 'WebKitGTK': 'words', 'libVLC': 'words-mp4'}


def call(words, limit=60):
    p = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=limit)
    return p.returncode, p.stdout, p.stderr


def probe(tally, tool, name, path):
    """Both forms of `probe` tell of the film's own tracks."""
    began, reasons = time.time(), []
    own = worded_sources.in_file(name)
    code, out, err = call([tool, 'probe', '--json', path])
    told = json.loads(out).get('source', json.loads(out)).get('subtitleTracks') if code == 0 else None
    if told is None or len(told) != own:
        reasons.append(f'exit {code}: {told} {err[-200:]}')
    code, out, err = call([tool, 'probe', path])
    if len(re.findall(r'^subtitles #\d+: ', out, re.M)) != own:
        reasons.append(f'as text, exit {code}: {out[-300:]}')
    tally.check(f'{name}: probe lists {own} tracks of subtitles', reasons, time.time() - began)


def validate(tally, tool, name, playlist):
    began = time.time()
    code, out, err = call([tool, 'validate', '--json', playlist], 120)
    try:
        found = [f'{f["severity"]} {f["rule"]}: {f["problem"]}' for f in json.loads(out)['report']['findings'] if 'webvtt' in f['rule'] or f['severity'] == 'must']
    except (ValueError, KeyError) as e:
        found = [f'no report: {e!r} {err[-200:]}']
    tally.check(f'{name}: validate finds nothing against the subtitles, and no rule broken', found or (code and f'exit {code}'), time.time() - began)


def source(tally, tool, name, made, wanted):
    about = worded_sources.SOURCES[name]
    path, feeder = made[name], None
    if about.get('pipe'):
        path = os.path.join(tally.scratch(), name + '.pipe')
        os.mkfifo(path)
        feeder = subprocess.Popen(['sh', '-c', 'exec cat "$0" > "$1"', made[name], path])
        checks.running.append(feeder)
    else:
        probe(tally, tool, name, path)
    server = checks.Server(tally, tool, name, path, [w.format(**made) for w in about['serve']])
    if server.playlist:
        validate(tally, tool, name, server.playlist)
        for client in wanted:
            if client not in about.get('clients', CLIENTS) or ONCE.get(client, name) != name:
                continue
            title, stem = f'{name}: {client} shows the words in time', re.sub(r'\W+', '-', f'words {name} {client}')
            tally.client(title, 'play_words.py', client, server.playlist, server.player, name, '--shot', os.path.join(tally.folder, stem + '.png'),
                         '--log', os.path.join(tally.folder, stem + '.log'), limit=300)
            with open(os.path.join(tally.folder, re.sub(r'\W+', '-', title) + '.json')) as f:
                text = f.read()
            try:
                told = json.loads(text)
            except ValueError:
                told = {}  # It came to no end, which its own line says.
            for denied in told.get('denied', ()):
                tally.note(f'{name}: {client}: not offered: {denied}')
            tally.cell(name, client, 'FAIL' if told.get('failed', True) else 'ok' if told.get('cues') else '-')
    server.stop()
    if feeder:
        checks.stop(feeder)
        os.remove(path)


def jobs(tally, tool, folder, wanted=CLIENTS):
    """The films are made first; then one job each."""
    made = worded_sources.make(folder)
    return [lambda name=name: source(tally, tool, name, made, wanted) for name in worded_sources.SOURCES]
