/**
 * The messages of an answer over Streamable HTTP: a JSON body, or server-sent events whose data is JSON.
 *
 * Texts pass as they came; line feeds between tokens, which stdio does not allow, become spaces (inside a JSON string
 * they cannot stand).
 */
import { LIMITS } from '../../core/index.js';
import { LineSplitter } from './frame-lines.js';

/** Reads a whole answer and hands on each message as one line, as it comes. Rejects when the connection breaks. */
export async function readMessages(response: Response, onMessage: (line: string) => void): Promise<void> {
  if (response.body === null) return;
  const body = response.body as AsyncIterable<Uint8Array>;
  if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    return readEvents(body, onMessage);
  }
  const parts: Uint8Array[] = [];
  for await (const chunk of body) parts.push(chunk);
  const text = oneLine(Buffer.concat(parts).toString('utf8'));
  if (text !== '') onMessage(text);
}

async function readEvents(body: AsyncIterable<Uint8Array>, onMessage: (line: string) => void): Promise<void> {
  let data: string[] = [];
  let problem: Error | undefined;
  const lines = new LineSplitter(
    {
      line: (bytes) => {
        const line = Buffer.from(bytes).toString('utf8').replace(/\r$/, '');
        if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
        if (line !== '') return;
        const text = oneLine(data.join('\n'));
        data = [];
        if (text !== '') onMessage(text);
      },
      tooLong: () => {
        problem = new Error(`an event is longer than ${LIMITS.lineBytes} bytes (limit lineBytes)`);
      },
    },
    LIMITS.lineBytes,
  );
  for await (const chunk of body) {
    lines.push(chunk);
    if (problem !== undefined) throw problem;
  }
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').trim();
}
