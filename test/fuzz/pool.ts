import { createHash } from 'node:crypto';

/** The resources that can be created and deleted; the last three are datasets of one file type each. */
export const resourceKinds = [
  'category',
  'group',
  'dataset',
  'run',
  'raster',
  'vector',
  'vector_with_kato',
] as const;
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
  isGone(id: string): boolean;
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
      const kind = resourceKinds.find((each) => each === fileType);
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
    isGone: (id) => [...gone.values()].some((ids) => ids.includes(id.toLowerCase())),
  };
}

/** The same for the same index, so that a seed repeats it. */
function unknownId(index: number): string {
  const digits = createHash('sha256').update(`unknown ${index}`).digest('hex');
  return digits.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
