/**
 * Machines with services in a session: forks and snapshots go on as the original does.
 */
import { expect, test } from 'vitest';
import type { EngineSession } from '../../../core/index.js';
import { terminalFormat } from '../../../domains/index.js';
import { drive } from '../../engine.contract.js';
import { DEFAULT_SPEC, type MachineSpec } from '../machine/index.js';
import { createShellEngine } from '../session/index.js';
import type { ServiceSpec } from './service-spec.js';

const engine = createShellEngine();
const API: ServiceSpec = {
  name: 'api.service',
  description: 'API',
  command: '/usr/sbin/apid',
  unitPath: '/lib/systemd/system/api.service',
  type: 'notify',
  restart: 'always',
  restartSeconds: 5,
  canReload: true,
  isEnabled: true,
  wasStarted: true,
  ports: [{ port: 8080, http: { '/': { status: 200, type: 'text/plain', body: 'hi\n' } } }],
  needs: [],
  logs: {
    start: [],
    failure: [],
    stop: ['bye'],
    periodic: [{ everySeconds: [2, 9], lines: ['tick {1..99}'], priority: 6 }],
  },
  failStatus: 1,
};
const SPEC: MachineSpec = {
  ...DEFAULT_SPEC,
  id: 'services',
  user: { name: 'root', uid: 0, gid: 0, home: '/root', shell: '/bin/bash', groups: [] },
  cwd: '/root',
  services: [API],
};

const LINES: readonly (readonly [string, number])[] = [
  ['echo "* * * * * date >> /tmp/d" | crontab -\n', 1],
  ['pkill -9 apid\n', 1],
  ['clear; systemctl is-active api; curl -s localhost:8080\n', 7],
  ['clear; curl -s localhost:8080; journalctl -u api -n 5 -o cat --no-pager\n', 30],
  ['clear; systemctl reload api; tail -n 2 /tmp/d; ps ax | grep [a]pid\n', 70],
  ['clear; systemctl restart api; journalctl -n 8 -o cat --no-pager\n', 3],
];

test('after the clock was set, live machines and copies of them write at the same moments', () => {
  const session = engine.open(SPEC, 1);
  play(session, 3, SPEC.startMs);
  session.jumpClock?.(3_600_000);
  const startMs = SPEC.startMs + 3_600_000;
  const copy = engine.restore(SPEC, 1, session.snapshot());
  const seen = play(session, 3, startMs);
  expect(play(copy, 3, startMs)).toEqual(seen);
  expect(seen[0]).toContain('hi\n');
});

function play(session: EngineSession, from: number, startMs: number): string[] {
  let nowMs = startMs + LINES.slice(0, from).reduce((sum, [, seconds]) => sum + seconds * 1000, 0);
  return LINES.slice(from).map(([keystrokes, duration], at) => {
    const action = terminalFormat.parseAction(JSON.stringify([{ keystrokes, duration }]));
    const outcome = drive(session, action, { nowMs, turn: from + at + 1 });
    nowMs += duration * 1000;
    return outcome.answer?.text.text ?? '';
  });
}

test('daemons, restarts and cron go on in forks and from snapshots, whenever they are taken', () => {
  const whole = play(engine.open(SPEC, 1), 0, SPEC.startMs);
  expect(whole).toMatchInlineSnapshot(`
    [
      "root@box:~# echo "* * * * * date >> /tmp/d" | crontab -
    root@box:~#",
      "root@box:~# echo "* * * * * date >> /tmp/d" | crontab -
    root@box:~# pkill -9 apid
    root@box:~#",
      "activating
    root@box:~#",
      "hi
    api.service: Failed with result 'signal'.
    api.service: Scheduled restart job, restart counter is at 1.
    Stopped api.service - API.
    Starting api.service - API...
    Started api.service - API.
    root@box:~#",
      "tail: cannot open '/tmp/d' for reading: No such file or directory
        329 ?        Ss     0:00 /usr/sbin/apid
    root@box:~#",
      "tick 42
    tick 38
    Stopping api.service - API...
    bye
    api.service: Deactivated successfully.
    Stopped api.service - API.
    Starting api.service - API...
    Started api.service - API.
    root@box:~#",
    ]
  `);
  for (const at of [1, 3, 5]) {
    const session = engine.open(SPEC, 1);
    let nowMs = SPEC.startMs;
    for (const [turn, [keystrokes, duration]] of LINES.slice(0, at).entries()) {
      const action = terminalFormat.parseAction(JSON.stringify([{ keystrokes, duration }]));
      drive(session, action, { nowMs, turn: turn + 1 });
      nowMs += duration * 1000;
    }
    const bytes = session.snapshot();
    expect(play(session.fork(), at, SPEC.startMs)).toEqual(whole.slice(at));
    expect(play(engine.restore(SPEC, 1, bytes), at, SPEC.startMs)).toEqual(whole.slice(at));
  }
});
