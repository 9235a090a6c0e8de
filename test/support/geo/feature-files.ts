import { readFile } from 'node:fs/promises';
import { createFeatureFiles, type FeatureFile } from '../../../src/geo/flatgeobuf/open-file.ts';
import { geometryJson } from '../../../src/geo/flatgeobuf/geometry.ts';
import { readFeatures, type Wanted } from '../../../src/geo/flatgeobuf/read-features.ts';
import { createMemoryObjects } from '../../../src/object-store/memory-objects.ts';

/** Reads a FlatGeobuf in memory. */
export function readerOf(bytes: Buffer) {
  const objects = createMemoryObjects();
  objects.put('file.fgb', bytes);
  const files = createFeatureFiles(objects);
  return { files, open: async (): Promise<FeatureFile> => await files.open('file.fgb') };
}

/** A FlatGeobuf of one point with the attribute `a`. */
export const onePoint = Buffer.from(
  'ZmdiA2ZnYgDcAAAAJAAAABoAKAAEAAgADAAAAAAAAAAAABAAGAAgACQAAAAAAAAAIAAAACQAAAA0AAAAAQAAAFAAAAAAAAAAAQAAAAAAAAAQAAAAbAAAAAgAAABmZWF0dXJlcwAAAAAAAAAA' +
    'BAAAAAAAAAAAAE5AAAAAAAAASUAAAAAAAABOQAAAAAAAAElAAQAAAAwAAAAIAAkABAAIAAgAAAAIAAAABQAAAAEAAABhAAoAEAAEAAgADAAAAAAADgAAAAwAAADmEAAAEAAAAAQAAABFUFNH' +
    'AAAAAAYAAABXR1MgODQAAAAAAAAAAE5AAAAAAAAASUAAAAAAAABOQAAAAAAAAElAAQAAAAAAAAAAAAAAAABOQAAAAAAAAElAAAAAAAAATkAAAAAAAABJQAAAAAAAAAAAcAAAABAAAAAIAAwA' +
    'BAAIAAAAAAAMAAAAIAAAAEwAAAAUABgAAAAIAAAAAAAAAAAAEAAAAAAAAAAYAAAAFAAAABQAAAAAAAAAAQAAAAAAAAAAAAAAAgAAAAAAAAAAAE5AAAAAAAAASUAGAAAAAAABAAAAAAA=',
  'base64',
);

export interface ReadFeature {
  readonly index: number;
  readonly geometry: unknown;
  readonly properties: Record<string, unknown>;
}

const isGiven = (value: number | undefined): boolean => value !== undefined;

/** Returns features in the form of GeoJSON. */
export async function featuresOf(
  bytes: Buffer,
  wanted: Partial<Omit<Wanted, 'take'>> = {},
): Promise<{ readonly features: ReadFeature[]; readonly next: number | undefined }> {
  const { files, open } = readerOf(bytes);
  const file = await open();
  const features: ReadFeature[] = [];
  const take: Wanted['take'] = ({ geometry, values }, index) => {
    const text =
      geometry === undefined
        ? 'null'
        : geometryJson(geometry, (...position) => JSON.stringify(position.filter(isGiven)));
    const properties = [...values].map(([column, json]) => [file.columns[column]?.name, JSON.parse(json)]);
    features.push({ index, geometry: JSON.parse(text), properties: Object.fromEntries(properties) });
    return true;
  };
  const next = await readFeatures(files, file, { from: 0, limit: 10_000, ...wanted, take });
  return { features, next };
}

/** Returns all features of a file. */
export const allFeatures = async (path: string): Promise<ReadFeature[]> =>
  (await featuresOf(await readFile(path))).features;
