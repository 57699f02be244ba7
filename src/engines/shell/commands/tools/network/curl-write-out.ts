/**
 * What `-w` of curl prints. Source: curl(1) 7.88.1. Not covered: `%{json}`, certificates, speeds beyond the average.
 */

/** What is known of a transfer. */
export interface TransferFacts {
  code: number;
  down: number;
  up: number;
  headerBytes: number;
  redirects: number;
  connectUs: number;
  firstUs: number;
  totalUs: number;
  url: string;
  type: string;
  ip: string;
  redirectUrl: string;
  method: string;
  port: number;
  exit: number;
}

/** The text of a format. */
export function writeOut(format: string, facts: TransferFacts): string {
  const seconds = (us: number): string => (us / 1e6).toFixed(6);
  const code = String(facts.code).padStart(3, '0');
  const values: Readonly<Record<string, string>> = {
    http_code: code,
    response_code: code,
    size_download: String(facts.down),
    size_upload: String(facts.up),
    size_header: String(facts.headerBytes),
    num_redirects: String(facts.redirects),
    num_connects: facts.port === 0 ? '0' : '1',
    time_namelookup: seconds(Math.min(facts.connectUs, 20)),
    time_connect: seconds(facts.connectUs),
    time_appconnect: seconds(0),
    time_pretransfer: seconds(facts.connectUs),
    time_redirect: seconds(0),
    time_starttransfer: seconds(facts.firstUs),
    time_total: seconds(facts.totalUs),
    speed_download: String(Math.floor(facts.down / Math.max(facts.totalUs / 1e6, 1e-6))),
    content_type: facts.type,
    url_effective: facts.url,
    url: facts.url,
    remote_ip: facts.ip,
    remote_port: String(facts.port),
    redirect_url: facts.redirectUrl,
    method: facts.method,
    exitcode: String(facts.exit),
    scheme: 'HTTP',
    http_version: facts.code === 0 ? '0' : '1.1',
  };
  return format
    .replace(/%\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
    .replaceAll('%%', '%')
    .replace(/\\([nrt])/g, (_, letter: string) => ({ n: '\n', r: '\r', t: '\t' })[letter] ?? '');
}
