"""Whether what is served decodes to what the source decodes to: pictures by hash and time, sound by hash and offset to the picture."""
import os, re, select, signal, subprocess, time, urllib.request
from urllib.parse import urljoin

opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
TOLERANCE = 0.006  # seconds: containers count milliseconds


def fetch(url):
    with opener.open(url, timeout=60) as r:
        return r.read()


def attributes(line):
    return {k: v.strip('"') for k, v in re.findall(r'([A-Z0-9-]+)=("[^"]*"|[^,]*)', line.partition(':')[2])}


def drain(url, path, deadline):
    """Writes init segment and media segments into `path`, following a growing playlist to its end -> the files: one more for each new init segment."""
    done, current, paths, out = 0, None, [], None
    try:
        while True:
            text = fetch(url).decode()
            at, named = 0, None
            for line in text.splitlines():
                if line.startswith('#EXT-X-MAP'):
                    named = attributes(line)['URI']
                elif line and line[0] != '#':
                    at += 1
                    if at <= done:
                        continue
                    if named != current:
                        if out:
                            out.close()
                        current = named
                        paths.append(path if not paths else f'{path}.{len(paths)}')
                        out = open(paths[-1], 'wb')
                        out.write(fetch(urljoin(url, named)))
                    out.write(fetch(urljoin(url, line)))
                    done = at
            if '#EXT-X-ENDLIST' in text:
                return paths
            if time.time() > deadline:
                raise TimeoutError(f'the playlist had no end: {done} segments')
            time.sleep(0.05)
    finally:
        if out:
            out.close()


def served(tool, source, folder, limit):
    """-> (files of the picture, those of each sound track by its number among them, what the tool said)"""
    deadline = time.time() + limit
    log = os.path.join(folder, 'serve.log')
    with open(log, 'wb') as err:
        p = subprocess.Popen([tool, 'serve', '--no-page', source], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=err, env=dict(os.environ, TMPDIR=folder))
    try:
        line = b''
        while not line.endswith(b'\n') and select.select([p.stdout], [], [], max(0.1, deadline - time.time()))[0]:
            chunk = os.read(p.stdout.fileno(), 4096)
            if not chunk:
                break
            line += chunk
        m = re.search(rb'playlist: (\S+)', line)
        if not m:
            p.kill()
            p.wait()
            return None, {}, open(log, errors='replace').read().strip() or f'exit {p.returncode}'
        master = m[1].decode()
        lines = fetch(master).decode().splitlines()
        sound = [attributes(l) for l in lines if l.startswith('#EXT-X-MEDIA') and 'TYPE=AUDIO' in l]
        picture = drain(urljoin(master, next(l for l in lines if l and l[0] != '#')), os.path.join(folder, 'video.mp4'), deadline)
        tracks = {}
        for s in sound:
            if 'URI' in s:
                number = int(re.search(r'audio(\d+)/', s['URI'])[1])
                tracks[number] = drain(urljoin(master, s['URI']), os.path.join(folder, f'audio{number}.mp4'), deadline)
        p.send_signal(signal.SIGINT)
        code = p.wait(10)
        return picture, tracks, '' if code == 0 else f'serve ended with {code}: {open(log, errors="replace").read()[-200:]}'
    finally:
        if p.poll() is None:
            p.kill()
            p.wait()
        p.stdout.close()


def frames(path, stream, kind, limit):
    """Decoded frames of one stream: (seconds, samples or 0, hash); of several files, one after the other.

    By one thread: what several make of damaged pictures differs from run to run.
    """
    if isinstance(path, list):
        return [x for p in path for x in frames(p, stream, kind, limit)]
    how = ['-fps_mode', 'passthrough', '-autoscale', '0'] if kind == 'v' else ['-c:a', 'pcm_s16le']
    out = subprocess.run(['ffmpeg', '-v', 'error', '-nostdin', '-noautorotate', '-copyts', '-threads', '1', '-i', path, '-map', f'0:{stream}', *how, '-enc_time_base', '-1', '-f', 'framemd5', '-'],
                         stdin=subprocess.DEVNULL, capture_output=True, timeout=limit).stdout.decode()
    m = re.search(r'#tb 0: (\d+)/(\d+)', out)
    if not m:
        return []
    base = int(m[1]) / int(m[2])
    rows = [[x.strip() for x in l.split(',')] for l in out.splitlines() if l and l[0] != '#']
    return [(int(r[2]) * base, int(r[3]) * base, r[5]) for r in rows]


def packet_times(path, stream, limit):
    """-> (times of a stream's packets as shown, how many come before the first keyframe, how many an edit list hides, how many of those lie at the end)

    Decode times where there are no others.
    """
    out = subprocess.run(['ffprobe', '-v', 'error', '-select_streams', str(stream), '-show_entries', 'packet=pts_time,dts_time,flags', '-of', 'csv=p=0', path],
                         stdin=subprocess.DEVNULL, capture_output=True, timeout=limit).stdout.decode()
    rows = [l.split(',') for l in out.splitlines() if l.count(',') >= 2]
    column = 0 if rows and all(r[0] != 'N/A' for r in rows) else 1
    before = next((i for i, r in enumerate(rows) if r[2].startswith('K')), 0)
    times = sorted(float(r[column]) for r in rows if r[column] != 'N/A' and 'D' not in r[2])
    hidden = [float(r[column]) for r in rows if 'D' in r[2] and r[column] != 'N/A']
    return times, before, len(hidden), sum(1 for t in hidden if times and t > times[-1])


