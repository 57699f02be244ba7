/**
 * Properties are tried on the same cases in every run, so that a red run says something about the change in it.
 * `FAST_CHECK_SEED=random` (or a number) tries others; a failure prints its seed.
 */
import fc from 'fast-check';

const wanted = process.env.FAST_CHECK_SEED ?? '20260';
if (wanted !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) });
