/**
 * How safe a commit is. A file of its own: users' compilers read it without the types of the database library.
 */

/** `full`: every commit reaches the disk, so it survives a loss of power. `normal`: it survives kill -9. */
export type SyncMode = 'full' | 'normal';
