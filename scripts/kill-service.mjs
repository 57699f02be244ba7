/**
 * Kills a service in the middle of load, ten times, and looks whether every answered step is in its store once.
 *
 * Usage: npm run build && node scripts/kill-service.mjs [KILLS]. Each round: the service starts on the same store, 48
 * clients step their episodes as fast as they can, kill -9 at a random moment, the next service is asked for the turns of
 * every episode: all answered ones, each once, without gaps; then the unanswered requests are sent again under their ids
 * and act at most once. Exit code 1 where anything was lost or doubled.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const KILLS = Number(process.argv[2] ?? 10);
const CLIENTS = 48;
const TOKEN = 'trial-control';
const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'umwelt-kills-'));
const world = {
  world: 1,
  name: 'notes',
  domain: 'mcp',
  strict: true,
  state: { data: { notes: [] } },
  tools: [{ name: 'note_add', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }],
  overrides: { note_add: { op: 'create', collection: 'notes', set: { text: 'args.text' } } },
  budget: { maxTurns: 1_000_000 },
};
writeFileSync(join(folder, 'world.json'), JSON.stringify(world));

async function start() {
  const args = [
    CLI,
    'serve',
    join(folder, 'world.json'),
    '--port',
    '0',
    '--store',
    join(folder, 'episodes.db'),
    '--json',
  ];
  const env = { ...process.env, UMWELT_CONTROL_TOKEN: TOKEN };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve);
    child.once('close', (code) => reject(new Error(`the service ended with ${code}`)));
  });
  return { child, url: JSON.parse(line).url };
}

async function ask(url, method, path, body) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
  const response = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: await response.json() };
}

const step = (url, id, text) =>
  ask(url, 'POST', `/episodes/${id}/step`, {
    action: { name: 'note_add', arguments: { text } },
    request_id: text,
  });

let running = await start();
const episodes = [];
for (let count = 0; count < CLIENTS; count++) {
  const { json } = await ask(running.url, 'POST', '/episodes', { world: 'notes' });
  episodes.push({ id: json.id, answered: [], waiting: null, sent: 0 });
}
let problems = 0;
let steps = 0;
let unheard = 0;
for (let kill = 1; kill <= KILLS; kill++) {
  const { child, url } = running;
  let stopped = false;
  const clients = episodes.map(async (episode) => {
    while (!stopped) {
      episode.waiting ??= `${episode.id.slice(0, 6)}-${episode.sent++}`;
      try {
        const { status, json } = await step(url, episode.id, episode.waiting);
        if (status !== 200) throw new Error(JSON.stringify(json));
        episode.answered.push(episode.waiting);
        episode.waiting = null;
        steps += 1;
      } catch (error) {
        if (!stopped && !/fetch failed|terminated|socket/.test(String(error))) console.error(String(error));
        return;
      }
    }
  });
  await new Promise((resolve) => setTimeout(resolve, 400 + Math.random() * 1_200));
  child.kill('SIGKILL');
  await Promise.all(clients);
  stopped = true;
  running = await start();
  for (const episode of episodes) {
    const texts = async () => {
      const { json } = await ask(running.url, 'GET', `/episodes/${episode.id}/events`);
      const numbers = json.events.map(({ turn }) => turn);
      if (numbers.some((turn, index) => turn !== index + 1)) problems += 1;
      return json.events.map(({ action }) => JSON.parse(action).arguments.text);
    };
    const stored = await texts();
    const extra = stored.slice(episode.answered.length);
    const isWhole = episode.answered.every((text, index) => stored[index] === text);
    const isKnown = extra.length === 0 || (extra.length === 1 && extra[0] === episode.waiting);
    if (!isWhole || !isKnown) {
      problems += 1;
      console.error(
        `kill ${kill}, episode ${episode.id}: ${stored.length} stored, ${episode.answered.length} answered`,
      );
    }
    unheard += extra.length;
    if (episode.waiting === null) continue;
    const again = await step(running.url, episode.id, episode.waiting);
    if (again.status !== 200 || again.json.turn !== episode.answered.length + 1) problems += 1;
    episode.answered.push(episode.waiting);
    episode.waiting = null;
    if ((await texts()).length !== episode.answered.length) problems += 1;
  }
  console.log(
    `kill ${kill}: ${steps} steps answered so far, ${unheard} stored and unheard of, ${problems} problems`,
  );
}
running.child.kill('SIGTERM');
await new Promise((resolve) => running.child.once('close', resolve));
rmSync(folder, { recursive: true, force: true });
process.exitCode = problems === 0 ? 0 : 1;
