#!/usr/bin/env python3
"""Show one client's words and hold them against what is known of the film: play_words.py CLIENT PLAYLIST PAGE SOURCE [--shot FILE]

CLIENT is one of words.CLIENTS, SOURCE one of worded_sources.SOURCES. Prints JSON: what each track had, "failed", and "denied" for what the client does
not offer. Times are those of the picture: the film's first is zero, whatever the client calls it.
"""
import argparse, html, json, os, re, subprocess, sys, time
sys.dont_write_bytecode = True
import burnt_in, worded_sources

NEAR = 0.05  # seconds that a time may be off: more than two pictures' rounding, less than anybody sees
AT = 24.5    # seconds; in a cue of each film, past what is there before a seek
here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
F = os.path.join(root, '.tools', 'bin')


def plain(text):
    """The words of a WebVTT payload."""
    return html.unescape(re.sub(r'<[^>]*>', '', text)).strip()


def expected(track):
    return [(a, b, text) for a, b, _, text in track[3]]


def differences(what, want, got):
    """Both are lists of (start, end, text); a cue that comes twice is one too many."""
    out, rest = [], list(got)
    for a, b, text in want:
        hit = next((g for g in rest if g[2] == text and abs(g[0] - a) <= NEAR and abs(g[1] - b) <= NEAR), None)
        if hit:
            rest.remove(hit)
        else:
            near = [g for g in got if g[2] == text] or [g for g in got if abs(g[0] - a) < 1]
            out.append(f'{what}: {a}–{b} {text!r} is not there' + (f', but {near[0]}' if near else f' among {len(got)}'))
    return out + [f'{what}: {g} is too much' for g in rest]


def shown(track, at):
    return sorted(text for a, b, _, text in track[3] if a <= at < b)


# ---- programs ---------------------------------------------------------------------------------------

def parsed(vtt):
    """The cues of what FFmpeg writes."""
    seconds = lambda t: sum(float(x) * 60 ** i for i, x in enumerate(reversed(t.split(':'))))
    out = []
    for block in vtt.split('\n\n'):
        lines = block.strip().split('\n')
        at = next((i for i, l in enumerate(lines) if '-->' in l), None)
        if at is not None:
            words = lines[at].split()
            out.append((seconds(words[0]), seconds(words[2]), plain('\n'.join(lines[at + 1:]))))
    return out


