/**
 * Error numbers as Linux has them.
 *
 * The interpreter was compiled against a C library with numbers and wordings of its own (`ENOENT` is 44 there). What a
 * program sees of them are three tables: the C library's sentences, the module `errno`, and the dictionary by which
 * `OSError` finds `FileNotFoundError` and its like. All three are filled anew once, before the first program.
 * Source: errno(3), glibc's `strerror`. Not covered: comparisons in C with the library's own numbers; two of them count
 * (`EINTR`, `EAGAIN`) and are answered in those numbers.
 */

const ROWS =
  '1 EPERM Operation not permitted|2 ENOENT No such file or directory|3 ESRCH No such process|' +
  '4 EINTR Interrupted system call|5 EIO Input/output error|6 ENXIO No such device or address|' +
  '7 E2BIG Argument list too long|8 ENOEXEC Exec format error|9 EBADF Bad file descriptor|10 ECHILD No child processes|' +
  '11 EAGAIN Resource temporarily unavailable|12 ENOMEM Cannot allocate memory|13 EACCES Permission denied|' +
  '14 EFAULT Bad address|16 EBUSY Device or resource busy|17 EEXIST File exists|18 EXDEV Invalid cross-device link|' +
  '19 ENODEV No such device|20 ENOTDIR Not a directory|21 EISDIR Is a directory|22 EINVAL Invalid argument|' +
  '23 ENFILE Too many open files in system|24 EMFILE Too many open files|25 ENOTTY Inappropriate ioctl for device|' +
  '26 ETXTBSY Text file busy|27 EFBIG File too large|28 ENOSPC No space left on device|29 ESPIPE Illegal seek|' +
  '30 EROFS Read-only file system|31 EMLINK Too many links|32 EPIPE Broken pipe|' +
  '33 EDOM Numerical argument out of domain|34 ERANGE Numerical result out of range|' +
  '35 EDEADLK Resource deadlock avoided|36 ENAMETOOLONG File name too long|37 ENOLCK No locks available|' +
  '38 ENOSYS Function not implemented|39 ENOTEMPTY Directory not empty|40 ELOOP Too many levels of symbolic links|' +
  '61 ENODATA No data available|62 ETIME Timer expired|71 EPROTO Protocol error|74 EBADMSG Bad message|' +
  '75 EOVERFLOW Value too large for defined data type|84 EILSEQ Invalid or incomplete multibyte or wide character|' +
  '88 ENOTSOCK Socket operation on non-socket|92 ENOPROTOOPT Protocol not available|' +
  '93 EPROTONOSUPPORT Protocol not supported|95 ENOTSUP Operation not supported|95 EOPNOTSUPP Operation not supported|' +
  '97 EAFNOSUPPORT Address family not supported by protocol|98 EADDRINUSE Address already in use|' +
  '99 EADDRNOTAVAIL Cannot assign requested address|100 ENETDOWN Network is down|101 ENETUNREACH Network is unreachable|' +
  '103 ECONNABORTED Software caused connection abort|104 ECONNRESET Connection reset by peer|' +
  '105 ENOBUFS No buffer space available|106 EISCONN Transport endpoint is already connected|' +
  '107 ENOTCONN Transport endpoint is not connected|108 ESHUTDOWN Cannot send after transport endpoint shutdown|' +
  '110 ETIMEDOUT Connection timed out|111 ECONNREFUSED Connection refused|113 EHOSTUNREACH No route to host|' +
  '114 EALREADY Operation already in progress|115 EINPROGRESS Operation now in progress|125 ECANCELED Operation canceled';

/** Number, name and sentence of each. */
export const LINUX_ERRORS = ROWS.split('|').map((row) => {
  const [number = '', name = ''] = row.split(' ');
  return { number: Number(number), name, text: row.slice(number.length + name.length + 2) };
});

const numbers = new Map(LINUX_ERRORS.map(({ name, number }) => [name, number]));

/** The number that the C library must be given for an error: Linux's, but for two that it compares with its own. */
export function errorNumber(name: string): number {
  if (name === 'EINTR') return 27;
  if (name === 'EAGAIN') return 6;
  return numbers.get(name) ?? 5;
}

const FIRST_TEXT = 'No error information\0';

/** Writes glibc's sentences over the C library's. Raises where the library's table is not where it should be. */
export function replaceSentences(memory: Uint8Array): void {
  const bytes = Buffer.from(memory.buffer, memory.byteOffset, memory.byteLength);
  const base = bytes.indexOf(FIRST_TEXT, 0, 'latin1');
  const offsetOf = (text: string): number => bytes.indexOf(`\0${text}\0`, base, 'latin1') + 1 - base;
  const noEntry = offsetOf('No such file or directory');
  const denied = offsetOf('Permission denied');
  const shorts = new Uint16Array(memory.buffer);
  let table = base >> 1;
  const limit = table + 4096;
  while (table < limit && !(shorts[table + 44] === noEntry && shorts[table + 2] === denied)) table += 1;
  if (base < 0 || table === limit) throw new Error('the table of error sentences was not found');
  let at = base;
  const put = (text: string): number => {
    const start = at;
    at += bytes.write(`${text}\0`, at, 'latin1');
    return start - base;
  };
  const unknown = put('Unknown error');
  const written = new Map(LINUX_ERRORS.map(({ number, text }) => [number, put(text)]));
  for (const [own, name] of [
    [27, 'EINTR'],
    [6, 'EAGAIN'],
  ] as const) {
    if (!written.has(own)) written.set(own, written.get(numbers.get(name) ?? 0) ?? unknown);
  }
  for (let number = 0; number < 128; number++) shorts[table + number] = written.get(number) ?? unknown;
}

/**
 * The address of the dictionary from error numbers to subclasses of `OSError`; `ids` are the addresses of the types `dict`
 * and `FileNotFoundError`. Raises where there is none.
 */
export function findErrorClasses(memory: Uint8Array, ids: { dict: number; notFound: number }): number {
  const words = new Uint32Array(memory.buffer);
  for (let at = 0; at < words.length - 8; at++) {
    if (words[at + 1] !== ids.dict) continue;
    const used = words[at + 2] ?? 0;
    const keys = words[at + 6] ?? 0;
    if (used < 10 || used > 30 || keys === 0 || keys > memory.length - 2048) continue;
    const indexBytes = 1 << (memory[keys + 5] ?? 0);
    const entries = keys + 20 + indexBytes;
    const count = Math.min(words[(keys + 16) >> 2] ?? 0, 40);
    for (let index = 0; index < count; index++) {
      if (words[(entries + 12 * index + 8) >> 2] === ids.notFound) return at * 4;
    }
  }
  throw new Error('the table of error classes was not found');
}
