/**
 * Any file of ours (a suite, say) as a checked value: YAML or JSON text, one schema, every problem at once with its
 * place, and the user's own `x-` keys taken away. World files have more to check and a loader of their own.
 */
import type { z } from 'zod';
import { fail, isJsonObject, type Json, ok, type Result } from '../core/index.js';
import { removeOwnKeys } from './load-world.js';
import { type Finding, ONCE, schemaFindings } from './schema-problems.js';
import { parseSource, type SourceDocument } from './source-document.js';
import { type PathPart, renderPath, renderProblem, renderSeen, type WorldProblem } from './world-problem.js';

/** A file that fits its schema. */
export interface CheckedFile<T> {
  readonly value: T;
  /** A line for a problem found later, such as a name that does not exist: `name:line:column path: message`. */
  problem(path: readonly PathPart[], message: string): string;
}

/** Reads a text; on failure one line for each problem, in the order of the file. `name` is what messages call it. */
export function readCheckedFile<T>(
  text: string,
  name: string,
  schema: z.ZodType<T>,
): Result<CheckedFile<T>, readonly string[]> {
  const document = parseSource(text.replace(/^\uFEFF/, ''));
  if (!document.ok) return fail(document.error.map((problem) => renderProblem(problem, name)));
  const { json } = document.value;
  if (!isJsonObject(json)) return fail([`${name}:1:1 is ${renderSeen(json)}; wanted an object`]);
  removeOwnKeys(schema, json as Json);
  const findings = schemaFindings(schema, json);
  if (findings.length > 0) return fail(linesOf(findings, document.value, name));
  const value = schema.parse(json, ONCE);
  return ok({
    value,
    problem: (path, message) => renderProblem(placed({ path, message }, document.value), name),
  });
}

function linesOf(findings: readonly Finding[], document: SourceDocument, name: string): string[] {
  return findings
    .map((finding) => placed(finding, document))
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .map((problem) => renderProblem(problem, name));
}

function placed(finding: Finding, document: SourceDocument): WorldProblem {
  const { path, message } = finding;
  const at = finding.atKey === true ? document.keyPositionOf(path) : document.positionOf(path);
  return { ...at, path: renderPath(path), message };
}
