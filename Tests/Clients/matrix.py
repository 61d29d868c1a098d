"""Every client against every source: who can do what, and why not; two clients at a time."""
import json, os, queue, re, subprocess, sys, threading, time
import checks

# name -> does one process take all the films (a browser starts once), or one process each?
CLIENTS = {'Chromium': True, 'Chromium with hls.js': True, 'WebKitGTK': True, 'WebKitGTK with hls.js': True, 'Firefox with hls.js': True,
           'GStreamer': False, 'libVLC': False, 'FFmpeg': False, 'curl': False}

# It draws with the processor, and with a neighbour it freezes.
ALONE = ('WebKitGTK', 'WebKitGTK with hls.js')

# What a client does not offer: (client, source or *, ability or *, reason, and what the client is asked first: it says no, or it is tried).
HEVC = 'video/mp4; codecs="hvc1.1.6.L63.90,ec-3"'
NOT_OFFERED = [
    ('Firefox', '*', '*', 'Firefox for Linux has no HLS of its own', None),
    ('Chromium', 'hevc', '*', 'Debian\'s Chromium decodes neither HEVC nor E-AC-3', HEVC),
    ('Chromium with hls.js', 'hevc', '*', 'Debian\'s Chromium decodes neither HEVC nor E-AC-3', HEVC),
    ('Firefox with hls.js', 'hevc', '*', 'Firefox has no E-AC-3 decoder', HEVC),
    *((client, source, ability, 'without a graphics card WebKitGTK 2.50 freezes after a seek now and then on a busy machine: it seeks in film, nocues and bridged only', None)
      for client in ('WebKitGTK', 'WebKitGTK with hls.js') for source in ('hevc', 'av1', 'ts', 'flv', 'fragmented') for ability in ('seek', 'exact', 'end')),
    ('libVLC', '*', 'exact', 'libVLC 3 draws no new picture while it stands still', None),
    ('FFmpeg', 'av1', 'picture', 'the static build of FFmpeg 8 has no AV1 decoder: its packets are counted', 'libdav1d|libaom-av1'),
]

# What is to be allowed for in a client: (client, source or *, what, why).
EDITS = 'leaves out the edit list of a fragmented MP4, as it does with FFmpeg\'s own HLS: each picture is late by the reordering, two pictures'
CALM = '; without a graphics card it needs time between questions and between seeks, and may end without having drawn the last second'
ALLOWANCES = [
    ('Chromium', '*', {'switch by seek': 12.2}, 'plays out what it has buffered, up to 30 s, before the other language is heard; after a seek it is heard at once'),
    ('GStreamer', '*', {'late': 0.08}, EDITS),
    *((client, '*', {'late': 0.08, 'unseen': 38, 'calm': 1.0, 'last': 3, 'pause': 0.2}, EDITS + CALM) for client in ('WebKitGTK', 'WebKitGTK with hls.js')),
    *((f'{browser} with hls.js', source, {'late': 0.08}, 'hls.js takes the first decode time for the start: without a plan, all is late by the reordering, sound too')
      for browser in ('Chromium', 'Firefox') for source in ('ts', 'flv', 'fragmented')),
    ('WebKitGTK', 'ts', {'late': 1.6}, 'after a seek its clock counts from the stream\'s own zero, 1.48 s before the first picture'),
]
SEEKS, EXACT = [24.3, 5.1], 33.5  # seconds; forward past what is buffered, back again, and once standing still


