/**
 * `umwelt bench parity`: runs recorded cases on the engine's shell and prints how far it agrees with the real one.
 */
import { basename, dirname, join } from 'node:path';
import {
  agreement,
  createEngineShell,
  type ParityShare,
  readParityCases,
  readParitySetups,
  runParity,
  scoreParity,
  type TriedCase,
} from '../../bench/index.js';
import { UsageError } from '../../core/index.js';
import { type CommandInput, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { readNamedText } from '../named-file.js';
import { type Output, visible } from '../output.js';

/** Characters of one output that --failures shows. */
const SHOWN_CHARS = 1_000;

/** Runs the command. */
export async function run({ words, flags, output }: CommandInput): Promise<number> {
  const file = words[0] ?? '';
  const text = readNamedText(file, 'FILE');
  const beside = readNamedText(
    join(dirname(file), 'setups.json'),
    'the folder of FILE, where setups belong,',
  );
  const setups = readParitySetups(beside, 'setups.json');
  const all = readParityCases(text, basename(file), setups);
  if (all.length === 0) {
    const message = `${file} holds no cases; wanted JSON lines with id, family, command, stdout, stderr, exit_code, setup`;
    throw new UsageError(message, { code: 'usage/bad-argument', data: { path: file } });
  }
  const family = textFlag(flags, 'family');
  const cases = family === undefined ? all : all.filter((one) => one.family === family);
  if (cases.length === 0) {
    const known = [...new Set(all.map((one) => one.family))].sort().join(', ');
    throw new UsageError(`${file} has no cases of the family ${family ?? ''}; it has ${known}`, {
      code: 'usage/unknown-name',
    });
  }
  const tried = await runParity(cases, setups, createEngineShell());
  const sealed = basename(file).startsWith('sealed');
  if (flags.failures === true) {
    if (sealed) output.note('umwelt: the cases of a sealed file are counted, not shown');
    else for (const one of tried) showFailure(one, output);
  }
  const report = scoreParity(tried);
  if (output.json) {
    output.line(JSON.stringify(report));
    return EXIT.done;
  }
  output.line(`${''.padEnd(22)}     n  strict  -line N  out+exit  order`);
  for (const [name, share] of Object.entries(report.families)) output.line(row(name, share));
  output.line(output.style(row('all', report.total), 'bold'));
  return EXIT.done;
}

function row(name: string, { n, strict, ignoringLine, outAndExit, mergedOrder }: ParityShare): string {
  const percent = (share: number | null): string =>
    (share === null ? '–' : (share * 100).toFixed(1)).padStart(7);
  const shares = `${percent(strict)}  ${percent(ignoringLine)}   ${percent(outAndExit)}${percent(mergedOrder)}`;
  return `${visible(name).padEnd(22)}${String(n).padStart(6)} ${shares}`;
}

function showFailure(tried: TriedCase, output: Output): void {
  const { case: wanted, outcome } = tried;
  if (agreement(tried).ignoringLine) return;
  const print = (text: string): void => (output.json ? output.note(text) : output.line(text));
  print(output.style(`${wanted.id} ${wanted.family} [${wanted.setup}]: ${visible(wanted.command)}`, 'bold'));
  if (outcome.failed !== undefined) print(`  failed: ${visible(outcome.failed)}`);
  if (wanted.exit_code !== outcome.exitCode)
    print(`  exit code ${wanted.exit_code}, got ${outcome.exitCode}`);
  for (const name of ['stdout', 'stderr'] as const) {
    if (wanted[name] === outcome[name]) continue;
    print(`  ${name} wanted: ${JSON.stringify(wanted[name].slice(0, SHOWN_CHARS))}`);
    print(`  ${name} got:    ${JSON.stringify(outcome[name].slice(0, SHOWN_CHARS))}`);
  }
}
