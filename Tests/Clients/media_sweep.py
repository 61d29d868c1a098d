#!/usr/bin/env python3
"""Every file of a media collection through probe, serve and segverify; FFmpeg judges refusals and equality.

  PRISM_MEDIA=FOLDER Tests/Clients/media_sweep.py TOOL [--only TEXT ...] [--jobs N] [--out FILE] [--no-equality]

FOLDER has a MANIFEST.tsv (path, bytes, ..., shows) and may have an EXPECTED.tsv (path, known, source). Without
PRISM_MEDIA nothing is done. Each file: it ends by itself, soon, without a signal; what is no film is refused with a
text that names the cause; what the remux engine takes keeps what its playlists promise, and decodes to what the
source decodes to. One JSON line a file goes to --out (default .build/clients/sweep.jsonl); a summary is printed; the
last line is "N passed, N failed".
"""
import argparse, collections, concurrent.futures, json, os, re, subprocess, sys, tempfile, threading, time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
sys.dont_write_bytecode = True
import media_equality, media_judge

PROBE_LIMIT, VERIFY_LIMIT = 12, 120  # seconds
EQUALITY_BYTES = 20 << 20
REFUSED = re.compile(r'^prismcore-cli: (.+)$', re.M)
# a refusal that names nothing
UNTYPED = re.compile(r'FFmpeg error|unexpected failure')
CODECS = {'avc': 'h264', 'hevc': 'hevc', 'av01': 'av1', 'x-vnd.on2.vp9': 'vp9', 'x-vnd.on2.vp8': 'vp8', 'mpeg2': 'mpeg2video', 'mp4v-es': 'mpeg4', 'vvc': 'vvc', '3gpp': ('h263', 'amr_nb'),
          'mp4a-latm': ('aac', 'aac_latm'), 'ac3': 'ac3', 'eac3': 'eac3', 'eac3-joc': 'eac3', 'mpeg': ('mp3', 'mp2'), 'mpeg-L2': 'mp2', 'alac': 'alac', 'flac': 'flac', 'opus': 'opus',
          'vorbis': 'vorbis', 'vnd.dts': 'dts', 'vnd.dts.hd': 'dts', 'true-hd': 'truehd', 'amr-wb': 'amr_wb', 'ac4': None}


def call(words, limit, folder):
    """-> dict(code, out, err, seconds, peak): code is negative for a signal, None for no end in time."""
    began = time.time()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        p = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=dict(os.environ, TMPDIR=folder))
        late = threading.Event()
        timer = threading.Timer(limit, lambda: (late.set(), p.kill()))
        timer.start()
        _, status, usage = os.wait4(p.pid, 0)
        timer.cancel()
        p.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return dict(code=None if late.is_set() else p.returncode, out=out.read().decode(errors='replace'), err=err.read().decode(errors='replace'),
                    seconds=round(time.time() - began, 3), peak=usage.ru_maxrss)


def wrong_end(name, r, limit):
    """Why a command did not end as it should; a refusal is the text it gave."""
    if r['code'] is None:
        return f'{name}: no end after {limit} s'
    if r['code'] < 0:
        return f'{name}: signal {-r["code"]}'
    if r['code'] not in (0, 1):
        return f'{name}: exit {r["code"]}'
    return None


def refusal(r):
    m = REFUSED.search(r['err'])
    return m[1] if r['code'] == 1 and m else None


