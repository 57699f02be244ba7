/**
 * The plans of a file service's tools: what a world's `files` says, in the place of what names suggest.
 *
 * The collection `files` is made where inference found none, and its key is the path.
 */
import type { Collection, Plan, PlanOp, ServiceModel } from '../service.js';
import { FILE_ACTIONS, type FileAction, type FilesSpec } from './spec-files.js';

const FILES = 'files';

const OPS: Readonly<Record<FileAction, PlanOp>> = {
  read: 'get',
  'read-many': 'get',
  write: 'upsert',
  append: 'update',
  edit: 'update',
  folder: 'upsert',
  list: 'list',
  tree: 'list',
  search: 'search',
  move: 'update',
  copy: 'create',
  delete: 'delete',
  info: 'get',
  roots: 'list',
};

/** The model with the dialect's plans; the model itself where there is no dialect. */
export function withFiles(model: ServiceModel, spec: FilesSpec | undefined): ServiceModel {
  if (spec === undefined) return model;
  const plans = Object.entries(model.plans).map(([name, plan]): [string, Plan] => {
    const file = Object.hasOwn(spec.tools, name) ? spec.tools[name] : undefined;
    if (file === undefined || plan.override !== undefined) return [name, plan];
    const why = `the world's files say that it does: ${FILE_ACTIONS.find((one) => one === file.does) ?? ''}`;
    return [name, { tool: name, op: OPS[file.does], collection: FILES, file, why }];
  });
  return {
    collections: { ...model.collections, [FILES]: fileCollection(model.collections[FILES]) },
    plans: Object.fromEntries(plans),
  };
}

function fileCollection(known: Collection | undefined): Collection {
  const text = { type: 'string' };
  return {
    name: FILES,
    singular: 'file',
    key: ['path'],
    idStyle: { kind: 'given' },
    scope: [],
    label: 'path',
    fields: {
      ...known?.fields,
      path: { name: 'path', schema: text, required: true },
      content: { name: 'content', schema: text, required: false },
      type: { name: 'type', schema: text, required: false },
    },
  };
}
