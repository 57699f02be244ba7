import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonObject, parseJson, type Trajectory } from '../../core/index.js';
import { callOf, trajectoryOf, turnOf } from '../trajectories.contract.js';
import { createRedactStage, type RedactOptions } from './redact-trajectory.js';

function redact(
  trajectory: Trajectory,
  options: RedactOptions = {},
): { made: Trajectory; report: JsonObject } {
  const stage = createRedactStage(options);
  const [made] = stage.take(trajectory);
  return { made: made as Trajectory, report: stage.report() };
}

function redactText(text: string, options: RedactOptions = {}): string {
  return redact(trajectoryOf('t', [turnOf('ls', text)]), options).made.turns[0]?.observation ?? '';
}

// Put together, so that no scanner takes this file for a leak.
const PLANTED: readonly (readonly [string, string, string])[] = [
  ['aws-key', 'AKIA', 'IOSFODNN7EXAMPLF'],
  ['github-token', 'ghp_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'],
  ['github-token', 'github_pat_', '11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz0123456789'],
  ['anthropic-key', 'sk-ant-api03-', 'abcDEF123-ghi_JKL456mnoPQR789stuVWX'],
  ['openai-key', 'sk-proj-', 'Zx9Yw8Vu7Ts6Rq5Po4Nm3Lk2Ji1Hg0Fe'],
  ['slack-token', 'xoxb-', '123456789012-1234567890123-AbCdEfGhIjKl'],
  ['google-key', 'AIza', 'SyD4iE2xVSpkLLOXoyqT-RuPwywN3ScDAZX'],
  ['stripe-key', 'sk_live_', '4eC39HqLyjWDarjtT1zdp7dc'],
  ['npm-token', 'npm_', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'],
  ['jwt', 'eyJ', 'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N'],
  ['authorization', 'Authorization: Bearer ', 'mF_9.B5f-4.1JqMabc'],
  ['authorization', 'Authorization: Basic ', 'YWxhZGRpbjpvcGVuc2VzYW1l'],
  ['url-password', 'postgres://app:', 'Tr0ub4dor!3'],
  ['named-secret', 'DB_PASSWORD=', 'c0rrect-h0rse-battery'],
  ['named-secret', 'aws_secret_access_key = ', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLFKEY'],
  ['email', 'mail to ', 'erika.mustermann@firma-beispiel.de'],
  ['phone', 'call ', '+49 151 23456789'],
  ['phone', 'call ', '(415) 867-5309'],
  ['card', 'card ', '4111 1111 1111 1111'],
  ['card', 'card ', '378282246310005'],
  ['iban', 'pay to ', 'DE89 3704 0044 0532 0130 00'],
  ['ipv4', 'from ', '93.184.216.34'],
  ['ipv6', 'from ', '2606:2800:220:1:248:1893:25c8:1946'],
  ['mac', 'ether ', '3c:22:fb:4a:9e:01'],
  ['user-name', '/home/', 'emustermann'],
];
const after = (kind: string): string => (kind === 'url-password' ? '@db/x' : '');

test('every planted value is found, replaced by one as long and of its shape, and told by kind only', () => {
  for (const [kind, before, secret] of PLANTED) {
    const text = `see ${before}${secret}${after(kind)} for it\n`;
    const { made, report } = redact(trajectoryOf('t', [turnOf('ls', text)]));
    const seen = made.turns[0]?.observation ?? '';
    expect([kind, seen.includes(secret), seen.length, seen.startsWith(`see ${before}`)]).toEqual([
      kind,
      false,
      text.length,
      true,
    ]);
    expect(report).toMatchObject({ values: { [kind]: 1 }, places: { [kind]: 1 } });
    expect(JSON.stringify(report)).not.toContain(secret);
  }
});

test('placeholders have the shape of what they replace', () => {
  const shapes = PLANTED.map(([kind, before, secret]) =>
    redactText(`${before}${secret}${after(kind)}`).slice(before.length, before.length + secret.length),
  );
  expect(shapes).toEqual([
    'XXXXXXXX00000001',
    'xxxxxxxxxxxxxxxxxxxxxxxx000000000001',
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx000000000001',
    'xxxxxxxxxxxxxxxxxxxxxxx000000000001',
    'xxxxxxxxxxxxxxxxxxxx000000000001',
    'xxxxxxxxxxxxxxxxxxxxxxxxxxx000000000001',
    'xxxxxxxxxxxxxxxxxxxxxxx000000000001',
    'xxxxxxxxxxxx000000000001',
    'xxxxxxxxxxxxxxxxxxxxxxxx000000000001',
    'xxxxxxxxxxxxxxxxx.xxxxxxxxxxxxxxxxxxx.xxxxxxxxxx000000000001',
    'xxxx.xxxx0.0000001',
    'xxxxxxxxxxxx000000000001',
    'xxxxxx00001',
    'xxxxxxxxxxx0000000001',
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxx000000000001',
    'xxxx000000000001@x0000-00000001.zz',
    '+40 000 00000001',
    '(400) 000-0001',
    '4000 0000 0000 0001',
    '300000000000001',
    'DE00 0000 0000 0000 0000 01',
    '10.100.100.11',
    'fd00:0000:000:0:000:0000:0000:0001',
    '00:00:00:00:00:01',
    'xxxxxx00001',
  ]);
});

test('no planted secret survives in JSON of any depth, in URLs, in wrapped lines, in actions, system, source or meta', () => {
  const wrap = (text: string): string => text.replace(/.{60}/g, '$&\n');
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...PLANTED], { minLength: 1, maxLength: 4 }),
      fc.nat({ max: 59 }),
      (chosen, shift) => {
        const texts = chosen.map(([kind, before, secret]) => `${before}${secret}${after(kind)}`);
        const plain = `note ${texts.join(' ; ')} end`;
        const json = JSON.stringify({ deep: JSON.stringify({ deeper: plain, list: [`\n${plain}\t`] }) });
        const keys = chosen.filter(([kind]) => /key|token|jwt/.test(kind));
        const wrapped = keys.map(([, before, secret]) => wrap(`${'- '.repeat(shift)}${before}${secret}`));
        const trajectory = trajectoryOf(
          't',
          [
            turnOf(callOf('put', { text: plain }), json),
            turnOf(JSON.stringify([{ keystrokes: `${plain}\n`, duration: 1 }]), plain),
            turnOf(
              'open',
              `https://svc/?q=${encodeURIComponent(plain)}&r=${encodeURIComponent(encodeURIComponent(plain))}`,
            ),
            turnOf('cat', wrapped.join('\n\n'), { meta: { note: plain } }),
          ],
          {
            system: { text: plain, initialState: plain, demonstrations: [plain] },
            source: { file: `logs/${plain}` },
            meta: { deep: [{ [plain]: plain }] },
          },
        );
        const { made } = redact(trajectory);
        const all = JSON.stringify(made).replace(/\\+n/g, '');
        for (const [, , secret] of chosen) {
          for (const form of [
            secret,
            encodeURIComponent(secret),
            encodeURIComponent(encodeURIComponent(secret)),
          ]) {
            expect(all.includes(form) ? `${secret} in ${all}` : '').toBe('');
          }
        }
        expect(made.turns.map(({ observation }) => observation?.length)).toEqual(
          trajectory.turns.map(({ observation }) => observation?.length),
        );
        for (const turn of made.turns.slice(0, 2)) expect(parseJson(turn.action).ok).toBe(true);
        const outer = JSON.parse(made.turns[0]?.observation ?? '') as { deep: string };
        expect(Object.keys(JSON.parse(outer.deep) as object)).toEqual(['deeper', 'list']);
        expect(redact(made).made).toEqual(made);
      },
    ),
    { numRuns: 150 },
  );
});