def ffmpeg(A, tracks, R):
    """Whole, and after a seek. It gives what stands in several segments once for each, and its muxer moves up what would go back."""
    def call(program, *words):
        p = subprocess.run([os.path.join(F, program), '-v', 'error', *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        if p.returncode:
            raise RuntimeError(f'{program}: exit {p.returncode}: {p.stderr[-300:]}')
        return p.stdout.decode()
    streams = json.loads(call('ffprobe', '-of', 'json', '-show_streams', A.playlist))['streams']
    zero = next(float(s['start_time']) for s in streams if s['codec_type'] == 'video')
    words = [s for s in streams if s['codec_type'] == 'subtitle']
    R['listed'] = [s.get('tags', {}).get('comment') for s in words]
    if sorted(R['listed']) != sorted(name for name, *_ in tracks):
        R['failed'].append(f'subtitles {R["listed"]}')
        return
    for n, name in enumerate(R['listed']):
        track = next(t for t in tracks if t[0] == name)
        for what, seek in (('whole', []), (f'from {AT} s', ['-ss', AT])):
            seen, once = [], set()
            for a, b, text in parsed(call('ffmpeg', '-copyts', *seek, '-i', A.playlist, '-map', f'0:s:{n}', '-c', 'copy', '-f', 'webvtt', '-')):
                if (round(b - a, 3), text) not in once:
                    once.add((round(b - a, 3), text))
                    seen.append((round(a - zero, 3), round(b - zero, 3), text))
            R['cues'][f'{name}, {what}'] = seen
            want = expected(track)
            if seek:
                seen, want = [c for c in seen if c[1] > AT], [c for c in want if c[1] > AT]
            R['failed'] += differences(f'{name}, {what}', want, seen)


def gstreamer(A, tracks, R):
    """playbin3, its hlsdemux2 and a sink for text; faster than time."""
    os.environ['GST_PLUGIN_FEATURE_RANK'] = 'hlsdemux2:300,hlsdemux:0'
    import gi
    gi.require_version('Gst', '1.0')
    from gi.repository import Gst
    Gst.init(None)
    R['version'] = Gst.version_string()

    def once(name, to):
        cues, streams, state = [], {}, {'asked': False, 'sought': False, 'has': []}
        p = Gst.ElementFactory.make('playbin3')
        for kind in ('video', 'audio'):
            p.set_property(f'{kind}-sink', Gst.parse_bin_from_description('fakesink sync=true', True) if kind == 'video' else Gst.ElementFactory.make('fakesink'))
        text = Gst.parse_bin_from_description('appsink name=s sync=false emit-signals=true', True)

        def new(sink):
            sample = sink.emit('pull-sample')
            buffer = sample.get_buffer()
            at = sample.get_segment().to_stream_time(Gst.Format.TIME, buffer.pts) / Gst.SECOND
            cues.append((round(at, 3), round(at + buffer.duration / Gst.SECOND, 3), plain(html.unescape(buffer.extract_dup(0, buffer.get_size()).decode()))))
            return Gst.FlowReturn.OK
        text.get_by_name('s').connect('new-sample', new)
        p.set_property('text-sink', text)
        p.set_property('flags', 0x1 | 0x2 | 0x4)
        p.set_property('uri', A.playlist)
        p.set_state(Gst.State.PAUSED)
        bus, end = p.get_bus(), time.time() + 25
        want = [t for t in expected(next(t for t in tracks if t[0] == name)) if to is None or t[1] > to]
        try:
            while time.time() < end:
                m = bus.timed_pop(100 * Gst.MSECOND)
                if m and m.type == Gst.MessageType.ERROR:
                    raise RuntimeError(str(m.parse_error()[0].message))
                if m and m.type == Gst.MessageType.STREAM_COLLECTION:
                    c = m.parse_stream_collection()
                    for s in (c.get_stream(i) for i in range(c.get_size())):
                        streams[s.get_stream_id()] = s.get_stream_type()
                if m and m.type == Gst.MessageType.STREAMS_SELECTED:
                    state['has'] = [m.streams_selected_get_stream(i).get_stream_id() for i in range(m.streams_selected_get_size())]
                if m and m.type == Gst.MessageType.ASYNC_DONE and not state['asked']:
                    R['listed'] = sorted(i[5:] for i, t in streams.items() if t == Gst.StreamType.TEXT)
                    mine = f'text-{name}'
                    if mine not in streams:
                        return None
                    state['asked'] = True
                    if mine not in state['has']:
                        p.send_event(Gst.Event.new_select_streams([*(i for i in state['has'] if streams[i] != Gst.StreamType.TEXT), mine]))
                    p.set_state(Gst.State.PLAYING)
                if state['asked'] and not state['sought'] and f'text-{name}' in state['has'] and p.get_state(0)[1] == Gst.State.PLAYING:
                    state['sought'] = True
                    cues.clear()
                    p.seek_simple(Gst.Format.TIME, Gst.SeekFlags.FLUSH | Gst.SeekFlags.ACCURATE, int((to or 0) * Gst.SECOND))
                if state['sought'] and {t[2] for t in want if t[0] < (to or 0) + 8} <= {c[2] for c in cues}:
                    break
        finally:
            p.set_state(Gst.State.NULL)
        return sorted(set(cues))
    for track in tracks:
        if sum(t[1] == track[1] for t in tracks) > 1:
            R['denied'].append(f'{track[0]}: hlsdemux2 tells tracks apart by their language, and of two plays the last that a player may pick by itself')
            continue
        for what, to in (('first 8 s', None), (f'8 s from {AT} s', AT)):
            seen = once(track[0], to)
            if seen is None:
                R['denied'].append(f'{track[0]}: lists only {R["listed"]}')
                break
            R['cues'][f'{track[0]}, {what}'] = seen
            window = lambda cues: [c for c in cues if c[1] > (to or 0) and c[0] < (to or 0) + 8]
            # it says of a cue it seeks into only the part that is left
            want = [(max(a, to or 0), b, text) for a, b, text in window(expected(track))]
            R['failed'] += differences(f'{track[0]}, {what}', want, [c for c in window(seen)])


def libvlc(A, tracks, R):
    """It tells no text: white letters are looked for where they stand, while a cue is shown and while none is."""
    import ctypes as C
    import vlc_hls
    P = C.c_void_p
    for name, call in {'video_get_spu_description': (C.POINTER(vlc_hls.Track), P), 'video_set_spu': (C.c_int, P, C.c_int)}.items():
        vlc_hls.CALLS[name] = call
    player = vlc_hls.VLCPlayer()
    R['version'] = player.version()
    white = []

    def show(*_):
        player._show()
        rows = memoryview(player.pixels).cast('B')[vlc_hls.WIDE * 4 * 288:vlc_hls.WIDE * 4 * 356].tobytes()
        white.append((player.number, sum(b > 225 and g > 225 and r > 225 for b, g, r in zip(rows[::12], rows[1::12], rows[2::12]))))
    player.callbacks = *player.callbacks[:2], vlc_hls.SHOW(show)

    def words():
        out, p = {}, player.vlc.video_get_spu_description(player.player)
        while p:
            if p.contents.id >= 0:
                out[p.contents.name.decode(errors='replace')] = p.contents.id
            p = p.contents.next
        return out
    try:
        player.load(A.playlist, None)
        until(R, 'start', lambda: ([] if player.number is not None and len(words()) >= 1 else [f'{player._state()}, {words()}'], 0), 20)
        time.sleep(1)
        R['listed'] = list(words())
        if not R['listed']:
            return
        for track in tracks:
            # called after its language where it has one
            mine = next((i for name, i in words().items() if f'{track[0]} - [' in name or name == track[0] or track[0] in name), None)
            if mine is None:
                R['denied'].append(f'{track[0]}: lists only {R["listed"]}')
                continue
            player.vlc.video_set_spu(player.player, mine)
            # it is not sent on: after a seek it may stand still
            now = (player.number or 0) / burnt_in.RATE
            cue = next((c for c in track[3] if c[0] > now + 1.5 and not c[2].startswith('{\\an8}')), None)
            if cue is None:
                R['failed'].append(f'{track[0]}: at {now} s no cue is left')
                continue
            del white[:]
            until(R, f'{track[0]}, played past {cue[1]} s', lambda: ([] if any(n and n > (cue[1] + 0.3) * burnt_in.RATE for n, _ in white[-50:]) else [f'at {white[-1:]}'], 0), 40)
            inside = [w for n, w in white if n and cue[0] + 0.2 < n / burnt_in.RATE < cue[1] - 0.2]
            before = [w for n, w in white if n and cue[0] - 0.4 < n / burnt_in.RATE < cue[0] - 0.1]
            R['cues'][track[0]] = [cue[3], min(inside, default=None), max(inside, default=None), min(before, default=None), max(before, default=None)]
            if not inside or not before or min(inside) < max(before) + 20:
                R['failed'].append(f'{track[0]}: white points while {cue[3]!r} is shown: {R["cues"][track[0]]}')
    finally:
        player.close()


# ---- browsers ---------------------------------------------------------------------------------------

LIST = """const cues = t => { const was = t.mode; if (was === 'disabled') t.mode = 'hidden'; const all = [...t.cues || []], on = [...t.activeCues || []]; if (was === 'disabled') t.mode = was;
  const one = c => [c.startTime, c.endTime, (d => { d.append(c.getCueAsHTML()); return d.textContent; })(document.createElement('div')), c.line, c.snapToLines, c.text];
  return {kind: t.kind, label: t.label, language: t.language, mode: was, cues: all.map(one), active: on.map(one)}; };
  return [...document.querySelector('video').textTracks].map(cues);"""
NUMBER = """const v = document.querySelector('video'), c = document.createElement('canvas'), n = arguments[0], side = arguments[1];
  c.width = n * 8; c.height = 8; const p = c.getContext('2d'); p.drawImage(v, 0, 0, n * side, side, 0, 0, n * 8, 8);
  const d = p.getImageData(0, 4, n * 8, 1).data; return [...Array(n).keys()].map(i => d[4 * (i * 8 + 4) + 1]);"""


def until(R, what, look, limit=25, pause=0.2):
    """The last answer of `look`: (what is wrong, anything); waits until nothing is."""
    end = time.time() + limit
    while True:
        wrong, answer = look()
        if not wrong:
            return answer
        if time.time() > end:
            R['failed'] += [f'{what}: {w}' for w in wrong][:4]
            return answer
        time.sleep(pause)


def cues_of(told):
    return sorted((round(a, 3), round(b, 3), text.strip()) for a, b, text, *_ in told['cues'])


def standing(R, browser, tell, track, zero=0):
    """Paused in a cue, and a picture before and behind where it begins: the words that are shown, and which picture it is."""
    begins = min(a for a, *_ in track[3] if a >= 20)
    late = lambda at: [t for a, b, _, t in track[3] if a <= at < b]
    for at in (AT, begins - 0.06, begins + 0.06):
        browser.js('document.querySelector("video").pause(); document.querySelector("video").currentTime = arguments[0]', zero + at)

        def look():
            now = browser.js('const v = document.querySelector("video"); return [v.seeking, v.readyState]')
            number = burnt_in.number(browser.js(NUMBER, burnt_in.CELLS, burnt_in.CELL))
            told = tell()
            have = sorted(c[2].strip() for c in told['active']) if told else None
            wrong = []
            if now[0] or now[1] < 2 or number is None or abs(number - at * burnt_in.RATE) > 2:
                wrong.append(f'picture {number}, not {at * burnt_in.RATE:.0f}, {now}')
            if have != sorted(late(at)):
                wrong.append(f'shows {have}, not {late(at)}')
            return wrong, (number, have)
        R['standing'].append([track[0], at, until(R, f'{track[0]}, standing at {at} s', look)])


def hlsjs(A, tracks, R, kind):
    import browser_hls
    browser_hls.CONFIG, browser_hls.SHORT = {}, {'maxBufferLength': 60, 'renderTextTracksNatively': True}
    player = browser_hls.BrowserPlayer(kind, os.path.join(root, '.tools', 'hls.mjs'), A.log)
    try:
        browser = player.browser
        R['version'] = player.version()
        player.load(A.playlist, {'size': '640x360'})
        until(R, 'start', lambda: ((lambda n: ([] if n else ['no picture'], n))(browser.js('return H.hls && H.hls.subtitleTracks.length && document.querySelector("video").readyState > 2'))))
        R['listed'] = browser.js('return H.hls.subtitleTracks.map(t => t.name)')
        player.play()
        for track in tracks:
            if track[0] not in R['listed']:
                R['failed'].append(f'{track[0]} is not among {R["listed"]}')
                continue
            browser.js('document.querySelector("video").currentTime = 0; H.hls.subtitleDisplay = true; H.hls.subtitleTrack = arguments[0]', R['listed'].index(track[0]))
            tell = lambda: next((t for t in browser.js(LIST) if t['label'] == track[0]), None)

            def all_there():
                told = tell()
                return differences(track[0], expected(track), cues_of(told) if told else []), told
            def begun():
                told = tell()
                return ([] if told and any(abs(c[0] - track[3][0][0]) < NEAR for c in told['cues']) else ['its first cue is not there']), told
            until(R, track[0], begun)
            browser.js('document.querySelector("video").currentTime = 14')
            told = until(R, track[0], all_there, 40)
            R['cues'][track[0]] = told and told['cues']
            standing(R, browser, tell, track)
            if A.shot and track is tracks[0]:
                browser.js('document.querySelector("video").currentTime = arguments[0]', AT)
                visible(R, browser, A.shot, lambda on: browser.js('H.hls.subtitleDisplay = arguments[0]', on), 'video')
        R['failed'] += browser.js('return H.errors')
    finally:
        player.close()


def picture_of(browser, path):
    """Grey bytes and width of what is on the screen."""
    browser.shot(path)
    said = subprocess.run(['ffprobe', '-v', 'error', '-show_entries', 'stream=width', '-of', 'csv=p=0', path], capture_output=True, text=True).stdout
    return subprocess.run(['ffmpeg', '-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'gray', '-'], capture_output=True).stdout, int(said.strip().strip(','))


def visible(R, browser, path, show, element, where='below'):
    """White letters on black where the words stand, and none of them when they are off."""
    time.sleep(0.6)
    on, wide = picture_of(browser, path)
    show(False)
    time.sleep(0.6)
    off, _ = picture_of(browser, path + '.off.png')
    os.remove(path + '.off.png')
    show(True)
    box = browser.js('const b = document.querySelector(arguments[0]).getBoundingClientRect(); return [b.top, b.bottom]', element)
    tall = len(on) // wide
    rows = range(int(box[0] + (box[1] - box[0]) * 0.6), min(tall, int(box[1]))) if where == 'below' else range(int(box[0]), int(box[0] + (box[1] - box[0]) * 0.4))
    changed = [(on[i], off[i]) for y in rows for i in range(y * wide, (y + 1) * wide) if abs(on[i] - off[i]) > 40]
    R.setdefault('pixels', {})[where] = [len(changed), sum(a > 180 for a, _ in changed)]
    if len(changed) < 200 or sum(a > 180 for a, _ in changed) < 10:
        R['failed'].append(f'no words to be seen {where}: {R["pixels"][where]} pixels differ')


def page(A, tracks, R, kind):
    """The tool's page: starts with the track that is DEFAULT, lists them all, changes, shows two, shows none."""
    import wd
    browser = wd.open_browser(kind, ['--enable-blink-features=AudioVideoTracks'] if kind == 'chromium' else [], {}, A.log)
    calm = 1 if kind == 'webkit' else 0.2
    try:
        def anew():
            """Chromium's own HLS stays where it is for ever when it is sent back to the start from what was the end: each track has a page of its own."""
            def started():
                plays = browser.js('return typeof subtitles !== "undefined" && subtitles.renditions.length && video.readyState > 2 && video.currentTime > start()')
                return ([] if plays else ['no picture'], plays)
            browser.get(A.page)
            if kind == 'webkit':
                # WebKitGTK 2.50 does not always start a film, under load above all; given again it plays.
                first = {'failed': []}
                until(first, 'start', started, 15, calm)
                if not first['failed']:
                    return
                R['again'] = R.get('again', 0) + 1
                browser.get(A.page)
            until(R, 'start', started, 30, calm)
        anew()
        R['listed'] = browser.js('return subtitleItems().map(i => i.heading || i.label)')
        names = [t[0] for t in tracks]
        if R['listed'] != ['Off', *names, *(['Second, at the top', 'Off', *names] if len(names) > 1 else [])]:
            R['failed'].append(f'the menu has {R["listed"]}')
        R['native'] = browser.js('return nativeSubtitles().map(t => [t.label, t.mode])')
        zero = browser.js('return zero()')
        # local time, the map's two sides, where the film begins, the element's first time, and what comes of it; the last two where the clock's 33 bits begin anew
        for seconds, local, ticks, origin, first, want in ((1, 0, 127920, 1.4213, 0, 1), (3.4213, 0, 0, 1.4213, 0, 2), (10, 8, 90000 * 5, 4, 100, 103),
                                                           (1, 0, 45000, 2 ** 33 / 90000 - 0.5, 0, 2), (1, 0, 2 ** 33 - 45000, -0.5, 0, 1), (95445, 0, 0, 95444, 0, 1)):
            got = browser.js('return elementTime(arguments[0], {local: arguments[1], ticks: arguments[2]}, arguments[3], arguments[4], arguments[4])', seconds, local, ticks, origin, first)
            if abs(got - want) > 0.001:
                R['failed'].append(f'{seconds} s with LOCAL {local} and MPEGTS {ticks} in a film from {origin} s comes to {got}, not {want}')
        preferred = next(t for t in tracks if t[1] == worded_sources.SOURCES[A.source]['serve'][1]) if tracks[0][1] else None
        start = browser.js('return subtitles.chosen[0] && subtitles.chosen[0].name')
        if start != (preferred and preferred[0]):
            R['failed'].append(f'starts with {start}')

        def own(slot):
            return lambda: next((t for t in browser.js(LIST) if t['label'] == browser.js('return subtitles.own[arguments[0]] && subtitles.own[arguments[0]].track.label', slot) and t['mode'] == 'showing'), None)

        def whole(slot, track):
            """All that there is, by way of two places: the page looks half a minute ahead. WebKitGTK without a graphics card may freeze where it is sent on."""
            places = (0.2, 14) if kind == 'chromium' else (None,)
            since = browser.js('return position()') + 1 if kind == 'webkit' else 0
            for at in places:
                if at is not None:
                    browser.js('video.pause(); seek(arguments[0])', at)

                def look():
                    told = own(slot)()
                    have = [(round(a - zero, 3), round(b - zero, 3), t) for a, b, t in cues_of(told)] if told else []
                    if at == 14:
                        return differences(track[0], expected(track), have), told
                    near = lambda cues: [c for c in cues if since <= c[0] + NEAR / 2 and c[0] < 25.5]
                    return differences(track[0], near(expected(track)), near(have)), told
                told = until(R, f'{track[0]}, {"second" if slot else "first"}', look, 25, calm)
            R['cues'][f'{track[0]}, {"second" if slot else "first"}'] = told and told['cues']
            return told
        # WebKitGTK starts too slowly for a page a track
        for track in tracks if kind == 'chromium' else tracks[:1]:
            if track is not tracks[0]:
                anew()
            browser.js('chooseSubtitles(0, subtitles.renditions.find(r => r.name === arguments[0]))', track[0])
            whole(0, track)
            if kind == 'chromium':
                standing(R, browser, own(0), track, zero)
        both = [t['label'] for t in browser.js(LIST) if t['mode'] == 'showing']
        if both != [track[0]]:
            R['failed'].append(f'{both} are shown, not the last that was chosen')
        if kind == 'chromium':
            anew()
        browser.js('chooseSubtitles(0, subtitles.renditions[0])')
        if len(tracks) > 1:
            browser.js('chooseSubtitles(1, subtitles.renditions[1])')
            told = whole(1, tracks[1])
            if told and any(c[3] != 0 for c in told['cues']):
                R['failed'].append('the second does not stand at the top')
            if kind == 'chromium':
                standing(R, browser, own(0), tracks[0], zero)
        browser.js('video.pause(); seek(arguments[0])', AT)
        if kind == 'chromium':
            time.sleep(1)
            idle = 'stage.classList.add("idle")'
            pick = lambda slot: lambda on: browser.js(f'chooseSubtitles({slot}, arguments[0] ? subtitles.renditions[{slot}] : null); {idle}', on)
            browser.js(idle)
            if len(tracks) > 1:
                visible(R, browser, A.shot, pick(1), '#video', 'above')
                until(R, 'second again', lambda: (shown(tracks[1], AT) != sorted(c[2].strip() for c in (own(1)() or {'active': []})['active']) and ['not there'] or [], 0))
            visible(R, browser, A.shot, pick(0), '#video')
            key = lambda k: browser.js("document.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0]}))", k)
            key('s')
            if not browser.js("return openMenu === document.getElementById('subtitles-button')"):
                R['failed'].append('the key s opens no menu')
            browser.js("document.querySelector('#menu button').click()")
            if browser.js('return subtitles.chosen[0]'):
                R['failed'].append('the menu does not switch off')
            R['console'] = [m for m in browser.console() if 'favicon' not in m][:4]
        browser.js('chooseSubtitles(0, null); chooseSubtitles(1, null)')
        left = [t['label'] for t in browser.js(LIST) if t['mode'] != 'disabled']
        if left:
            R['failed'].append(f'off, and {left} shown')
    finally:
        browser.close()


def native(A, tracks, R, kind):
    """The element's own HLS without the page."""
    import browser_hls
    player = browser_hls.BrowserPlayer(kind, None, A.log)
    try:
        R['version'] = player.version()
        player.load(A.playlist, {'size': '640x360'})
        player.play()
        until(R, 'start', lambda: ((lambda n: ([] if n else ['no picture'], n))(player.browser.js('return document.querySelector("video").readyState > 2'))), 30, 1)
        time.sleep(2)
        R['listed'] = player.browser.js('return [...document.querySelector("video").textTracks].map(t => [t.kind, t.label, t.language])')
        if not R['listed']:
            R['denied'].append('its own HLS lists no text tracks')
    finally:
        player.close()


if __name__ == '__main__':
    ap = argparse.ArgumentParser()
    for name in ('client', 'playlist', 'page', 'source'):
        ap.add_argument(name)
    ap.add_argument('--shot')
    ap.add_argument('--log', default=os.devnull)
    A = ap.parse_args()
    R = {'client': A.client, 'listed': None, 'cues': {}, 'standing': [], 'denied': [], 'failed': []}
    try:
        {'FFmpeg': ffmpeg, 'GStreamer': gstreamer, 'libVLC': libvlc, 'Chromium with hls.js': lambda *a: hlsjs(*a, 'chromium'), 'Firefox with hls.js': lambda *a: hlsjs(*a, 'firefox'),
         'the page in Chromium': lambda *a: page(*a, 'chromium'), 'the page in WebKitGTK': lambda *a: page(*a, 'webkit'), 'Chromium': lambda *a: native(*a, 'chromium'),
         'WebKitGTK': lambda *a: native(*a, 'webkit')}[A.client](A, worded_sources.SOURCES[A.source]['tracks'], R)
    except Exception as e:
        R['failed'].append(f'{type(e).__name__}: {e}'[:500])
    print(json.dumps(R, ensure_ascii=False))
    sys.exit(1 if R['failed'] else 0)
