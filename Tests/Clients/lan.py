"""`serve --lan` on a network of its own: the server in one network namespace, the clients in another, real interfaces between them.

    namespace "server"                      namespace "receiver"
      lo       127.0.0.1
      eth0     10.77.0.1  ----------------  eth0   10.77.0.2
      eth1     10.78.0.1  ----------------  eth1   10.78.0.2
      docker0  10.79.0.1  (a bridge)

Needs Linux, root (with the right to make namespaces) and iproute2; without them it says so and checks nothing.
"""
import os, re, select, shutil, signal, subprocess, tempfile, time

OURS, OTHER, BRIDGE = '10.77.0.1', '10.78.0.1', '10.79.0.1'


def why_not():
    """Why this machine cannot run it, or None."""
    if not shutil.which('ip'):
        return 'no iproute2 here (the command ip)'
    if os.geteuid() != 0:
        return 'only root can make network namespaces'
    name = f'prism-try-{os.getpid()}'
    p = subprocess.run(['ip', 'netns', 'add', name], capture_output=True, text=True)
    if p.returncode:
        return f'no network namespace to be had: {p.stderr.strip()}'
    subprocess.run(['ip', 'netns', 'del', name], capture_output=True)
    return None


def run(tally, tool, film):
    reason = why_not()
    if reason:
        print(f'skip the local network: {reason}', flush=True)
        return
    net = Network()
    try:
        net.make()
        Check(tally, tool, film, net).all()
    finally:
        net.remove()


class Network:
    def __init__(self):
        self.server, self.receiver = (f'prism-{end}-{os.getpid()}' for end in ('server', 'receiver'))

    def ip(self, *words):
        subprocess.run(['ip', *words], check=True, capture_output=True, timeout=20)

    def make(self):
        for name in (self.server, self.receiver):
            self.ip('netns', 'add', name)
            self.ip('-n', name, 'link', 'set', 'lo', 'up')
        for device, net in (('eth1', '10.78.0'), ('eth0', '10.77.0')):
            self.ip('-n', self.server, 'link', 'add', device, 'type', 'veth', 'peer', 'name', device, 'netns', self.receiver)
            for name, end in ((self.server, 1), (self.receiver, 2)):
                self.ip('-n', name, 'addr', 'add', f'{net}.{end}/24', 'dev', device)
                self.ip('-n', name, 'link', 'set', device, 'up')
        # As low a number as eth0's; a container network all the same.
        self.ip('-n', self.server, 'link', 'add', 'docker0', 'type', 'veth', 'peer', 'name', 'docker0-end')
        for device in ('docker0', 'docker0-end'):
            self.ip('-n', self.server, 'link', 'set', device, 'up')
        self.ip('-n', self.server, 'addr', 'add', f'{BRIDGE}/24', 'dev', 'docker0')

    def remove(self):
        for name in (self.server, self.receiver):
            subprocess.run(['ip', 'netns', 'del', name], capture_output=True, timeout=20)

    def inside(self, name, command, limit=60):
        return subprocess.run(['ip', 'netns', 'exec', name, *command], stdin=subprocess.DEVNULL, capture_output=True, timeout=limit)


class Server:
    """`prismcore-cli serve --lan` inside the server's namespace."""

    def __init__(self, tally, net, tool, film, *options):
        self.tmp = tempfile.mkdtemp(prefix='lan-', dir=tally.scratch())
        self.log = os.path.join(tally.folder, 'lan-server.log')
        with open(self.log, 'wb') as err:
            self.proc = subprocess.Popen(['ip', 'netns', 'exec', net.server, tool, 'serve', '--lan', *options, film], stdin=subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=err, env=dict(os.environ, TMPDIR=self.tmp))
        self.out, end = '', time.time() + 30
        while self.out.count('\n') < 2 and time.time() < end:
            if select.select([self.proc.stdout], [], [], 0.5)[0]:
                chunk = os.read(self.proc.stdout.fileno(), 4096)
                if not chunk:
                    break
                self.out += chunk.decode()
        m = re.search(r'^playlist: (http://([\d.]+):(\d+)/([\w-]{32})/)master\.m3u8$', self.out, re.M)
        self.base, self.address, self.port, self.token = m.groups() if m else (None,) * 4

    def said(self):
        with open(self.log, errors='replace') as f:
            return f.read()

    def stop(self):
        if self.proc.poll() is None:
            self.proc.send_signal(signal.SIGINT)
        try:
            return self.proc.wait(10)
        except subprocess.TimeoutExpired:
            self.proc.kill()
            return self.proc.wait()
        finally:
            self.proc.stdout.close()


