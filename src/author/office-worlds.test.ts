/**
 * The worlds of the office hold, each by its own oracle and wrong scripts, and none is a toy.
 */
import { expect, test } from 'vitest';
import { findWorld, listWorlds, type World } from '../worlds/index.js';
import { checkWorld } from './check-world.js';
import { runOracle } from './run-script.js';

const names = listWorlds().flatMap(({ name, path }) => (/worlds\/office\//.test(path) ? [name] : []));

const loaded = new Map<string, World>();

function worldOf(name: string): World {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const world = findWorld(name);
  if (!world.ok) throw world.error;
  loaded.set(name, world.value);
  return world.value;
}

/** The services that a script uses, told by the words of the tools' names. */
function servicesOf(actions: readonly string[]): Set<string> {
  const words: Readonly<Record<string, RegExp>> = {
    mail: /"name":"[a-z_]*(message|thread|attachment|draft)/,
    calendar: /"name":"[a-z_]*(event|free_busy|room)/,
    files: /"name":"[a-z_]*(file|folder)/,
    contacts: /"name":"[a-z_]*contact/,
    tasks: /"name":"[a-z_]*(task|project)/,
    shop: /"name":"[a-z_]*(order|payment|refund|product|stock|customer)/,
    bills: /"name":"[a-z_]*bill/,
    issues: /"name":"[a-z_]*issue/,
    directory: /"name":"[a-z_]*(people|person)/,
  };
  const found = Object.entries(words).filter(([, pattern]) => actions.some((action) => pattern.test(action)));
  return new Set(found.map(([service]) => service));
}

test('there are ten worlds of the office', () => {
  expect(names).toEqual([
    'office-backorders',
    'office-call-across-zones',
    'office-invoice-register',
    'office-mail-triage',
    'office-merge-contacts',
    'office-month-end',
    'office-move-meeting',
    'office-onboarding',
    'office-payments-match',
    'office-refund-once',
  ]);
});

test.each(names)('%s holds: the oracle solves it, nothing else does', async (name) => {
  const report = await checkWorld(worldOf(name), { randomEpisodes: 1 });
  expect(report.items.filter(({ status }) => status !== 'pass')).toEqual([]);
});

test.each(names)('%s takes several services, many rows and at least eight steps', async (name) => {
  const world = worldOf(name);
  const services = servicesOf(world.oracle);
  expect([world.file.strict, world.warnings, services.size >= 3]).toEqual([true, [], true]);
  expect(world.wrong.length).toBeGreaterThanOrEqual(6);
  expect(world.wrong.every(({ why }) => (why ?? '') !== '')).toBe(true);
  expect(world.file.description).toContain('Traps:');
  const { steps } = await runOracle(world);
  expect(steps.length).toBeGreaterThanOrEqual(8);
  const origins = new Set(steps.flatMap((step) => step.origins.map(({ origin }) => origin)));
  expect([...origins].sort()).toEqual(['computed', 'pinned']);
  expect(steps.flatMap((step) => step.flags)).toEqual([]);
});
