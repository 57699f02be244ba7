/**
 * What each revision of the protocol knows, so that an older client is sent nothing that it cannot know.
 *
 * Source: the changelogs of the MCP specification. Structured results, output schemas, titles and resource links came
 * with 2025-06-18; annotations of tools and audio with 2025-03-26. Revisions are dates, so they compare as texts.
 */
import type { JsonObject } from '../../core/index.js';

/** Keys of a tool definition and the revision that brought them. */
const TOOL_KEYS: Readonly<Record<string, string>> = {
  annotations: '2025-03-26',
  title: '2025-06-18',
  outputSchema: '2025-06-18',
  _meta: '2025-06-18',
  icons: '2025-11-25',
  execution: '2025-11-25',
};

/** Kinds of content blocks and the revision that brought them; kinds that are not here came with none. */
const BLOCK_KINDS: Readonly<Record<string, string>> = {
  text: '2024-11-05',
  image: '2024-11-05',
  resource: '2024-11-05',
  audio: '2025-03-26',
  resource_link: '2025-06-18',
};

const STRUCTURED = '2025-06-18';

/** True where a client of this revision knows structured results. */
export function knowsStructured(revision: string | undefined): boolean {
  return revision === undefined || revision >= STRUCTURED;
}

/** True where a client of this revision knows this kind of content block. */
export function knowsBlock(kind: string, revision: string | undefined): boolean {
  const since = Object.hasOwn(BLOCK_KINDS, kind) ? BLOCK_KINDS[kind] : undefined;
  return since !== undefined && (revision === undefined || revision >= since);
}

/** A tool definition as a client of this revision may see it: the same object where it knows everything in it. */
export function toolForRevision(tool: JsonObject, revision: string | undefined): JsonObject {
  if (revision === undefined) return tool;
  const unknown = Object.keys(tool).filter((key) => {
    const since = Object.hasOwn(TOOL_KEYS, key) ? TOOL_KEYS[key] : undefined;
    return since !== undefined && since > revision;
  });
  if (unknown.length === 0) return tool;
  return Object.fromEntries(Object.entries(tool).filter(([key]) => !unknown.includes(key)));
}
