import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Feature } from '../../src/geo/flatgeobuf/feature.ts';
import type { Geometry } from '../../src/geo/flatgeobuf/geometry.ts';
import { createFeatureFiles } from '../../src/geo/flatgeobuf/open-file.ts';
import { readFeatures } from '../../src/geo/flatgeobuf/read-features.ts';
import { openVectorFile } from '../../src/geo/child/vector/open.ts';
import { chooseReferenceSystem } from '../../src/geo/child/vector/reference-system.ts';
import { withinWorld } from '../../src/geo/child/vector/write-features.ts';
import { geometryTypes } from '../../src/geo/flatgeobuf/layout.ts';
import type { Parts } from '../../src/geo/formats/features/geometry.ts';
import type { FindingsCollector } from '../../src/geo/gather-findings.ts';
import { membersOf } from '../../src/json/verbatim-json.ts';
import type { ObjectReader } from '../../src/object-store/object-store.ts';

const featuresAtOnce = 1000;

/**
 * Compares the features of a vector file with those of its FlatGeobuf, in any order: every value, and every coordinate. It shares only
 * the readers of source formats with the conversion.
 * @param scratch an empty folder.
 * @returns the differences in words.
 */
export async function compareFeatures(
  inputPath: string,
  fgbPath: string,
  { scratch, findings }: { readonly scratch: string; readonly findings: FindingsCollector },
): Promise<readonly string[]> {
  const file = await openVectorFile({ inputPath, scratch }, { findings, gatherColumns: false });
  const system = chooseReferenceSystem(file.crs);
  const expected = new Map<string, number[]>();
  let count = 0;
  for (const { properties, geometry } of file.features({ geometry: true })) {
    count += 1;
    const parts = geometry && withinWorld(system.toWgs84(geometry.parts, `feature ${count}`));
    const values = properties === undefined ? {} : membersOf(JSON.parse(properties.toString()));
    const digest = digestOf(values, parts === undefined ? [] : listsOfParts(parts));
    expected.set(digest, [...(expected.get(digest) ?? []), count]);
  }
  const found = await readAll(fgbPath, (digest) => {
    const left = expected.get(digest);
    left?.pop();
    if (left?.length === 0) expected.delete(digest);
    return left !== undefined;
  });
  const missing = [...expected.values()].flat().toSorted((one, other) => one - other);
  return [
    ...(found.count === count ? [] : [`the FlatGeobuf has ${found.count} features, the source ${count}`]),
    ...missing.slice(0, 3).map((number) => `feature ${number} of the source is not in the FlatGeobuf`),
    ...(found.surplus === 0 ? [] : [`${found.surplus} features of the FlatGeobuf are not in the source`]),
  ];
}

async function readAll(path: string, take: (digest: string) => boolean) {
  const files = createFeatureFiles(readerOfFile(path));
  const file = await files.open('file.fgb');
  let [count, surplus] = [0, 0];
  const names = file.columns.map(({ name }) => name);
  for (let from: number | undefined = 0; from !== undefined;) {
    from = await readFeatures(files, file, {
      from,
      limit: featuresAtOnce,
      take(feature) {
        count += 1;
        if (!take(digestOfFeature(feature, names))) surplus += 1;
        return true;
      },
    });
  }
  return { count, surplus };
}

function readerOfFile(path: string): ObjectReader {
  const sizeOf = async () => {
    await using file = await open(path);
    return (await file.stat()).size;
  };
  return {
    size: sizeOf,
    read: async () => await Promise.reject(new Error('nothing reads a whole file')),
    async open() {
      const sizeBytes = await sizeOf();
      return {
        sizeBytes,
        async fill(bytes, start) {
          await using file = await open(path);
          await file.read(bytes, 0, bytes.length, start);
        },
        [Symbol.dispose]() {},
      };
    },
  };
}

function digestOfFeature({ values, geometry }: Feature, names: readonly string[]): string {
  const read = [...values].map(([column, json]) => [names[column] ?? '', JSON.parse(json)]);
  return digestOf(Object.fromEntries(read), geometry === undefined ? [] : listsOf(geometry));
}

function digestOf(values: Readonly<Record<string, unknown>>, lists: readonly string[]): string {
  const known = Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [storable(name), typeof value === 'string' ? value.toWellFormed() : value])
    .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([known, lists.toSorted()]))
    .digest('base64');
}

/** Returns a column name in its stored form. */
const storable = (name: string): string => name.replaceAll('\u0000', '\ufffd').toWellFormed();

function listsOfParts({ points, lines, polygons }: Parts): string[] {
  return [
    ...pointsOf(points),
    ...lines.map((line) => `line ${line.join()}`),
    ...polygons.map((rings) => `area ${rings.map((ring) => ring.join()).join(';')}`),
  ];
}

function listsOf(geometry: Geometry): string[] {
  if ('parts' in geometry) return geometry.parts.flatMap(listsOf);
  const { type, lists } = geometry;
  const { Point, MultiPoint, Polygon } = geometryTypes;
  if (type === Point || type === MultiPoint) return lists.flatMap((list) => pointsOf([...list]));
  if (type === Polygon) return [`area ${lists.map((ring) => ring.join()).join(';')}`];
  return lists.map((line) => `line ${line.join()}`);
}

function pointsOf(positions: readonly number[]): string[] {
  const points: string[] = [];
  for (let i = 0; i + 1 < positions.length; i += 2) points.push(`point ${positions[i]},${positions[i + 1]}`);
  return points;
}
