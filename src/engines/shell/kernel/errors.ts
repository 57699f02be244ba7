/**
 * Errors of system calls: one class, one table of numbers and wordings (Linux, glibc `strerror` in the C locale).
 *
 * A system call that fails throws a {@link SystemError}; commands catch it and word it their own way, nearly always
 * `NAME: PATH: strerror`. The class is internal to the shell engine: nothing of it leaves a session.
 */

const TABLE = {
  EPERM: [1, 'Operation not permitted'],
  ENOENT: [2, 'No such file or directory'],
  ESRCH: [3, 'No such process'],
  EINTR: [4, 'Interrupted system call'],
  EIO: [5, 'Input/output error'],
  ENXIO: [6, 'No such device or address'],
  E2BIG: [7, 'Argument list too long'],
  ENOEXEC: [8, 'Exec format error'],
  EBADF: [9, 'Bad file descriptor'],
  ECHILD: [10, 'No child processes'],
  EAGAIN: [11, 'Resource temporarily unavailable'],
  ENOMEM: [12, 'Cannot allocate memory'],
  EACCES: [13, 'Permission denied'],
  EFAULT: [14, 'Bad address'],
  EBUSY: [16, 'Device or resource busy'],
  EEXIST: [17, 'File exists'],
  EXDEV: [18, 'Invalid cross-device link'],
  ENODEV: [19, 'No such device'],
  ENOTDIR: [20, 'Not a directory'],
  EISDIR: [21, 'Is a directory'],
  EINVAL: [22, 'Invalid argument'],
  ENFILE: [23, 'Too many open files in system'],
  EMFILE: [24, 'Too many open files'],
  ENOTTY: [25, 'Inappropriate ioctl for device'],
  ETXTBSY: [26, 'Text file busy'],
  EFBIG: [27, 'File too large'],
  ENOSPC: [28, 'No space left on device'],
  ESPIPE: [29, 'Illegal seek'],
  EROFS: [30, 'Read-only file system'],
  EMLINK: [31, 'Too many links'],
  EPIPE: [32, 'Broken pipe'],
  EDOM: [33, 'Numerical argument out of domain'],
  ERANGE: [34, 'Numerical result out of range'],
  ENAMETOOLONG: [36, 'File name too long'],
  ENOSYS: [38, 'Function not implemented'],
  ENOTEMPTY: [39, 'Directory not empty'],
  ELOOP: [40, 'Too many levels of symbolic links'],
  EOVERFLOW: [75, 'Value too large for defined data type'],
  ENOTSOCK: [88, 'Socket operation on non-socket'],
  EOPNOTSUPP: [95, 'Operation not supported'],
  EAFNOSUPPORT: [97, 'Address family not supported by protocol'],
  EADDRINUSE: [98, 'Address already in use'],
  EADDRNOTAVAIL: [99, 'Cannot assign requested address'],
  ENETUNREACH: [101, 'Network is unreachable'],
  ECONNRESET: [104, 'Connection reset by peer'],
  EISCONN: [106, 'Transport endpoint is already connected'],
  ENOTCONN: [107, 'Transport endpoint is not connected'],
  ETIMEDOUT: [110, 'Connection timed out'],
  ECONNREFUSED: [111, 'Connection refused'],
  EALREADY: [114, 'Operation already in progress'],
  EINPROGRESS: [115, 'Operation now in progress'],
} as const satisfies Record<string, readonly [number, string]>;

/** The symbolic name of an error, such as `ENOENT`. */
export type ErrorCode = keyof typeof TABLE;

/** True for a name of {@link ErrorCode}. */
export function isErrorCode(name: string): name is ErrorCode {
  return Object.hasOwn(TABLE, name);
}

/** The C library's sentence for an error, such as `No such file or directory`. */
export function strerror(code: ErrorCode): string {
  return TABLE[code][1];
}

/** The number of an error on Linux. */
export function errno(code: ErrorCode): number {
  return TABLE[code][0];
}

/** A system call that failed. `path` is the path as the caller gave it, where there was one. */
export class SystemError extends Error {
  readonly code: ErrorCode;
  readonly path: string | undefined;

  constructor(code: ErrorCode, path?: string) {
    super(path === undefined ? strerror(code) : `${path}: ${strerror(code)}`);
    this.name = 'SystemError';
    this.code = code;
    this.path = path;
  }

  /** The sentence of this error, without the path. */
  get text(): string {
    return strerror(this.code);
  }
}

/** A program that the world says is not installed: what looked it up says "command not found". */
export class MissingProgram extends SystemError {
  constructor(path: string) {
    super('ENOENT', path);
  }
}
