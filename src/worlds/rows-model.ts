/**
 * What is known of the rows of a world while it loads: the service model of its tools, corrected by its `entities`.
 *
 * The file may still have faults elsewhere, so parts that do not fit their schema are left out here; they are told by
 * the checks that are about them.
 */
import { isJsonObject, type Json, type JsonObject } from '../core/index.js';
import { ToolDefinitionSchema } from '../domains/index.js';
import {
  type EntitySpec,
  EntitySpecSchema,
  inferService,
  type OverrideSpec,
  OverrideSpecSchema,
  type ServiceModel,
} from '../engines/index.js';
import { ONCE } from './schema-problems.js';

/** Infers the service of a world file's content with the given rows. Never throws. */
export function rowsModel(json: JsonObject, data: Readonly<Record<string, JsonObject[]>>): ServiceModel {
  const list: readonly Json[] = Array.isArray(json.tools) ? json.tools : [];
  const tools = list.flatMap((value) => ToolDefinitionSchema.safeParse(value, ONCE).data ?? []);
  const entities = members(json.entities).flatMap(([name, value]): [string, EntitySpec][] => {
    const entity = EntitySpecSchema.safeParse(value, ONCE);
    return entity.success ? [[name, entity.data]] : [];
  });
  const overrides = members(json.overrides).flatMap(([name, value]): [string, OverrideSpec][] => {
    const override = OverrideSpecSchema.safeParse(value, ONCE);
    return override.success ? [[name, override.data]] : [];
  });
  return inferService({
    tools,
    data,
    entities: Object.fromEntries(entities),
    overrides: Object.fromEntries(overrides),
    strict: false,
  });
}

function members(value: Json | undefined): [string, Json][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** The rows of `state.data` by collection; what is no object is left out. */
export function rowsByCollection(json: JsonObject): Record<string, JsonObject[]> {
  const { state } = json;
  const data = isJsonObject(state) ? members(state.data) : [];
  return Object.fromEntries(
    data.map(([name, rows]): [string, JsonObject[]] => [
      name,
      Array.isArray(rows) ? rows.filter(isJsonObject) : [],
    ]),
  );
}
