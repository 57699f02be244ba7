/**
 * What a machine could install: indexes of packages beyond the machine, as a world gives them.
 *
 * They are read only; what is installed is files of the machine. Source: decision 0400.
 */

/** One version of a Python package. */
export interface PythonRelease {
  readonly version: string;
  /** Size of its wheel. */
  readonly sizeBytes: number;
  /** What it takes when it is unpacked. */
  readonly installedBytes: number;
  /** Requirements as in `Requires-Dist`, without markers: `idna<4,>=2.5`. */
  readonly requires: readonly string[];
  readonly summary: string;
  /** The wheel's tags: `py3-none-any`. */
  readonly tags: string;
  /** The module it brings. */
  readonly module: string;
  /** Sources, by path in the library's folder; without them nobody knows what the module does. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The indexes: by name, oldest version first; `offline` where the machine does not reach them. */
export interface PackageIndex {
  readonly pip: Readonly<Record<string, readonly PythonRelease[]>> | 'offline';
}
