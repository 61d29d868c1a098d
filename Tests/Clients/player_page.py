#!/usr/bin/env python3
"""Drive the tool's player page in headless Chromium and print JSON of what was seen.

  player_page.py URL [--seek 30] [--audio NAME] [--chapters N] [--size 1280x720] [--shot FILE] [--plain]
                     [--expect-problem TEXT]

Checks that the film starts by itself within --start-limit seconds of the page's load, that its picture moves, that the
seek bar and the keys seek, that the audio menu switches (with the browser's track list, or with --plain without it), that chapters
and the panel are there, and that nothing overlaps on a telephone's screen. Exit 0 when all held, 1 when not.
"""
import argparse, base64, json, sys, time

import wd

ap = argparse.ArgumentParser()
ap.add_argument('url')
ap.add_argument('--seek', type=float, default=30)
ap.add_argument('--audio', help='NAME of the track to switch to')
ap.add_argument('--chapters', type=int)
ap.add_argument('--size', default='1280x720')
ap.add_argument('--shot')
ap.add_argument('--shot-panel')
ap.add_argument('--shot-phone')
ap.add_argument('--plain', action='store_true', help='a browser that exposes no audio tracks')
ap.add_argument('--start-limit', type=float, default=10)
ap.add_argument('--expect-problem')
A = ap.parse_args()
R = {'client': 'player page', 'url': A.url, 'failed': []}
fail = R['failed'].append

args = [f'--window-size={A.size.replace("x", ",")}', '--mute-audio', '--hide-scrollbars']
if not A.plain:
    args.append('--enable-blink-features=AudioVideoTracks')
S = wd.open_browser('chromium', args)


def js(code, *a):
    return S.call('POST', f'/session/{S.id}/execute/sync', {'script': code, 'args': list(a)})


def until(what, code, seconds):
    end = time.time() + seconds
    while time.time() < end:
        if js(f'return !!({code})'):
            return True
        time.sleep(0.05)
    fail(f'{what}: not within {seconds} s')
    return False


def shot(path):
    with open(path, 'wb') as f:
        f.write(base64.b64decode(S.call('GET', f'/session/{S.id}/screenshot')))


try:
    S.call('POST', f'/session/{S.id}/url', {'url': A.url})
    if A.expect_problem:
        until('problem', "document.getElementById('problem') && !document.getElementById('problem').hidden", 20)
        text = js("return document.getElementById('problem').innerText")
        R['problem'] = text
        if A.expect_problem not in text:
            fail(f'problem says {text!r}')
        if A.shot:
            shot(A.shot)
    elif until('start', 'video.readyState >= 2 && !video.paused && video.currentTime > video.seekable.start(0)', A.start_limit):
        R['firstPictureSeconds'] = round(js("const f = video.getVideoPlaybackQuality(); return performance.now()") / 1000, 2)
        before = js('return video.currentTime')
        until('playing on', f'video.currentTime > {before} + 1', 8)
        js("document.dispatchEvent(new PointerEvent('pointermove'))")
        R['total'] = js("return document.getElementById('total').innerText")
        if A.chapters is not None:
            js("document.getElementById('chapters-button').click()")
            R['chapters'] = js("return [...document.querySelectorAll('#menu button')].map(b => b.innerText.replace(/\\s+/g, ' '))")
            if len(R['chapters']) != A.chapters:
                fail(f'{len(R["chapters"])} chapters')
            js("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}))")
        box = js("const b = document.getElementById('seek').getBoundingClientRect(); return [b.left, b.top + b.height / 2, b.width]")
        share = A.seek / js('return length()')
        S.call('POST', f'/session/{S.id}/actions', {'actions': [{'type': 'pointer', 'id': 'm', 'parameters': {'pointerType': 'mouse'}, 'actions': [
            {'type': 'pointerMove', 'x': round(box[0] + box[2] * share), 'y': round(box[1]), 'duration': 0},
            {'type': 'pointerDown', 'button': 0}, {'type': 'pointerUp', 'button': 0}]}]})
        if until('seek', f'!video.seeking && video.readyState >= 3 && position() > {A.seek} - 1', 8):
            R['soughtTo'] = round(js('return position()'), 2)
            if abs(R['soughtTo'] - A.seek) > 2:
                fail(f'sought to {R["soughtTo"]}')
        for key, what, code in (('\ue014', 'right arrow', f'position() > {A.seek} + 8'), ('\ue012', 'left arrow', f'position() < {A.seek} + 8'),
                                ('m', 'm', 'video.muted'), ('m', 'm again', '!video.muted'), ('k', 'k', 'video.paused'), (' ', 'space', '!video.paused')):
            S.call('POST', f'/session/{S.id}/actions', {'actions': [{'type': 'key', 'id': 'k', 'actions': [{'type': 'keyDown', 'value': key}, {'type': 'keyUp', 'value': key}]}]})
            until(f'key {what}', code, 8)
        if A.audio:
            js("document.getElementById('audio-button').click()")
            R['audio'] = js("return [...document.querySelectorAll('#menu button')].map(b => b.innerText.replace(/\\s+/g, ' '))")
            at = js('return position()')
            js("[...document.querySelectorAll('#menu button')].find(b => b.innerText.startsWith(arguments[0])).click()", A.audio)
            until('audio switch', f'!video.seeking && video.readyState >= 3 && position() > {at} + 0.5', 12)
            chosen = js("return audioItems().filter(i => i.checked).map(i => i.label)")
            if chosen != [A.audio]:
                fail(f'chosen audio {chosen}')
        if A.shot:
            js("document.dispatchEvent(new PointerEvent('pointermove'))")
            time.sleep(0.4)
            shot(A.shot)
        if A.shot_panel:
            js("document.getElementById('about-button').click()")
            time.sleep(0.4)
            shot(A.shot_panel)
        js("document.getElementById('about').hidden = true")
        S.call('POST', f'/session/{S.id}/goog/cdp/execute', {'cmd': 'Emulation.setDeviceMetricsOverride', 'params': {'width': 360, 'height': 720, 'deviceScaleFactor': 2, 'mobile': True}})
        until('telephone size', 'innerWidth === 360', 5)
        R['overlaps'] = js("""const seen = [...document.querySelectorAll('#bar > *')].filter(e => e.offsetWidth && e.className !== 'grow' && getComputedStyle(e).position !== 'absolute');
            return seen.filter((e, i) => { const b = e.getBoundingClientRect(), n = seen[i + 1];
                return b.right > innerWidth + 0.5 || e.scrollWidth > Math.ceil(b.width) || (n && b.right > n.getBoundingClientRect().left + 0.5); }).map(e => e.id)""")
        if R['overlaps']:
            fail(f'overlapping on a telephone: {R["overlaps"]}')
        if A.shot_phone:
            js("document.dispatchEvent(new PointerEvent('pointermove'))")
            time.sleep(0.4)
            shot(A.shot_phone)
    if not A.expect_problem and js("return !document.getElementById('problem').hidden"):
        fail('problem: ' + js("return document.getElementById('problem').innerText"))
    R['console'] = [e['message'] for e in S.call('POST', f'/session/{S.id}/se/log', {'type': 'browser'}) if e['level'] == 'SEVERE'][:4]
    if R['console'] and not A.expect_problem:
        fail(f'console: {R["console"]}')
finally:
    if A.shot and R['failed']:
        try:
            shot(A.shot)
        except Exception:
            pass
    S.close()
R['ok'] = not R['failed']
print(json.dumps(R))
sys.exit(0 if R['ok'] else 1)
