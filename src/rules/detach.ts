/**
 * The copy that a rule hands out: plain JSON, paid for in full.
 *
 * Inside a rule values share structure and cost little; written out they may be huge (a list that holds itself
 * twice, thirty levels deep). This walk is where that is found. Not used where only a bool comes out.
 */
import type { Json } from '../core/index.js';
import { finish } from './arithmetic.js';
import type { Run } from './run.js';
import { isList, isMap, isNumber, keysOf, kindOf, setOwn, tooDeep, VALUE_DEPTH } from './values.js';

/**
 * A fresh copy: plain JSON that shares nothing with the inputs, every node and text paid. A value that was built
 * from itself again and again is refused here (`rules/budget`) instead of exploding when it is written; what is not
 * JSON (a function, infinity) is an error.
 */
export function detach(run: Run, value: Json, depth = 0): Json {
  run.spend(1);
  if (typeof value === 'string') {
    run.spendText(value.length);
    return value;
  }
  if (isNumber(value)) return finish(run, value);
  if (depth > VALUE_DEPTH) throw tooDeep(run);
  if (isList(value)) return value.map((item) => detach(run, item, depth + 1));
  if (isMap(value)) {
    const copy: Record<string, Json> = {};
    for (const key of keysOf(run, value)) {
      run.spendText(key.length);
      setOwn(copy, key, detach(run, value[key] as Json, depth + 1));
    }
    return copy;
  }
  if (kindOf(value) === undefined) throw run.error(() => `a value of type ${typeof value} is not JSON`);
  return value;
}
