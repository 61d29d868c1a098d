"""Sound that not every browser decodes: the page, or a script, asks the browser, and what it is led to is heard."""
import json, os, subprocess, time, urllib.error, urllib.request
from urllib.parse import quote, urljoin, urlsplit
import browser_hls, burnt_in, checks

SECONDS = 16
PICTURE = ['-f', 'lavfi', '-i', burnt_in.picture('640x360', SECONDS), '-f', 'lavfi', '-i', burnt_in.sound(440, SECONDS), '-map', '0', '-map', '1']
H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '50', '-pix_fmt', 'yuv420p', '-crf', '28']
# What browsers are asked of the sound, and what it becomes where they say no: the first of what they take.
SURROUND, STEREO = [('ec-3', 'ec-3'), ('aac', 'mp4a.40.2'), ('flac', 'fLaC')], [('flac', 'fLaC'), ('aac', 'mp4a.40.2')]
FILMS = {
    'eac3': dict(words=[*H264, '-c:a', 'eac3', '-ac', '6'], file='eac3.mkv', asks='ec-3', becomes=SURROUND),
    'dts': dict(words=[*H264, '-c:a', 'dca', '-strict', '-2', '-ac', '6'], file='dts.mkv', asks=None, becomes=SURROUND),
    'opus': dict(words=[*H264, '-c:a', 'libopus', '-ac', '2'], file='opus.mkv', asks='opus', becomes=STEREO),
    'vp9': dict(words=['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-g', '50', '-c:a', 'libopus', '-ac', '2'], file='vp9.webm', asks='opus', becomes=STEREO),
}
# Films that no client plays here.
OTHERS = {
    'aac': dict(words=[*H264, '-c:a', 'aac', '-ac', '6'], file='aac51.mkv'),
    'many': dict(words=['-map', '1', '-map', '1', *H264, '-c:a:0', 'eac3', '-ac:a:0', '6', '-c:a:1', 'libopus', '-ac:a:1', '2', '-c:a:2', 'dca', '-strict', '-2', '-ac:a:2', '6'], file='many.mkv'),
}
CLIENTS = [('Chromium', 'chromium', False), ('Chromium with hls.js', 'chromium', True), ('WebKitGTK', 'webkit', False), ('Firefox with hls.js', 'firefox', True)]
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def get(url):
    with opener.open(url, timeout=30) as r:
        return json.loads(r.read())


class Serving:
    """`serve FILM --target TARGET`; a film of VP9 is none for Apple's players, and begins as one for browsers."""

    def __init__(self, tally, tool, source, *more):
        self.proc = subprocess.Popen([tool, 'serve', *more, source], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=dict(os.environ, TMPDIR=tally.scratch()))
        checks.running.append(self.proc)
        self.playlist = self.proc.stdout.readline().partition(': ')[2].strip()
        self.player = self.proc.stdout.readline().partition(': ')[2].strip()

    def stop(self):
        checks.stop(self.proc)
        self.proc.stdout.close()


def make(folder):
    out = {}
    for name, film in [*FILMS.items(), *OTHERS.items()]:
        out[name] = os.path.join(folder, film['file'])
        if not os.path.exists(out[name]):
            made = subprocess.run(['ffmpeg', '-nostdin', '-v', 'error', '-y', *PICTURE, *film['words'], out[name]], capture_output=True, text=True)
            if made.returncode:
                raise RuntimeError(made.stderr[-300:])
    return out


def until(what, look, seconds=25, calm=0.2):
    end = time.time() + seconds
    while time.time() < end:
        time.sleep(calm)
        found = look()
        if found:
            return found
    raise RuntimeError(f'{what}: not within {seconds} s')


def heard(player):
    """The film's pitch."""
    tones = []

    def right():
        tones.append(player.ear.tone())
        return any(abs(tones[-1] - 440 * k) < 12 for k in (1, 1.1))
    try:
        until('sound', right)
    except RuntimeError as e:
        raise RuntimeError(f'{e}; heard {tones[-12:]}') from None


def page_plays(player, serving):
    player.browser.get(serving.player)
    # WebKitGTK without a graphics card stands still when it is asked too often
    until('the page playing', lambda: player.browser.js('return typeof video !== "undefined" && video.readyState >= 2 && !video.paused && video.currentTime > 0.2'),
          calm=1 if player.kind == 'webkit' else 0.2)


