import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { z } from 'zod';

/** The resources that can be created and deleted; the last three are datasets of one file type each. */
const datasetKinds = ['raster', 'vector', 'vector_with_kato'] as const;
const resourceKinds = ['category', 'group', 'dataset', 'run', ...datasetKinds] as const;
export type ResourceKind = (typeof resourceKinds)[number];

/** Whose id a request is to hold: of a resource that lives, of one that was deleted, of none that ever was. */
export const idStates = ['live', 'gone', 'unknown'] as const;
export type IdState = (typeof idStates)[number];

/** The ids that requests are made with. */
export interface Pool {
  /** Puts ids in the place of references. */
  resolve(text: string): string;
  add(kind: ResourceKind, id: string): void;
  /** A dataset is drawn as such, and as one of its file type. */
  addDataset(id: string, fileType: unknown): void;
  /** It is gone from now on. */
  remove(id: string): void;
  isLive(id: string): boolean;
}

/** Stands for an id until the request is sent: requests are drawn before anything exists. */
export function referenceTo(kind: ResourceKind, state: IdState, index: number): string {
  return `@@${kind}.${state}.${index}@@`;
}

/** A pool without any resources: until some are added, every reference is to none that ever was. */
export function createPool(): Pool {
  const live = new Map<ResourceKind, string[]>(resourceKinds.map((kind) => [kind, []]));
  const gone = new Map<ResourceKind, string[]>(resourceKinds.map((kind) => [kind, []]));
  const add = (kind: ResourceKind, id: string): void => void live.get(kind)?.push(id);
  const idOf = (kind: ResourceKind, state: string, index: number): string => {
    const ids = (state === 'live' ? live : state === 'gone' ? gone : undefined)?.get(kind) ?? [];
    // Half of them from the oldest: those of the newest datasets are not processed yet.
    const choice = index % 2 === 0 ? Math.min(ids.length, 24) : ids.length;
    return ids[index % Math.max(choice, 1)] ?? unknownId(index);
  };
  return {
    resolve: (text) =>
      text.replaceAll(/@@(\w+)\.(\w+)\.(\d+)@@/g, (reference, word: string, state: string, index: string) => {
        const kind = resourceKinds.find((each) => each === word);
        return kind === undefined ? reference : idOf(kind, state, Number(index));
      }),
    add,
    addDataset(id, fileType) {
      add('dataset', id);
      const kind = datasetKinds.find((each) => each === fileType);
      if (kind !== undefined) add(kind, id);
    },
    remove(id) {
      for (const [kind, ids] of live) {
        if (!ids.includes(id)) continue;
        live.set(
          kind,
          ids.filter((each) => each !== id),
        );
        gone.get(kind)?.push(id);
      }
    },
    isLive: (id) => [...live.values()].some((ids) => ids.includes(id.toLowerCase())),
  };
}

/** The same for the same index, so that a seed repeats it. */
function unknownId(index: number): string {
  const digits = createHash('sha256').update(`unknown ${index}`).digest('hex');
  return digits.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const Created = z.object({ id: z.string() });

const uploads = [
  ['raster', 'raster/one_pixel_epsg4326.tif'],
  ['raster', 'raster/gdal_int16.tif'],
  ['vector', 'vector/trio.geojson'],
  ['vector_with_kato', 'kato/income_by_region_date_columns.geojson'],
] as const;

/** A few resources of each kind, so that the first requests already have something to be about. */
export async function seedPool(baseUrl: string, pool: Pool): Promise<void> {
  const post = async (path: string, body: string | FormData): Promise<string> => {
    const response = await fetch(baseUrl + path, { method: 'POST', body });
    const text = await response.text();
    assert.ok(response.status === 201 || response.status === 202, text);
    return Created.parse(JSON.parse(text)).id;
  };
  for (const code of ['first', 'second', 'third']) {
    pool.add('category', await post('/categories', JSON.stringify({ code, name: code })));
    pool.add('group', await post('/dataset-groups', JSON.stringify({ code, name: code })));
  }
  for (const [fileType, path] of uploads) {
    const form = new FormData();
    form.append('file_type', fileType);
    form.append('category_id', pool.resolve('@@category.live.0@@'));
    form.append('dg_id', pool.resolve('@@group.live.0@@'));
    const file = await openAsBlob(new URL(`../fixtures/${path}`, import.meta.url));
    form.append('file', file, path.replace(/.*\//, ''));
    pool.addDataset(await post('/datasets', form), fileType);
  }
  pool.add('run', await post('/landscape/runs', '{}'));
}
