import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createCache } from '../../../../common/cache.ts';
import { bringObject } from '../../../object-store/object-store.ts';
import type { BandFile, FoundWindows, WindowSearch } from '../../compute/landscape-engine.ts';
import { SourceUnreadable } from '../../compute/source-errors.ts';
import { type Tile, windowsIn } from '../../model/tiles.ts';
import type { RunDependencies } from '../../execution/compute-pass.ts';
import { type FetchOptions, fetchSources, type WantedFile } from '../../execution/fetch-sources.ts';
import type { Pass } from '../../execution/pass.ts';
import { createSparseFiles } from './sparse-file.ts';

type Dependencies = Pick<RunDependencies, 'db' | 'objectStore' | 'engines'>;

/**
 * Side of the search windows: a source that is rotated relative to the grid is needed along wide blocks, not in the rectangle around them.
 */
const searchedSide = 2048;
/** Number of passes whose windows are cached; for 27 gigapixels they have some megabytes. */
const keptSearches = 4;

/** The sources that a block of a pass needs. */
export interface Wanted extends Pick<WindowSearch, 'grid' | 'params' | 'nodes'> {
  readonly runId: string;
  readonly sources: Pass['sources'];
  readonly blocks: readonly Tile[];
  /** The index of the block. */
  readonly place: number;
  /** Keys of sources that must be downloaded completely. */
  readonly whole: ReadonlySet<string>;
}

type Options = Pick<FetchOptions, 'folder' | 'signal'>;

/** Downloads the required parts of stored sources. It belongs to a worker, and caches heads and windows. */
export type PassSources = ReturnType<typeof createPassSources>;

export function createPassSources(dependencies: Dependencies) {
  const { objectStore, engines } = dependencies;
  const sparse = createSparseFiles(objectStore);
  const searches = createCache<FoundWindows>({ max: keptSearches });

  /** Links the stored file itself, if possible. */
  async function link({ objectKey, path }: WantedFile, signal: AbortSignal): Promise<boolean> {
    return engines.geo.guardsInput && (await objectStore.link(objectKey, path, { signal }));
  }

  async function bringWhole({ objectKey, path }: WantedFile, signal: AbortSignal): Promise<undefined> {
    await bringObject(objectStore, objectKey, { path, isGuarded: false, signal });
  }

  /** Downloads parts of a file; the complete file if it has no separable parts. */
  async function bringParts(
    wanted: WantedFile,
    windows: readonly Tile[],
    signal: AbortSignal,
  ): Promise<BandFile['windows']> {
    const { objectKey: key, path } = wanted;
    const bytes = await sparse.bring({ key, path, windows, signal });
    return bytes === undefined ? await bringWhole(wanted, signal) : [...windows];
  }

  /** Downloads the parts that are needed to open and inspect the sources. @throws {RunFailed} when one was deleted. */
  async function bringHeads(sources: Pass['sources'], { folder, signal }: Options): Promise<BandFile[]> {
    if (sources.size === 0) return [];
    const bringFile = async (wanted: WantedFile) =>
      (await link(wanted, signal)) ? undefined : await bringParts(wanted, [], signal);
    return await fetchSources(dependencies, sources, { folder, signal, bringFile });
  }

  /** Finds the windows of the sources for all blocks of a pass, once. */
  async function findWindows(wanted: Wanted, folder: string): Promise<FoundWindows> {
    const { runId, sources, blocks, grid, params, nodes } = wanted;
    const name = JSON.stringify([runId, [...sources].map(([key, { datasetId }]) => [key, datasetId])]);
    return await searches.get(name, async () => {
      const { signal } = new AbortController(); // shared by all waiting steps
      const scratch = join(folder, 'scratch');
      await mkdir(scratch, { recursive: true });
      const files = await bringHeads(sources, { folder: join(folder, 'heads'), signal });
      const windows = blocks.flatMap((block) => [...windowsIn(block, searchedSide)]);
      const asked = files.map(({ key, path }) => ({ key, path }));
      const work = { grid, params, nodes: [...nodes], sources: asked, windows };
      return await engines.landscape.findWindows({ work, scratch, signal });
    });
  }

  /** Returns the windows of each dataset for a block; undefined if they cannot be determined. */
  async function windowsOf(
    wanted: Wanted,
    folder: string,
  ): Promise<ReadonlyMap<string, readonly Tile[]> | undefined> {
    const found = await findWindows(wanted, folder).catch((error: unknown) => {
      if (error instanceof SourceUnreadable) return undefined; // the computation reports the error
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
     * Downloads the sources of a block to a new folder: linked files if possible, otherwise the head and the tiles of each source in the
     * block.
     * @throws {RunFailed} when one was deleted.
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
