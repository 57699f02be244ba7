/**
 * Services of a machine: what systemctl, the journal, cron and kills do to them.
 */
import { expect, test } from 'vitest';
import { DEFAULT_SPEC, type MachineSpec, openMachine, runProgram } from '../machine/index.js';
import type { ServiceSpec } from './service-spec.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function service(name: string, more: Partial<ServiceSpec> = {}): ServiceSpec {
  return {
    name: `${name}.service`,
    description: `The ${name}`,
    command: `/usr/sbin/${name} -f`,
    unitPath: `/lib/systemd/system/${name}.service`,
    type: 'simple',
    restart: 'no',
    canReload: false,
    isEnabled: true,
    wasStarted: true,
    ports: [],
    needs: [],
    logs: { start: [], failure: [], stop: [], periodic: [] },
    failStatus: 1,
    ...more,
  };
}

const ROOT: MachineSpec = {
  ...DEFAULT_SPEC,
  user: { name: 'root', uid: 0, gid: 0, home: '/root', shell: '/bin/bash', groups: [] },
  cwd: '/root',
  startMs: Date.UTC(2026, 0, 5, 9),
};

/** Runs lines one after the other on one machine; what each printed, and its status. */
function runLines(spec: MachineSpec, lines: readonly string[]): string[] {
  const machine = openMachine(spec, 1);
  return lines.map((line) => {
    const { merged, exitCode, crashes } = runProgram(machine, {
      program: function* (proc) {
        return yield* proc.exec('/bin/bash', ['bash', '-c', line]);
      },
      argv: ['bash'],
      limits: { maxMs: 400_000 },
    });
    expect(crashes).toEqual([]);
    return `${merged}${exitCode}`;
  });
}

test('a service that misses its file fails as systemd says it, and comes up when the file is there', () => {
  const app = service('app', {
    type: 'notify',
    ageMs: 600_000,
    needs: [{ file: '/etc/app.conf', holds: '^port=[0-9]+$' }],
  });
  expect(
    runLines({ ...ROOT, services: [app] }, [
      'systemctl status app',
      'systemctl start app',
      'echo port=x > /etc/app.conf; systemctl restart app 2>/dev/null; journalctl -u app -p err -n 2 -o cat',
      'echo port=80 > /etc/app.conf; systemctl start app; systemctl is-active app; systemctl is-failed app',
    ]),
  ).toMatchInlineSnapshot(`
    [
      "× app.service - The app
         Loaded: loaded (/lib/systemd/system/app.service; enabled; preset: enabled)
         Active: failed (Result: exit-code) since Mon 2026-01-05 08:50:00 UTC; 9min ago
        Process: 217 ExecStart=/usr/sbin/app -f (code=exited, status=1/FAILURE)
       Main PID: 217 (code=exited, status=1/FAILURE)
            CPU: 12ms

    Jan 05 08:50:00 box systemd[1]: Starting app.service - The app...
    Jan 05 08:50:00 box app[217]: cannot open /etc/app.conf: No such file or directory
    Jan 05 08:50:00 box systemd[1]: app.service: Main process exited, code=exited, status=1/FAILURE
    Jan 05 08:50:00 box systemd[1]: app.service: Failed with result 'exit-code'.
    Jan 05 08:50:00 box systemd[1]: Failed to start app.service - The app.
    3",
      "Job for app.service failed because the control process exited with error code.
    See "systemctl status app.service" and "journalctl -xeu app.service" for details.
    1",
      "/etc/app.conf: a required setting is missing or invalid
    Failed to start app.service - The app.
    0",
      "active
    active
    1",
    ]
  `);
});

test('unknown units, missing rights and masked units have their own words and statuses', () => {
  const user = { ...ROOT, user: { ...DEFAULT_SPEC.user }, cwd: '/home/user', services: [service('app')] };
  expect(
    runLines(user, [
      'systemctl status nosuch',
      'systemctl stop app',
      'systemctl enable app',
      'systemctl is-active app; systemctl is-enabled app nosuch',
      'journalctl -u app',
    ]),
  ).toMatchInlineSnapshot(`
    [
      "Unit nosuch.service could not be found.
    4",
      "Failed to stop app.service: Interactive authentication required.
    See system logs and 'systemctl status app.service' for details.
    1",
      "Failed to enable unit: Interactive authentication required.
    1",
      "active
    Failed to get unit file state for nosuch.service: No such file or directory
    enabled
    1",
      "Hint: You are currently not seeing messages from other users and the system.
          Users in groups 'adm', 'systemd-journal' can see all messages.
          Pass -q to turn off this notice.
    No journal files were opened due to insufficient permissions.
    1",
    ]
  `);
  expect(
    runLines({ ...ROOT, services: [service('app')] }, [
      'systemctl start nosuch',
      'systemctl stop nosuch.service',
      'systemctl reload app',
      'systemctl disable --now app; systemctl is-enabled app; systemctl is-active app',
      'systemctl mask app; systemctl start app',
      'systemctl unmask app; systemctl enable --now app; systemctl is-active app',
    ]),
  ).toMatchInlineSnapshot(`
    [
      "Failed to start nosuch.service: Unit nosuch.service not found.
    5",
      "Failed to stop nosuch.service: Unit nosuch.service not loaded.
    5",
      "Failed to reload app.service: Job type reload is not applicable for unit app.service.
    3",
      "Removed "/etc/systemd/system/multi-user.target.wants/app.service".
    disabled
    inactive
    3",
      "Created symlink /etc/systemd/system/app.service → /dev/null.
    Failed to start app.service: Unit app.service is masked.
    1",
      "Removed "/etc/systemd/system/app.service".
    Created symlink /etc/systemd/system/multi-user.target.wants/app.service → /lib/systemd/system/app.service.
    active
    0",
    ]
  `);
});

