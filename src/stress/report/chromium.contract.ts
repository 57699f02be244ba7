/**
 * A real browser for tests of the report: Debian's or anybody's Chromium, spoken to over a pipe, without a dependency.
 *
 * The idea: `--remote-debugging-pipe` speaks the Chrome DevTools Protocol as JSON texts ended by a zero byte on two file
 * descriptors; a dozen of its methods are all that looking at one page needs. Where no browser is found the tests skip with
 * that reason. Source: Chrome DevTools Protocol (Page, Runtime, Input, Emulation, Network). Not covered: other browsers.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser's command, or null where none is installed; `CHROMIUM` names another. */
export function findChromium(): string | null {
  const named = process.env.CHROMIUM;
  for (const name of named === undefined ? NAMES : [named]) {
    if (spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0) return name;
  }
  return null;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** One page of a browser of its own. */
export class BrowserPage {
  /** Addresses that the page asked for, and what its console and its scripts complained of. */
  readonly requests: string[] = [];
  readonly complaints: string[] = [];
  private readonly waiting = new Map<number, (message: Message) => void>();
  private readonly loads: (() => void)[] = [];
  private session: string | undefined;
  private next = 0;
  private rest = '';

  private constructor(
    private readonly browser: ChildProcess,
    private readonly profile: string,
  ) {
    (browser.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => this.read(text));
  }

  /** Starts a browser with one empty page. */
  static async open(command: string): Promise<BrowserPage> {
    const profile = mkdtempSync(join(tmpdir(), 'umwelt-chromium-'));
    const words = [
      '--headless=new',
      '--remote-debugging-pipe',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
    ];
    const more = ['--disable-dev-shm-usage', '--disable-background-networking', `--user-data-dir=${profile}`];
    const browser = spawn(command, [...words, ...more, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    const page = new BrowserPage(browser, profile);
    const { targetInfos } = await page.send('Target.getTargets');
    const found = (targetInfos as { type: string; targetId: string }[]).find(({ type }) => type === 'page');
    const targetId =
      found?.targetId ?? (await page.send('Target.createTarget', { url: 'about:blank' })).targetId;
    const { sessionId } = await page.send('Target.attachToTarget', { targetId, flatten: true });
    page.session = String(sessionId);
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await page.send(`${domain}.enable`);
    return page;
  }

  /** Sends one command of the protocol. */
  send(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const id = ++this.next;
    const sessionId = this.session === undefined ? {} : { sessionId: this.session };
    (this.browser.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, ...sessionId })}\0`);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, ({ result, error }) => {
        if (error === undefined) resolve(result ?? {});
        else reject(new Error(`${method}: ${error.message}`));
      });
    });
  }

  /** Goes to an address and waits until it is loaded. */
  async go(url: string): Promise<void> {
    const loaded = new Promise<void>((resolve) => this.loads.push(resolve));
    await this.send('Page.navigate', { url });
    await loaded;
  }

  /** The value of an expression in the page; promises are waited for. */
  async value<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { value: T }).value;
  }

  /** Waits until an expression is true; the page looks at each frame. */
  async until(expression: string): Promise<void> {
    await this.value(
      `new Promise((done) => { const look = () => (${expression}) ? done(true) : setTimeout(look, 10); look(); })`,
    );
  }

  /** Presses a key, as a person does; a single character is typed as well. */
  async press(key: string): Promise<void> {
    const text = key.length === 1 ? { text: key } : key === 'Enter' ? { text: '\r' } : {};
    const codes: Record<string, number> = { Enter: 13, Escape: 27, Tab: 9 };
    const code = codes[key] ?? key.toUpperCase().charCodeAt(0);
    const event = { key, windowsVirtualKeyCode: code, ...(key.length > 1 && { code: key }) };
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event, ...text });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  /** Ends the browser. */
  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.browser.once('exit', resolve));
    this.session = undefined;
    this.send('Browser.close').catch(() => undefined);
    await gone;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  private read(text: string): void {
    const parts = (this.rest + text).split('\0');
    this.rest = parts.pop() ?? '';
    for (const part of parts) this.take(JSON.parse(part) as Message);
  }

  private take({ id, method, params, ...answer }: Message): void {
    if (id !== undefined) {
      this.waiting.get(id)?.(answer);
      this.waiting.delete(id);
    } else if (method === 'Page.loadEventFired') this.loads.shift()?.();
    else if (method === 'Network.requestWillBeSent')
      this.requests.push((params as { request: { url: string } }).request.url);
    else if (method === 'Runtime.exceptionThrown' || method === 'Log.entryAdded')
      this.complaints.push(JSON.stringify(params));
  }
}
