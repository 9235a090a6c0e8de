import { inputGroups } from '../../../src/landscape/graph/graph.ts';
import { leaves } from '../../../src/landscape/model/leaves.ts';
import { defaultParams } from '../../../src/landscape/model/params.ts';

/** A target of random changes: in memory, in a database, or in a service. */
export interface PlanWorld {
  /** Puts another raster into a slot, which takes precedence over the existing ones. */
  upload(group: string): Promise<void>;
  /** Deletes one of the outputs of runs, chosen by a number below 1. */
  deleteOutput(share: number): Promise<void>;
  /**
   * Ids of the existing rasters.
   * @param group for whose slot they can be pinned; by default any
   */
  rasters(group?: string): Promise<readonly string[]>;
}

/** Settings of a new run. */
export interface Asked {
  readonly params: typeof defaultParams;
  readonly overrides: Readonly<Record<string, string>>;
  readonly from_stage: number | null;
}

export const plainly: Asked = { params: defaultParams, overrides: {}, from_stage: null };

/** Numbers from 0 to below 1, reproducible by seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function oneOf<T>(random: () => number, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('one of nothing');
  return item;
}

const groups = leaves.map(({ group }) => group);
const thresholds = ['v1_min_s_e12', 'v1_min_s_e3', 'v2_min_s_e3', 'v2_min_s_e4'] as const;

/** Makes up to three random changes in a world and in the settings of a run. */
export async function changeAtRandom(random: () => number, world: PlanWorld, before: Asked): Promise<Asked> {
  let asked: Asked = { ...before, from_stage: random() < 0.25 ? Math.floor(random() * 4) : null };
  const changes = {
    upload: async () => await world.upload(oneOf(random, groups)),
    deleteOutput: async () => await world.deleteOutput(random()),
    async pin() {
      const group = oneOf(random, [...inputGroups]);
      const rasters = await world.rasters(group);
      if (rasters.length === 0) return;
      asked = { ...asked, overrides: { ...asked.overrides, [group]: oneOf(random, rasters) } };
    },
    unpin() {
      asked = { ...asked, overrides: {} };
    },
    threshold() {
      const value = 1 + Math.floor(random() * 5);
      asked = { ...asked, params: { ...asked.params, [oneOf(random, thresholds)]: value } };
    },
    ties() {
      const tie_priority = asked.params.tie_priority.toSorted(() => random() - 0.5);
      asked = { ...asked, params: { ...asked.params, tie_priority } };
    },
    window() {
      asked = { ...asked, params: { ...asked.params, window_size: oneOf(random, [512, 1024, 2048]) } };
    },
  };
  for (let left = Math.floor(random() * 4); left > 0; left -= 1)
    await oneOf(random, Object.values(changes))();
  return asked;
}

/** Removes pins of deleted rasters, for which a run would be refused. */
export async function withoutLostPins(world: PlanWorld, asked: Asked): Promise<Asked> {
  const rasters = new Set(await world.rasters());
  const pins = Object.entries(asked.overrides).filter(([, id]) => rasters.has(id));
  return { ...asked, overrides: Object.fromEntries(pins) };
}