test('ordinary logs stay letter by letter', () => {
  const logs = [
    'commit 8f14e45fceea167a5a36dedd4bea2543a1b2c3d4 (HEAD -> main)',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'id 550e8400-e29b-41d4-a716-446655440000 at 2026-11-30T09:36:00.123456Z took 1234567890123 ns',
    'Chrome/120.0.6099.129 v1.2.3.4 version 10.4.7.1 numpy==1.26.4 openssl-3.0.13.1-r0',
    'listening on 127.0.0.1:8080, 10.0.3.7, 192.168.1.20, 192.0.2.1, ::1, fe80::1, 2001:db8::1',
    '+12345678901\n-12345678901\n@@ -1,7 +1,7 @@',
    'max_tokens=4096 "total_tokens": 18234, nextPageToken: CAUQAA123abc, token = getToken(config)',
    'password: string; passwordHash(user) const secret = process.env.SECRET_KEY1',
    'SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDgBwG7xTTCmCwZ4Lc fingerprint 16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48',
    'react@18.2.0 icon@2x.png me@example.com root@localhost git@github.com:a/b.git @types/node user@host:~$',
    'order 1234567890123456 of 2024-11-30 12:00:00 5/6/2024',
    'export PATH=/usr/local/bin:$HOME/bin TOKEN=$TOKEN API_KEY=<your-api-key> SECRET=$',
    '/home/user/app /home/ubuntu /Users/runner/work /home/node',
    'task-list-of-something-long sk-learn-compatible-estimators-and-more',
  ];
  for (const log of logs) expect(redactText(log)).toBe(log);
});

