import { expect, test } from 'vitest';
import type { Trajectory, Turn } from '../../core/index.js';
import { openEpisode } from '../../sim/index.js';
import { loadWorld } from '../../worlds/index.js';
import { worldFromRecording } from './world-from-recording.js';

const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };
const stops = { type: 'array', items: object({ place: text, cargo: text }, ['place', 'cargo']) };

const TOOLS = [
  {
    name: 'plan_route',
    description: 'Plan a route with its stops',
    inputSchema: object({ driver: text, stops }, ['driver', 'stops']),
  },
  {
    name: 'mark_stop_loaded',
    description: 'Mark a stop as loaded',
    inputSchema: object({ routeId: text, stopId: text }, ['routeId', 'stopId']),
  },
  {
    name: 'mark_stop_delivered',
    description: 'Mark a stop as delivered',
    inputSchema: object({ routeId: text, stopId: text }, ['routeId', 'stopId']),
  },
  {
    name: 'show_route',
    description: 'Show a route and its stops',
    inputSchema: object({ routeId: text }, ['routeId']),
  },
];

/** A real service of routes with stops, as small as it can be. */
function service(): (name: string, args: Record<string, unknown>) => string {
  const routes: { id: string; driver: string; stops: Stop[] }[] = [];
  let stopCount = 0;
  interface Stop {
    id: string;
    place: string;
    cargo: string;
    loaded: boolean;
    delivered: boolean;
  }
  const table = (all: readonly Stop[]) =>
    all
      .map(
        (s) =>
          `| ${s.id} | ${s.place} | ${s.loaded ? 'loaded' : 'empty'} | ${s.delivered ? 'there' : 'away'} |`,
      )
      .join('\n');
  const bad = (message: string) => JSON.stringify({ status: 'error', message });
  return (name, args) => {
    if (name === 'plan_route') {
      const made = (args.stops as { place: string; cargo: string }[]).map(
        ({ place, cargo }): Stop => ({
          id: `stop-${++stopCount}`,
          place,
          cargo,
          loaded: false,
          delivered: false,
        }),
      );
      const id = `route-${routes.length + 1}`;
      routes.push({ id, driver: String(args.driver), stops: made });
      const shown = made.map((stop) => ({ id: stop.id, place: stop.place }));
      return JSON.stringify({ status: 'planned', routeId: id, stops: shown });
    }
    const route = routes.find(({ id }) => id === args.routeId);
    if (route === undefined) return bad('Route not found');
    if (name === 'show_route') {
      const open = route.stops.filter((stop) => !stop.delivered).length;
      return JSON.stringify({
        status: 'route',
        driver: route.driver,
        open,
        board: `Stops:\n${table(route.stops)}\n`,
      });
    }
    const stop = route.stops.find(({ id }) => id === args.stopId);
    if (stop === undefined) return bad('Stop not found');
    if (name === 'mark_stop_loaded') {
      if (stop.loaded) return bad(`${stop.id} is loaded`);
      stop.loaded = true;
    } else {
      if (!stop.loaded) return bad('Load it first.');
      stop.delivered = true;
    }
    const { id, place, loaded, delivered } = stop;
    return JSON.stringify({ status: 'ok', stop: { id, place, loaded, delivered } });
  };
}

type Call = readonly [string, Record<string, unknown>];

const stop = (place: string, cargo: string) => ({ place, cargo });

const RECORDED: readonly Call[] = [
  ['plan_route', { driver: 'Ada', stops: [stop('Leeds', 'tiles'), stop('York', 'slates')] }],
  ['show_route', { routeId: 'route-1' }],
  ['mark_stop_delivered', { routeId: 'route-1', stopId: 'stop-1' }],
  ['mark_stop_loaded', { routeId: 'route-1', stopId: 'stop-1' }],
  ['mark_stop_loaded', { routeId: 'route-1', stopId: 'stop-1' }],
  ['show_route', { routeId: 'route-1' }],
  ['mark_stop_delivered', { routeId: 'route-1', stopId: 'stop-1' }],
  ['show_route', { routeId: 'route-1' }],
  ['show_route', { routeId: 'route-7' }],
  ['mark_stop_loaded', { routeId: 'route-1', stopId: 'stop-9' }],
  ['mark_stop_loaded', { routeId: 'route-8', stopId: 'stop-1' }],
  ['plan_route', { driver: 'Grace', stops: [stop('Hull', 'bricks')] }],
];

const OTHER: readonly Call[] = [
  [
    'plan_route',
    { driver: 'Alan', stops: [stop('Bath', 'hats'), stop('Ware', 'pots'), stop('Rye', 'nets')] },
  ],
  ['plan_route', { driver: 'Mary', stops: [stop('Deal', 'rope')] }],
  ['show_route', { routeId: 'route-1' }],
  ['mark_stop_loaded', { routeId: 'route-1', stopId: 'stop-2' }],
  ['mark_stop_loaded', { routeId: 'route-1', stopId: 'stop-2' }],
  ['mark_stop_delivered', { routeId: 'route-1', stopId: 'stop-3' }],
  ['mark_stop_delivered', { routeId: 'route-1', stopId: 'stop-2' }],
  ['mark_stop_delivered', { routeId: 'route-2', stopId: 'stop-2' }],
  ['mark_stop_delivered', { routeId: 'route-5', stopId: 'stop-2' }],
  ['mark_stop_loaded', { routeId: 'route-2', stopId: 'stop-4' }],
  ['show_route', { routeId: 'route-1' }],
  ['show_route', { routeId: 'route-2' }],
  ['show_route', { routeId: 'route-3' }],
];

test('things with parts, a status machine and tables of states are learned, and other calls are answered like the real service', async () => {
  const real = service();
  const turns = RECORDED.map(
    ([name, args]): Turn => ({
      action: JSON.stringify({ name, arguments: args }),
      observation: real(name, args),
      status: 'ok',
      meta: {},
    }),
  );
  const system = { text: '', demonstrations: [], actionSpace: JSON.stringify(TOOLS) };
  const trajectory: Trajectory = {
    trajectory: 1,
    id: 'r',
    domain: 'mcp',
    source: {},
    system,
    meta: {},
    turns,
  };
  const made = worldFromRecording([trajectory]);
  if (!made.ok) throw made.error;
  const world = loadWorld(made.value.text);
  if (!world.ok) throw world.error;
  const fresh = service();
  const episode = await openEpisode(world.value);
  const answers: unknown[] = [];
  const wanted: unknown[] = [];
  for (const [name, args] of OTHER) {
    const { observation, meta } = await episode.step(JSON.stringify({ name, arguments: args }));
    answers.push([observation, meta?.isError === true]);
    wanted.push([fresh(name, args), false]);
  }
  expect(answers).toEqual(wanted);
  expect(made.value.report.tools.map(({ tool, isGuessed }) => [tool, isGuessed])).toEqual(
    TOOLS.map(({ name }) => [name, false]),
  );
});
