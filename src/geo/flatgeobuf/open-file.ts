import { createCache } from '../../../common/cache.ts';
import { KiB, MiB } from '../../lib/units.ts';
import {
  type Column,
  type ColumnType,
  columnTypes,
  indexBytes,
  indexNodeSize,
  magicBytes,
} from './layout.ts';
import type { ObjectReader } from '../../object-store/object-store.ts';
import { ObjectMissing } from '../../object-store/object-missing.ts';
import type { Box } from '../../standards/boxes.ts';
import { readRoot, WrongFlatGeobuf } from './table-reader.ts';

/** A FlatGeobuf in the object store whose header has been read. */
export interface FeatureFile {
  readonly key: string;
  readonly columns: readonly Column[];
  readonly features: number;
  /** Null if no feature has a geometry. */
  readonly extent: Box | null;
  /** Type of all features by number; 0 if each has its own. */
  readonly geometryType: number;
  /** True if the positions of all features have heights. */
  readonly hasHeights: boolean;
  /** Offsets of the index and of the features. */
  readonly indexAt: number;
  readonly featuresAt: number;
  readonly sizeBytes: number;
}

/** Converting a larger file takes more than a second. */
const longBytes = 8 * MiB;

/** Returns whether reading all features of a file takes long. */
export const isLongFile = ({ sizeBytes }: FeatureFile): boolean => sizeBytes > longBytes;

/** Names of many columns take most of a header. */
const maxHeaderBytes = 8 * MiB;
const pageBytes = 64 * KiB;
const [maxPagesBytes, maxHeadersBytes] = [32 * MiB, 16 * MiB];
const typeNames = new Map<number, ColumnType>();
for (const [name, number] of Object.entries(columnTypes)) if (isColumnType(name)) typeNames.set(number, name);

function isColumnType(name: string): name is ColumnType {
  return Object.hasOwn(columnTypes, name);
}

/** Reads FlatGeobuf files by ranges, and caches headers and index pages: objects never change. */
export type FeatureFiles = ReturnType<typeof createFeatureFiles>;

export function createFeatureFiles(store: ObjectReader) {
  const headers = createCache<FeatureFile>({
    maxBytes: maxHeadersBytes,
    bytesOf: ({ columns }) => 1024 + columns.reduce((sum, { name }) => sum + 2 * name.length + 100, 0),
  });
  const pages = createCache<Buffer>({ maxBytes: maxPagesBytes, bytesOf: ({ length }) => length + 200 });

  async function readBytes(key: string, start: number, length: number): Promise<Buffer> {
    using opened = await store.open(key);
    if (opened === undefined) throw new ObjectMissing(key);
    if (start + length > opened.sizeBytes) throw new WrongFlatGeobuf('it ends too early');
    const bytes = Buffer.allocUnsafe(length);
    await opened.fill(bytes, start);
    return bytes;
  }

  async function readHeader(key: string): Promise<FeatureFile> {
    const sizeBytes = await store.size(key);
    if (sizeBytes === undefined) throw new ObjectMissing(key);
    const head = await readBytes(key, 0, 12);
    if (!head.subarray(0, 7).equals(magicBytes.subarray(0, 7)))
      throw new WrongFlatGeobuf('it begins otherwise');
    const headerBytes = head.readUInt32LE(8);
    if (headerBytes > maxHeaderBytes) throw new WrongFlatGeobuf('its header is too long');
    const header = readRoot(await readBytes(key, 12, headerBytes));
    const features = header.long(8) ?? 0;
    const extent = extentOf(header.doubles(1));
    const nodeSize = header.short(9) ?? indexNodeSize;
    if (nodeSize !== (features === 0 ? 0 : indexNodeSize))
      throw new WrongFlatGeobuf('its index is another one');
    const indexAt = 12 + headerBytes;
    const featuresAt = indexAt + indexBytes(features);
    if (featuresAt > sizeBytes) throw new WrongFlatGeobuf('it ends too early');
    const columns = [...header.tables(7)].map((column) => {
      const type = typeNames.get(column.byte(1) ?? 0);
      if (type === undefined) throw new WrongFlatGeobuf('a column is of an unknown type');
      return { name: column.text(0) ?? '', type };
    });
    return {
      key,
      columns,
      features,
      extent,
      geometryType: header.byte(2) ?? 0,
      hasHeights: header.byte(3) === 1,
      indexAt,
      featuresAt,
      sizeBytes,
    };
  }

  let large: Promise<unknown> = Promise.resolve();

  return {
    /** Serializes work that takes much memory. */
    async alone<T>(work: () => Promise<T>): Promise<T> {
      const done = large.then(work);
      large = done.catch(() => undefined);
      return await done;
    },
    /** @throws {ObjectMissing} @throws {WrongFlatGeobuf} */
    open: async (key: string): Promise<FeatureFile> =>
      await headers.get(key, async () => await readHeader(key)),
    /** Returns bytes of the index from cached pages. The range must not exceed a page. */
    async indexBytes({ key, sizeBytes }: FeatureFile, start: number, length: number): Promise<Buffer> {
      const pageOf = async (page: number) =>
        await pages.get(`${key} ${page}`, async () => {
          const at = page * pageBytes;
          return await readBytes(key, at, Math.min(pageBytes, sizeBytes - at));
        });
      const first = Math.floor(start / pageBytes);
      const last = Math.floor((start + length - 1) / pageBytes);
      const found = await Promise.all(first === last ? [pageOf(first)] : [pageOf(first), pageOf(last)]);
      const bytes = found.length === 1 && found[0] ? found[0] : Buffer.concat(found);
      const at = start - first * pageBytes;
      if (at + length > bytes.length) throw new WrongFlatGeobuf('it ends too early');
      return bytes.subarray(at, at + length);
    },
    /** Returns bytes of features without caching. */
    featureBytes: async ({ key }: FeatureFile, start: number, length: number): Promise<Buffer> =>
      await readBytes(key, start, length),
  };
}

function extentOf(values: readonly number[] | undefined): Box | null {
  const [west, south, east, north] = values ?? [];
  if (west === undefined || south === undefined || east === undefined || north === undefined) return null;
  if (![west, south, east, north].every(Number.isFinite)) throw new WrongFlatGeobuf('its extent is no box');
  return [west, south, east, north];
}