test('the same value has the same placeholder, other values others, in one trajectory or with a seed in all', () => {
  const mail = (id: string, text: string, options: RedactOptions = {}): string =>
    redact(trajectoryOf(id, [turnOf(text, text)]), options).made.turns[0]?.observation ?? '';
  expect(mail('a', 'anna@firma.de, bert@firma.de, anna@firma.de')).toBe(
    '0001@00001.zz, 0002@00001.zz, 0001@00001.zz',
  );
  const seeded = mail('a', 'anna@firma.de', { seed: 'one' });
  expect(mail('b', 'x bert@other.org anna@firma.de', { seed: 'one' }).endsWith(seeded)).toBe(true);
  expect(mail('a', 'anna@firma.de', { seed: 'two' })).not.toBe(seeded);
});

test('a value found once by its name goes everywhere, a user name as a whole word', () => {
  const { made } = redact(
    trajectoryOf('t', [
      turnOf('cat .env', 'API_TOKEN=q9w8e7r6t5y4u3'),
      turnOf('ls -l /home/emmakrug', 'drwx 2 emmakrug staff ... emmakrugs q9w8e7r6t5y4u3'),
    ]),
  );
  expect(made.turns.map(({ action, observation }) => [action, observation])).toEqual([
    ['cat .env', 'API_TOKEN=xxxxxxx0000001'],
    ['ls -l /home/xxxx0001', 'drwx 2 xxxx0001 staff ... emmakrugs xxxxxxx0000001'],
  ]);
});

test('kinds can stay, and so can addresses of a domain', () => {
  expect(redactText('a@firma.de from 93.184.216.34', { keep: ['ipv4'] })).toBe(
    '1@00001.zz from 93.184.216.34',
  );
  expect(redactText('a@firma.de b@sub.firma.de c@firma.dev', { allowedDomains: ['firma.de'] })).toBe(
    'a@firma.de b@sub.firma.de 1@00001.zzz',
  );
});

test('placeholders of an earlier run are given to no other value', () => {
  const { made } = redact(trajectoryOf('t', [turnOf('x', 'new bert@firma.de, old 0001@00001.zz')]));
  expect(made.turns[0]?.observation).toBe('new 0002@00002.zz, old 0001@00001.zz');
});

test('a private key goes whole, as lines and inside JSON, cut or not', () => {
  const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n';
  const pem = `-----BEGIN PRIVATE KEY-----\n${body}-----END PRIVATE KEY-----\n`;
  expect(redactText(`key:\n${pem}done`)).toBe(
    `key:\n-----BEGIN PRIVATE KEY-----\n${'x'.repeat(32)}\n${'x'.repeat(20)}000000000001\n-----END PRIVATE KEY-----\ndone`,
  );
  const json = JSON.parse(redactText(JSON.stringify({ pem }))) as { pem: string };
  expect(json.pem).not.toContain('MIIE');
  expect(redactText(`-----BEGIN RSA PRIVATE KEY-----\n${body}`)).not.toContain('MIIE');
});

test('numbers in JSON stay numbers', () => {
  const made = redactText('{"card":4111111111111111,"phone":14158675309,"password":12345678}');
  expect(JSON.parse(made)).toEqual({
    card: 4000000000000001,
    phone: 10000000001,
    password: expect.any(Number),
  });
});

