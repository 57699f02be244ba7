/**
 * Which domain formats exist. A domain that has none yet is a failure that says so, never another domain's format.
 */
import { DOMAINS, type Domain, fail, nearestName, ok, type Result } from '../core/index.js';
import { androidFormat } from './android/android-format.js';
import type { DomainFormat } from './domain-format.js';
import { mcpFormat } from './mcp/mcp-format.js';
import { desktopFormat } from './os/desktop-format.js';
import { searchFormat } from './search/search-format.js';
import { sweFormat } from './swe/swe-format.js';
import { terminalFormat } from './terminal/terminal-format.js';
import { webFormat } from './web/web-format.js';

/** Why there is no format for a name. */
export interface UnknownDomain {
  readonly message: string;
  /** The domains that have a format, in published order. */
  readonly available: readonly Domain[];
}

const FORMATS: ReadonlyMap<string, DomainFormat> = new Map<string, DomainFormat>([
  [mcpFormat.domain, mcpFormat as DomainFormat],
  [searchFormat.domain, searchFormat as DomainFormat],
  [terminalFormat.domain, terminalFormat as DomainFormat],
  [sweFormat.domain, sweFormat as DomainFormat],
  [androidFormat.domain, androidFormat as DomainFormat],
  [desktopFormat.domain, desktopFormat as DomainFormat],
  [webFormat.domain, webFormat as DomainFormat],
]);

/** The format of a domain by its name, or a failure that names the domains that have one. */
export function domainFormat(domain: string): Result<DomainFormat, UnknownDomain> {
  const format = FORMATS.get(domain);
  if (format !== undefined) return ok(format);
  const available = DOMAINS.filter((name) => FORMATS.has(name));
  const nearest = nearestName(domain, DOMAINS);
  const planned = (DOMAINS as readonly string[]).includes(domain);
  const why = planned ? `the domain "${domain}" has no format yet` : `there is no domain "${domain}"`;
  const hint = !planned && nearest !== undefined ? ` (did you mean "${nearest}"?)` : '';
  return fail({ message: `${why}${hint}; available: ${available.join(', ')}`, available });
}
