/**
 * The two streams of a client on standard input and output, as far as they are used.
 *
 * Node's streams fit. Their own types are not named, so that a program that has no types of Node can use this package.
 */

/** Where a client's bytes come from. */
export interface ByteInput extends AsyncIterable<unknown> {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  once(event: 'end' | 'close' | 'error', listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** Where texts for a client go. */
export interface ByteOutput {
  /** False when the reader is behind; `done` is called when the text is on its way. */
  write(text: string, done?: () => void): boolean;
  readonly writableNeedDrain: boolean;
  readonly destroyed: boolean;
  on(event: 'drain', listener: () => void): unknown;
  once(event: 'drain' | 'close' | 'error', listener: () => void): unknown;
}
