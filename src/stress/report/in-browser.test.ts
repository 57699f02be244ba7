/**
 * The report as a person meets it, in a real Chromium: hostile text is text, nothing leaves, keys and filters work, both
 * themes and paper can be read. Skipped, with the reason, where no Chromium is installed.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { characterArenas } from '../../testing/index.js';
import { createFunctionAgent } from '../agents/module.js';
import { checkSurvival } from '../check-survival.js';
import type { RunRecord } from '../run-record.js';
import { BrowserPage, findChromium } from './chromium.contract.js';
import { writeReport } from './write-report.js';

const chromium = findChromium();
const LONG = 'x'.repeat(5_000_000);
const TAGS = '\u{e0041}\u{e0042}';
const SHOWN =
  '\u001b[31m<img src=x onerror=document.title=1>\u001b[0m\u0007 [docs](javascript:alert(1)) {{constructor.constructor("x")()}} \u0024{1+1} <b>list</b> </script><script>document.title=2</script> \u202e# ylno\u202c ze\u200bro pay\u200dpal \u05e9\u05dc\u05d5\u05dd end';
const HOSTILE = `${SHOWN}${TAGS}`;

/** What each agent says in the end, and whether it counts as passed. */
async function runs(name: string, says: string): Promise<RunRecord[]> {
  const [world] = characterArenas();
  if (world === undefined) throw new Error('there are no arenas');
  const agent = createFunctionAgent(
    async ({ call }) => {
      await call('order_list', { state: says });
      return says;
    },
    { id: name },
  );
  const { clean, record, verdict } = await checkSurvival({
    agent,
    world,
    fault: { kind: 'timeout', on: 'order_list' },
  });
  const headline = `success: ${says.slice(0, 400)}`;
  const failed = { ...verdict, outcome: 'failed', passed: false, blame: 'agent', headline } as const;
  const passed = { ...verdict, outcome: 'passed', passed: true, blame: null, headline: 'solved' } as const;
  const turns = record.turns.map((turn) => ({
    ...turn,
    observation: `${says}${says === LONG ? '' : '\n'.repeat(60)}`,
  }));
  return [
    { ...clean, verdict: passed },
    { ...record, turns, verdict: failed },
  ];
}

async function reportOf(): Promise<string> {
  const all = [...(await runs('hostile', HOSTILE)), ...(await runs('long', LONG))];
  const directory = mkdtempSync(join(tmpdir(), 'umwelt-report-'));
  const suite = {
    name: `s ${SHOWN}`,
    trials: 1,
    seed: 3,
    worlds: ['a'],
    faults: ['timeout'],
    agents: ['hostile', 'long'],
  };
  const header = {
    stress: 1,
    fingerprint: 'f',
    suite,
    runs: all.length,
    notApplicable: [],
    versions: { umwelt: '0' },
  };
  writeFileSync(
    join(directory, 'results.jsonl'),
    `${[header, ...all].map((line) => JSON.stringify(line)).join('\n')}\n`,
  );
  return pathToFileURL(writeReport(directory).files[0] ?? '').href;
}

/** The lowest contrast of all texts that are shown, by WCAG 2.2, with the text that has it. */
const LOWEST_CONTRAST = `(() => {
  const parse = (text) => { const parts = text.match(/[\\d.]+/g).map(Number); return { rgb: parts.slice(0, 3), alpha: parts[3] ?? 1 }; };
  const light = ([r, g, b]) => { const f = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  const ground = (node) => { for (; node; node = node.parentElement) { const { rgb, alpha } = parse(getComputedStyle(node).backgroundColor); if (alpha > 0.99) return rgb; } return [255, 255, 255]; };
  let lowest = { ratio: 99, text: '' };
  for (const node of document.querySelectorAll('body *')) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim() !== '');
    if (!own || /SCRIPT|STYLE/.test(node.tagName) || !node.checkVisibility()) continue;
    const a = light(parse(getComputedStyle(node).color).rgb), b = light(ground(node));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < lowest.ratio) lowest = { ratio, text: node.className + ': ' + node.textContent.slice(0, 40) };
  }
  return lowest;
})()`;