class Check:
    def __init__(self, tally, tool, film, net):
        self.tally, self.tool, self.film, self.net = tally, tool, film, net

    def curl(self, where, url, *more):
        """(exit code of curl, status, head and body without the date)"""
        p = self.net.inside(where, ['curl', '-sS', '-i', '--noproxy', '*', '-m', '10', '--path-as-is', *more, url])
        answer = re.sub(rb'\r\nDate: [^\r]*', b'', p.stdout)
        m = re.match(rb'HTTP/1\.1 (\d+)', answer)
        return p.returncode, int(m[1]) if m else 0, answer

    def all(self):
        began = time.time()
        server = Server(self.tally, self.net, self.tool, self.film)
        try:
            risk = 'unencrypted' in server.said()
            reasons = [] if server.base and server.address == OURS and risk else [f'{server.out!r} {server.said()[-300:]!r}']
            if f'player: {server.base}player/index.html' not in server.out:
                reasons.append('no player below the token')
            self.tally.check('lan: serve --lan prints addresses with a token, on eth0, and what it risks', reasons, time.time() - began)
            if server.base:
                for part in (self.let_in, self.kept_out, self.bound, self.plays, self.lost):
                    began, reasons = time.time(), []
                    title = part(server, reasons)
                    self.tally.check(f'lan: {title}', reasons, time.time() - began)
        finally:
            began, code = time.time(), server.stop()
        said, reasons = server.said(), [] if code == 0 else [f'exit {code}']
        if server.token and server.token in said:
            reasons.append('the token is in the log')
        self.tally.check('lan: SIGINT ends it with exit 0, and its log never held the token', reasons, time.time() - began)
        self.choices()

    def let_in(self, server, reasons):
        for what, url, more in (
                ('the playlist', server.base + 'master.m3u8', []), ('by header', f'http://{OURS}:{server.port}/master.m3u8', ['-H', f'X-PrismCore-Token: {server.token}']),
                ('the page', server.base + 'player/index.html', []), ('its data', server.base + 'player/session.json', [])):
            code, status, answer = self.curl(self.net.receiver, url, *more)
            if status != 200:
                reasons.append(f'{what}: curl {code}, {answer[:200]!r}')
            if server.token.encode() in answer:
                reasons.append(f'{what} quotes the token')
        return 'with the token the other machine gets all of it, and relative names suffice'

    def kept_out(self, server, reasons):
        wrong = server.token[::-1]
        root = f'http://{OURS}:{server.port}/'
        for method in ([], ['-I'], ['-X', 'OPTIONS']):
            wrong_name = self.curl(self.net.receiver, server.base + 'nothing', *method)
            for path in ('', 'master.m3u8', f'{wrong}/master.m3u8', f'{wrong}/nothing', wrong, server.token + 'x/master.m3u8', f'..//{server.token}/master.m3u8'):
                got = self.curl(self.net.receiver, root + path, *method)
                if got[1] != 404 or (method != ['-X', 'OPTIONS'] and got != wrong_name):
                    reasons.append(f'{method} {path.replace(server.token, "TOKEN")}: {got[2][:120]!r}')
        for method in ('POST', 'DELETE', 'BREW'):
            if self.curl(self.net.receiver, root + 'master.m3u8', '-X', method)[1] != 404 or self.curl(self.net.receiver, server.base + 'master.m3u8', '-X', method)[1] != 405:
                reasons.append(f'{method}: not 404 without the token, 405 with it')
        got = self.curl(self.net.receiver, server.base + 'master.m3u8', '-H', 'Host: evil.example')
        if got[1] != 421:
            reasons.append(f'a foreign Host: {got[2][:120]!r}')
        return 'without the token everything is 404, and a wrong token is byte for byte a wrong name'

    def bound(self, server, reasons):
        for where, address in ((self.net.server, '127.0.0.1'), (self.net.receiver, OTHER), (self.net.server, OTHER), (self.net.server, BRIDGE)):
            code, _, answer = self.curl(where, f'http://{address}:{server.port}/{server.token}/master.m3u8')
            if code != 7:
                reasons.append(f'{address}: curl {code} {answer[:80]!r}')
        return 'the loopback, the other interface and the bridge refuse the connection'

    def plays(self, server, reasons):
        p = self.net.inside(self.net.receiver, ['ffmpeg', '-v', 'error', '-nostdin', '-t', '5', '-i', server.base + 'master.m3u8', '-map', '0:v', '-map', '0:a', '-f', 'framecrc', '-'], 90)
        streams = {l.split(b',')[0] for l in p.stdout.splitlines() if l[:1].isdigit()}
        if p.returncode or len(streams) < 2:
            reasons.append(f'exit {p.returncode}, {len(streams)} streams: {p.stderr[-300:]!r}')
        return 'FFmpeg plays it on the other machine'

    def lost(self, server, reasons):
        url = server.base + 'master.m3u8'
        lan = ['-n', self.net.server, 'addr']

        def until(what, where, statuses):
            end = time.time() + 15
            got = None
            while time.time() < end:
                got = self.curl(where, url)
                if got[1] in statuses:
                    return got
                time.sleep(0.1)
            reasons.append(f'{what}: {got}')
            return got

        # Gone altogether: nobody gets through. Its number on the loopback lets this machine ask, and is no way back.
        self.net.ip(*lan, 'del', f'{OURS}/24', 'dev', 'eth0')
        self.net.ip(*lan, 'add', f'{OURS}/32', 'dev', 'lo')
        until('the address is gone', self.net.server, [503])
        got = self.curl(self.net.server, f'http://{OURS}:{server.port}/master.m3u8')
        if got[1] != 404:
            reasons.append(f'without the token, while lost: {got}')
        self.net.ip(*lan, 'del', f'{OURS}/32', 'dev', 'lo')
        self.net.ip(*lan, 'add', f'{OURS}/24', 'dev', 'eth0')
        until('the address is back', self.net.receiver, [200])
        # A cable pulled: the address stays, the link does not.
        self.net.ip('-n', self.net.receiver, 'link', 'set', 'eth0', 'down')
        until('the link is gone', self.net.server, [503])
        self.net.ip('-n', self.net.receiver, 'link', 'set', 'eth0', 'up')
        until('the link is back', self.net.receiver, [200])
        said = server.said()
        if said.count(f'address lost: {OURS}') != 2 or said.count(f'address back: {OURS}') != 2:
            reasons.append(f'it said {said[-400:]!r}')
        return 'address lost: 503 and a word; address back: it serves again, twice'

    def choices(self):
        for wanted, address in (('docker0', BRIDGE), ('eth1', OTHER), (OTHER, OTHER)):
            server = Server(self.tally, self.net, self.tool, self.film, '--interface', wanted)
            code = server.stop()
            self.tally.check(f'lan: --interface {wanted} serves on {address}', [] if server.address == address and code == 0 else [f'exit {code} {server.out!r} {server.said()[-200:]!r}'])
        for title, command in (('an interface that is not there', ['--interface', 'eth9']), ('the loopback as interface', ['--interface', 'lo'])):
            self.refused(title, command, command[1])
        for device in ('eth0', 'eth1', 'docker0'):
            self.net.ip('-n', self.net.server, 'link', 'set', device, 'down')
        self.refused('a machine with no interface left', [], 'eth0 (10.77.0.1) is down')

    def refused(self, title, options, word):
        p = self.net.inside(self.net.server, [self.tool, 'serve', '--lan', *options, self.film])
        err = p.stderr.decode()
        held = p.returncode == 1 and word in err and 'local network can reach' in err and not p.stdout
        self.tally.check(f'lan: {title} is refused by name', [] if held else [f'exit {p.returncode} {p.stdout!r} {err[-300:]!r}'])
