"""A film and a growing source behind nginx's cache (nginx_cache.py)."""
import os, select, tempfile, threading, time
from checks import Server


def run(tally, tool, media):
    server = Server(tally, tool, 'cached-film', media['film'])
    if server.playlist:
        tally.client('cached-film: what is final reaches us once, what is not each time', 'nginx_cache.py', server.playlist)
    server.stop()
    with tempfile.TemporaryDirectory(prefix='fifo-', dir=tally.scratch()) as folder:
        # A pipe has no index and cannot seek: its playlists grow, whatever else is planned.
        fifo, done = os.path.join(folder, 'pipe.ts'), threading.Event()
        os.mkfifo(fifo)
        with open(media['ts'], 'rb') as f:
            feeder = threading.Thread(target=pour, args=(fifo, f.read(), done))
        feeder.start()
        server = Server(tally, tool, 'cached-pipe', fifo)
        if server.playlist:
            tally.client('cached-pipe: a growing playlist is asked for each time, its segments once', 'nginx_cache.py', server.playlist, '--growing')
        server.stop()
        done.set()
        feeder.join()


def pour(path, data, done):
    """Write `data` into the fifo as it is read, then close it; give up when `done`."""
    fd = None
    while fd is None and not done.is_set():
        try:
            fd = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # no reader yet
            time.sleep(0.05)
    while data and not done.is_set():
        if not select.select([], [fd], [], 0.2)[1]:
            continue
        try:
            data = data[os.write(fd, data[:1 << 16]):]
        except BlockingIOError:
            continue
        except OSError:  # the reader left
            break
    if fd is not None:
        os.close(fd)
