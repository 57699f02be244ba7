/**
 * `report.html`: one file, no request to anywhere, nothing run but its own script.
 *
 * The page's policy allows the one script and the one style by their hashes and nothing else, so that no text of a world,
 * a model or an agent can become code even if it were written into the page; and it never is: texts are packed, and shown
 * by the script as text only. Not covered: browsers without DecompressionStream (before 2023), which are told so.
 */
import { createHash } from 'node:crypto';
import type { Comparison } from '../statistics/compare-runs.js';
import type { AgentNumbers } from '../statistics/summarise.js';
import { PAGE_DETAIL } from './page-detail.js';
import { PAGE_MARKUP } from './page-markup.js';
import { PAGE_OVERVIEW } from './page-overview.js';
import { PAGE_SCRIPT } from './page-script.js';
import { PAGE_STYLE } from './page-style.js';
import { type IndexedRun, pack } from './report-data.js';

/** What a report shows. */
export interface ReportContent {
  readonly title: string;
  /** One line below: versions, seed, trials. */
  readonly subtitle: string;
  readonly index: readonly IndexedRun[];
  readonly agents: readonly AgentNumbers[];
  readonly comparison: Comparison | null;
  readonly notApplicable: readonly {
    readonly world: string;
    readonly faults: string;
    readonly why: string;
  }[];
  /** The command that repeats the suite; `{id}` stands for a run. */
  readonly reproduce: string;
  /** Packed turns. */
  readonly chunks: readonly string[];
}

/** Renders the page. */
export function renderReport(content: ReportContent): string {
  const { chunks, ...index } = content;
  const script = `${PAGE_SCRIPT}\n${PAGE_OVERVIEW}\n${PAGE_DETAIL}\nstart();\n`;
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(PAGE_STYLE)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const data = [pack(index), ...chunks].map(
    (chunk, number) => `<script type="text/plain" id="data-${number}">${chunk}</script>`,
  );
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeHtml(`Stress report: ${content.title}`)}</title>`,
    `<style>${PAGE_STYLE}</style>`,
    '</head>',
    '<body>',
    PAGE_MARKUP,
    ...data,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}`;
}

/** Text for HTML; directions and control characters are shown as marks. */
function escapeHtml(text: string): string {
  return text
    .replaceAll(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/gu,
      (char) => {
        return `[U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
      },
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
