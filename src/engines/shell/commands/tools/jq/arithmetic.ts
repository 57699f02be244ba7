/**
 * jq's arithmetic on all kinds of values.
 */
import { compareValues, described, isArray, isObject, JqError, type JqValue } from './values.js';

/** `left + right`. */
export function addValues(left: JqValue, right: JqValue): JqValue {
  if (left === null) return right;
  if (right === null) return left;
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  if (isArray(left) && isArray(right)) return [...left, ...right];
  if (isObject(left) && isObject(right)) return new Map([...left, ...right]);
  throw new JqError(`${described(left)} and ${described(right)} cannot be added`);
}

/** `left - right`. */
export function subtractValues(left: JqValue, right: JqValue): JqValue {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (isArray(left) && isArray(right))
    return left.filter((one) => !right.some((other) => compareValues(one, other) === 0));
  throw new JqError(`${described(left)} and ${described(right)} cannot be subtracted`);
}

/** The most characters that a repeated string may have. */
const MAX_REPEATED = 16 << 20;

/** `left * right`. */
export function multiplyValues(left: JqValue, right: JqValue): JqValue {
  if (typeof left === 'number' && typeof right === 'number') return left * right;
  const [text, times] = typeof left === 'string' ? [left, right] : [right, left];
  if (typeof text === 'string' && typeof times === 'number') {
    if (times <= 0) return null;
    const count = Math.max(1, Math.ceil(times));
    if (text.length * count > MAX_REPEATED) throw new JqError('Repeat string result too long');
    return text.repeat(times < 1 ? 1 : Math.ceil(times));
  }
  if (isObject(left) && isObject(right)) return merged(left, right);
  throw new JqError(`${described(left)} and ${described(right)} cannot be multiplied`);
}

function merged(left: ReadonlyMap<string, JqValue>, right: ReadonlyMap<string, JqValue>): JqValue {
  const out = new Map(left);
  for (const [key, value] of right) {
    const before = out.get(key) ?? null;
    out.set(key, isObject(before) && isObject(value) ? merged(before, value) : value);
  }
  return out;
}

/** `left / right`. */
export function divideValues(left: JqValue, right: JqValue): JqValue {
  if (typeof left === 'number' && typeof right === 'number') {
    if (right === 0)
      throw new JqError(
        `${described(left)} and ${described(right)} cannot be divided because the divisor is zero`,
      );
    return left / right;
  }
  if (typeof left === 'string' && typeof right === 'string') return splitText(left, right);
  throw new JqError(`${described(left)} and ${described(right)} cannot be divided`);
}

/** A string cut at another. */
export function splitText(text: string, by: string): JqValue {
  if (text === '') return [];
  return by === '' ? [...text] : text.split(by);
}

/** `left % right` on whole numbers. */
export function moduloValues(left: JqValue, right: JqValue): JqValue {
  if (typeof left !== 'number' || typeof right !== 'number')
    throw new JqError(`${described(left)} and ${described(right)} cannot be divided`);
  const divisor = Math.abs(Math.trunc(right));
  if (divisor === 0)
    throw new JqError(
      `${described(left)} and ${described(right)} cannot be divided because the divisor is zero`,
    );
  const rest = Math.trunc(left) % divisor;
  return rest === 0 ? 0 : rest;
}
