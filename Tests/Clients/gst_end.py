#!/usr/bin/env python3
"""Play an HLS URL with GStreamer (playbin3, hlsdemux2) from its beginning to its end, as fast as it comes.

  gst_end.py URL [--limit 120]

Prints JSON: pictures and sound buffers that reached the sinks, times in seconds, "failed".
Debian's own python3 has gi.
"""
import argparse, json, os, sys, time

ap = argparse.ArgumentParser()
ap.add_argument('url')
ap.add_argument('--limit', type=float, default=120)
A = ap.parse_args()
os.environ['GST_PLUGIN_FEATURE_RANK'] = 'hlsdemux2:300,hlsdemux:0'
try:
    import gi
except ImportError:  # another python3 comes first in PATH
    if sys.executable == '/usr/bin/python3' or not os.path.exists('/usr/bin/python3'):
        raise
    os.execv('/usr/bin/python3', ['/usr/bin/python3', *sys.argv])
gi.require_version('Gst', '1.0')
from gi.repository import Gst

Gst.init(None)
R = {'client': 'gstreamer/hlsdemux2', 'version': Gst.version_string(), 'url': A.url, 'video': {'buffers': 0}, 'audio': {'buffers': 0}, 'failed': []}


def sink(name):
    def got(_, buf, pad):
        seen = R[name]
        seen['buffers'] += 1
        seen.setdefault('from', round(buf.pts / 1e9, 3))
        seen['to'] = round((buf.pts + max(0, buf.duration if buf.duration != Gst.CLOCK_TIME_NONE else 0)) / 1e9, 3)

    s = Gst.ElementFactory.make('fakesink')
    s.set_property('sync', False)
    s.set_property('signal-handoffs', True)
    s.connect('handoff', got)
    return s


p = Gst.ElementFactory.make('playbin3')
p.set_property('video-sink', sink('video'))
p.set_property('audio-sink', sink('audio'))
p.set_property('flags', 0x1 | 0x2)
p.set_property('uri', A.url)
bus, began = p.get_bus(), time.time()
p.set_state(Gst.State.PLAYING)
while True:
    if time.time() > began + A.limit:
        R['failed'].append('out of time')
        break
    m = bus.timed_pop(200 * Gst.MSECOND)
    if m and m.type == Gst.MessageType.ERROR:
        error, debug = m.parse_error()
        R['failed'].append(f'{error.message} | {(debug or "")[:200]}')
        break
    if m and m.type == Gst.MessageType.EOS:
        break
R['wallSeconds'] = round(time.time() - began, 1)
print(json.dumps(R), flush=True)
os._exit(1 if R['failed'] else 0)
