/**
 * Bytes of a file to text: UTF-8 only, a byte-order mark taken away, binary content refused.
 */
import { fail, LIMITS, ok, type Result } from '../core/index.js';

/** Decodes a text file. The error says in words what the bytes look like. */
export function decodeText(bytes: Uint8Array): Result<string, string> {
  if (bytes.length > LIMITS.worldFileBytes) {
    return fail(`has ${bytes.length} bytes; at most ${LIMITS.worldFileBytes} (limit worldFileBytes)`);
  }
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return fail('is UTF-16; save it as UTF-8');
  }
  if (bytes.includes(0)) return fail('is binary (it has a zero byte); wanted UTF-8 text');
  try {
    // TextDecoder takes a leading byte-order mark away
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return fail('is not UTF-8 text');
  }
}

/** The same of a text in memory: plain ones need no way through bytes. */
export function checkedText(input: string): Result<string, string> {
  const plain = input.length * 3 <= LIMITS.worldFileBytes && !/[\0\uD800-\uDFFF\uFEFF]/.test(input);
  return plain ? ok(input) : decodeText(new TextEncoder().encode(input));
}
