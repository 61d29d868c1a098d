"""curl fetches a whole presentation, every playlist, init and media segment, in each of the ways HTTP has for it."""
import hashlib, json, os, re, shutil, subprocess, tempfile
from urllib.parse import urljoin
import trial



class Curl:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix='curl-')

    def version(self):
        return subprocess.run(['curl', '--version'], capture_output=True, text=True).stdout.split(' (')[0]

    def fetch(self, what, wanted, *options):
        """`wanted` is [(url, more lines for curl's config)], all in one run of curl; gives what curl tells of each, with its body."""
        config, paths = [], []
        for i, (url, *lines) in enumerate(wanted):
            path = os.path.join(self.folder, str(i))
            if os.path.exists(path):
                os.remove(path)
            config += [*(['next'] if i else []), 'http1.1', 'silent', 'show-error', 'max-time = 30', 'noproxy = "*"', f'url = "{url}"', f'output = "{path}"', r'write-out = "%{json}\n"', *options, *lines]
            paths.append(path)
        p = subprocess.run(['curl', '-K', '-'], input='\n'.join(config).encode(), capture_output=True, timeout=60)
        if p.returncode:
            raise trial.Failed(f'{what}: curl ends with {p.returncode}: {p.stderr.decode(errors="replace")[-300:]}')
        told = [json.loads(l) for l in p.stdout.decode().splitlines() if l.startswith('{')]
        if len(told) != len(wanted):
            raise trial.Failed(f'{what}: {len(told)} answers to {len(wanted)} requests')
        for t, path in zip(told, paths):
            with open(path, 'rb') if os.path.exists(path) else open(os.devnull, 'rb') as f:
                t['body'] = f.read()
        return told

    def all(self, what, urls, status, *options, lines=lambda url: []):
        told = self.fetch(what, [(u, *lines(u)) for u in urls], *options)
        for url, t in zip(urls, told):
            if t['http_code'] != status:
                raise trial.Failed(f'{what}: {t["http_code"]} for {url}')
            if t['http_version'] != '1.1':
                raise trial.Failed(f'{what}: HTTP/{t["http_version"]}')
        return told

    def run(self, film, leave):
        done, seen = [], {}
        master = film['url']
        text = self.all('master', [master], 200)[0]['body'].decode()
        playlists = [urljoin(master, u) for u in [*re.findall(r'URI="([^"]+)"', text), *(l for l in text.splitlines() if l and l[0] != '#')]]
        urls, bodies = [master, *playlists], {}
        for url, t in zip(playlists, self.all('playlists', playlists, 200)):
            lines = t['body'].decode().splitlines()
            if lines[0] != '#EXTM3U' or '#EXT-X-ENDLIST' not in lines:
                raise trial.Failed(f'{url} is no playlist with an end')
            urls += [urljoin(url, u) for u in [*re.findall(r'#EXT-X-MAP:URI="([^"]+)"', t['body'].decode()), *(l for l in lines if l and l[0] != '#')]]
        told = self.all('whole', urls, 200)
        for url, t in zip(urls, told):
            bodies[url] = t['body']
            kind = 'application/vnd.apple.mpegurl' if '.m3u8' in url else ('video/', 'audio/')
            if not (t['content_type'] or '').startswith(kind):
                raise trial.Failed(f'whole: {url} is {t["content_type"]}')
            if not t['body'] or len(t['body']) != t['size_download']:
                raise trial.Failed(f'whole: {url} has {len(t["body"])} bytes')
        seen.update(requests=len(urls), bytes=sum(map(len, bodies.values())))
        done.append('whole')
        # a server may end a connection that has served much; each request its own would be no keep-alive
        seen['connections'] = sum(t['num_connects'] for t in told)
        if seen['connections'] > 1 + len(urls) // 50:
            raise trial.Failed(f'keep-alive: {seen["connections"]} connections for {len(urls)} requests')
        done.append('keep-alive')
        heads = self.all('HEAD', urls, 200, 'head')
        for url, t in zip(urls, heads):
            length = re.search(rb'(?im)^content-length: *(\d+)', t['body'])
            if t['size_download'] or (length and int(length[1]) != len(bodies[url])):
                raise trial.Failed(f'HEAD: {url} tells {length and length[1]}, {len(bodies[url])} bytes come')
            seen['heads with a length'] = seen.get('heads with a length', 0) + bool(length)
        done.append('HEAD')
        pieces = {}
        for part in range(3):
            third = lambda u: (len(bodies[u]) + 2) // 3
            span = (lambda u: [f'range = "0-{third(u) - 1}"'], lambda u: [f'range = "{third(u)}-{2 * third(u) - 1}"'], lambda u: [f'range = "{2 * third(u)}-"'])[part]
            for url, t in zip(urls, self.all(f'ranges, piece {part + 1} of 3', urls, 206, lines=span)):
                pieces[url] = pieces.get(url, b'') + t['body']
        self.same('ranges', bodies, pieces)
        done.append('ranges')
        self.same('compressed', bodies, dict(zip(urls, (t['body'] for t in self.all('compressed', urls, 200, 'compressed')))))
        done.append('compressed')
        if sum(map(len, pieces.values())) != seen['bytes']:
            raise trial.Failed('the sums of bytes differ')
        return {'done': done, 'seen': seen}

    def same(self, what, one, other):
        for url in one:
            if hashlib.sha256(one[url]).digest() != hashlib.sha256(other[url]).digest():
                raise trial.Failed(f'{what}: {url} has other bytes, {len(other[url])} for {len(one[url])}')

    def leave(self):
        pass

    def tell(self):
        return {}

    def shot(self, path):
        pass

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)
