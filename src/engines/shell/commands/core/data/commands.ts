/**
 * The commands about numbers, words and codes, as one list.
 */
import { factor } from '../numbers/factor.js';
import { numfmt } from '../numbers/numfmt.js';
import { seq } from '../numbers/seq.js';
import { shuf } from '../numbers/shuf.js';
import { expr } from './expr.js';
import { od } from './od.js';
import { printf } from './printf.js';
import { base32, base64, basenc } from './rfc4648.js';
import { cksum, DIGEST_COMMANDS, sum } from './sums.js';
import { bracket, test } from './test.js';

/** All of them. */
export const DATA_COMMANDS = [
  ...[base32, base64, basenc, bracket, cksum, expr, factor, numfmt, od, printf, seq, shuf, sum, test],
  ...DIGEST_COMMANDS,
];
