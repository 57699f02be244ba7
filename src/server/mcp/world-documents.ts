/**
 * Resources and prompts of a world file as an MCP server lists and serves them.
 *
 * What the author wrote is served: a resource's `text` or `blob` (base64), a prompt's `messages`, whose texts are
 * templates over `args`. What a world only lists (it was made from a server, whose contents nobody read) is known by
 * name and cannot be read: that is `abstained`, never an empty document.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import { compileTemplate } from '../../rules/index.js';
import type { World } from '../../worlds/index.js';

/** A document that was asked for: its contents, or why there are none. */
export type Found =
  | { readonly kind: 'found'; readonly result: JsonObject }
  | { readonly kind: 'unknown'; readonly message: string }
  | { readonly kind: 'abstained'; readonly message: string };

/** The resources as `resources/list` gives them. */
export function listResources(world: World): JsonObject[] {
  return world.file.resources.map((resource) => {
    const { text: _text, blob: _blob, ...listed } = resource as JsonObject;
    return { name: resource.uri, ...listed };
  });
}

/** The contents of one resource, as `resources/read` gives them. */
export function readResource(world: World, uri: string): Found {
  const resource = world.file.resources.find((one) => one.uri === uri) as JsonObject | undefined;
  if (resource === undefined) return { kind: 'unknown', message: `there is no resource ${shown(uri)}` };
  const { text, blob, mimeType } = resource;
  const type: JsonObject = typeof mimeType === 'string' ? { mimeType } : {};
  if (typeof text === 'string') return { kind: 'found', result: { contents: [{ uri, ...type, text }] } };
  if (typeof blob === 'string') return { kind: 'found', result: { contents: [{ uri, ...type, blob }] } };
  return { kind: 'abstained', message: `the world lists the resource ${shown(uri)}, but not what is in it` };
}

/** The prompts as `prompts/list` gives them. */
export function listPrompts(world: World): JsonObject[] {
  return world.file.prompts.map((prompt) => {
    const { messages: _messages, ...listed } = prompt as JsonObject;
    return listed;
  });
}

/** One prompt with its arguments filled in, as `prompts/get` gives it. */
export function getPrompt(world: World, name: string, args: Readonly<Record<string, string>>): Found {
  const prompt = world.file.prompts.find((one) => one.name === name) as JsonObject | undefined;
  if (prompt === undefined) return { kind: 'unknown', message: `there is no prompt ${shown(name)}` };
  const missing = requiredArguments(prompt).filter((key) => !Object.hasOwn(args, key));
  if (missing.length > 0) {
    return { kind: 'unknown', message: `the prompt ${shown(name)} needs the argument ${missing.join(', ')}` };
  }
  const { messages, description } = prompt;
  if (!Array.isArray(messages)) {
    return { kind: 'abstained', message: `the world lists the prompt ${shown(name)}, but not its messages` };
  }
  const filled = messages.map((message: Json) => fillMessage(message, args));
  const result = { messages: filled, ...(typeof description === 'string' && { description }) };
  return { kind: 'found', result };
}

function requiredArguments(prompt: JsonObject): string[] {
  const listed = Array.isArray(prompt.arguments) ? (prompt.arguments as readonly Json[]) : [];
  return listed.flatMap((one) =>
    isJsonObject(one) && one.required === true && typeof one.name === 'string' ? [one.name] : [],
  );
}

/** `{role, content}`; a content that is a text is a text block, and its template is filled in. */
function fillMessage(message: Json, args: Readonly<Record<string, string>>): Json {
  if (!isJsonObject(message)) return { role: 'user', content: textBlock(String(message), args) };
  const { content, role = 'user' } = message;
  if (typeof content === 'string') return { role, content: textBlock(content, args) };
  if (isJsonObject(content) && typeof content.text === 'string') {
    return { role, content: { ...content, text: fill(content.text, args) } };
  }
  return { role, content: content ?? '' };
}

function textBlock(text: string, args: Readonly<Record<string, string>>): JsonObject {
  return { type: 'text', text: fill(text, args) };
}

/** Text that is no template of ours (a foreign prompt with braces of its own) is served as it is. */
function fill(text: string, args: Readonly<Record<string, string>>): string {
  const template = compileTemplate(text, { names: ['args'] });
  if (!template.ok) return text;
  const rendered = template.value.render({ args });
  return rendered.ok ? rendered.value.text : text;
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}
