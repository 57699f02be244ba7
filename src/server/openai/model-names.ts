/**
 * The models of the OpenAI-compatible wire: `umwelt/ROUTE` and `umwelt/ROUTE-DOMAIN`.
 */
import { DOMAINS, type Domain } from '../../core/index.js';
import { ROUTES, type Route } from '../../sim/index.js';

/** What a model's name says. */
export interface NamedModel {
  readonly route: Route;
  readonly domain?: Domain;
}

/** The names that this service answers; the route `model` needs a model behind it. */
export function modelNames(hasModel: boolean): string[] {
  return [...ROUTES]
    .sort()
    .filter((route) => route !== 'model' || hasModel)
    .flatMap((route) => [`umwelt/${route}`, ...DOMAINS.map((domain) => `umwelt/${route}-${domain}`)]);
}

/** Reads a name; undefined for one that is not known. */
export function readModelName(name: string): NamedModel | undefined {
  const match = /^umwelt\/([a-z]+)(?:-([a-z]+))?$/.exec(name);
  const route = ROUTES.find((one) => one === match?.[1]);
  const domain = DOMAINS.find((one) => one === match?.[2]);
  if (route === undefined || (match?.[2] !== undefined && domain === undefined)) return undefined;
  return { route, ...(domain !== undefined && { domain }) };
}
