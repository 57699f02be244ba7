/**
 * Writes docs/FAULTS.md from the catalogue and from a run of every fault on every backend. Test code and the source of
 * scripts/faults-doc.mjs.
 */
import { z } from 'zod';
import { FAULT_FAMILIES, type FaultKind, parameterNames } from '../control/index.js';
import { isJsonObject, type Json, renderJson } from '../core/index.js';
import { BACKENDS, type MatrixRow, runFaultMatrix } from './fault-matrix.contract.js';

const TITLES: Readonly<Record<(typeof FAULT_FAMILIES)[number], string>> = {
  errors: 'Errors and slow answers',
  access: 'Access',
  lists: 'Lists',
  consistency: 'Batches and consistency',
  bodies: 'Bodies',
  fields: 'Shape of answers',
  values: 'Meaning of values',
  tools: 'The list of tools',
  world: 'The world by itself',
  hostile: 'Hostile content',
  shell: 'Files and programs of a machine',
  search: 'Search (engine to come)',
  screen: 'Screens (engines to come)',
};

const HEAD = `# Faults

Made from the catalogue by \`node scripts/faults-doc.mjs\`; a test holds it current. How a world names faults, when they
strike and how several compose: [WORLDS.md](WORLDS.md), section Faults.

Faults are decided by a seeded schedule, outside any model. Each strike is logged with its turn (\`faults\`); a fault that
fires and finds nothing to work on is logged as not applicable and does not use up \`max\`.

## What carries out what

Every example below was run on every backend: the **engine** of a world, a **recording** used as a world model, and a
language **model** that answers every call (route \`model\`; here one that tells the truth and ignores what it is told of
faults). *exact*: the fault's own test of its effect passes, and an agent sees the same as on the engine, now and in the
state. *approximate*: it strikes, and a later look differs (a recording has no state that a failed write could spare).
*refused*: opening says that it cannot be carried out, and why.
`;

/** The whole document. Runs all faults. */
export async function renderFaultsDoc(): Promise<string> {
  const rows = await runFaultMatrix();
  const parts = FAULT_FAMILIES.map((family) => {
    const own = rows.filter(({ kind }) => kind.family === family);
    return [`## ${TITLES[family]}`, ...own.map(renderKind)].join('\n\n');
  });
  return `${[HEAD.trim(), renderTable(rows), ...parts].join('\n\n')}\n`;
}

function renderTable(rows: readonly MatrixRow[]): string {
  const lines = rows.map(({ kind, carried }) => {
    const cells = BACKENDS.map((backend) => carried[backend]);
    return `| [\`${kind.name}\`](#${kind.name}) | ${cells.join(' | ')} |`;
  });
  return [`| fault | ${BACKENDS.join(' | ')} |`, '|---|---|---|---|', ...lines].join('\n');
}

function renderKind({ kind, seen }: MatrixRow): string {
  const parts = [`### ${kind.name}`, kind.description, renderFacts(kind)];
  const parameters = renderParameters(kind);
  if (parameters !== '') parts.push(parameters);
  if (kind.strikes === 'planned') return parts.join('\n\n');
  parts.push(`\`\`\`yaml\n${renderFault(kind)}\n\`\`\``);
  if (seen !== null) parts.push(renderSeen(seen));
  return parts.join('\n\n');
}

function renderFacts(kind: FaultKind): string {
  const hits =
    kind.strikes === 'turn'
      ? 'between two turns'
      : `${kind.phases.join(' or ')} the operation; ${kind.operations.map((name) => `\`${name}\``).join(', ')}`;
  const forever =
    kind.permanently === 'recovers'
      ? 'can be lived with'
      : 'asks for an honest report where the task needs it';
  return [
    `- strikes: ${hits}`,
    `- domains: ${kind.domains.join(', ')}`,
    `- a good agent: ${kind.remedy}`,
    `- where it never ends: ${forever}`,
  ].join('\n');
}

function renderParameters(kind: FaultKind): string {
  const { properties = {} } = z.toJSONSchema(kind.parameters, { io: 'input', unrepresentable: 'any' });
  const lines = parameterNames(kind).map((name) => {
    const schema = properties[name] as unknown as Json;
    const description = isJsonObject(schema) ? String(schema.description ?? '') : '';
    const initial = isJsonObject(schema) ? schema.default : undefined;
    return `| \`${name}\` | ${valuesOf(schema)} | ${cell(description)} | ${initial === undefined ? '' : `\`${cell(renderJson(initial))}\``} |`;
  });
  if (lines.length === 0) return '';
  return ['| parameter | values | meaning | default |', '|---|---|---|---|', ...lines].join('\n');
}

function valuesOf(schema: Json): string {
  if (!isJsonObject(schema)) return '';
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => `\`${String(one)}\``).join(', ');
  if (Array.isArray(schema.anyOf)) {
    const parts = schema.anyOf.map((one: Json) => (isJsonObject(one) ? one.const : undefined));
    if (parts.every((one) => one !== undefined)) return parts.map((one) => `\`${String(one)}\``).join(', ');
  }
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const low = minimum ?? exclusiveMinimum;
  const high = maximum ?? exclusiveMaximum;
  const bound = (value: Json | undefined): string =>
    typeof value === 'number' && Math.abs(value) < 1e12 ? String(value) : '';
  const range = bound(low) === '' && bound(high) === '' ? '' : ` ${bound(low)}–${bound(high)}`;
  return `${String(type ?? 'any')}${range}`;
}

function renderFault(kind: FaultKind): string {
  const parts = Object.entries({ kind: kind.name, ...kind.example.fault });
  return `- ${parts.map(([name, value]) => `${name}: ${flow(value as Json)}`).join('\n  ')}`;
}

/** A value in YAML's flow style. */
function flow(value: Json): string {
  if (isJsonObject(value)) {
    return `{${Object.entries(value)
      .map(([name, member]) => `${name}: ${flow(member)}`)
      .join(', ')}}`;
  }
  if (Array.isArray(value)) return `[${value.map((item: Json) => flow(item)).join(', ')}]`;
  if (typeof value === 'string' && /^[A-Za-z][\w -]*$/.test(value)) return value;
  return renderJson(value);
}

const SHOWN_CHARS = 500;

function renderSeen(seen: NonNullable<MatrixRow['seen']>): string {
  const told =
    seen.text === seen.clean
      ? 'the same as without the fault'
      : seen.text === ''
        ? 'an empty text'
        : `\n\n\`\`\`text\n${clip(visible(seen.text))}\n\`\`\``;
  return `\`${seen.call}\` shows:${told.startsWith('\n') ? '' : ' '}${told}`;
}

function clip(text: string): string {
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)} …`;
}

/** Control characters and letters that change the direction of writing are shown by their number. */
function visible(text: string): string {
  return text.replace(/[^\n\P{C}]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16) ?? ''}}`);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
