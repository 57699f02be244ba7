/** Module hooks: `.js` means the `.ts` beside it where there is one, and types are taken out of it. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'rolldown/utils';

/** Finds the source. */
export async function resolve(specifier, context, next) {
  if (/^(\.|file:)/.test(specifier) && specifier.endsWith('.js')) {
    const url = new URL(specifier, context.parentURL);
    const source = new URL(url.href.replace(/\.js$/, '.ts'));
    if (!existsSync(fileURLToPath(url)) && existsSync(fileURLToPath(source))) {
      return { url: source.href, format: 'module', shortCircuit: true };
    }
  }
  return next(specifier, context);
}

/** Reads it. */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  const { code, errors } = await transform(path, await readFile(path, 'utf8'));
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  return { format: 'module', source: code, shortCircuit: true };
}
