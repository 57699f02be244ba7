/**
 * The contract suite and the hostile-text suite over all domains. A domain without a format is named here as such, and
 * the test fails once it has one without samples.
 */
import { describe, expect, test } from 'vitest';
import { DOMAINS, type Domain } from '../core/index.js';
import { androidSamples } from './android/android-samples.contract.js';
import { checkDomainFormat, type DomainSamples } from './domain-format.contract.js';
import { domainFormat } from './domain-registry.js';
import { checkHostileText } from './hostile-text.contract.js';
import { mcpSamples } from './mcp/mcp-samples.contract.js';
import { desktopSamples } from './os/desktop-samples.contract.js';
import { searchSamples } from './search/search-samples.contract.js';
import { sweSamples } from './swe/swe-samples.contract.js';
import { terminalSamples } from './terminal/terminal-samples.contract.js';
import { webSamples } from './web/web-samples.contract.js';

// biome-ignore lint/suspicious/noExplicitAny: each domain has its own types, and the suites use them with themselves only
const SAMPLES: Readonly<Partial<Record<Domain, DomainSamples<any, any>>>> = {
  mcp: mcpSamples,
  search: searchSamples,
  terminal: terminalSamples,
  swe: sweSamples,
  android: androidSamples,
  os: desktopSamples,
  web: webSamples,
};

describe.each(DOMAINS)('domain %s', (domain) => {
  const samples = SAMPLES[domain];
  if (samples === undefined) {
    test('has no format yet, and is not said to have one', () => {
      expect(domainFormat(domain)).toMatchObject({ ok: false });
    });
    return;
  }
  test('is found by its name', () => {
    expect(domainFormat(domain)).toEqual({ ok: true, value: samples.format });
  });
  checkDomainFormat(samples);
  checkHostileText(samples);
});
