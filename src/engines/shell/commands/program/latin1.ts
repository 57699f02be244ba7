/**
 * Bytes as strings of characters 0 to 255, for commands that work byte by byte.
 *
 * The idea: comparing, slicing and searching such strings is what a C program does on `char *`, and is fast.
 */

const PIECE = 8192;

/** The bytes as a string with one character each. */
export function latin1(bytes: Uint8Array): string {
  if (bytes.length <= PIECE) return String.fromCharCode.apply(null, bytes as unknown as number[]);
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE)
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + PIECE) as unknown as number[]);
  return text;
}

/** The bytes of such a string. */
export function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}