def sweep(tool, root, path, expected, equality):
    full = os.path.join(root, path)
    row = dict(path=path, bytes=os.path.getsize(full), family=media_judge.family(full), failed=[], peak=0, seconds={})
    fail = row['failed'].append
    with tempfile.TemporaryDirectory(prefix='sweep-') as folder:
        def tool_call(name, limit, *more):
            r = call([tool, name, *more, full], limit, folder)
            row['seconds'][name] = r['seconds']
            row['peak'] = max(row['peak'], r['peak'])
            why = wrong_end(name, r, limit)
            if why:
                fail(why)
            return r

        probe = tool_call('probe', PROBE_LIMIT, '--json')
        info, engine = None, None
        if probe['code'] == 0:
            try:
                report = json.loads(probe['out'])
                info, engine, row['reason'] = report['source'], report.get('engine'), report['reason']
                row['format'] = info['formatName']
                row['codec'] = (info.get('video') or {}).get('codec')
                row['sound'] = [t['codec'] for t in info['audioTracks']]
            except (ValueError, KeyError) as e:
                fail(f'probe: no JSON: {e}')
        else:
            row['reason'] = refusal(probe)
        row['engine'] = engine
        verify = tool_call('segverify', VERIFY_LIMIT, '--json')
        text = refusal(verify)
        if verify['code'] == 0:
            row['verdict'] = 'passes'
            row['report'] = json.loads(verify['out'])
        elif text is not None and 'segments' not in verify['out']:
            row['verdict'], row['refusal'] = 'refused', text
        else:
            row['verdict'] = 'fails'
            try:
                row['report'] = json.loads(verify['out'])
                # what the source does not decode either is no fault of ours: equality tells
                row['damaged'] = all(re.search('pictures decode from this segment alone|nothing in it decodes', f['problem']) for f in row['report']['findings'])
                row['findings'] = ('segverify: ' + '; '.join(f'{f["rendition"]} {f.get("segment")}: {f["problem"]}' for f in row['report']['findings'][:4])[:600])
            except ValueError:
                fail(f'segverify: {verify["err"][-300:]}')
        if engine == 'remux' and row['verdict'] == 'refused':
            row['late'] = True
        if engine != 'remux' and row['verdict'] != 'refused':
            fail(f'probe says {row["reason"]!r}, and segverify {row["verdict"]}')
        if row['verdict'] == 'refused':
            serve = tool_call('serve', 30, '--no-page')
            if refusal(serve) != text:
                fail(f'serve says {serve["err"][-200:]!r}, segverify {text!r}')
            for t in {text, row['reason'] or text}:
                if UNTYPED.search(t):
                    fail(f'untyped: {t}')
            row['facts'] = media_judge.facts(full)
            row['right'], row['why'] = media_judge.right(text, row['facts'])
            if row['right'] is not True:
                fail(f'refused ({text}): {row["why"]}')
        elif equality and row['bytes'] <= EQUALITY_BYTES and (row['verdict'] == 'passes' or row.get('damaged')):
            try:
                row['equality'] = media_equality.check(tool, full, info, folder)
                if row['equality']['reasons']:
                    fail('equality: ' + ' | '.join(row['equality']['reasons']))
            except Exception as e:  # whatever the server answers must not end the sweep
                fail(f'equality: {type(e).__name__} {e}')
        if row['verdict'] == 'fails' and row.get('damaged') and row.get('equality') and not row['equality']['reasons']:
            row['verdict'] = 'damaged'
        elif row['verdict'] == 'fails' and row.get('findings'):
            fail(row['findings'])
        left = [n for n in os.listdir(folder) if n.startswith('prism')]
        if left:
            fail(f'left behind: {left[:3]}')
    if info:
        for known in expected:
            for difference in against(known, info, row):
                row.setdefault('differs', []).append(difference)
    return row


def against(known, info, row):
    """What a golden dump says of the tracks, against what probe says."""
    tracks = [t for t in known.split('; ') if re.match(r'(video|audio)/', t)]
    if not tracks:
        return
    video = info.get('video')
    sounds = list(info['audioTracks'])
    m = re.search(r'duration_us=(\d+)', known)
    if m and int(m[1]) and info.get('duration') and abs(info['duration'] - int(m[1]) / 1e6) > max(0.5, int(m[1]) / 1e7):
        yield f'lasts {info["duration"]:.3f} s, the dump {int(m[1]) / 1e6:.3f} s'
    for t in tracks:
        kind, _, name = re.match(r'\S+', t)[0].partition(';')[0].partition('/')
        want = CODECS.get(name, name)
        if want is None:
            continue
        want = want if isinstance(want, tuple) else (want,)
        if kind == 'video':
            size = re.search(r'(\d+)x(\d+)', t)
            if not video or video['codec'] not in want:
                yield f'the dump has {name}, probe {video and video["codec"]}'
            elif size and [video['width'], video['height']] != [int(size[1]), int(size[2])]:
                yield f'{video["width"]}x{video["height"]}, the dump {size[0]}'
            n = re.search(r'samples=(\d+)', t)
            pictures = (row.get('equality') or {}).get('pictures')
            if n and pictures and pictures['served'] != int(n[1]):
                yield f'{pictures["served"]} pictures served, the dump has {n[1]}'
        else:
            found = next((s for s in sounds if s['codec'] in want), None)
            if not found:
                yield f'the dump has {name}, probe {[s["codec"] for s in info["audioTracks"]]}'
                continue
            sounds.remove(found)
            rate, channels = re.search(r'(\d+)Hz', t), re.search(r'(\d+)ch', t)
            if rate and found['sampleRate'] != int(rate[1]):
                yield f'{name} at {found["sampleRate"]} Hz, the dump {rate[1]}'
            if channels and int(channels[1]) and found['channels'] != int(channels[1]):
                yield f'{name} with {found["channels"]} channels, the dump {channels[1]}'


