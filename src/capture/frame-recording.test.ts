import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { openFrameRecording } from './frame-recording.js';
import { createLineSplitter } from './line-splitter.js';
import { type Frame, renderFrame } from './recording-line.js';

const folder = mkdtempSync(join(tmpdir(), 'umwelt-frames-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const fresh = (): string => join(folder, `${files++}.jsonl`);

function record(path: string, frames: readonly Pick<Frame, 'dir' | 'bytes'>[]) {
  const opened = openFrameRecording(path, { now: () => 0 });
  if (!opened.ok) throw opened.error;
  for (const frame of frames) opened.value.append(frame);
  opened.value.close();
  return opened.value;
}

const say = (text: string) => ({ dir: 'client->server' as const, bytes: Buffer.from(text) });

test('a frame is one JSON line in the form of the contract, with extra keys only where they say something', () => {
  const path = fresh();
  record(path, [
    say('{"id":1}\r'),
    { dir: 'server->client', bytes: Buffer.from([0x61, 0xff]) },
    { dir: 'server-stderr', bytes: Buffer.from('log\n') },
  ]);
  expect(readFileSync(path, 'utf8')).toBe(
    '{"ts":"1970-01-01T00:00:00.000Z","dir":"client->server","data":"{\\"id\\":1}\\r"}\n' +
      '{"ts":"1970-01-01T00:00:00.000Z","dir":"server->client","data":"a\ufffd","base64":"Yf8="}\n' +
      '{"ts":"1970-01-01T00:00:00.000Z","dir":"server-stderr","data":"log\\n"}\n',
  );
});

test('a recording cut at any byte is continued as a valid one', () => {
  const path = fresh();
  record(path, [say('{"id":1}'), say('naïve 🙂')]);
  const whole = readFileSync(path);
  for (let cut = 0; cut <= whole.length; cut++) {
    writeFileSync(path, whole.subarray(0, cut));
    const { repairedBytes } = record(path, [say('next')]);
    const kept = whole.subarray(0, cut).lastIndexOf(0x0a) + 1;
    const lines = readFileSync(path);
    expect([repairedBytes, lines.subarray(0, kept).equals(whole.subarray(0, kept))]).toEqual([
      cut - kept,
      true,
    ]);
    expect(JSON.parse(lines.subarray(kept).toString()).data).toBe('next');
  }
});

test('of two recorders that start at once on a new file, one names its run, so that their ids do not mix', () => {
  const path = fresh();
  const opened = [openFrameRecording(path), openFrameRecording(path)];
  for (const recording of opened) {
    if (!recording.ok) throw recording.error;
    recording.value.append(say('{"id":1}'));
    recording.value.close();
  }
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => typeof JSON.parse(line).session)).toEqual(['undefined', 'string']);
});

test('a recording that is deleted meanwhile stops and says so once', () => {
  const path = fresh();
  const problems: string[] = [];
  const opened = openFrameRecording(path, { onProblem: ({ message }) => problems.push(message) });
  if (!opened.ok) throw opened.error;
  opened.value.append(say('1'));
  rmSync(path);
  opened.value.append(say('2'));
  opened.value.append(say('3'));
  opened.value.close();
  expect(problems).toEqual([`cannot write the recording ${path}: the file was deleted meanwhile`]);
  expect([opened.value.problem?.message, existsSync(path)]).toEqual([problems[0], false]);
});

test('what is no recording is refused and stays as it is', () => {
  for (const text of ['x', '{"ts":1}\n', '{"a":1}', '\n', '[]\n', '{"ts":"a","dir":"up","data":""}\n']) {
    const path = fresh();
    writeFileSync(path, text);
    const opened = openFrameRecording(path);
    expect([opened.ok ? 'ok' : opened.error.code, readFileSync(path, 'utf8')]).toEqual([
      'usage/bad-argument',
      text,
    ]);
  }
});

test('any bytes in any pieces come back from the lines of a splitter', () => {
  const chunks = fc.array(
    fc.uint8Array({ maxLength: 40 }).map((bytes) => bytes.map((byte) => (byte % 5 ? byte : 10))),
  );
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1, max: 30 }), (pieces, maxBytes) => {
      const back: Uint8Array[] = [];
      const splitter = createLineSplitter((bytes, eol) => {
        expect(bytes.length).toBeLessThanOrEqual(maxBytes);
        const line = renderFrame({ ts: '', dir: 'client->server', bytes, eol });
        const { data, base64 } = JSON.parse(line);
        back.push(base64 === undefined ? Buffer.from(data) : Buffer.from(base64, 'base64'));
        if (eol) back.push(Buffer.from('\n'));
      }, maxBytes);
      for (const piece of pieces) splitter.push(piece);
      splitter.end();
      expect(Buffer.concat(back).equals(Buffer.concat(pieces))).toBe(true);
    }),
  );
});

test('a frame that would make too long a line is written in pieces that say so', () => {
  const bytes = Buffer.alloc(24 * 1024 * 1024, 0x01);
  const lines = renderFrame({ ts: '', dir: 'client->server', bytes }).trimEnd().split('\n');
  const pieces = lines.map((line) => JSON.parse(line) as { data: string; eol?: boolean });
  expect(pieces.map(({ eol }) => eol)).toEqual([...Array<boolean>(pieces.length - 1).fill(false), undefined]);
  expect(pieces.map(({ data }) => data).join('')).toBe(bytes.toString());
});