def one(player, film, serving, hlsjs):
    """Ask as the page does, compare what was chosen with what was said, and listen."""
    about = FILMS[film]
    questions = get(urljoin(serving.player, 'session.json'))['questions']
    player._page('')
    said = [name for name, types in questions.items() if any(player.browser.js('return H.can(arguments[0])', t) for t in types)]
    takes = about['asks'] in said
    if hlsjs:
        place = get(urljoin(serving.player, f'target/{quote(",".join(said))}.json'))
        if 'page' not in place:
            raise RuntimeError(f'{place} for {said}')
        page = place['page']
        player._page(place['playlist'])
        until('hls.js', lambda: player.browser.js('return H.ready'))
        player.play()
    else:
        page_plays(player, serving)
        page = player.browser.js('return location.href')
        problem = player.browser.js("return document.getElementById('problem').hidden ? '' : document.getElementById('problem').innerText")
        if problem:
            raise RuntimeError(problem)
    session = get(urljoin(page.partition('#')[0], 'session.json'))
    sound = session['audio'][0]
    chosen = 'copied' if sound['delivery'] == 'copy' else sound.get('codecString')
    wanted = 'copied' if takes else next((codec for name, codec in about['becomes'] if name in said), None)
    if chosen != wanted:
        raise RuntimeError(f'the browser says {said}, and got {chosen}, not {wanted}')
    first = urlsplit(page).port == urlsplit(serving.player).port
    if film == 'eac3' and first != takes:
        raise RuntimeError(f'it {"stayed" if first else "left"} although E-AC-3 is {"" if takes else "not "}taken')
    heard(player)
    return f'{film} {chosen}'


def client(tally, tool, films, root, name, kind, hlsjs):
    began, reasons, told = time.time(), [], []
    folder = os.path.join(tally.folder, 'targets')
    os.makedirs(folder, exist_ok=True)
    player = None
    try:
        player = browser_hls.BrowserPlayer(kind, os.path.join(root, '.tools', 'hls.mjs') if hlsjs else None, os.path.join(folder, f'{kind}.log'))
        for film in FILMS:
            path = films[film]
            # WebKitGTK draws VP9 too slowly without a graphics card to be heard in time.
            if film == 'vp9' and kind == 'webkit':
                continue
            serving = Serving(tally, tool, path, *(['--target', 'browser'] if film == 'vp9' else []))
            try:
                told.append(vp9(player, serving, hlsjs) if film == 'vp9' else one(player, film, serving, hlsjs))
            except Exception as e:
                reasons.append(f'{film}: {e}')
                try:
                    player.shot(os.path.join(folder, f'{kind}-{film}.png'))
                except Exception:
                    pass
            finally:
                player.leave()
                serving.stop()
    except Exception as e:
        reasons.append(f'{type(e).__name__}: {e}'[:400])
    finally:
        if player:
            player.close()
    tally.check(f'{name} hears {", ".join(told)}', reasons, time.time() - began)


def vp9(player, serving, hlsjs):
    """A target that was named: the page asks nobody."""
    if get(urljoin(serving.player, 'session.json'))['asks']:
        raise RuntimeError('the page asks although the target was named')
    if hlsjs:
        player._page(serving.playlist)
        until('hls.js', lambda: player.browser.js('return H.ready'))
        player.play()
    else:
        page_plays(player, serving)
    heard(player)
    return 'VP9 and Opus copied'


def bounds(tally, tool, films):
    """Answers that come to the same share a session; nonsense starts none; there is an end to them."""
    began, reasons = time.time(), []
    serving = Serving(tally, tool, films['eac3'])
    try:
        ask = lambda text: get(urljoin(serving.player, f'target/{quote(text)}.json'))
        a, b = ask('h264,aac'), ask('h264,aac,opus,vp9')
        if a.get('page') != b.get('page') or a.get('page') == serving.player:
            reasons.append(f'{a} and {b}')
        if ask('h264,aac,ec-3').get('page') != serving.player:
            reasons.append('who takes E-AC-3 is sent away')
        if 'problem' not in ask('vp9,aac'):
            reasons.append('a browser without H.264 is offered the film')
        for text in ('', 'h264,nonsense', 'h264;aac'):
            try:
                reasons.append(f'{text!r} is answered: {ask(text)}')
            except urllib.error.HTTPError as e:
                if e.code != 404:
                    reasons.append(f'{text!r}: {e.code}')
    except Exception as e:
        reasons.append(f'{type(e).__name__}: {e}'[:300])
    finally:
        serving.stop()
    # Sound that is shaped is encoded, and to what the browser takes: not for Apple's players first.
    serving = Serving(tally, tool, films['aac'], '--night')
    try:
        if get(urljoin(serving.player, 'target/' + quote('h264,aac') + '.json')).get('page') == serving.player:
            reasons.append('a browser without E-AC-3 is kept where night mode makes E-AC-3')
    except Exception as e:
        reasons.append(f'{type(e).__name__}: {e}'[:300])
    finally:
        serving.stop()
    serving = Serving(tally, tool, films['many'])
    try:
        told = [get(urljoin(serving.player, f'target/{quote(text)}.json'))
                for text in ('h264,aac', 'h264,flac', 'h264,aac,opus', 'h264,flac,opus', 'h264,aac,flac')]
        if len({t.get('page') for t in told[:4]} - {None}) != 4 or 'problem' not in told[4]:
            reasons.append(f'five that take other things: {told}')
    except Exception as e:
        reasons.append(f'{type(e).__name__}: {e}'[:300])
    finally:
        serving.stop()
    tally.check('targets: one session for each thing the film comes to, and none for nonsense', reasons, time.time() - began)


def run(tally, tool, folder, root):
    films = make(folder)
    bounds(tally, tool, films)
    for name, kind, hlsjs in CLIENTS:
        client(tally, tool, films, root, name, kind, hlsjs)
