/**
 * Errors of awk programs: those found while reading, and those found while running.
 */

/** A program that cannot be read: the message after the program's name, perhaps several lines. */
export class AwkSyntaxError extends Error {
  constructor(
    message: string,
    readonly line: number | undefined,
    /** A second message that follows the first. */
    readonly second?: string,
  ) {
    super(message);
  }
}

/** A mistake while running: the message after `run time error: `. */
export class AwkRunError extends Error {
  constructor(
    message: string,
    /** What printf wrote before. */
    readonly partial = '',
  ) {
    super(message);
  }
}

/** A mistake that mawk tells without the place: the message after the program's name. */
export class AwkFatal extends Error {}
