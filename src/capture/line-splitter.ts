/**
 * Cuts a stream of bytes into lines at line feeds, whatever the sizes of the chunks.
 *
 * Bytes, not text: a character that is split between chunks is never broken (hard case P-MCP-2). A line longer than
 * {@link FRAME_BYTES} is handed on in pieces, so that memory stays bounded.
 */
import { FRAME_BYTES } from './recording-line.js';

/** Takes chunks and hands on lines. */
export interface LineSplitter {
  push(chunk: Uint8Array): void;
  /** Says that the stream has ended; what is left is handed on as a line without a line feed. */
  end(): void;
}

/**
 * Makes a splitter. `onLine` gets the bytes without the line feed, and whether one followed. `maxBytes` is the
 * longest piece, default {@link FRAME_BYTES}.
 */
export function createLineSplitter(
  onLine: (bytes: Uint8Array, eol: boolean) => void,
  maxBytes: number = FRAME_BYTES,
): LineSplitter {
  let parts: Uint8Array[] = [];
  let held = 0;
  const take = (): Uint8Array => {
    const [only] = parts;
    const line = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts, held);
    parts = [];
    held = 0;
    return line;
  };
  const hold = (piece: Uint8Array): void => {
    let rest = piece;
    while (held + rest.length > maxBytes) {
      const room = maxBytes - held;
      parts.push(rest.subarray(0, room));
      held += room;
      onLine(take(), false);
      rest = rest.subarray(room);
    }
    if (rest.length === 0) return;
    parts.push(rest);
    held += rest.length;
  };
  return {
    push(chunk) {
      let from = 0;
      for (let lf = chunk.indexOf(0x0a); lf >= 0; lf = chunk.indexOf(0x0a, from)) {
        hold(chunk.subarray(from, lf));
        onLine(take(), true);
        from = lf + 1;
      }
      // A copy: the chunk may be a small view of a large buffer, held for long.
      if (from < chunk.length) hold(Uint8Array.prototype.slice.call(chunk, from));
    },
    end() {
      if (held > 0) onLine(take(), false);
    },
  };
}
