"""libVLC through ctypes as a player for trial.py: pictures into memory (it also runs as root), sound into a Loudspeaker."""
import ctypes as C, os
import burnt_in, sound

P = C.c_void_p
WIDE, TALL = 640, 360
LOCK, UNLOCK, SHOW = C.CFUNCTYPE(P, P, C.POINTER(P)), C.CFUNCTYPE(None, P, P, C.POINTER(P)), C.CFUNCTYPE(None, P, P)
NAMES = {'en': 'English', 'fr': 'French', 'ja': 'Japanese'}
STATES = ['nothing', 'opening', 'buffering', 'playing', 'paused', 'stopped', 'ended', 'error']


class Track(C.Structure):
    pass


Track._fields_ = [('id', C.c_int), ('name', C.c_char_p), ('next', C.POINTER(Track))]
CALLS = {'new': (P, C.c_int, C.POINTER(C.c_char_p)), 'get_version': (C.c_char_p,), 'media_new_location': (P, P, C.c_char_p), 'media_player_new_from_media': (P, P),
         'media_player_play': (C.c_int, P), 'media_player_set_pause': (None, P, C.c_int), 'media_player_stop': (None, P), 'media_player_get_time': (C.c_int64, P),
         'media_player_set_time': (None, P, C.c_int64), 'media_player_get_length': (C.c_int64, P), 'media_player_get_state': (C.c_int, P),
         'audio_set_track': (C.c_int, P, C.c_int), 'audio_get_track_description': (C.POINTER(Track), P), 'video_get_size': (C.c_int, P, C.c_uint, C.POINTER(C.c_uint), C.POINTER(C.c_uint)),
         'video_set_callbacks': (None, P, LOCK, UNLOCK, SHOW, P), 'video_set_format': (None, P, C.c_char_p, C.c_uint, C.c_uint, C.c_uint)}


class VLCPlayer:
    def __init__(self):
        self.ear = sound.Loudspeaker()
        os.environ.update(self.ear.env)
        library = C.CDLL('libvlc.so.5')
        self.vlc = type('libvlc', (), {})()
        for name, (result, *arguments) in CALLS.items():
            f = getattr(library, 'libvlc_' + name)
            f.restype, f.argtypes = result, arguments
            setattr(self.vlc, name, f)
        options = [b'--no-video-title-show', b'--aout=pulse', b'--no-xlib', b'--quiet', b'--no-interact', b'--network-caching=600']
        self.instance = self.vlc.new(len(options), (C.c_char_p * len(options))(*options))
        if not self.instance:
            raise RuntimeError('libvlc_new')
        self.pixels, self.number, self.player = (C.c_ubyte * (WIDE * TALL * 4))(), None, None
        self.callbacks = LOCK(self._lock), UNLOCK(lambda *_: None), SHOW(self._show)

    def _lock(self, _, planes):
        planes[0] = C.addressof(self.pixels)
        return None

    def _show(self, *_):
        line = WIDE * 4 * (burnt_in.CELL // 2)
        self.number = burnt_in.number([self.pixels[line + (burnt_in.CELL * i + burnt_in.CELL // 2) * 4 + 1] for i in range(burnt_in.CELLS)])

    def version(self):
        return 'libVLC ' + self.vlc.get_version().decode()

    def load(self, url, film):
        self.player = self.vlc.media_player_new_from_media(self.vlc.media_new_location(self.instance, url.encode()))
        self.vlc.video_set_callbacks(self.player, *self.callbacks, None)
        self.vlc.video_set_format(self.player, b'RV32', WIDE, TALL, WIDE * 4)
        self.vlc.media_player_play(self.player)

    def _state(self):
        return STATES[self.vlc.media_player_get_state(self.player)]

    def look(self):
        state = self._state()
        return {'number': self.number, 'at': self.vlc.media_player_get_time(self.player) / 1000, 'ended': state == 'ended', 'errors': ['libVLC is in state error'] if state == 'error' else [],
                'why': f' (state {state})'}

    def play(self):
        self.vlc.media_player_set_pause(self.player, 0)

    def pause(self):
        self.vlc.media_player_set_pause(self.player, 1)

    def seek(self, to):
        self.number = None
        self.vlc.media_player_set_time(self.player, int(to * 1000))

    def _audio(self):
        out, p = [], self.vlc.audio_get_track_description(self.player)
        while p:
            if p.contents.id >= 0:
                out.append((p.contents.id, p.contents.name.decode(errors='replace')))
            p = p.contents.next
        return out

    def pick(self, language):
        hit = next((i for i, name in self._audio() if f'[{NAMES[language]}]' in name), None)
        return hit is not None and self.vlc.audio_set_track(self.player, hit) == 0

    def facts(self):
        wide, tall = C.c_uint(), C.c_uint()
        self.vlc.video_get_size(self.player, 0, C.byref(wide), C.byref(tall))
        return {'duration': self.vlc.media_player_get_length(self.player) / 1000, 'size': f'{wide.value}x{tall.value}',
                'audio': [l for _, name in self._audio() for l, called in NAMES.items() if f'[{called}]' in name]}

    def leave(self):
        pass

    def tell(self):
        return {'state': self._state(), 'tracks': self._audio()} if self.player else {}

    def shot(self, path):
        pass

    def close(self):
        if self.player:
            self.vlc.media_player_stop(self.player)
            self.player = None
        self.ear.close()
