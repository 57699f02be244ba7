import { expect, test } from 'vitest';
import { nearestName } from '../core/index.js';
import { readArguments } from './arguments.js';
import { COMMANDS } from './command-table.js';

const read = (...argv: string[]) => readArguments(argv, COMMANDS, nearestName);

/** The message of a usage failure; an empty text if it was none. */
function problem(...argv: string[]): string {
  const request = read(...argv);
  return request.ask === 'usage' ? request.failure.message : '';
}

test('flags are read by their kind, wherever they stand', () => {
  const request = read('play', '--seed', '7', 'shop', '--actions', '-', '--json', '--route=engine');
  expect(request.ask === 'run' && { flags: request.flags, words: request.words }).toEqual({
    flags: { seed: 7, actions: '-', json: true, route: 'engine' },
    words: ['shop'],
  });
});

test('every command and every group has help, also behind other flags', () => {
  for (const command of COMMANDS) {
    expect(read(...command.path, '--help')).toEqual({ ask: 'help', path: command.path });
    expect(read(...command.path, '--json', '-h')).toEqual({ ask: 'help', path: command.path });
  }
  expect(read('world', '--help')).toEqual({ ask: 'help', path: ['world'] });
  expect(read()).toEqual({ ask: 'help', path: [] });
});

test('who asks for help gets it, whatever else is wrong with the line', () => {
  expect(read('play', '--sed', '1', '--seed', 'x', '--help')).toEqual({ ask: 'help', path: ['play'] });
});

test('unknown commands and flags name the nearest known one', () => {
  expect(problem('plya', 'shop')).toBe('unknown command "plya"; did you mean umwelt play?');
  expect(problem('world', 'shwo', 'x')).toBe(
    'unknown command "umwelt world shwo"; did you mean umwelt world show?',
  );
  expect(problem('play', 'shop', '--sed', '1')).toBe('umwelt play has no flag --sed; did you mean --seed?');
  expect(problem('play', 'shop', '--constructor')).toBe(
    'umwelt play has no flag --constructor; see umwelt play --help',
  );
});

test('a value that is missing or of the wrong kind is named with what was wanted', () => {
  expect(problem('play', 'shop', '--record', '--json')).toBe('--record needs a value, but got "--json"');
  expect(problem('play', 'shop', '--record')).toBe('--record needs a value: --record FILE');
  expect(problem('play', 'shop', '--seed', '-1')).toBe(
    '--seed is "-1", wanted a whole number from 0 to 9007199254740991',
  );
  expect(problem('play', 'shop', '--max-turns', '0')).toBe(
    '--max-turns is "0", wanted a whole number from 1 to 9007199254740991',
  );
  expect(problem('play', 'shop', '--route', 'modle')).toBe(
    '--route is "modle", wanted one of: grounded, engine, model; did you mean model?',
  );
  expect(problem('play', 'shop', '--json=yes')).toBe('--json takes no value, but got "yes"');
});

test('too many and too few words are told with what the command takes', () => {
  expect(problem('play')).toBe('umwelt play takes WORLD, but got nothing; see umwelt play --help');
  expect(problem('doctor', 'now')).toBe(
    'umwelt doctor takes no further words, but got "now"; see umwelt doctor --help',
  );
  expect(problem('world')).toBe(
    'umwelt world needs a subcommand, one of: list, show, check, new, from-mcp, from-openapi, expand, from-trajectory',
  );
});