def summary(rows):
    families = ['matroska', 'mp4', 'mpegts', 'avi', 'flv', None]
    table = collections.Counter()
    for r in rows:
        verdict = r.get('verdict')
        if any('signal' in f or 'no end' in f for f in r['failed']):
            verdict = 'crash or hang'
        elif verdict == 'passes' and r['failed']:
            verdict = 'unequal'
        elif verdict == 'refused':
            verdict = {True: 'refused rightly', False: 'refused wrongly'}.get(r.get('right'), 'refused, unjudged')
        table[r['family'], verdict] += 1
    verdicts = ['passes', 'damaged', 'refused rightly', 'refused wrongly', 'refused, unjudged', 'fails', 'unequal', 'crash or hang']
    print('\n' + ' | '.join(['container', *verdicts, 'all']))
    for f in families:
        print(' | '.join([f or 'other', *(str(table[f, v]) for v in verdicts), str(sum(table[f, v] for v in verdicts))]))
    print('\nrefusals, and whether FFmpeg finds them right')
    reasons = collections.Counter()
    for r in rows:
        if r.get('verdict') == 'refused':
            reasons[re.sub(r'\d+(\.\d+)?', 'N', r['refusal']), r.get('right')] += 1
    for (text, ok), n in reasons.most_common():
        print(f'{n:5} {({True: "right", False: "WRONG"}.get(ok, "?"))} {text}')
    print('\nslowest')
    for r in sorted(rows, key=lambda r: -max(r['seconds'].values(), default=0))[:8]:
        print(f'{max(r["seconds"].values()):8.2f} s {r["path"]} {r["seconds"]}')
    print('\nmost memory')
    for r in sorted(rows, key=lambda r: -r['peak'])[:5]:
        print(f'{r["peak"] / 1024:8.0f} MB {r["path"]}')
    differs = [r for r in rows if r.get('differs')]
    print(f'\nother than EXPECTED.tsv says: {len(differs)}')
    for r in differs:
        print(f'  {r["path"]}: {"; ".join(sorted(set(r["differs"])))}')


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('tool')
    ap.add_argument('--only', action='append', metavar='TEXT', help='only paths that hold TEXT')
    ap.add_argument('--jobs', type=int, default=2)
    ap.add_argument('--out')
    ap.add_argument('--no-equality', action='store_true')
    A = ap.parse_args()
    root = os.environ.get('PRISM_MEDIA')
    if not root:
        print('PRISM_MEDIA is not set: nothing to sweep\n0 passed, 0 failed')
        return 0
    tool = os.path.abspath(A.tool)
    if not os.access(tool, os.X_OK):
        sys.exit(f'media_sweep: {A.tool} is no program')
    out = A.out or os.path.join(os.path.dirname(os.path.dirname(here)), '.build', 'clients', 'sweep.jsonl')
    os.makedirs(os.path.dirname(os.path.abspath(out)), exist_ok=True)
    # what is on disk, listed in the manifest or not
    paths = sorted(os.path.relpath(os.path.join(d, n), root) for d, _, ns in os.walk(root) for n in ns)
    paths = [p for p in paths if not A.only or any(o in p for o in A.only)]
    expected = collections.defaultdict(list)
    table = os.path.join(root, 'EXPECTED.tsv')
    if os.path.exists(table):
        with open(table, errors='replace') as f:
            for line in f:
                parts = line.rstrip('\n').split('\t')
                if len(parts) >= 2:
                    expected[parts[0]].append(parts[1])
    rows, lock = [], threading.Lock()
    with open(out, 'w') as f, concurrent.futures.ThreadPoolExecutor(A.jobs) as pool:
        def one(path):
            try:
                row = sweep(tool, root, path, expected[path], not A.no_equality)
            except Exception as e:  # a fault of the sweep itself
                row = dict(path=path, family=None, failed=[f'sweep: {type(e).__name__} {e}'], peak=0, seconds={})
            with lock:
                rows.append(row)
                f.write(json.dumps(row) + '\n')
                f.flush()
                if row['failed']:
                    print(f'FAIL {path}: ' + ' | '.join(row['failed'])[:700], flush=True)
        list(pool.map(one, paths))
    summary(rows)
    bad = sum(1 for r in rows if r['failed'])
    print(f'{len(rows) - bad} passed, {bad} failed')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
