/**
 * Puts rows that the engine made under the ids that the recording shows for them.
 */
import type { ServiceModel } from '../../engines/index.js';
import { type PlacedRow, rowKey } from './rows-of-view.js';
import type { TwinCall } from './twin-source.js';

/** Made rows under the ids that the answer gave: the whole's, and those of its parts in their order. */
export function underSeenIds(
  added: readonly PlacedRow[],
  { made }: TwinCall,
  model: ServiceModel,
): readonly PlacedRow[] {
  if (made === undefined) return added;
  const { names } = made;
  const whole = added.find(({ collection }) => collection === names.wholes)?.row[names.wholeKey];
  let index = 0;
  return added.map((placed) => {
    const collection = model.collections[placed.collection];
    if (collection === undefined) return placed;
    let row = placed.row;
    if (placed.collection === names.wholes) row = { ...row, [names.wholeKey]: made.whole };
    if (placed.collection === names.parts) {
      const id = made.parts[index++] ?? row[names.partKey] ?? null;
      const isMine = whole !== undefined && row[names.ref] === whole;
      row = { ...row, [names.partKey]: id, ...(isMine && { [names.ref]: made.whole }) };
    }
    return { ...placed, key: rowKey(collection, row), row };
  });
}
