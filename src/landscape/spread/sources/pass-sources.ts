import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createCache } from '../../../../common/cache.ts';
import { bringObject } from '../../../object-store/object-store.ts';
import {
  type BandFile,
  type FoundWindows,
  SourceUnreadable,
  type WindowSearch,
} from '../../compute/landscape-engine.ts';
import { type Tile, windowsIn } from '../../model/tiles.ts';
import type { RunDependencies } from '../../execution/compute-pass.ts';
import { type FetchOptions, fetchSources, type WantedFile } from '../../execution/fetch-sources.ts';
import type { Pass } from '../../execution/pass.ts';
import { createSparseFiles } from './sparse-file.ts';

type Dependencies = Pick<RunDependencies, 'db' | 'objectStore' | 'engines'>;

/** Blocks are wide: a source that lies askew on the grid is needed along them, not in the rectangle around it. */
const searchedSide = 2048;
/** Passes whose windows are kept; those of 27 gigapixels are some megabytes. */
const keptSearches = 4;

/** What a block of a pass reads. */
export interface Wanted extends Pick<WindowSearch, 'grid' | 'params' | 'nodes'> {
  readonly runId: string;
  readonly sources: Pass['sources'];
  readonly blocks: readonly Tile[];
  /** Which of the blocks it is. */
  readonly place: number;
  /** Keys of sources of which no part is enough. */
  readonly whole: ReadonlySet<string>;
}

type Options = Pick<FetchOptions, 'folder' | 'signal'>;

/** Brings of stored sources what is needed. It belongs to a worker, and keeps what it has learnt of them. */
export type PassSources = ReturnType<typeof createPassSources>;

export function createPassSources(dependencies: Dependencies) {
  const { objectStore, engines } = dependencies;
  const sparse = createSparseFiles(objectStore);
  const searches = createCache<FoundWindows>({ max: keptSearches });

  /** Links the stored file itself, where it can be. */
  async function link({ objectKey, path }: WantedFile, signal: AbortSignal): Promise<boolean> {
    return engines.geo.guardsInput && (await objectStore.link(objectKey, path, { signal }));
  }

  async function bringWhole({ objectKey, path }: WantedFile, signal: AbortSignal): Promise<undefined> {
    await bringObject(objectStore, objectKey, { path, isGuarded: false, signal });
  }

  /** Brings parts of a file; all of one whose parts cannot be told apart. */
  async function bringParts(
    wanted: WantedFile,
    windows: readonly Tile[],
    signal: AbortSignal,
  ): Promise<BandFile['windows']> {
    const { objectKey: key, path } = wanted;
    const bytes = await sparse.bring({ key, path, windows, signal });
    return bytes === undefined ? await bringWhole(wanted, signal) : [...windows];
  }

  /** Brings what is needed to open the sources, and to inspect them. @throws {RunFailed} when one is gone. */
  async function bringHeads(sources: Pass['sources'], { folder, signal }: Options): Promise<BandFile[]> {
    if (sources.size === 0) return [];
    const bringFile = async (wanted: WantedFile) =>
      (await link(wanted, signal)) ? undefined : await bringParts(wanted, [], signal);
    return await fetchSources(dependencies, sources, { folder, signal, bringFile });
  }

  /** Finds, once for all blocks of a pass, what they need of its sources. */
  async function findWindows(wanted: Wanted, folder: string): Promise<FoundWindows> {
    const { runId, sources, blocks, grid, params, nodes } = wanted;
    const name = JSON.stringify([runId, [...sources].map(([key, { datasetId }]) => [key, datasetId])]);
    return await searches.get(name, async () => {
      const { signal } = new AbortController(); // it is for all steps that ask
      const scratch = join(folder, 'scratch');
      await mkdir(scratch, { recursive: true });
      const files = await bringHeads(sources, { folder: join(folder, 'heads'), signal });
      const windows = blocks.flatMap((block) => [...windowsIn(block, searchedSide)]);
      const asked = files.map(({ key, path }) => ({ key, path }));
      const work = { grid, params, nodes: [...nodes], sources: asked, windows };
      return await engines.landscape.findWindows({ work, scratch, signal });
    });
  }

  /** What a block needs of each dataset; undefined where that cannot be found out. */
  async function windowsOf(
    wanted: Wanted,
    folder: string,
  ): Promise<ReadonlyMap<string, readonly Tile[]> | undefined> {
    const found = await findWindows(wanted, folder).catch((error: unknown) => {
      if (error instanceof SourceUnreadable) return undefined; // the computation says so
      throw error;
    });
    if (found === undefined) return undefined;
    const counts = wanted.blocks.map((block) => [...windowsIn(block, searchedSide)].length);
    const first = counts.slice(0, wanted.place).reduce((sum, count) => sum + count, 0);
    const byDataset = new Map<string, Tile[]>();
    for (const [key, { datasetId }] of wanted.sources) {
      const own = (found[key] ?? []).slice(first, first + (counts[wanted.place] ?? 0));
      const needed = own.filter((window) => window !== null);
      byDataset.set(datasetId, [...(byDataset.get(datasetId) ?? []), ...needed]);
    }
    return byDataset;
  }

  return {
    bringHeads,
    /**
     * Brings what a block needs of its sources into a new folder: the stored files themselves where they can be linked, else of each
     * the head and the tiles under the block. @throws {RunFailed} when one is gone.
     */
    async bring(wanted: Wanted, { folder, signal }: Options): Promise<BandFile[]> {
      const { sources } = wanted;
      if (sources.size === 0) return [];
      const isWhole = ({ datasetId }: WantedFile): boolean =>
        [...sources].some(([key, source]) => source.datasetId === datasetId && wanted.whole.has(key));
      let windows: ReturnType<typeof windowsOf> | undefined;
      const bringFile = async (file: WantedFile) => {
        if (await link(file, signal)) return undefined;
        if (isWhole(file)) return await bringWhole(file, signal);
        const needed = (await (windows ??= windowsOf(wanted, join(folder, 'search'))))?.get(file.datasetId);
        return needed === undefined ? await bringWhole(file, signal) : await bringParts(file, needed, signal);
      };
      return await fetchSources(dependencies, sources, { folder, signal, bringFile });
    },
  };
}
