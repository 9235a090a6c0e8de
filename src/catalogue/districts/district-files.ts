import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Database } from '../../database/tables.ts';
import { encodingOptions } from '../../datasets/geojson-forms.ts';
import { readDistrictsVersion } from '../../datasets/kato-map/kato-geojson.ts';
import type { GeoJsonObjects } from '../../datasets/outputs.ts';
import { createMemoryObjects } from '../../object-store/memory-objects.ts';
import { writeDistricts } from './district-collection.ts';
import type { DistrictLevel } from './rows.ts';

/** Decimals of a degree: about a kilometre, and a hundred metres. */
const decimalsOf = { coarse: 2, fine: 3 } as const;
export type DistrictDetail = keyof typeof decimalsOf;

interface MadeFile {
  /** The version of the districts; the file is made of these or newer ones. */
  readonly version: number;
  readonly keys: Promise<GeoJsonObjects>;
}

export type DistrictFiles = ReturnType<typeof createDistrictFiles>;

/**
 * Creates the keeper of the districts' own GeoJSON for one process: a few megabytes in all, which it keeps in memory in every
 * encoding until the districts change.
 */
export function createDistrictFiles(db: Database) {
  const objects = createMemoryObjects();
  /** The newest of each name, which may be under way. */
  const files = new Map<string, MadeFile>();
  const stored = new Map<string, GeoJsonObjects>();

  function make(level: DistrictLevel, detail: DistrictDetail, version: number): MadeFile {
    const name = nameOf(level, detail);
    const earlier = files.get(name)?.keys;
    const made = { version, keys: writeFile(level, detail, earlier) };
    files.set(name, made);
    made.keys.catch(() => {
      if (files.get(name) === made) files.delete(name); // the next request tries again
    });
    return made;
  }

  /** Writes a file in all its forms; it takes the place of the one before, which comes to its end first. */
  async function writeFile(
    level: DistrictLevel,
    detail: DistrictDetail,
    earlier: Promise<unknown> | undefined,
  ): Promise<GeoJsonObjects> {
    const content = Buffer.from(await writeDistricts(db, level, decimalsOf[detail]));
    const [zipped, brotli] = await Promise.all([
      promisify(gzip)(content, encodingOptions.gzip),
      promisify(brotliCompress)(content, encodingOptions.br),
    ]);
    await earlier?.catch(() => undefined);
    const name = nameOf(level, detail);
    const key = `districts/${name}/${hash('sha256', content, 'hex')}.geojson`;
    const made = { key, encodedKeys: { gzip: `${key}.gz`, br: `${key}.br` } };
    const before = stored.get(name);
    for (const each of [before?.key, before?.encodedKeys.gzip, before?.encodedKeys.br])
      objects.remove(each ?? '');
    objects.put(key, content);
    objects.put(made.encodedKeys.gzip, zipped);
    objects.put(made.encodedKeys.br, brotli);
    stored.set(name, made);
    return made;
  }

  return {
    /** Where the bytes are. */
    objects,
    /** Returns the keys of a level's GeoJSON as the districts are now. It is made once however many ask. */
    async keysOf(level: DistrictLevel, detail: DistrictDetail): Promise<GeoJsonObjects> {
      const version = await readDistrictsVersion(db);
      const known = files.get(nameOf(level, detail));
      const file = known !== undefined && known.version >= version ? known : make(level, detail, version);
      return await file.keys;
    },
  };
}

function nameOf(level: DistrictLevel, detail: DistrictDetail): string {
  return `${level}-${detail}`;
}
