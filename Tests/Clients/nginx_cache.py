#!/usr/bin/env python3
"""nginx with a cache before prismcore-cli: what is final is fetched from us once, what grows each time.

  nginx_cache.py PLAYLIST [--growing]

PLAYLIST is a multivariant playlist that `prismcore-cli serve` printed. With --growing its media playlists have
no end yet. Two servers of one nginx stand in a row,
both on Unix sockets: the outer one caches as RFC 9111 and nginx's defaults have it; all it fetches goes through the inner one, whose log holds a line for
every request that reaches prismcore-cli. Prints JSON with "failed" and what was counted.
"""
import argparse, http.client, json, os, re, shutil, signal, socket, subprocess, sys, tempfile, time
from urllib.parse import urljoin, urlsplit

# Marks requests that only wait for something to change: nginx logs a request after its answer, so they might be counted with what follows.
POLL = 'only-waiting'
CONFIG = '''
daemon off; master_process off; worker_processes 1; pid {dir}/pid; error_log {dir}/error.log;
events {{ worker_connections 256; }}
http {{
  client_body_temp_path {dir}/body; proxy_temp_path {dir}/proxy; fastcgi_temp_path {dir}/fcgi; uwsgi_temp_path {dir}/uwsgi; scgi_temp_path {dir}/scgi;
  proxy_cache_path {dir}/cache keys_zone=film:1m inactive=1h max_size=1g use_temp_path=off;
  log_format reached '$request_method $request_uri $status "$http_if_none_match"';
  access_log off;
  server {{
    listen unix:{dir}/outer;
    add_header X-Cache $upstream_cache_status always;
    proxy_http_version 1.1;
    location / {{
      proxy_pass http://unix:{dir}/inner:;
      proxy_cache film; proxy_cache_key $uri; proxy_cache_lock on; proxy_cache_revalidate on;
    }}
    # What an operator may add to keep what is to be asked for again: it is asked for with If-None-Match, and costs a 304.
    location /revalidated/ {{
      proxy_pass http://unix:{dir}/inner:/;
      proxy_cache film; proxy_cache_key revalidated$uri; proxy_ignore_headers Cache-Control; proxy_cache_valid 200 1s; proxy_cache_revalidate on;
    }}
  }}
  server {{
    listen unix:{dir}/inner;
    access_log {dir}/reached.log reached;
    proxy_http_version 1.1;
    location / {{
      proxy_pass http://{upstream}; proxy_set_header Host {upstream}; proxy_set_header Connection "";
      proxy_buffering off;
    }}
  }}
}}
'''


