"""Inputs that must be refused: exit 1, a text that names the cause, soon, and nothing left behind."""
import os, re, socket, subprocess, tempfile, threading, time
from checks import left_in

LIMIT = 25  # seconds


def run(tally, tool, media):
    with tempfile.TemporaryDirectory(prefix='bad-', dir=tally.scratch()) as folder:
        cases = make(folder, media)
        with socket.create_server(('127.0.0.1', 0)) as silent:
            silent.listen(8)  # the kernel takes the connection, nobody ever answers
            cases['an origin that never answers'] = (f'http://127.0.0.1:{silent.getsockname()[1]}/film.mkv', r'timed? ?out|within|answer|respon', None)
            for command in ('probe', 'serve'):
                for name, (source, cause, feed) in cases.items():
                    refuse(tally, tool, command, name, source, cause, feed, 1)
    for words in ([], ['serve'], ['probe', '--bogus', 'x'], ['dance', 'x'], ['serve', '--port', '70000', 'x']):
        p = subprocess.run([tool, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT)
        tally.check(f'wrong usage: {" ".join(words) or "no words"}: exit 2 and the usage on stderr',
                    None if p.returncode == 2 and 'usage:' in p.stderr and not p.stdout else f'exit {p.returncode} {p.stderr[:200]!r}')


def make(folder, media):
    """name -> (source, what the text must match, bytes for a fifo)"""
    def file(name, data):
        path = os.path.join(folder, name)
        with open(path, 'wb') as f:
            f.write(data)
        return path

    with open(media['sample'], 'rb') as f:
        matroska = f.read(300)
    with open(media['hevc'], 'rb') as f:
        mp4 = f.read(40000)
    invalid = r'invalid|recogni[sz]e|not (a|media|readable)|no (stream|track|video|picture)|format|truncat|ends|cut'
    fifo = os.path.join(folder, 'fifo')
    os.mkfifo(fifo)
    return {
        'a missing file': (os.path.join(folder, 'missing.mkv'), r'no such file|no source by this name|not found|does not exist', None),
        'a folder': (folder, r'director|folder', None),
        'an empty file': (file('empty.mkv', b''), r'empty|' + invalid, None),
        'a text': (file('text.mkv', b'This is no film, only some words.\n' * 200), invalid, None),
        'a Matroska header cut short': (file('cut.mkv', matroska), invalid, None),
        'an MP4 without its index': (file('cut.mp4', mp4), invalid + r'|moov|index', None),
        'a fifo that ends': (fifo, invalid + r'|empty|fifo|pipe|seek', matroska),
    }


def refuse(tally, tool, command, name, source, cause, feed, code):
    with tempfile.TemporaryDirectory(prefix='refuse-', dir=tally.scratch()) as tmp:
        began, reasons, done = time.time(), [], threading.Event()
        p = subprocess.Popen([tool, command, source], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ, TMPDIR=tmp))
        feeder = threading.Thread(target=pour, args=(source, feed, done)) if feed is not None else None
        if feeder:
            feeder.start()
        try:
            out, err = p.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            p.kill()
            out, err = p.communicate()
            reasons.append(f'no end after {LIMIT} s')
        done.set()
        if feeder:
            feeder.join()
        if not reasons and p.returncode != code:
            reasons.append(f'exit {p.returncode}')
        if not re.search(cause, err, re.I):
            reasons.append(f'the text does not name the cause: {err[-300:]!r}')
        if 'playlist:' in out:
            reasons.append('it printed a playlist')
        if left_in(tmp):
            reasons.append(f'left behind: {left_in(tmp)[:4]}')
        tally.check(f'{command} refuses {name}', reasons, time.time() - began)


def pour(path, data, done):
    """Write `data` into the fifo once somebody reads it, then close it; give up when `done`."""
    while not done.is_set():
        try:
            fd = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # no reader yet
            time.sleep(0.05)
            continue
        try:
            os.write(fd, data)
        except OSError:
            pass
        os.close(fd)
        if not data:
            return
        time.sleep(0.05)