test('a killed service is started again by its policy, and not where it was only told to end', () => {
  const app = service('app', { restart: 'on-failure', restartSeconds: 2 });
  expect(
    runLines({ ...ROOT, services: [app] }, [
      'pkill -9 app; systemctl is-active app; sleep 3; systemctl show app -p ActiveState,NRestarts; pgrep -a app',
      'pkill app; sleep 3; systemctl is-active app; journalctl -u app -o cat -n 5',
    ]),
  ).toMatchInlineSnapshot(`
    [
      "activating
    NRestarts=1
    ActiveState=active
    326 /usr/sbin/app -f
    0",
      "inactive
    app.service: Failed with result 'signal'.
    app.service: Scheduled restart job, restart counter is at 1.
    Stopped app.service - The app.
    Started app.service - The app.
    app.service: Deactivated successfully.
    0",
    ]
  `);
});

test('a port that somebody holds keeps a service from coming up', () => {
  const spec = {
    ...ROOT,
    services: [
      service('one', { ports: [{ port: 8080 }] }),
      service('two', {
        type: 'forking',
        ports: [{ port: 1, from: { file: '/etc/two.conf', match: 'port ([0-9]+)' } }],
      }),
    ],
    files: [{ path: '/etc/two.conf', content: bytes('port 8080\n') }],
  };
  expect(
    runLines(spec, [
      'systemctl is-active one two; journalctl -u two -o cat -n 4',
      'systemctl stop one; systemctl start two; systemctl is-active two',
      'systemctl start one; sleep 1; systemctl is-active one; sed -i s/8080/9090/ /etc/two.conf; systemctl restart two one; systemctl is-active one two',
    ]),
  ).toMatchInlineSnapshot(`
    [
      "active
    failed
    bind() to 0.0.0.0:8080 failed (98: Address already in use)
    two.service: Control process exited, code=exited, status=1/FAILURE
    two.service: Failed with result 'exit-code'.
    Failed to start two.service - The two.
    0",
      "active
    0",
      "failed
    active
    active
    0",
    ]
  `);
});

test('an own unit really runs its program, and its words go to the journal', () => {
  const unit =
    '[Unit]\nDescription=Mine\n[Service]\nEnvironment=WHO=me\nExecStart=/opt/mine.sh $WHO\n[Install]\nWantedBy=multi-user.target\n';
  const files = [
    { path: '/opt/mine.sh', mode: 0o755, content: bytes('#!/bin/bash\necho "hello $1"\nsleep 100\n') },
  ];
  expect(
    runLines({ ...ROOT, services: [], files }, [
      `printf '%s' '${unit}' > /etc/systemd/system/mine.service; systemctl enable --now mine; sleep 1; systemctl status mine | tail -n +3 | grep -v CPU`,
      'chmod -x /opt/mine.sh; systemctl restart mine; sleep 1; systemctl is-active mine; journalctl -u mine -n 4 -o cat',
      'sed -i s/Mine/Yours/ /etc/systemd/system/mine.service; systemctl start mine; systemctl daemon-reload; systemctl cat mine | head -3',
    ]),
  ).toMatchInlineSnapshot(`
    [
      "Created symlink /etc/systemd/system/multi-user.target.wants/mine.service → /etc/systemd/system/mine.service.
         Active: active (running) since Mon 2026-01-05 09:00:00 UTC; 1s ago
       Main PID: 320 (bash)
          Tasks: 2 (limit: 4644)
         Memory: 24.8M
         CGroup: /system.slice/mine.service
                 ├─320 /bin/bash /opt/mine.sh me
                 └─322 sleep 100

    Jan 05 09:00:00 box systemd[1]: Started mine.service - Mine.
    Jan 05 09:00:00 box mine.sh[320]: hello me
    0",
      "failed
    Started mine.service - Mine.
    mine.service: Failed at step EXEC spawning /opt/mine.sh: Permission denied
    mine.service: Main process exited, code=exited, status=203/EXEC
    mine.service: Failed with result 'exit-code'.
    0",
      "Warning: The unit file, source configuration file or drop-ins of mine.service changed on disk. Run 'systemctl daemon-reload' to reload units.
    # /etc/systemd/system/mine.service
    [Unit]
    Description=Yours
    0",
    ]
  `);
});

