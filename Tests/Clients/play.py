#!/usr/bin/env python3
"""Put one client through films: play.py CLIENT FOLDER, a JSON list of films on standard input, one line of JSON a film on standard output.

CLIENT is a name out of matrix.CLIENTS. Logs and screenshots of what failed are left in FOLDER.
"""
import json, os, signal, sys, time
sys.dont_write_bytecode = True
import matrix, trial

LIMIT = 120  # seconds for one film


def late(*_):
    raise TimeoutError(f'no end after {LIMIT} s')


def play(make, player, film, folder):
    """One film; gives the result and the player, or None when it is of no further use."""
    result, began, t = {'source': film['source'], 'failed': []}, time.time(), None
    signal.alarm(LIMIT)
    try:
        if player is None:
            player = make()
        result['version'] = player.version()
        leave = list(film['leave'])
        if film['ask'] and not player.can(film['ask']):
            result['denied'] = film['asked for']
            leave.append(film['asked for'])
        if '*' in leave:
            pass
        elif hasattr(player, 'run'):
            result.update(player.run(film, leave))
        else:
            t = trial.Trial(player, film, leave)
            t.run()
    except trial.Failed as e:
        result['failed'] = [str(e)]
    except Exception as e:
        result['failed'] = [f'{type(e).__name__}: {e}'[:600]]
    if t:
        result.update(t.result)
    if player and result['failed']:
        # what has failed once is of no use to the next film
        for step in (lambda: result.update(tell=player.tell()), lambda: player.shot(os.path.join(folder, film['source'] + '.png')), player.close):
            try:
                signal.alarm(10)
                step()
            except Exception as e:
                result.setdefault('and then', []).append(f'{type(e).__name__}: {e}'[:200])
        player = None
    elif player:
        player.leave()
    signal.alarm(0)
    result['seconds'] = round(time.time() - began, 1)
    return result, player


def main(client, folder):
    signal.signal(signal.SIGALRM, late)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    os.makedirs(folder, exist_ok=True)
    make, player = (lambda: matrix.player(client, folder)), None
    try:
        for film in json.load(sys.stdin):
            result, player = play(make, player, film, folder)
            print(json.dumps(result), flush=True)
    finally:
        if player:
            player.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
