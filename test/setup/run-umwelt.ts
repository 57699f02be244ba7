/**
 * Runs the installed command as a child process, the way a user does.
 */
import { type SpawnOptions, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/** What a run printed and how it ended. */
export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How to run. */
export interface RunOptions {
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The path of the installed command's file. */
export function mainPath(): string {
  return join(inject('appDir'), 'node_modules/umwelt/dist/cli/main.js');
}

/** A new empty folder, removed with the installed package at the end of all tests. */
export function emptyFolder(): string {
  return mkdtempSync(join(inject('appDir'), 'empty-'));
}

/** Starts the command; the caller drives it. Colour settings of the surroundings are left out. */
export function startUmwelt(args: readonly string[], options: RunOptions & SpawnOptions = {}) {
  const { NO_COLOR: _no, FORCE_COLOR: _force, ...surroundings } = process.env;
  return spawn(process.execPath, [mainPath(), ...args], {
    cwd: options.cwd ?? inject('appDir'),
    env: { ...surroundings, ...options.env },
    stdio: options.stdio ?? 'pipe',
  });
}

/** Runs the command to its end. */
export function runUmwelt(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = startUmwelt(args, options);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ stdout, stderr, code, signal }));
  });
}

/** The JSON values of the lines of an output. */
export function jsonLines(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}
