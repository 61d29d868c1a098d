"""Counting checks, running clients, and a prismcore-cli that serves one source."""
import json, os, re, select, signal, subprocess, sys, tempfile, threading, time

running = []  # processes to stop whatever happens


def stop(p):
    """End a process, first with a chance to end what it started."""
    if p.poll() is None:
        p.terminate()
        try:
            p.wait(15)
        except subprocess.TimeoutExpired:
            p.kill()
            p.wait()
    if p in running:
        running.remove(p)


def stop_all():
    for p in list(running):
        stop(p)


class Tally:
    """Prints one line a check and counts them."""

    def __init__(self, folder):
        self.folder, self.passed, self.failed, self.cells, self.lock = folder, 0, 0, {}, threading.RLock()

    def note(self, text):
        """Something that is not checked, and why."""
        with self.lock:
            print(f'--   {text}', flush=True)

    def cell(self, row, column, value):
        """One field of the table that finish() prints."""
        with self.lock:
            self.cells.setdefault(row, {})[column] = value

    def check(self, name, reasons, seconds=None):
        """`reasons` is empty (or None, '') when the check held."""
        if isinstance(reasons, str):
            reasons = [reasons]
        took = '' if seconds is None else f' ({seconds:.1f} s)'
        with self.lock:
            if reasons:
                self.failed += 1
                print(f'FAIL {name}{took}: ' + ' | '.join(str(r) for r in reasons)[:900], flush=True)
            else:
                self.passed += 1
                print(f'ok   {name}{took}', flush=True)

    def client(self, name, program, *args, limit=120):
        """Run one of the drivers here; it prints JSON with "failed"."""
        began = time.time()
        label = re.sub(r'\W+', '-', name)
        with tempfile.TemporaryDirectory(prefix='client-', dir=self.scratch()) as tmp:
            p = subprocess.Popen([sys.executable, os.path.join(os.path.dirname(__file__), program), *map(str, args)], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, TMPDIR=tmp), start_new_session=True)
            running.append(p)
            try:
                out, err = p.communicate(timeout=limit)
                text = out.decode(errors='replace')
                reasons = json.loads(text).get('failed') if text.strip() else [f'exit {p.returncode}: {err.decode(errors="replace")[-400:]}']
                if p.returncode and not reasons:
                    reasons = [f'exit {p.returncode}']
            except subprocess.TimeoutExpired:
                os.killpg(p.pid, signal.SIGKILL)
                out, err = p.communicate()
                text, reasons = out.decode(errors='replace'), [f'no end after {limit} s']
            except ValueError as e:
                reasons = [f'no JSON: {e}']
            running.remove(p)
        with open(os.path.join(self.folder, label + '.json'), 'w') as f:
            f.write(text)
        self.check(name, reasons, time.time() - began)

    def scratch(self):
        path = os.path.join(self.folder, 'tmp')
        os.makedirs(path, exist_ok=True)
        return path

    def table(self):
        columns = list(dict.fromkeys(c for row in self.cells.values() for c in row))
        wide = max(map(len, [*columns, 'client']), default=0)
        print(' ' * wide + ''.join(f'  {row}' for row in self.cells))
        for column in columns:
            print(f'{column:{wide}}' + ''.join(f'  {row_.get(column, ""):{len(row)}}' for row, row_ in self.cells.items()))

    def finish(self):
        if self.cells:
            self.table()
        if self.failed:
            print(f'what the clients and servers said is in {self.folder}')
        print(f'{self.passed} passed, {self.failed} failed', flush=True)
        return 1 if self.failed else 0


def left_in(folder):
    return sorted(os.path.join(os.path.relpath(d, folder), n) for d, ds, fs in os.walk(folder) for n in ds + fs)


class Server:
    """`prismcore-cli serve SOURCE` with a temporary folder of its own."""

    def __init__(self, tally, tool, name, source, words=()):
        self.tally, self.name = tally, name
        self.tmp = tempfile.mkdtemp(prefix='server-', dir=tally.scratch())
        self.log = os.path.join(tally.folder, f'{name}-server.log')
        self.playlist = self.player = None
        began = time.time()
        with open(self.log, 'wb') as err:
            self.proc = subprocess.Popen([tool, 'serve', *words, source], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=err, env=dict(os.environ, TMPDIR=self.tmp))
        running.append(self.proc)
        buf = b''
        while not (self.playlist and self.player) and time.time() < began + 30:
            if select.select([self.proc.stdout], [], [], 0.5)[0]:
                chunk = os.read(self.proc.stdout.fileno(), 4096)
                if not chunk:
                    break
                buf += chunk
                for line in buf.decode(errors='replace').splitlines():
                    for key in ('playlist', 'player'):
                        m = re.match(rf'{key}: (http://127\.0\.0\.1:\d+/\S*)$', line)
                        if m:
                            setattr(self, key, m[1])
        tally.check(f'{name}: serve prints both addresses', None if self.playlist and self.player else f'{buf[-300:]!r} {self.said()}', time.time() - began)

    def said(self):
        with open(self.log, errors='replace') as f:
            return f.read()[-400:]

    def stop(self, number=signal.SIGINT):
        """Interrupt it: exit 0 soon, and nothing of it stays on disk."""
        began, reasons = time.time(), []
        if self.proc.poll() is not None:
            reasons.append(f'it had ended with {self.proc.returncode}: {self.said()}')
        else:
            self.proc.send_signal(number)
            try:
                if self.proc.wait(10) != 0:
                    reasons.append(f'exit {self.proc.returncode}: {self.said()}')
            except subprocess.TimeoutExpired:
                self.proc.kill()
                self.proc.wait()
                reasons.append('still there after 10 s')
        self.proc.stdout.close()
        running.remove(self.proc)
        left = left_in(self.tmp)
        if left:
            reasons.append(f'left behind: {left[:4]}')
        self.tally.check(f'{self.name}: {signal.Signals(number).name} ends it with exit 0 and nothing left behind', reasons, time.time() - began)
