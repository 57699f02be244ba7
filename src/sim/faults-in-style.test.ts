/**
 * Faults that a service answers with an error speak in the style of the world: its API's body, its tools' templates.
 */
import { expect, test } from 'vitest';
import type { FaultSpec } from '../control/index.js';
import { parseJson } from '../core/index.js';
import { ERROR_FAMILIES } from '../domains/index.js';
import { testCall } from '../testing/index.js';
import { loadWorld, type World } from '../worlds/index.js';
import { openEpisode } from './episode.js';
import { failureKind, isSignedOut } from './oracle/failure-kind.js';

function issuesWorld(answers: string): World {
  const loaded = loadWorld(
    `world: 1
name: issues
domain: mcp
state: {session: {user: ada}, data: {issues: [{id: i1, title: Leak}]}}
tools:
  - {name: issue_get, inputSchema: {type: object, required: [id], properties: {id: {type: string}}}}
answers: ${answers}
`,
  );
  if (!loaded.ok) throw loaded.error;
  return loaded.value;
}

async function struck(answers: string, fault: FaultSpec) {
  const episode = await openEpisode(issuesWorld(answers), { faults: [fault] });
  const result = await episode.step(testCall('issue_get', { id: 'i1' }));
  expect(result.meta?.isError).toBe(true);
  const note = result.faults.find(({ kind }) => kind === fault.kind);
  return { text: result.observation ?? '', status: note?.status, waitMs: note?.retryAfterMs, result };
}

const LIMITED: FaultSpec = { kind: 'rate-limit', with: { retryAfterSeconds: 2 } };

test.each([
  [
    'github',
    403,
    '{"message":"You have exceeded a secondary rate limit. Please wait a few minutes before you try again.","documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api","status":"403"}\nRetry-After: 2',
  ],
  ['discord', 429, '{"message":"You are being rate limited.","retry_after":2,"global":false}'],
  ['slack', 429, '{"ok":false,"error":"ratelimited"}\nRetry-After: 2'],
  ['plain', 429, 'Error 429: Too Many Requests\nRetry-After: 2'],
])(
  'a rate limit of a world like %s has its status, its body and the waiting time',
  async (family, status, text) => {
    const seen = await struck(`{errors: ${family}}`, LIMITED);
    expect(seen).toMatchObject({ text, status, waitMs: 2000 });
    expect(seen.result.origins).toEqual([{ start: 0, end: text.length, origin: 'fault', ref: 'rate-limit' }]);
  },
);

test('a waiting time that is not told is not logged as told, except where the body tells it', async () => {
  const untold: FaultSpec = { kind: 'rate-limit', with: { retryAfter: 'none' } };
  expect(await struck('{errors: slack}', untold)).toMatchObject({
    text: '{"ok":false,"error":"ratelimited"}',
    waitMs: undefined,
  });
  expect((await struck('{errors: discord}', untold)).waitMs).toBe(30_000);
});

test.each([
  ['google', 'server-error', { status: 500 }, 500, 'Internal error encountered.'],
  ['google', 'server-error', { status: 503 }, 503, 'The service is currently unavailable.'],
  ['google', 'server-error', { status: 502 }, 502, 'Error 502: Bad Gateway'],
  ['google', 'server-error', { status: 500, body: 'text' }, 500, 'Error 500: Internal Server Error'],
  ['notion', 'token-expired', {}, 401, 'API token is invalid.'],
  ['stripe', 'permission-denied', {}, 403, 'The provided key does not have the required permissions'],
  ['slack', 'wrong-scope', { required: 'chat:write' }, 200, '"needed":"chat:write"'],
  ['problem', 'permission-denied', { permission: 'issues:read' }, 403, "lacks the permission 'issues:read'"],
  [
    'atlassian',
    'error',
    { status: 409, message: 'the issue is locked' },
    409,
    '{"errorMessages":["the issue is locked"]',
  ],
  ['notion', 'error', { status: 409, message: 'the page is locked' }, 409, 'Error 409: the page is locked'],
  ['notion', 'error', { message: 'the page is locked' }, undefined, 'the page is locked'],
  ['notion', 'error', { status: 418, message: 'a teapot' }, 418, 'Error 418: a teapot'],
  ['github', 'timeout', {}, undefined, 'timed out after 60 seconds'],
])('in a world like %s %s %j answers with status %s', async (family, kind, parameters, status, words) => {
  const seen = await struck(`{errors: ${family}}`, { kind, with: parameters });
  expect(seen.text).toContain(words);
  expect(seen.status).toBe(status);
});

test("a tool's own template wins over the form of the API", async () => {
  const template = '"no {args.id} for {session.user}: {message}"';
  const answers = `{errors: github, tools: {"issue_*": {permission: ${template}}}}`;
  const { text } = await struck(answers, { kind: 'permission-denied', with: { permission: 'x:y' } });
  expect(text).toBe("no i1 for ada: the caller lacks the permission 'x:y'");
});

test.each(ERROR_FAMILIES)('a careful caller reads the failures of %s as what they are', async (family) => {
  const kinds: Record<string, string> = {};
  for (const [name, fault] of [
    ['limited', LIMITED],
    ['told', { kind: 'rate-limit', with: { retryAfter: 'none' } }],
    ['broken', { kind: 'server-error', with: { status: 500 } }],
    ['away', { kind: 'server-error', with: { status: 503 } }],
    ['denied', { kind: 'permission-denied' }],
    ['signed out', { kind: 'token-expired' }],
  ] satisfies [string, FaultSpec][]) {
    const { text } = await struck(`{errors: ${family}}`, fault);
    kinds[name] = `${failureKind(text, 0).kind}${isSignedOut(text) ? ' signed out' : ''}`;
    const body = text.split('\n')[0] ?? '';
    expect(family === 'plain' || parseJson(body).ok).toBe(true);
  }
  expect(kinds).toEqual({
    limited: 'rate-limit',
    told: 'rate-limit',
    broken: 'lost',
    away: 'lost',
    denied: 'permanent',
    'signed out': 'permanent signed out',
  });
});
