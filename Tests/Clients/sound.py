"""What a client is heard to play: samples handed over, or read from the output of a PulseAudio of one's own."""
import array, os, shutil, subprocess, tempfile, threading, time
import burnt_in

KEEP = burnt_in.SAMPLE_RATE * 2  # samples


class Ear:
    """Keeps the last samples (mono, 16 bits, 48 kHz) and tells their pitch."""

    def __init__(self):
        self.pcm, self.lock = array.array('h'), threading.Lock()

    def hear(self, data):
        with self.lock:
            self.pcm.frombytes(data[:len(data) // 2 * 2])
            if len(self.pcm) > KEEP * 2:
                del self.pcm[:-KEEP]

    def tone(self, seconds=0.25):
        """Hertz of what was heard last; 0 is silence."""
        with self.lock:
            x = self.pcm[-int(seconds * burnt_in.SAMPLE_RATE):]
        return burnt_in.frequency(x)

    def close(self):
        pass


class Loudspeaker(Ear):
    """`env` leads a client's sound here. Needs pulseaudio."""

    def __init__(self):
        super().__init__()
        # a socket's path has to be short
        self.folder = tempfile.mkdtemp(prefix='pa-', dir='/tmp')
        self.processes = []
        socket, pipe = os.path.join(self.folder, 's'), os.path.join(self.folder, 'p')
        self.env = {'PULSE_SERVER': f'unix:{socket}', 'PULSE_SINK': 'out', 'PULSE_COOKIE': os.path.join(self.folder, 'cookie')}
        self.own = dict(os.environ, HOME=self.folder, XDG_RUNTIME_DIR=self.folder, **self.env)
        self.own.pop('DISPLAY', None)
        try:
            self._run('pulseaudio', '-n', '--daemonize=no', '--exit-idle-time=-1', '--disable-shm=yes', '--use-pid-file=no', '--log-level=error',
                      '-L', f'module-native-protocol-unix socket={socket} auth-anonymous=1', '-L', f'module-pipe-sink sink_name=out file={pipe} format=s16le rate={burnt_in.SAMPLE_RATE} channels=1 use_system_clock_for_timing=yes')
            end = time.time() + 15
            while not os.path.exists(socket) or not os.path.exists(pipe):
                if time.time() > end or self.processes[0].poll() is not None:
                    raise RuntimeError('pulseaudio did not start')
                time.sleep(0.02)
        except BaseException:
            self.close()
            raise
        threading.Thread(target=self._listen, args=(pipe,), daemon=True).start()

    def _run(self, *words):
        p = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.own)
        self.processes.append(p)
        return p

    def _listen(self, path):
        with open(path, 'rb', buffering=0) as pipe:
            while True:
                data = pipe.read(4800)
                if not data:
                    return
                self.hear(data)

    def close(self):
        for p in reversed(self.processes):
            if p.poll() is None:
                p.terminate()
                try:
                    p.wait(5)
                except subprocess.TimeoutExpired:
                    p.kill()
                    p.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
