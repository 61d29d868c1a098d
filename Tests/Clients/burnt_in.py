"""What the made films carry so that a client's picture and sound can be read: each picture its number, each second its pitch.

The picture: sixteen squares at the top left, white, black, the number's ten bits (lowest first), and four of a check.
The sound: a sine whose frequency rises by a tenth of the first every ten seconds, so that a seek is heard as well as seen.
"""
RATE = 25           # pictures a second
CELL = 32           # the side of a square, in pixels of the film as made
BITS = 10
CELLS = BITS + 6
SAMPLE_RATE = 48000
STEP = 10           # seconds until the pitch rises


def picture(size, seconds):
    """The lavfi source of a moving picture of `size` (WxH) with its number burnt in."""
    box = lambda cell, wide, colour, when=None: (f'drawbox=x={cell * CELL}:y=0:w={wide * CELL}:h={CELL}:color={colour}:t=fill' + (f":enable='mod({when},2)'" if when else ''))
    return ','.join([f'testsrc2=size={size}:rate={RATE}:duration={seconds}', box(0, CELLS, 'black'), box(0, 1, 'white'),
                     *(box(2 + k, 1, 'white', f'floor(n/{1 << k})') for k in range(BITS)),
                     *(box(2 + BITS + k, 1, 'white', f'floor(mod(n*7+5,13)/{1 << k})') for k in range(4))])


def sound(hertz, seconds):
    return f'aevalsrc=exprs=0.25*sin(2*PI*t*{hertz}*(1+floor(t/{STEP})/10)):s={SAMPLE_RATE}:d={seconds}'


def pitch(hertz, at):
    """What is to be heard `at` seconds, of a track that starts with `hertz`."""
    return hertz * (1 + max(0, at) // STEP / 10)


def number(luma):
    """The number of the picture whose squares have these luma values; None when they are no number."""
    if not isinstance(luma, list) or len(luma) != CELLS:
        return None
    bits = [x > 128 for x in luma]
    value = lambda some: sum(1 << k for k, bit in enumerate(some) if bit)
    n = value(bits[2:2 + BITS])
    return n if bits[0] and not bits[1] and value(bits[2 + BITS:]) == (n * 7 + 5) % 13 else None


def frequency(pcm):
    """Hertz of mono 16-bit samples at SAMPLE_RATE, by their zero crossings; 0 for silence."""
    if len(pcm) < SAMPLE_RATE // 10 or max(pcm) < 100:
        return 0
    ups = [i for i in range(1, len(pcm)) if pcm[i - 1] < 0 <= pcm[i]]
    return round((len(ups) - 1) * SAMPLE_RATE / (ups[-1] - ups[0])) if len(ups) > 2 else 0
