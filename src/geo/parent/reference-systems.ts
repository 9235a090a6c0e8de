import { readFile, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { systemProjFolder } from '../child-program.ts';

/** Folder that set-up makes: a copy of the database of the system's PROJ, with newer reference systems (docs/decisions/0092). */
const ownFolder = fileURLToPath(new URL('../../../node_modules/.reference-systems', import.meta.url));

/** Record that `scripts/setup/add-reference-systems.mjs` writes. */
const MadeOf = z.object({
  base: z.object({ path: z.string(), size: z.number(), mtimeMs: z.number() }),
  epsg: z.string(),
});

/** Coordinate reference systems and grids that the engine knows. */
export interface ReferenceSystems {
  /** Version of the EPSG registry, such as `v12.029`, whose newer systems are known; null if only those of PROJ itself are. */
  readonly epsg: string | null;
  /** Folders in which PROJ looks before its own, the first one first. */
  readonly folders: readonly string[];
  /** Grids of the operator for shifts between datums, by the names of their files. */
  readonly grids: readonly string[];
}

/**
 * Finds the database of set-up and the grids of the operator.
 * @param gridsFolder of PROJ_GRIDS_DIR.
 * @throws {Error} with one readable line if that folder cannot be read.
 */
export async function findReferenceSystems(gridsFolder?: string): Promise<ReferenceSystems> {
  const grids = gridsFolder === undefined ? [] : await listGrids(gridsFolder);
  const own = gridsFolder === undefined ? [] : [gridsFolder];
  const made = await readRecord();
  if (made === undefined) return { epsg: null, folders: own, grids };
  // A binding that has its own PROJ looks nowhere else if folders are named.
  return { epsg: made.epsg, folders: [ownFolder, ...own, dirname(made.base.path)], grids };
}

async function listGrids(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && entry.name !== 'proj.db')
      .map(({ name }) => name)
      .toSorted();
  } catch (cause) {
    throw new Error(`PROJ_GRIDS_DIR: the folder ${folder} cannot be read`, { cause });
  }
}

/** Undefined without the database, and if the system's own has changed since it was made: PROJ would refuse another layout. */
async function readRecord() {
  try {
    const made = MadeOf.parse(JSON.parse(await readFile(join(ownFolder, 'made-of.json'), 'utf8')));
    const { size, mtimeMs } = await stat(made.base.path);
    return size === made.base.size && mtimeMs === made.base.mtimeMs ? made : undefined;
  } catch {
    return undefined;
  }
}

/** Names and sizes of all files from which PROJ takes systems and shifts; grids are large, and their versions have different names. */
export async function listProjFiles({
  folders,
}: ReferenceSystems): Promise<readonly (readonly [string, number])[]> {
  const places = [...new Set([...folders, systemProjFolder])];
  const lists = places.map(async (place) => {
    const names = await readdir(place).catch(() => []);
    const sizes = names
      .toSorted((one, other) => (one < other ? -1 : 1))
      .map(async (name) => [name, (await stat(join(place, name))).size] as const);
    return await Promise.all(sizes);
  });
  return (await Promise.all(lists)).flat();
}

/**
 * Returns the variables with which PROJ finds the folders: PROJ_DATA since 9.1, PROJ_LIB before, which also the binding reads.
 */
export function projVariables({ folders }: ReferenceSystems): Readonly<Record<string, string>> {
  if (folders.length === 0) return {};
  const path = folders.join(':');
  return { PROJ_DATA: path, PROJ_LIB: path };
}