test('hostile texts take time in line with their length', () => {
  const hostile = [
    'a'.repeat(300_000),
    '@'.repeat(300_000),
    'a@b.'.repeat(75_000),
    '\\'.repeat(300_000),
    '-----BEGIN PRIVATE KEY-----\n'.repeat(11_000),
    'token='.repeat(50_000),
    '1'.repeat(300_000),
    '+1 2'.repeat(75_000),
    'https://a:'.repeat(30_000),
    'eyJaaaaaa.'.repeat(30_000),
    'a:'.repeat(150_000),
    '/home/'.repeat(50_000),
    'DE89 '.repeat(60_000),
  ];
  for (const text of hostile) expect(redactText(text)).toHaveLength(text.length);
});

const KEY = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

test('secrets in base64 are found by what they decode to, and the rest of the text stays', () => {
  for (const before of ['', 'a', 'ab', 'user: me\n']) {
    const text = `data: ${base64(`${before}token ${KEY} and more text that stays readable`)}.`;
    const seen = redactText(text);
    expect(seen.length).toBe(text.length);
    const decoded = Buffer.from(seen.slice(6), 'base64').toString('latin1');
    expect([decoded.includes(KEY.slice(8, -4)), decoded.endsWith('stays readable')]).toEqual([false, true]);
    expect(redactText(seen)).toBe(seen);
  }
  const wrapped = base64(
    `${'x y '.repeat(30)}password=c0rrect-h0rse-battery ${KEY} mail erika.mustermann@firma-beispiel.de and it goes on`,
  ).replace(/(.{76})/g, '$1\n');
  const plain = Buffer.from(redactText(wrapped), 'base64').toString('latin1');
  expect([plain.includes(KEY.slice(8, -4)), plain.endsWith('it goes on')]).toEqual([false, true]);
  expect(plain).not.toContain('mustermann');
});

test('a secret that is known in plain is found encoded too, in every turn', () => {
  const secret = 'c0rrect-h0rse-Battery';
  const forms = [
    base64(secret),
    base64(`x:${secret}`),
    base64(`me:${secret}!`),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('hex').toUpperCase(),
  ];
  const turns = [turnOf('env', `DB_PASSWORD=${secret}`), ...forms.map((form) => turnOf('x', `<${form}>`))];
  const { made } = redact(trajectoryOf('t', turns));
  for (const [i, form] of forms.entries()) {
    const seen = made.turns[i + 1]?.observation ?? '';
    expect([seen.length, seen.includes(form.slice(4, -6))]).toEqual([form.length + 2, false]);
  }
});

test('a key that begins in one turn and ends in the next, or comes in chunks of JSON, is found whole', () => {
  for (const cut of [4, 10, 24, 30, 36]) {
    const [a, b] = [`got ${KEY.slice(0, cut)}`, `${KEY.slice(cut)} and done`];
    const { made } = redact(trajectoryOf('t', [turnOf('x', a), turnOf('y', b)]));
    const [one = '', two = ''] = made.turns.map(({ observation }) => observation ?? '');
    expect([one.length, two.length, two.endsWith(' and done')]).toEqual([a.length, b.length, true]);
    expect([one.includes(KEY.slice(4, cut)) && cut > 4, two.includes(KEY.slice(cut))]).toEqual([
      false,
      false,
    ]);
    const chunks = [KEY.slice(0, cut), KEY.slice(cut)]
      .map((text) => JSON.stringify({ delta: { text } }))
      .join('\n');
    const seen = redactText(chunks);
    const values = seen
      .split('\n')
      .map((line) => (JSON.parse(line) as { delta: { text: string } }).delta.text);
    expect([seen.length, values.join('').includes(KEY.slice(8, -4)), values[1] === KEY.slice(cut)]).toEqual([
      chunks.length,
      false,
      false,
    ]);
  }
  const plain = [
    turnOf('x', 'see README'),
    turnOf('y', 'LICENSE 2026'),
    turnOf('z', '{"text":"a"}\n{"text":"b"}'),
  ];
  expect(redact(trajectoryOf('t', plain)).made.turns).toEqual(plain);
});
