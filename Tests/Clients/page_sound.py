#!/usr/bin/env python3
"""Play the tool's page in headless Chromium, switch its sound, and print JSON of what was heard.

  page_sound.py URL --tone NAME=HERTZ [--tone NAME=HERTZ ...] [--plain]

The first tone is that of the track it has to start with, unasked; each other one is chosen in the page's menu by its NAME. Hertz is the pitch at
the film's start, which rises (burnt_in.py). With --plain the browser offers no list of tracks. Exit 0 when all were heard, 1 when not.
"""
import argparse, json, sys, time
import burnt_in, sound, wd

LIMIT = 25  # seconds until a track is heard

ap = argparse.ArgumentParser()
ap.add_argument('url')
ap.add_argument('--tone', action='append', required=True)
ap.add_argument('--plain', action='store_true')
A = ap.parse_args()
R = {'client': 'player page', 'url': A.url, 'heard': [], 'failed': []}
ear, browser = sound.Loudspeaker(), None


def heard(name, base):
    """Whether the pitch of that track at the place the page is at is what comes out of the loudspeaker."""
    began, tones = time.time(), []
    while time.time() < began + LIMIT:
        at = browser.js('return position()')
        tones = tones[-9:] + [ear.tone()]
        if any(abs(tones[-1] - burnt_in.pitch(base, at - late)) <= base / 40 for late in (0, 0.3)):
            R['heard'].append([name, tones[-1], round(at, 2), round(time.time() - began, 2)])
            return True
        time.sleep(0.05)
    R['failed'].append(f'{name}: {burnt_in.pitch(base, at)} Hz not within {LIMIT} s at {at:.1f} s; heard {tones}')
    return False


try:
    browser = wd.open_browser('chromium', [] if A.plain else ['--enable-blink-features=AudioVideoTracks'], ear.env)
    browser.get(A.url)
    for turn, tone in enumerate(A.tone):
        name, _, base = tone.rpartition('=')
        if turn:
            browser.js("document.getElementById('audio-button').click()")
            browser.js("[...document.querySelectorAll('#menu button')].find(b => b.innerText.startsWith(arguments[0])).click()", name)
            # it would play out what it has buffered of the track before
            browser.js('seek(position() + 12)')
        if not heard(name, int(base)):
            break
        chosen = browser.js('return audioItems().filter(i => i.checked).map(i => i.label)')
        if chosen != [name]:
            R['failed'].append(f'the menu says {chosen}, {name} is heard')
            break
finally:
    if browser:
        browser.close()
    ear.close()
print(json.dumps(R, ensure_ascii=False))
sys.exit(1 if R['failed'] else 0)
