#!/usr/bin/env node
/**
 * Records the trajectories behind `bench-data`: real terminals, a real coding sandbox, real MCP servers.
 *
 * Terminals: bash in a bubblewrap sandbox (no network, own processes, user `user` at `host`, only /usr of this machine)
 * inside a tmux pane of 80 x 40; the observation is the pane's screen when it has settled. Coding: five plain tools run in
 * the same kind of sandbox. MCP: servers from npm on stdio. What agents do is written in a plan; what answers is real.
 * Output: one trajectory a line (whole form) in OUT/trajectories.jsonl, for terminals a world file each in OUT/worlds.
 *
 * In the sandbox's user namespace whoever records is `user`, so files need no other owner. Needs bubblewrap, tmux, and for MCP a folder with installed servers. Usage:
 *   node scripts/record-bench-data.mjs --plan scripts/bench-data-plan.mjs --servers DIR --out DIR
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { plan: { type: 'string' }, servers: { type: 'string' }, out: { type: 'string' } },
});
if (!values.plan || !values.out) {
  console.error('usage: record-bench-data.mjs --plan FILE --out DIR [--servers DIR]');
  process.exit(2);
}
const plan = await import(resolve(values.plan));
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Lays files out under a fresh home folder and gives the sandbox's command line around a command. */
function layHome(files) {
  const root = mkdtempSync(join(tmpdir(), 'bench-data-'));
  const home = join(root, 'home');
  mkdirSync(home, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(home, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    if (text.startsWith('#!')) execFileSync('chmod', ['755', path]);
  }
  writeFileSync(
    join(root, 'passwd'),
    'root:x:0:0:root:/root:/bin/bash\nuser:x:1000:1000::/home/user:/bin/bash\n',
  );
  writeFileSync(join(root, 'group'), 'root:x:0:\nuser:x:1000:\n');
  writeFileSync(join(root, 'rc'), "PS1='\\u@\\h:\\w\\$ '\n");
  return { root, home };
}

function sandbox({ root, home }, cwd, command) {
  return [
    'bwrap',
    ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin', '--symlink', 'usr/lib', '/lib'],
    ...['--symlink', 'usr/lib64', '/lib64', '--symlink', 'usr/sbin', '/sbin', '--dir', '/etc'],
    ...['--ro-bind', join(root, 'passwd'), '/etc/passwd', '--ro-bind', join(root, 'group'), '/etc/group'],
    ...['--ro-bind', join(root, 'rc'), '/etc/rc', '--ro-bind', '/etc/alternatives', '/etc/alternatives'],
    ...['--bind', home, '/home/user', '--tmpfs', '/tmp', '--proc', '/proc', '--dev', '/dev'],
    ...['--unshare-all', '--hostname', 'host', '--uid', '1000', '--gid', '1000', '--die-with-parent'],
    ...[
      '--clearenv',
      '--setenv',
      'HOME',
      '/home/user',
      '--setenv',
      'USER',
      'user',
      '--setenv',
      'LANG',
      'C.UTF-8',
    ],
    ...['--setenv', 'PATH', '/usr/local/bin:/usr/bin:/bin', '--setenv', 'TERM', 'screen', '--chdir', cwd],
    ...command,
  ];
}

const tidy = (screen) =>
  screen
    .split('\n')
    .map((row) => row.trimEnd())
    .join('\n')
    .replace(/\n+$/, '');

async function recordTerminal(one) {
  const place = layHome(one.files);
  const cwd = `/home/user${one.cwd ? `/${one.cwd}` : ''}`;
  const socket = `bench-${process.pid}`;
  const tmux = (...args) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  const shell = sandbox(place, cwd, ['/bin/bash', '--noprofile', '--rcfile', '/etc/rc', '-i']);
  tmux('new-session', '-d', '-x', '80', '-y', '41', '-s', 's', ...shell);
  tmux('set', '-g', 'status', 'off');
  tmux('resize-window', '-t', 's', '-x', '80', '-y', '40');
  const screen = async () => {
    let before = '';
    for (let same = 0; same < 3; ) {
      await sleep(120);
      const now = tidy(tmux('capture-pane', '-p', '-t', 's'));
      same = now === before ? same + 1 : 0;
      before = now;
    }
    return before;
  };
  const first = await screen();
  const turns = [];
  try {
    for (const step of one.steps) {
      const batch = typeof step === 'string' ? [{ keystrokes: step, duration: 0.5 }] : step;
      for (const { keystrokes, duration } of batch) {
        if (/^C-[a-z]$/.test(keystrokes)) tmux('send-keys', '-t', 's', keystrokes);
        else if (keystrokes !== '') tmux('send-keys', '-t', 's', '-l', keystrokes.replaceAll('\n', '\r'));
        await sleep(duration * 1000);
      }
      turns.push({ action: JSON.stringify(batch), observation: await screen(), status: 'ok', meta: {} });
    }
  } finally {
    spawnSync('tmux', ['-L', socket, 'kill-server']);
    // The shell writes its history as it ends.
    await sleep(500);
    rmSync(place.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
  const files = Object.fromEntries(
    Object.entries(one.files).map(([name, text]) => [
      `/home/user/${name}`,
      text.startsWith('#!') ? { content: text, mode: '755' } : text,
    ]),
  );
  const world = `worlds/${one.id}.json`;
  const state = { user: 'user', host: 'host', cwd, files };
  writeFileSync(
    join(values.out, world),
    `${JSON.stringify({ world: 1, name: one.id, domain: 'terminal', title: one.title, license: 'Apache-2.0', state }, null, 2)}\n`,
  );
  const text = [
    'You are a terminal. For each action, give the screen as it is after the keys were typed and the time has passed: 80 columns, 40 rows, without empty rows at the end. Answer with the screen alone inside <predicted_observation> tags.',
    'An action is a JSON list of {"keystrokes", "duration"}: keys as typed (\\n is Enter; C-c, C-d, C-z and C-l are control keys when they stand alone) and seconds to wait.',
    `The machine is a small Debian 12 with bash 5.2. User user, host host, folder ${cwd}. Files of the home folder:\n${showFiles(one.files)}`,
    `The screen at the start:\n${first}`,
  ].join('\n\n');
  return { domain: 'terminal', text, turns, world, dataset: 'terminal-sandbox' };
}

function showFiles(files) {
  return Object.entries(files)
    .map(([name, text]) => `--- /home/user/${name}${text.startsWith('#!') ? ' (mode 755)' : ''}\n${text}`)
    .join('\n');
}

const CODING_TOOLS = [
  ['bash', 'Run a command in bash in the project; gives output and exit code', { command: 'string' }],
  ['read_file', 'Show a file with line numbers', { path: 'string' }],
  ['write_file', 'Write a file', { path: 'string', content: 'string' }],
  [
    'edit_file',
    'Replace a text that stands in a file exactly once',
    { path: 'string', old: 'string', new: 'string' },
  ],
  ['grep', 'Search files of the project for a basic regular expression', { pattern: 'string' }],
].map(([name, description, keys]) => ({
  name,
  description,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(Object.entries(keys).map(([key, type]) => [key, { type }])),
    required: Object.keys(keys),
    additionalProperties: false,
  },
}));

function recordCoding(one) {
  const place = layHome(Object.fromEntries(Object.entries(one.files).map(([k, v]) => [`project/${k}`, v])));
  const inside = (command) => {
    const [program, ...args] = sandbox(place, '/home/user/project', [
      '/bin/bash',
      '--noprofile',
      '--norc',
      '-c',
      `{ ${command}\n} 2>&1`,
    ]);
    const ran = spawnSync(program, args, { encoding: 'utf8', timeout: 20_000 });
    return { text: ran.stdout, code: ran.status ?? -1 };
  };
  const file = (path) => join(place.home, 'project', path);
  const tools = {
    bash: ({ command }) => {
      const { text, code } = inside(command);
      return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}[exit code ${code}]`;
    },
    read_file: ({ path }) => {
      const ran = inside(`cat -n -- '${path}'`);
      return ran.code === 0 ? ran.text : `error: ${ran.text.trim()}`;
    },
    write_file: ({ path, content }) => {
      mkdirSync(dirname(file(path)), { recursive: true });
      writeFileSync(file(path), content);
      return `wrote ${statSync(file(path)).size} bytes to ${path}`;
    },
    edit_file: ({ path, old, new: fresh }) => {
      const text = readFileSync(file(path), 'utf8');
      const count = text.split(old).length - 1;
      if (count !== 1) return `error: the text stands ${count} times in ${path}; it must stand exactly once`;
      writeFileSync(
        file(path),
        text.replace(old, () => fresh),
      );
      const at = text.slice(0, text.indexOf(old)).split('\n').length;
      return `edited ${path} at line ${at}`;
    },
    grep: ({ pattern }) => {
      const { text, code } = inside(`grep -rn --exclude-dir=.git -e '${pattern}' . | sort`);
      return text === '' ? (code === 0 ? 'no matches' : `error: exit code ${code}`) : text;
    },
  };
  const turns = one.steps.map(([name, args]) => ({
    action: JSON.stringify({ name, arguments: args }),
    observation: tools[name](args),
    status: 'ok',
    meta: {},
  }));
  rmSync(place.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  const text = [
    'You are the tools of a coding agent. For each call, give exactly what the tool answers, inside <predicted_observation> tags.',
    `Tools:\n${JSON.stringify(CODING_TOOLS, null, 1)}`,
    `bash runs in /home/user/project of a Debian 12 machine (bash 5.2, git 2.39, no network), each call in a fresh shell with both outputs together, and ends with a line [exit code N].`,
    `Files of the project:\n${Object.entries(one.files)
      .map(([name, body]) => `--- ${name}\n${body}`)
      .join('\n')}`,
  ].join('\n\n');
  return { domain: 'swe', text, turns, dataset: 'coding-sandbox' };
}

/** A client of one MCP server on stdio, as small as can be. */
function openServer(command, args, cwd) {
  const child = spawn(command, args, {
    cwd,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, HOME: cwd, MEMORY_FILE_PATH: join(cwd, 'memory.jsonl') },
  });
  const waiting = new Map();
  let held = '';
  let next = 1;
  child.stdout.on('data', (bytes) => {
    held += bytes;
    for (let lf = held.indexOf('\n'); lf >= 0; lf = held.indexOf('\n')) {
      const message = JSON.parse(held.slice(0, lf));
      held = held.slice(lf + 1);
      waiting.get(message.id)?.(message);
    }
  });
  const ask = (method, params) =>
    new Promise((done) => {
      const id = next++;
      waiting.set(id, done);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  const tell = (method) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`);
  return { ask, tell, close: () => child.kill() };
}

async function recordServer(one) {
  const cwd = mkdtempSync(join(tmpdir(), 'bench-mcp-'));
  const shown = (text) => text.replaceAll(cwd, '/data');
  const real = (value) => JSON.parse(JSON.stringify(value).replaceAll('/data', cwd));
  for (const [name, body] of Object.entries(one.files ?? {})) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), body);
  }
  const program = join(
    resolve(values.servers),
    'node_modules/@modelcontextprotocol',
    one.server,
    'dist/index.js',
  );
  const server = openServer(
    process.execPath,
    [program, ...(one.args ?? []).map((arg) => arg.replace('/data', cwd))],
    cwd,
  );
  const started = await server.ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'recorder', version: '1' },
  });
  server.tell('notifications/initialized');
  const { tools } = (await server.ask('tools/list', {})).result;
  const turns = [];
  for (const [name, args] of one.steps) {
    const { result, error } = await server.ask('tools/call', { name, arguments: real(args) });
    const blocks = result?.content ?? [{ type: 'text', text: JSON.stringify(error) }];
    const text = blocks
      .map((block) => (block.type === 'text' ? block.text : JSON.stringify(block)))
      .join('\n');
    const isError = error !== undefined || result?.isError === true;
    turns.push({
      action: JSON.stringify({ name, arguments: args }),
      observation: shown(text),
      status: 'ok',
      meta: { ...(isError && { isError }) },
    });
  }
  server.close();
  rmSync(cwd, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  const info = started.result.serverInfo;
  const kept = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const world = `worlds/${one.id}.json`;
  writeFileSync(
    join(values.out, world),
    `${JSON.stringify({ world: 1, name: one.id, domain: 'mcp', title: one.title, license: 'Apache-2.0', state: { server: { name: info.name, version: info.version }, ...(one.data && { data: one.data }) }, tools: JSON.parse(shown(JSON.stringify(kept))) }, null, 2)}\n`,
  );
  const files =
    Object.keys(one.files ?? {}).length === 0
      ? ''
      : `\nFiles:\n${Object.entries(one.files)
          .map(([name, body]) => `--- /data/${name}\n${body}`)
          .join('\n')}`;
  const text = [
    'You are an MCP server. For each tool call, give exactly the text that the server answers, inside <predicted_observation> tags; several content blocks stand one after another, each on a line of its own.',
    `Server: ${info.name} ${info.version}. Tools:\n${shown(JSON.stringify(kept, null, 1))}`,
    `${one.state ?? 'The server has no data at the start.'}${files}`,
  ].join('\n\n');
  return {
    domain: 'mcp',
    text,
    turns,
    world,
    dataset: `npm:@modelcontextprotocol/${one.server}@${info.version}`,
  };
}

mkdirSync(join(values.out, 'worlds'), { recursive: true });
const recorders = { terminal: recordTerminal, swe: recordCoding, mcp: recordServer };
const lines = [];
for (const one of plan.TRAJECTORIES) {
  if (one.kind === 'mcp' && !values.servers) continue;
  const { domain, text, turns, world, dataset } = await recorders[one.kind](one);
  lines.push(
    JSON.stringify({
      trajectory: 1,
      id: one.id,
      domain,
      source: { dataset, licence: 'Apache-2.0' },
      system: { text, demonstrations: [] },
      turns,
      meta: { ...(world && { world }), title: one.title },
    }),
  );
  console.error(`${one.id}: ${turns.length} turns`);
}
writeFileSync(join(values.out, 'trajectories.jsonl'), `${lines.join('\n')}\n`);
