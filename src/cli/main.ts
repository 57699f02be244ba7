#!/usr/bin/env node
/**
 * The command `umwelt`: reads the command line, loads one command, runs it, sets the exit code.
 *
 * It imports nothing heavy, so that `--help` costs little more than starting Node. A closed pipe on standard output
 * (`umwelt world list | head -1`) ends the process quietly; a full disk is a failure.
 */
import { readArguments } from './arguments.js';
import { COMMANDS } from './command-table.js';
import { EXIT, failureOf, reportFailure } from './failure.js';
import { renderCommandHelp, renderOverview } from './help.js';
import { openOutput } from './output.js';

function guardStreams(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.done);
    process.stderr.write(`umwelt: cannot write to standard output: ${error.message}\n`);
    process.exit(EXIT.failed);
  });
  process.stderr.on('error', () => process.exit(EXIT.failed));
}

/** Reads a faulty command line again, now with suggestions, and reports it. */
async function reportUsage(argv: readonly string[], json: boolean): Promise<number> {
  const { nearestName } = await import('../core/index.js');
  const request = readArguments(argv, COMMANDS, nearestName);
  return request.ask === 'usage' ? reportFailure(request.failure, json) : EXIT.usage;
}

async function printHelp(path: readonly string[]): Promise<number> {
  const output = openOutput(false);
  const rows = COMMANDS.filter((row) => path.every((word, index) => row.path[index] === word));
  if (rows.length === 0) return reportUsage(path, false);
  // A command that has commands below it (`stress`, `stress init`) is a command first.
  const own =
    rows.find((row) => row.path.length === path.length) ?? (rows.length === 1 ? rows[0] : undefined);
  if (own === undefined) output.line(renderOverview(rows, path[0]));
  else
    output.line(
      renderCommandHelp(
        own,
        rows.filter((row) => row !== own),
      ),
    );
  return EXIT.done;
}

async function printVersion(): Promise<number> {
  const { packageVersion } = await import('./package-files.js');
  openOutput(false).line(packageVersion());
  return EXIT.done;
}

async function runRequest(argv: readonly string[], json: boolean): Promise<number> {
  const request = readArguments(argv, COMMANDS);
  if (request.ask === 'help') return printHelp(request.path);
  if (request.ask === 'version') return printVersion();
  if (request.ask === 'usage') return reportUsage(argv, json);
  const body = await request.command.load();
  const { flags, words, dashed } = request;
  return body.run({ flags, words, dashed, output: openOutput(json) });
}

async function main(argv: readonly string[]): Promise<void> {
  guardStreams();
  process.on('SIGINT', () => process.exit(EXIT.interrupted));
  // What stands after `--` belongs to another program.
  const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const json = own.includes('--json');
  try {
    process.exitCode = await runRequest(argv, json);
  } catch (error) {
    process.exitCode = reportFailure(failureOf(error), json, error);
  }
}

await main(process.argv.slice(2));