def without_hidden(b, hidden, at_end):
    """Served pictures that are there to be seen. What an edit list hides and others refer to is there for a tick of its track's clock."""
    if not hidden:
        return b
    seen = [x for x, y in zip(b, b[1:]) if y[0] - x[0] > 0.0005] + b[-1:]
    return seen[:-1] if at_end else seen


def follows(packets, b):
    """Whether served pictures lie where the source's packets do: decoders guess times where a container's are odd."""
    offsets = [y[0] - x for x, y in zip(packets, b)]
    return len(packets) == len(b) and max(offsets) - min(offsets) <= TOLERANCE


def compare_pictures(a, b, packets=(), before=0):
    """-> (facts, reasons)

    packets: the source's packet times; before: how many of its packets come before the first keyframe, which decoders may show and we do not.
    """
    hashes, again = [x[2] for x in a], [x[2] for x in b]
    offsets = []
    reasons = []
    if hashes == again:
        offsets = [y[0] - x[0] for x, y in zip(a, b)]
    else:
        # one sequence may be a piece of the other
        at = next((i for i in range(len(a) - len(b) + 1) if hashes[i:i + len(b)] == again), None)
        wider = next((i for i in range(len(b) - len(a) + 1) if again[i:i + len(a)] == hashes), None) if at is None else None
        if at is not None and b and at <= before and len(a) - len(b) - at == 0:
            offsets = [y[0] - x[0] for x, y in zip(a[at:], b)]
        elif at is not None and b:
            reasons.append(f'{at} pictures missing at the start, {len(a) - len(b) - at} at the end, of {len(a)}')
            offsets = [y[0] - x[0] for x, y in zip(a[at:], b)]
        elif wider is not None and a:
            reasons.append(f'{wider} pictures more at the start, {len(b) - len(a) - wider} at the end, than {len(a)}')
            offsets = [y[0] - x[0] for x, y in zip(a, b[wider:])]
        else:
            known = set(again)
            reasons.append(f'{sum(1 for h in hashes if h not in known)} of {len(a)} pictures not served as they were; {len(b)} served')
    if offsets and max(offsets) - min(offsets) > TOLERANCE and not follows(packets, b):
        reasons.append(f'times drift by {max(offsets) - min(offsets):.3f} s')
    return dict(source=len(a), served=len(b), offset=round(offsets[0], 4) if offsets else None, drift=round(max(offsets) - min(offsets), 4) if offsets else None), reasons


def compare_sound(a, b, picture_offset):
    """Frames of `a` that are heard in `b` at their time to the picture."""
    where = {}
    for t, _, h in b:
        where.setdefault(h, []).append(t)
    shifts = sorted(min((t - x[0] - picture_offset for t in where[x[2]]), key=abs) for x in a if x[2] in where)
    missing = len(a) - len(shifts)
    middle = shifts[len(shifts) // 2] if shifts else None
    reasons = []
    # the first frames depend on what came before them, and the last may be cut
    if missing > 3 + len(a) * 0.02:
        reasons.append(f'{missing} of {len(a)} sound frames not served as they were')
    if middle is not None and abs(middle) > 0.025:
        reasons.append(f'sound {middle:+.3f} s off the picture')
    return dict(source=len(a), served=len(b), missing=missing, shift=round(middle, 4) if middle is not None else None), reasons


def check(tool, source, info, folder, limit=120):
    """-> dict(pictures=, sound=[…], reasons=[…])"""
    picture, tracks, said = served(tool, source, folder, limit)
    if picture is None:
        return dict(reasons=[f'serve: {said[-300:]}'])
    reasons = [said] if said else []
    a, b = frames(source, info['video']['streamIndex'], 'v', limit), frames(picture, 0, 'v', limit)
    packets, before, hidden, at_end = packet_times(source, info['video']['streamIndex'], limit)
    pictures, more = compare_pictures(a, without_hidden(b, hidden, at_end), packets, before)
    if hidden:
        pictures['hidden'] = hidden
    reasons += more
    out = dict(pictures=pictures, sound=[])
    # Tracks are numbered as they stand in the source. One that is bridged is other sound, and may be left out of a session without a plan.
    playable = [t for t in info['audioTracks'] if 'unsupported' not in t['readiness']]
    for number, track in enumerate(playable):
        index = track['streamIndex']
        if 'streamCopy' not in track['readiness']:
            continue
        if number not in tracks:
            reasons.append(f'sound #{index} is not served')
            continue
        facts, more = compare_sound(frames(source, index, 'a', limit), frames(tracks[number], 0, 'a', limit), pictures['offset'] or 0)
        out['sound'].append(facts)
        reasons += [f'sound #{index}: {r}' for r in more]
    out['reasons'] = reasons
    return out
