/**
 * Worlds made in memory for measuring: from a list of tools, and a note store with as many rows as wanted.
 */
import { loadWorld } from '../dist/worlds/index.js';

function load(file) {
  const loaded = loadWorld(JSON.stringify({ world: 1, domain: 'mcp', ...file }));
  if (!loaded.ok) throw loaded.error;
  return loaded.value;
}

/** A world of a server's tools and nothing else. */
export function worldOfTools(name, tools) {
  return load({ name, tools, state: { data: {} } });
}

const text = { type: 'string' };
const NOTE_TOOLS = [
  {
    name: 'note_create',
    description: 'Create a note',
    inputSchema: schema({ title: text, body: text }, ['title']),
  },
  { name: 'note_get', description: 'Get a note by id', inputSchema: schema({ id: text }, ['id']) },
  {
    name: 'note_update',
    description: 'Update a note',
    inputSchema: schema({ id: text, body: text }, ['id']),
  },
  {
    name: 'note_list',
    description: 'List notes',
    inputSchema: schema(
      { limit: { type: 'integer', minimum: 1, maximum: 100 }, page: { type: 'integer', minimum: 1 } },
      [],
    ),
  },
];

function schema(properties, required) {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A store of notes with ids `n-1` to `n-COUNT`. */
export function worldOfNotes(count) {
  const notes = Array.from({ length: count }, (_, index) => ({
    id: `n-${index + 1}`,
    title: `Note ${index + 1}`,
    body: `The lamp in room ${index + 1} was checked and works.`,
  }));
  const entities = { notes: { key: 'id', id: { style: 'counter', prefix: 'n-', start: 1, width: 0 } } };
  return load({ name: 'notes', tools: NOTE_TOOLS, state: { data: { notes } }, entities });
}

/** Turn `index` of a mixed use of the notes: read, write, create, list. */
export function noteAction(index, count) {
  const id = `n-${(index % count) + 1}`;
  const calls = [
    { name: 'note_get', arguments: { id } },
    { name: 'note_update', arguments: { id, body: `Checked again in turn ${index}.` } },
    { name: 'note_create', arguments: { title: `New ${index}`, body: 'A new lamp.' } },
    { name: 'note_list', arguments: { limit: 10 } },
  ];
  return JSON.stringify(calls[index % calls.length]);
}

/** Plays turns of mixed use. Raises if a step is not `ok`. */
export async function playNotes(episode, turns, count) {
  for (let index = 0; index < turns; index++) {
    const step = await episode.step(noteAction(index, count));
    if (step.status !== 'ok' || /not found|error/i.test(step.observation)) {
      throw new Error(`${step.action} gave ${step.status}: ${step.observation}`);
    }
  }
}