class Unix(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__('127.0.0.1', timeout=30)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(30)
        self.sock.connect(self.path)


class Check:
    def __init__(self, folder):
        self.folder, self.failed, self.counted = folder, [], {}

    def get(self, path, method='GET', server='outer', **fields):
        c = Unix(os.path.join(self.folder, server))
        c.request(method, path, headers={k.replace('_', '-'): v for k, v in fields.items()})
        r = c.getresponse()
        r.body = r.read()
        c.close()
        return r

    def reached(self, path=None):
        """Requests that came to prismcore-cli so far; of one path, or all."""
        with open(os.path.join(self.folder, 'reached.log')) as f:
            return [l for l in f.read().splitlines() if (path is None or l.split(' ')[1] == path) and POLL not in l]

    def want(self, what, ok, *seen):
        if not ok:
            self.failed.append(f'{what}: {" ".join(str(s) for s in seen)}')

    def once(self, path):
        """Whole, again, HEAD, ranges, conditions: all but the first is the cache's."""
        first = self.get(path)
        self.want(f'{path} is served', first.status == 200 and first.getheader('X-Cache') == 'MISS', first.status, first.getheader('X-Cache'))
        self.want(f'{path} may be kept', first.getheader('Cache-Control') == 'public, max-age=31536000, immutable', first.getheader('Cache-Control'))
        tag = first.getheader('ETag') or ''
        self.want(f'{path} has a strong tag', tag.startswith('"'), tag)
        before = len(self.reached())
        body, last = first.body, len(first.body) - 1
        asked = [
            ('again', self.get(path), 200, body), ('HEAD', self.get(path, 'HEAD'), 200, b''),
            ('its first bytes', self.get(path, Range='bytes=0-99'), 206, body[:100]), ('its last bytes', self.get(path, Range='bytes=-7'), 206, body[-7:]),
            ('from the middle', self.get(path, Range=f'bytes={last // 2}-'), 206, body[last // 2:]),
            ('a range if unchanged', self.get(path, Range='bytes=5-9', If_Range=tag), 206, body[5:10]),
            ('a range past its end', self.get(path, Range=f'bytes={last + 1}-'), 416, None),
            ('if changed', self.get(path, If_None_Match=tag), 304, b''), ('if other', self.get(path, If_None_Match='"x"'), 200, body),
        ]
        for what, r, status, content in asked:
            self.want(f'{path}, {what}', r.status == status and (content is None or r.body == content), r.status, len(r.body))
            self.want(f'{path}, {what}, is the cache\'s', (r.getheader('X-Cache') or '').startswith('HIT'), r.getheader('X-Cache'))
        self.want(f'{path} reached us once', len(self.reached()) == before and len(self.reached(path)) == 1, self.reached()[before:])
        self.counted[path] = dict(asked=len(asked) + 1, reached=len(self.reached(path)))
        return body

    def each_time(self, path, times=3):
        """Never kept; and whoever holds the current one is told so by us."""
        before = len(self.reached(path))
        for _ in range(times):
            r = self.get(path)
            if b'#EXT-X-ENDLIST' in r.body and r.getheader('Cache-Control') != 'no-cache':
                return r.body.decode()  # Its end came: final from here on.
            self.want(f'{path} is served', r.status == 200, r.status)
            self.want(f'{path} must be asked for again', r.getheader('Cache-Control') == 'no-cache', r.getheader('Cache-Control'))
        self.want(f'{path} reached us each time', len(self.reached(path)) == before + times, self.reached(path)[before:])
        held = self.get(path, server='inner')
        tag = held.getheader('ETag') or ''
        again = self.get(path, server='inner', If_None_Match=f'"x", W/{tag}')
        self.want(f'{path} is not sent to who holds it', again.status == 304 and not again.body or held.body != self.get(path, server='inner').body, again.status)
        self.counted[path] = dict(asked=times, reached=times)
        return r.body.decode()

    def revalidated(self, path):
        """A cache told to keep it a second asks with its tag, and keeps it on our 304."""
        for _ in range(40):
            r = self.get('/revalidated' + path)
            if r.getheader('X-Cache') == 'REVALIDATED':
                break
            time.sleep(0.1)
        self.want(f'{path} is revalidated', r.getheader('X-Cache') == 'REVALIDATED', r.getheader('X-Cache'))
        lines = [l for l in self.reached(path) if l.split(' ')[2] == '304']
        self.want(f'{path}: 304 to the cache', any('"' in l for l in lines), self.reached(path)[-3:])


def uris(text):
    return re.findall(r'URI="([^"]+)"', text) + [l for l in text.splitlines() if l and not l.startswith('#')]


def run(check, master, growing):
    top = check.each_time(master)
    check.revalidated(master)
    listed = []
    for media in [urljoin(master, u) for u in uris(top)]:
        if growing:
            listed.append(grows(check, media))
            continue
        text = check.once(media).decode()
        parts = [urljoin(media, u) for u in uris(text)]
        for part in dict.fromkeys([parts[0], parts[1], parts[len(parts) // 2], parts[-1]]):
            check.once(part)
    # The first one's segments are fetched before the second is looked at, which may be all there by then.
    check.want('a playlist grew, and the cache did not hide it', not growing or any(len(set(lengths)) > 1 for lengths in listed), listed)


def grows(check, media):
    """What it lists is fetched once, it itself each time, and each time it says what there is now."""
    lengths = []
    for _ in range(4):
        text = check.each_time(media)
        parts = [urljoin(media, u) for u in uris(text)]
        lengths.append(len(parts))
        for part in parts:
            if not check.reached(part):
                check.once(part)
        if '#EXT-X-ENDLIST' in text:
            break
        wait(lambda: check.get(media, server='inner', If_None_Match=f'"{POLL}"').body.decode() != text)
    check.want(f'{media} never lost an entry', lengths == sorted(lengths), lengths)
    return lengths


def wait(is_so, seconds=10):
    end = time.time() + seconds
    while not is_so() and time.time() < end:
        time.sleep(0.05)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('playlist')
    ap.add_argument('--growing', action='store_true')
    A = ap.parse_args()
    url = urlsplit(A.playlist)
    # A Unix socket's path is short: not in a deep folder.
    folder = tempfile.mkdtemp(prefix='prism-nginx-', dir='/tmp')
    check = Check(folder)
    with open(os.path.join(folder, 'conf'), 'w') as f:
        f.write(CONFIG.format(dir=folder, upstream=url.netloc))
    nginx = shutil.which('nginx') or '/usr/sbin/nginx'
    p = subprocess.Popen([nginx, '-p', folder, '-e', os.path.join(folder, 'error.log'), '-c', os.path.join(folder, 'conf')], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        wait(lambda: os.path.exists(os.path.join(folder, 'inner')) or p.poll() is not None)
        if p.poll() is not None:
            check.failed.append(f'nginx ended: {p.stderr.read().decode()[-300:]}')
        else:
            run(check, url.path, A.growing)
    except (OSError, http.client.HTTPException) as e:
        check.failed.append(f'{type(e).__name__}: {e}')
    finally:
        if p.poll() is None:
            p.send_signal(signal.SIGTERM)
            p.wait(10)
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(dict(failed=check.failed, counted=check.counted), indent=1))
    sys.exit(1 if check.failed else 0)


main()