interface Contrast {
  readonly ratio: number;
  readonly text: string;
}

describe.skipIf(chromium === null)(`in Chromium (${chromium ?? 'not installed: tests skipped'})`, () => {
  let page: BrowserPage;
  let url = '';
  beforeAll(async () => {
    url = await reportOf();
    page = await BrowserPage.open(chromium ?? '');
  });
  afterAll(() => page.close());

  async function fresh(): Promise<void> {
    await page.go('about:blank');
    page.requests.length = 0;
    page.complaints.length = 0;
    await page.go(url);
    await page.until("document.querySelectorAll('.run').length > 0");
  }

  /** Opens the broken run of an agent by searching for it. */
  async function open(agent: string): Promise<void> {
    await page.press('/');
    for (const char of `timeout/${agent}`) await page.press(char);
    await page.until(`document.querySelectorAll('.run').length === 1`);
    await page.value("document.querySelector('.run').focus()");
    await page.press('Enter');
    await page.until("!document.getElementById('detail').hidden");
  }

  test('hostile text is shown as text, marked where it cannot be seen, and nothing leaves the page', async () => {
    await fresh();
    const title = await page.value<string>('document.title');
    await open('hostile');
    const seen = await page.value<{
      text: string;
      tags: string[];
      red: string[];
      marks: string[];
      copied: string;
    }>(`(() => {
      const detail = document.getElementById('detail');
      const observation = detail.querySelector('.turn.struck .obs');
      getSelection().selectAllChildren(observation);
      return {
        text: detail.innerText,
        tags: [...document.querySelectorAll('img, a, iframe, object, embed, link, form')].map((node) => node.tagName),
        red: [...observation.querySelectorAll('.ansi-red')].map((node) => node.textContent),
        marks: [...observation.querySelectorAll('.ctl')].map((node) => node.title),
        copied: (() => {
          const data = new DataTransfer();
          observation.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }));
          return data.getData('text/plain');
        })(),
      };
    })()`);
    expect(seen.tags).toEqual([]);
    expect(seen.red).toEqual(['<img src=x onerror=document.title=1>']);
    expect(seen.marks).toEqual(['U+0007', 'U+202E', 'U+202C', 'U+200B', 'U+200D', 'U+E0041', 'U+E0042']);
    for (const words of [
      '[docs](javascript:alert(1))',
      '{{constructor.constructor("x")()}}',
      '\u0024{1+1}',
      '<b>list</b>',
      '</script><script>document.title=2</script>',
      '\u05e9\u05dc\u05d5\u05dd',
    ])
      expect(seen.text).toContain(words);
    expect(seen.copied.trimEnd()).toBe(HOSTILE);
    expect(await page.value('document.title')).toBe(title);
    expect(await page.value("document.querySelectorAll('script').length")).toBe(
      await page.value("document.querySelectorAll('script[id^=data-]').length + 1"),
    );
    expect(page.requests).toEqual([url]);
    expect(page.complaints).toEqual([]);
  });

  test('a line of five megabytes is cut where the page says so, and the page stays usable', async () => {
    await fresh();
    await open('long');
    const text = await page.value<string>("document.querySelector('.turn.struck .obs').textContent");
    expect(text.length).toBeLessThan(13_000);
    expect(text).toMatch(/… 5000000 units in all; the results file has them$/);
    await page.press('Escape');
    await page.until("document.getElementById('detail').hidden");
    expect(page.complaints).toEqual([]);
  });

  test('keys alone search, open, step, close and give the focus back; filters narrow the list', async () => {
    await fresh();
    const listed = () =>
      page.value<string[]>(
        "[...document.querySelectorAll('.run')].map((run) => state.data.index[run.dataset.run].id)",
      );
    const active = () => page.value<string>('document.activeElement.id || document.activeElement.className');
    const openRun = () => page.value<string>("state.open < 0 ? 'none' : state.data.index[state.open].fault");
    expect(await listed()).toEqual(['arena-invoices/timeout/hostile/1', 'arena-invoices/clean/hostile/1']);
    await page.press('/');
    expect(await active()).toBe('search');
    await page.press('Escape');
    // From the top by tabulator to the first run.
    for (let tabs = 0; tabs < 60 && (await active()) !== 'run'; tabs++) await page.press('Tab');
    expect(
      await page.value(
        'document.activeElement.tagName + getComputedStyle(document.activeElement).outlineStyle',
      ),
    ).toBe('BUTTONsolid');
    await page.press('Enter');
    await page.until("!document.getElementById('detail').hidden");
    expect([await active(), await openRun()]).toEqual(['detail', 'timeout']);
    await page.press('j');
    await page.until("state.data.index[state.open].fault === 'clean'");
    await page.press('k');
    await page.until("state.data.index[state.open].fault === 'timeout'");
    await page.press('Escape');
    expect([await active(), await openRun()]).toEqual(['run', 'none']);
    const filter = (name: string) =>
      page.value(
        `[...document.querySelectorAll('#filters button')].find((button) => button.textContent.startsWith('${name}')).click()`,
      );
    await filter('Passed');
    expect(await listed()).toEqual(['arena-invoices/clean/hostile/1']);
    await filter('Not counted');
    expect(await listed()).toEqual([]);
    await filter('Broken');
    expect(await listed()).toEqual(['arena-invoices/timeout/hostile/1']);
    expect(
      await page.value(
        "[...document.querySelectorAll('#filters [aria-pressed=true]')].map((one) => one.textContent)",
      ),
    ).toEqual(['Broken 1']);
    expect(page.complaints).toEqual([]);
  });

  test.each(['light', 'dark'])(
    'in the %s theme every text has the contrast that WCAG asks for',
    async (theme) => {
      await page.send('Emulation.setEmulatedMedia', {
        media: '',
        features: [{ name: 'prefers-color-scheme', value: theme }],
      });
      await fresh();
      const first = await page.value<Contrast>(LOWEST_CONTRAST);
      expect(first.ratio, first.text).toBeGreaterThanOrEqual(4.5);
      await open('hostile');
      const lowest = await page.value<Contrast>(LOWEST_CONTRAST);
      expect(lowest.ratio, lowest.text).toBeGreaterThanOrEqual(4.5);
    },
  );

  test('paper shows dark on white and cuts no text off, whatever the theme of the screen', async () => {
    await page.send('Emulation.setEmulatedMedia', {
      media: '',
      features: [{ name: 'prefers-color-scheme', value: 'dark' }],
    });
    await fresh();
    await page.value("document.documentElement.dataset.theme = 'dark'");
    await open('hostile');
    await page.send('Emulation.setEmulatedMedia', {
      media: 'print',
      features: [{ name: 'prefers-color-scheme', value: 'dark' }],
    });
    const paper = await page.value<{ ground: string; cut: string[]; controls: string[] }>(`(() => ({
      ground: getComputedStyle(document.body).backgroundColor,
      cut: [...document.querySelectorAll('body *')].filter((node) => node.checkVisibility() && /auto|scroll/.test(getComputedStyle(node).overflowY) && node.scrollHeight > node.clientHeight + 1).map((node) => node.className || node.id),
      controls: [...document.querySelectorAll('button')].filter((node) => node.checkVisibility() && /Copy|Expand|Close/.test(node.textContent)).map((node) => node.textContent),
    }))()`);
    expect(paper).toEqual({ ground: 'rgb(255, 255, 255)', cut: [], controls: [] });
    const lowest = await page.value<Contrast>(LOWEST_CONTRAST);
    expect(lowest.ratio, lowest.text).toBeGreaterThanOrEqual(4.5);
    const { data } = await page.send('Page.printToPDF');
    expect(Buffer.from(String(data), 'base64').subarray(0, 5).toString()).toBe('%PDF-');
    await page.send('Emulation.setEmulatedMedia', { media: '', features: [] });
  });
});
