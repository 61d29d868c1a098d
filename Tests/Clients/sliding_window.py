"""A source without index or way back, served with --window: players get all of it while entries leave the front of its playlists."""
import json, os, re, select, signal, subprocess, sys, tempfile, threading, time, urllib.error, urllib.request
from urllib.parse import urljoin

SECONDS, RATE, WINDOW = 100, 25, 10
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def make(path):
    if not os.path.exists(path):
        subprocess.run(['ffmpeg', '-nostdin', '-v', 'error', '-y', '-f', 'lavfi', '-i', f'testsrc2=s=320x180:r={RATE}:d={SECONDS}', '-f', 'lavfi', '-i',
                        f'sine=440:r=48000:d={SECONDS}', '-ac', '2', '-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '50', '-pix_fmt', 'yuv420p',
                        '-c:a', 'aac', '-f', 'mpegts', path + '.part'], check=True)
        os.rename(path + '.part', path)
    return path


class Served:
    """`prismcore-cli serve --window` on a named pipe that `source` is written into as fast as it is taken."""

    def __init__(self, tool, source, folder):
        pipe = os.path.join(folder, 'pipe')
        os.mkfifo(pipe)
        self.writer = subprocess.Popen(['/bin/sh', '-c', 'exec cat "$0" > "$1"', source, pipe])
        self.server = subprocess.Popen([tool, 'serve', '--no-page', '--window', str(WINDOW), pipe], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, env=dict(os.environ, TMPDIR=folder))
        self.url = None
        if select.select([self.server.stdout], [], [], 30)[0]:
            m = re.match(r'playlist: (\S+)', os.read(self.server.stdout.fileno(), 4096).decode(errors='replace'))
            self.url = m and m[1]

    def stop(self):
        for p in (self.server, self.writer):
            if p.poll() is None:
                p.send_signal(signal.SIGINT if p is self.server else signal.SIGTERM)
                try:
                    p.wait(10)
                except subprocess.TimeoutExpired:
                    p.kill()
                    p.wait()
        self.server.stdout.close()


class Watch(threading.Thread):
    """Reads the playlists again and again while a client plays, and holds every version against the rules."""

    def __init__(self, master):
        super().__init__(daemon=True)
        self.urls = [urljoin(master, u) for u in ('index.m3u8', 'audio0/index.m3u8')]
        self.reasons, self.names, self.fronts, self.over = [], {}, {}, threading.Event()

    def look(self, url):
        with opener.open(url, timeout=20) as r:
            text = r.read().decode()
        sequence, target = (int(re.search(rf'#EXT-X-{tag}:(\d+)', text)[1]) for tag in ('MEDIA-SEQUENCE', 'TARGETDURATION'))
        entries = re.findall(r'#EXTINF:([\d.]+),[^\n]*\n(\S+)', text)
        if 'PLAYLIST-TYPE' in text or 'DISCONTINUITY' in text:
            self.reasons.append('a type or a discontinuity')
        if sequence < self.fronts.get(url, 0):
            self.reasons.append(f'the sequence fell to {sequence}')
        if sequence and sum(float(d) for d, _ in entries) < 3 * target:
            self.reasons.append(f'from {sequence} on less than three targets are listed')
        for at, entry in enumerate(entries):
            if self.names.setdefault((url, sequence + at), entry) != entry:
                self.reasons.append(f'number {sequence + at} changed to {entry}')
        self.fronts[url] = sequence

    def run(self):
        while not self.over.wait(0.3):
            try:
                for url in self.urls:
                    self.look(url)
            except (OSError, TypeError) as e:
                self.reasons.append(str(e))
                return

    def stop(self):
        self.over.set()
        self.join()
        if len(set(self.fronts.values())) != 1 or not min(self.fronts.values(), default=0):
            self.reasons.append(f'fronts at the end: {list(self.fronts.values())}')
        return self.reasons[:4]


def counts(ffmpeg, url, limit):
    """Pictures and frames of sound as ffmpeg demuxes them, and what it complained of."""
    p = subprocess.run([ffmpeg, '-nostdin', '-v', 'error', '-i', url, '-map', '0:v:0', '-map', '0:a:0', '-c', 'copy', '-f', 'framecrc', '-'], stdin=subprocess.DEVNULL,
                       capture_output=True, text=True, timeout=limit)
    lines = [l.split(',')[0].strip() for l in p.stdout.splitlines() if l[:1].isdigit()]
    said = [l[:160] for l in p.stderr.splitlines() if l.strip() and 'duplicated MOOV' not in l and 'Last message' not in l]
    return (lines.count('0'), lines.count('1')), said


def play_ffmpeg(ffmpeg, url, source):
    got, said = counts(ffmpeg, url, 120)
    want, _ = counts(ffmpeg, source, 60)
    return said[:3] + ([] if got == want else [f'{got} pictures and frames of {want}'])


def play_gstreamer(url):
    p = subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), 'gst_end.py'), url, '--limit', '110'], stdin=subprocess.DEVNULL, capture_output=True,
                       text=True, timeout=130)
    try:
        seen = json.loads(p.stdout)
    except ValueError:
        return [f'exit {p.returncode}: {p.stderr[-300:]}']
    reasons = seen['failed']
    if seen['video']['buffers'] != SECONDS * RATE:
        reasons.append(f'{seen["video"]["buffers"]} pictures of {SECONDS * RATE}')
    for name in ('video', 'audio'):
        if not SECONDS - 0.2 <= seen[name].get('to', 0) - seen[name].get('from', 0) <= SECONDS + 0.2:
            reasons.append(f'{name} {seen[name]}')
    return reasons


def run(tally, tool, root):
    media = os.path.join(tally.folder, 'media')
    os.makedirs(media, exist_ok=True)
    source = make(os.path.join(media, 'window.ts'))
    ffmpeg = os.path.join(root, '.tools', 'bin', 'ffmpeg')
    for client, play in (('static ffmpeg', lambda url: play_ffmpeg(ffmpeg, url, source)), ('GStreamer', play_gstreamer)):
        began = time.time()
        with tempfile.TemporaryDirectory(prefix='window-', dir=tally.scratch()) as folder:
            served = Served(tool, source, folder)
            try:
                if served.url:
                    watch = Watch(served.url)
                    watch.start()
                    try:
                        reasons = play(served.url)
                    except subprocess.TimeoutExpired:
                        reasons = ['no end']
                    reasons += watch.stop()
                else:
                    reasons = ['no playlist']
            finally:
                served.stop()
        tally.check(f'window: {client} plays all of a pipe while entries leave the front', reasons, time.time() - began)