test('cron runs tables on the machine’s clock, and refuses wrong ones', () => {
  expect(
    runLines({ ...ROOT, services: [] }, [
      'crontab -l',
      'echo "* * * * * echo hi" | crontab -; crontab -l; sleep 70; journalctl -t CRON -o cat',
      'echo "61 * * * * x" | crontab -',
      'crontab -r; crontab -l; printf "*/2 * * * * root date +\\\\%%T >> /tmp/at\\n" > /etc/cron.d/at; sleep 240; cat /tmp/at',
    ]),
  ).toMatchInlineSnapshot(`
    [
      "no crontab for root
    1",
      "* * * * * echo hi
    pam_unix(cron:session): session opened for user root(uid=0) by (uid=0)
    (root) CMD (echo hi)
    (CRON) info (No MTA installed, discarding output)
    pam_unix(cron:session): session closed for user root
    0",
      ""-":0: bad minute
    errors in crontab file, can't install.
    1",
      "no crontab for root
    09:02:00
    09:04:00
    0",
    ]
  `);
});

test('logs grow with the clock, and who follows them sees it', () => {
  const app = service('app', {
    logs: {
      start: ['up'],
      failure: [],
      stop: ['bye'],
      periodic: [
        { everySeconds: [10, 10], lines: ['tick'], priority: 6 },
        { everySeconds: [4, 9], lines: ['{1..6} {day}'], to: '/var/log/app.log', priority: 6 },
      ],
    },
  });
  expect(
    runLines({ ...ROOT, services: [app] }, [
      'wc -l < /var/log/app.log; timeout 21 tail -n 0 -f /var/log/app.log',
      'timeout 25 journalctl -fu app -n 0',
      'systemctl stop app; journalctl -u app -n 4 -o cat',
    ]),
  ).toMatchInlineSnapshot(`
    [
      "30
    1 2026-01-05 09:00:04
    6 2026-01-05 09:00:12
    2 2026-01-05 09:00:16
    124",
      "Jan 05 09:00:28 box app[217]: tick
    Jan 05 09:00:38 box app[217]: tick
    124",
      "Stopping app.service - The app...
    bye
    app.service: Deactivated successfully.
    Stopped app.service - The app.
    0",
    ]
  `);
});

test('certificates are read, run out, and are made anew', () => {
  const certificates = [
    {
      path: '/etc/ssl/a.pem',
      subject: '/O=Example/CN=a.example',
      notBeforeMs: Date.UTC(2025, 0, 1),
      notAfterMs: Date.UTC(2026, 0, 5, 8),
      keyPath: '/etc/ssl/a.key',
      bits: 2048,
    },
  ];
  const app = service('app', { needs: [{ certificate: '/etc/ssl/a.pem' }] });
  expect(
    runLines({ ...ROOT, packages: ['openssl'], certificates, services: [app] }, [
      'openssl x509 -in /etc/ssl/a.pem -noout -dates -subject -issuer -checkend 0',
      'systemctl is-active app; journalctl -u app -p err -o cat',
      'openssl req -x509 -key /etc/ssl/a.key -out /etc/ssl/a.pem -days 30 -subj /CN=a.example; openssl x509 -in /etc/ssl/a.pem -noout -enddate -checkend 2500000; systemctl start app; systemctl is-active app',
      'test "$(openssl x509 -in /etc/ssl/a.pem -noout -modulus)" = "$(openssl rsa -in /etc/ssl/a.key -noout -modulus)"; stat -c %a /etc/ssl/a.key',
      'openssl req -x509 -newkey rsa:1024 -nodes -keyout k -out c -days 1 -subj /CN=b 2>/dev/null; openssl x509 -in c -noout -issuer -checkend 86401',
    ]),
  ).toMatchInlineSnapshot(`
    [
      "notBefore=Jan  1 00:00:00 2025 GMT
    notAfter=Jan  5 08:00:00 2026 GMT
    subject=O = Example, CN = a.example
    issuer=O = Example, CN = a.example
    Certificate will expire
    1",
      "active
    -- No entries --
    0",
      "notAfter=Feb  4 09:00:00 2026 GMT
    Certificate will not expire
    active
    0",
      "600
    0",
      "issuer=CN = b
    Certificate will expire
    1",
    ]
  `);
});
