"""Every command the README shows is run as it stands there, on the sample, with the tool under test in the place of `swift run`."""
import os, re, shlex, subprocess, time


def commands(root):
    with open(os.path.join(root, 'README.md')) as f:
        blocks = re.findall(r'^```sh\n(.*?)^```', f.read(), re.M | re.S)
    return [line.split('#')[0].strip() for block in blocks for line in block.splitlines() if line.split('#')[0].strip()]


def run(tally, tool, film, root):
    for command in commands(root):
        began, reasons = time.time(), []
        words = shlex.split(command)
        if words[:3] == ['swift', 'run', 'prismcore-cli']:
            reasons = tool_command([tool] + [film if w == 'movie.mkv' else w for w in words[3:]])
        elif len(words) == 1 and words[0].startswith('script/'):
            # What they do is checked by this run itself and by script/check-clean-root; here, that they are there and say how they are used.
            if not os.access(os.path.join(root, words[0]), os.X_OK):
                reasons.append('no such program')
            p = subprocess.run([os.path.join(root, words[0]), '--no-such-option'], capture_output=True, text=True, timeout=60)
            if p.returncode != 2 or words[0] not in p.stderr:
                reasons.append(f'exit {p.returncode} for a wrong option: {p.stderr[:200]!r}')
        else:
            reasons.append('this check does not know how to run it')
        tally.check(f'README: {command}', reasons, time.time() - began)


def tool_command(words):
    if words[1] != 'serve':
        p = subprocess.run(words, capture_output=True, text=True, timeout=120)
        return [] if p.returncode == 0 and p.stdout.strip() else [f'exit {p.returncode}: {p.stderr[-300:]!r}']
    p = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE if '--lan' in words else subprocess.DEVNULL, text=True)
    try:
        lines = [p.stdout.readline() for _ in range(2)]
        if '--lan' in words and lines == ['', '']:
            # A machine without a network says so and ends.
            return [] if p.wait(20) == 1 and 'no network interface' in p.stderr.read() else [f'exit {p.returncode}']
        p.send_signal(2)
        code = p.wait(20)
    finally:
        p.kill()
    base = r'http://(?!127\.)[\d.]+:\d+/[\w-]{32}/' if '--lan' in words else r'http://127\.0\.0\.1:\d+/'
    ok = re.match('playlist: ' + base, lines[0]) and re.match('player: ' + base, lines[1]) and code == 0
    return [] if ok else [f'exit {code}, said {lines}']
