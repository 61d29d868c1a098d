#!/usr/bin/env python3
"""Films whose sound begins late, pauses and ends early: a player that finds a segment without samples stops there for good.

  padding.py CLIENT URL SECONDS    plays it through in Chromium or WebKitGTK; prints JSON: where it came to, "failed"
"""
import json, os, re, subprocess, sys, tempfile, time

SECONDS = 24
SOURCES = {
    'eac3.mkv': ['-c:a', 'eac3', '-ac', '6'],
    'flac.mp4': ['-c:a', 'flac', '-ac', '2', '-strict', '-2'],
    'alac.mp4': ['-c:a', 'alac', '-ac', '2'],
}
# Debian's Chromium decodes neither E-AC-3 nor ALAC.
BROWSERS = {'flac.mp4': ('chromium', 'webkit')}


def make(folder, name):
    path = os.path.join(folder, 'late-' + name)
    if not os.path.exists(path):
        sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
        import burnt_in
        part = path + '.part' + os.path.splitext(name)[1]
        subprocess.run(['ffmpeg', '-nostdin', '-v', 'error', '-y', '-f', 'lavfi', '-i', burnt_in.picture('640x360', SECONDS), '-itsoffset', '8.6', '-f', 'lavfi', '-i',
                        'sine=440:r=48000:d=5', '-map', '0', '-map', '1', '-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '50', '-pix_fmt', 'yuv420p',
                        *SOURCES[name], part], check=True)
        os.rename(part, path)
    return path


def run(tally, tool, folder):
    import checks
    for name in SOURCES:
        server = checks.Server(tally, tool, 'late ' + name, make(folder, name))
        if server.playlist:
            title = f'late {name}: GStreamer plays through what has no sound'
            tally.client(title, 'gst_end.py', server.playlist)
            with open(os.path.join(tally.folder, re.sub(r'\W+', '-', title) + '.json')) as f:
                sound = json.loads(f.read() or '{}').get('audio', {})
            reaches = sound.get('from', 9) < 0.2 and abs(sound.get('to', 0) - SECONDS) < 0.2
            tally.check(f'late {name}: there is sound or silence from the start to the end', None if reaches else f'from {sound.get("from")} to {sound.get("to")} s')
            for kind in BROWSERS.get(name, ()):
                tally.client(f'late {name}: {kind} plays through what has no sound', 'padding.py', kind, server.playlist, SECONDS)
        server.stop()


def through(kind, url, seconds):
    import browser_hls
    result, player, folder = {'failed': []}, None, tempfile.mkdtemp()
    try:
        player = browser_hls.BrowserPlayer(kind, None, os.path.join(folder, 'browser.log'))
        player.load(url, {'size': '640x360'})
        player.play()
        began, now = time.time(), {}
        while time.time() < began + 2 * seconds + 20:
            time.sleep(0.5)
            now = player.look()
            if now['errors'] or now['ended']:
                break
        result.update(at=now.get('at'), ended=now.get('ended'))
        if now.get('errors'):
            result['failed'].append(' | '.join(now['errors'])[:400])
        elif not now.get('ended'):
            result['failed'].append(f'stands still at {now.get("at")} s')
    except Exception as e:
        result['failed'].append(f'{type(e).__name__}: {e}'[:400])
    finally:
        if player:
            player.close()
    print(json.dumps(result), flush=True)
    return 1 if result['failed'] else 0


if __name__ == '__main__':
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    sys.exit(through(sys.argv[1], sys.argv[2], float(sys.argv[3])))