def player(client, folder):
    """What play.py puts through the film."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if client == 'GStreamer':
        import gst_hls
        return gst_hls.GStreamerPlayer()
    if client == 'libVLC':
        import vlc_hls
        return vlc_hls.VLCPlayer()
    if client == 'FFmpeg':
        import ff_hls
        return ff_hls.FFmpeg(os.path.join(root, '.tools', 'bin', 'ffmpeg'))
    if client == 'curl':
        import curl_hls
        return curl_hls.Curl()
    import browser_hls
    kind = {'Chromium': 'chromium', 'WebKitGTK': 'webkit', 'Firefox': 'firefox'}[client.split()[0]]
    return browser_hls.BrowserPlayer(kind, os.path.join(root, '.tools', 'hls.mjs') if 'hls.js' in client else None, os.path.join(folder, 'browser.log'))


def film(client, source, about, url):
    """What play.py is told of one film for one client; `reasons` is for printing."""
    out = dict(about, source=source, url=url, seeks=SEEKS, exact=EXACT, leave=list(about.get('leave', ())), reasons={}, ask=None)
    # the first of them is the one to start with
    out['tones'] = sorted(about['tones'], key=lambda tone: tone[0] != about.get('starts', about['tones'][0][0]))
    for c, s, ability, reason, ask in NOT_OFFERED:
        if c == client and s in ('*', source):
            out['reasons'][ability] = reason
            if ability != '*' and not ask:
                out['leave'].append(ability)
            if ask:
                out['ask'], out['asked for'] = ask, ability
    for c, s, what, _ in ALLOWANCES:
        if c == client and s in ('*', source):
            out.update(what)
    return out


def folder_of(tally, client):
    path = os.path.join(tally.folder, re.sub(r'\W+', '-', client.lower()))
    os.makedirs(path, exist_ok=True)
    return path


def notes(tally, served, wanted=None):
    """Say what is allowed for, and what is not offered whatever the client may answer."""
    for client, source, what, reason in ALLOWANCES:
        if not wanted or client in wanted:
            tally.note(f'{client}, {source if source != "*" else "every source"}: allowed for: {", ".join(f"{k} {v}" + (" s" if k != "unseen" else " pictures") for k, v in what.items())}: {reason}')
    told = {}
    for client, source, ability, reason, ask in NOT_OFFERED:
        if client not in CLIENTS and not wanted:
            tally.note(f'{client}: not offered: {reason}')
            tally.cell('every source', client, '-')
        elif client in CLIENTS and not ask and (not wanted or client in wanted) and source in ('*', *served):
            told.setdefault((client, reason), ([], []))
            for some, one in zip(told[client, reason], ('every source' if source == '*' else source, ability)):
                if one not in some:
                    some.append(one)
    for (client, reason), (sources, abilities) in told.items():
        tally.note(f'{client}, {", ".join(sources)}: {", ".join(abilities)} not offered: {reason}')


def units(tally, served, wanted=None, alone=False):
    """The work, as functions without arguments, longest first. `served` is source -> (what it is, URL); `alone` asks for those that want no neighbour."""
    out = []
    for client, together in CLIENTS.items():
        if (wanted and client not in wanted) or (client in ALONE) != alone:
            continue
        films = [film(client, source, about, url) for source, (about, url) in served.items() if client in about.get('clients', CLIENTS)]
        for some in ([films] if together and films else [[f] for f in films]):
            out.append(lambda client=client, some=some: drive(tally, client, some))
    return out


def drive(tally, client, films):
    """One process of play.py; each line of its output is told at once."""
    folder, todo = folder_of(tally, client), list(films)
    with open(os.path.join(folder, f'driver{"" if len(films) > 1 else "-" + films[0]["source"]}.log'), 'w+') as log:
        p = subprocess.Popen([sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'play.py'), client, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=log, text=True, start_new_session=True, env=dict(os.environ, TMPDIR=tally.scratch()))
        checks.running.append(p)
        watch = threading.Timer(100 * len(films), lambda: checks.stop(p))
        watch.start()
        try:
            p.stdin.write(json.dumps(films))
            p.stdin.close()
            for line in p.stdout:
                result = json.loads(line)
                about = next(f for f in todo if f['source'] == result['source'])
                todo.remove(about)
                with open(os.path.join(folder, result['source'] + '.json'), 'w') as f:
                    json.dump(result, f, indent=1, ensure_ascii=False)
                tell(tally, client, about, result, folder)
            p.wait()
        finally:
            watch.cancel()
            checks.stop(p)
        log.seek(0)
        for about in todo:
            tally.cell(about['source'], client, 'FAIL')
            tally.check(f'{about["source"]}: {client}', f'the driver ended ({p.returncode}) without a word: {log.read()[-400:]}')


def tell(tally, client, about, result, folder):
    source = about['source']
    if result.get('denied') == '*':
        tally.cell(source, client, '-')
        tally.note(f'{source}: {client}: not offered: {about["reasons"]["*"]}')
        return
    done = ', '.join(result.get('done', []))
    tally.cell(source, client, 'FAIL' if result['failed'] else 'ok')
    failed = result['failed'] and [*result['failed'], f'after {done or "nothing"}', f'see {folder}/{source}.*']
    tally.check(f'{source}: {client}: {done}', failed, result['seconds'])
    if result.get('denied'):
        tally.note(f'{source}: {client}: {result["denied"]} not offered: {about["reasons"][result["denied"]]}')


def run_lanes(tally, work, lanes):
    """Every function of `work`, `lanes` at a time."""
    todo = queue.SimpleQueue()
    for w in work:
        todo.put(w)

    def lane():
        while True:
            try:
                w = todo.get_nowait()
            except queue.Empty:
                return
            began = time.time()
            try:
                w()
            except Exception as e:
                tally.check('the run itself', f'{type(e).__name__}: {e}', time.time() - began)
    threads = [threading.Thread(target=lane) for _ in range(lanes)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
