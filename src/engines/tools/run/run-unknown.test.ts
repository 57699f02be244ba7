import { expect, test } from 'vitest';
import { drive, toolCall } from '../../engine.contract.js';
import { createToolsEngine } from '../engine.js';
import { ToolWorldSpecSchema } from '../spec.js';

const text = { type: 'string' };

function tool(name: string, required: readonly string[], optional: readonly string[] = []) {
  const properties = Object.fromEntries([...required, ...optional].map((one) => [one, text]));
  return { name, inputSchema: { type: 'object' as const, properties, required: [...required] } };
}

/** Parcels that can be made, read and weighed; weighing is a verb that no table knows. */
function openParcels() {
  const spec = ToolWorldSpecSchema.parse({
    id: 'parcels',
    tools: [
      tool('parcel_create', ['address']),
      tool('parcel_get', ['parcel_id']),
      tool('frobnicate_parcel', ['parcel_id'], ['like_parcel_id']),
      tool('parcel_frobnicate', ['id']),
      tool('frobnicate', ['word']),
    ],
    data: { parcels: [{ id: 'p1', address: 'Quay 3' }] },
    startMs: 0,
  });
  return createToolsEngine().open(spec, 1);
}

test('a tool that nobody can compute still fails for a row that is not there', () => {
  const session = openParcels();
  const said = (name: string, args: Record<string, string>) => {
    const { answer } = drive(session, toolCall(name, args));
    return [answer?.isError, answer?.text.text];
  };
  const missing = [true, 'Parcel not found: p9'];
  expect(said('frobnicate_parcel', { parcel_id: 'p9' })).toEqual(missing);
  expect(said('parcel_frobnicate', { id: 'p9' })).toEqual(missing);
  const done = (name: string) => [false, `${name}: done.`];
  expect(said('frobnicate_parcel', { parcel_id: 'p1' })).toEqual(done('frobnicate_parcel'));
  expect(said('parcel_frobnicate', { id: 'p1' })).toEqual(done('parcel_frobnicate'));
});

test('arguments that name no row, and optional ones, stop nothing', () => {
  const session = openParcels();
  const isError = (name: string, args: Record<string, string>) =>
    drive(session, toolCall(name, args)).answer?.isError;
  expect(isError('frobnicate', { word: 'p9' })).toBe(false);
  expect(isError('frobnicate_parcel', { parcel_id: 'p1', like_parcel_id: 'p9' })).toBe(false);
});

test('taking back a state works once, like reaching it', () => {
  const spec = ToolWorldSpecSchema.parse({
    id: 'members',
    tools: [
      tool('member_create', ['name']),
      tool('member_get', ['member_id']),
      tool('member_suspend', ['member_id']),
      tool('member_unsuspend', ['member_id']),
    ],
    data: { members: [] },
    startMs: 0,
  });
  const session = createToolsEngine().open(spec, 1);
  const id = (drive(session, toolCall('member_create', { name: 'Ada' })).answer?.text.text ?? '').match(
    /"id": "([^"]+)"/,
  )?.[1];
  const fails = (name: string) =>
    drive(session, toolCall(name, { member_id: id ?? '' })).answer?.isError === true;
  const names = [
    'member_suspend',
    'member_suspend',
    'member_unsuspend',
    'member_unsuspend',
    'member_suspend',
  ];
  expect(names.map(fails)).toEqual([false, true, false, true, false]);
});

test('to open something by what it is about makes it', () => {
  const spec = ToolWorldSpecSchema.parse({
    id: 'requests',
    tools: [tool('openPullRequest', ['title']), tool('getPullRequest', ['pullRequestId'])],
    data: {},
    startMs: 0,
  });
  const { answer } = drive(createToolsEngine().open(spec, 1), toolCall('openPullRequest', { title: 'lamp' }));
  expect([answer?.isError, JSON.parse(answer?.text.text ?? '').title]).toEqual([false, 'lamp']);
});
