"""What every player is put through: start, move, be in the right place with the right sound, seek, change the language, end.

A player has: load(url, film), look(), play(), pause(), seek(seconds), pick(language), facts(), close(); and `ear`, a Loudspeaker.
look() gives {'number': of the picture shown (or None), 'at': the player's clock in seconds, 'ended': bool, 'errors': [...]}.
Each wait is for a condition, with a limit; a check that fails is never tried again.
"""
import time
import burnt_in

START, SEEK, SWITCH, END, MOVE = 30, 20, 20, 20, 15  # seconds at most, until the picture, the place, the language, the end is there, it moves on
EARLY, BEHIND = 0.15, 1.0  # seconds that a playing picture may be before and behind the clock
UNSEEN = 12  # pictures at the end that a busy machine may drop; FFmpeg counts every one
ABILITIES = ('start', 'advance', 'sound', 'seek', 'exact', 'switch', 'end')


class Failed(Exception):
    pass


class Trial:
    """`film` says what is played (see sources in good_sources.py); `leave` is what this client cannot do."""

    def __init__(self, player, film, leave):
        self.player, self.film, self.leave = player, film, set(leave)
        self.calm = film.get('calm', 0.6)  # seconds that it plays after a seek before it is asked for more
        self.late = film.get('late', 0)  # seconds that this client shows every picture late
        self.result = {'done': [], 'seen': {}}
        self.base = film['tones'][0][1]

    def run(self):
        """Fills `result`; raises Failed at the first thing that is wrong: what follows would only echo it."""
        steps = {'start': self.start, 'advance': lambda: self.advance('playing', 1.5), 'sound': self.sound, 'seek': self.seeks, 'exact': self.exact,
                 'switch': self.switch, 'end': self.end}
        for ability in ABILITIES:
            if ability in self.leave or (ability == 'switch' and len(self.film['tones']) < 2):
                continue
            began = time.time()
            try:
                steps[ability]()
            except Failed as e:
                raise Failed(f'{ability}: {e}') from None
            self.result['seen'][f'{ability}Seconds'] = round(time.time() - began, 2)
            self.result['done'].append(ability)

    def until(self, what, holds, limit):
        """The first look for which `holds`; each look has a number unless the picture is left out."""
        began = time.time()
        while True:
            asked = time.time()
            now = self.player.look()
            if now['errors']:
                raise Failed(f'{what}: {" | ".join(now["errors"])[:500]}')
            if holds(now):
                return now
            if time.time() - began > limit:
                raise Failed(f'{what}: not within {limit} s; last seen picture {now["number"]}{now.get("why", "")} at {now["at"]:.2f} s, sound {self.player.ear.tone()} Hz')
            # a page that is asked all the time does not get to play: WebKitGTK answers before it draws
            time.sleep(max(self.film.get('pause', 0.05), 3 * (time.time() - asked)))

    def placed(self, now):
        """The picture shown belongs to the clock's time, or to one it has just passed: a busy machine shows pictures late. Standing still tells it exactly."""
        return now['number'] is not None and -BEHIND - self.late <= now['number'] / burnt_in.RATE - now['at'] <= EARLY

    def start(self):
        self.player.load(self.film['url'], self.film)
        began = time.time()
        first = self.until('a first picture', lambda n: n['number'] is not None, START)
        self.result['seen']['firstPicture'] = first['number']
        if first['number'] / burnt_in.RATE > time.time() - began + 1:
            raise Failed(f'the first picture is number {first["number"]}')
        self.player.play()
        self.until('the picture at the clock\'s place', self.placed, MOVE)
        self.until('its duration, size and tracks', self.known, MOVE)

    def known(self, _):
        """A player may learn of these some time after the first picture."""
        have = self.player.facts()
        self.result['seen'].update(have)
        want = {'duration': self.film['seconds'], 'size': self.film['size'], 'audio': sorted(language for language, _ in self.film['tones'])}
        if len(self.film['tones']) < 2:
            have, want = {**have, 'audio': None}, {**want, 'audio': None}
        return isinstance(have['duration'], (int, float)) and abs(have['duration'] - want['duration']) <= 0.5 and \
            all(have[key] is None or (sorted(have[key]) if key == 'audio' else have[key]) == want[key] for key in ('size', 'audio'))

    def advance(self, what, seconds):
        """The picture moves on, no faster than time does."""
        a, began = self.until(what, lambda n: n['number'] is not None, MOVE)['number'], time.time()
        b = self.until(f'{what}: {seconds} s further', lambda n: n['number'] is not None and n['number'] >= a + seconds * burnt_in.RATE, MOVE)['number']
        took, moved = time.time() - began, (b - a) / burnt_in.RATE
        self.result['seen'].setdefault('rates', []).append(round(moved / took, 2))
        if moved > took * 1.5 + 1:
            raise Failed(f'{what}: {moved:.2f} s of pictures in {took:.2f} s')

    def sound(self, what='sound', limit=MOVE):
        """The pitch heard is that of this place in the film."""
        if 'sound' in self.leave:
            return
        began, heard = time.time(), []

        def right(now):
            heard[:] = heard[-9:] + [self.player.ear.tone()]
            return any(abs(heard[-1] - burnt_in.pitch(self.base, now['at'] - late)) <= self.base / 40 for late in (0, 0.3))
        try:
            self.until(f'{what}, a pitch of {self.base} Hz and up', right, limit)
        except Failed as e:
            raise Failed(f'{e}; heard {heard}') from None
        self.result['seen'].setdefault('heardAfter', []).append(round(time.time() - began, 2))

    def seek(self, to, early=None, paused=False):
        began = time.time()
        self.player.seek(to)
        early = self.film.get('early', EARLY) if early is None else early

        def there(now):
            at = None if now['number'] is None else now['number'] / burnt_in.RATE
            late = 0 if paused else time.time() - began
            return at is not None and to - early - self.late <= at <= to + late + EARLY and (paused or self.placed(now))
        now = self.until(f'the picture of {to} s', there, SEEK)
        self.result['seen'].setdefault('seeks', []).append([to, now['number'], round(time.time() - began, 2)])
        return now

    def seeks(self):
        for to in self.film['seeks']:
            self.seek(to)
            self.advance(f'after the seek to {to} s', self.calm)
            self.sound(f'sound after the seek to {to} s')

    def exact(self):
        """Standing still, a seek shows the very picture of that time."""
        to = self.film['exact']
        self.player.pause()
        want = int(to * burnt_in.RATE + 0.01)
        self.seek(to, paused=True)
        slow = round(self.late * burnt_in.RATE)
        self.until(f'picture {want - slow} of {to} s', lambda n: n['number'] is not None and -1 - slow <= n['number'] - want <= 1, MOVE)
        time.sleep(self.calm / 2)
        self.player.play()
        self.advance('after standing still', self.calm)

    def switch(self):
        for turn, (language, self.base) in enumerate(self.film['tones'][1:]):
            if not self.player.pick(language):
                raise Failed(f'no audio track {language}')
            to = self.film.get('switch by seek')
            if to is not None:
                self.seek(to + 8 * turn)
            self.sound(f'sound in {language}', SWITCH)
            self.advance(f'in {language}', self.calm)

    def end(self):
        last = self.film['seconds'] * burnt_in.RATE - 1
        highest = [self.seek(self.film['seconds'] - self.film.get('last', 1.5))['number']]

        def over(now):
            if now['number'] is not None:
                highest[0] = max(highest[0], now['number'])
            return now['ended']
        self.until('the end', over, END)
        self.result['seen']['lastPicture'] = highest[0]
        if highest[0] < last - self.film.get('unseen', UNSEEN):
            raise Failed(f'the last picture seen is {highest[0]}, not {last}')
