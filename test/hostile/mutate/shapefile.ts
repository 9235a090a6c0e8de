import { byteMutations } from './bytes.ts';
import { geojsonMutations } from './text.ts';
import { geopackageMutations } from './geopackage.ts';
import { makeOdd, type Mutation, numbersOf } from './mutation.ts';

const headerBytes = 100;
const fieldBytes = 32;
const maxRecords = 500;

/** Record headers are big-endian, their contents little-endian. */
const changeShapeHeader: Mutation = (bytes, { random }) => {
  if (random.chance(0.5)) return makeOdd(bytes, { at: 24, size: 4 }, false, random);
  return makeOdd(bytes, { at: random.pick([28, 32, 36, 44, 52, 60]), size: 4 }, true, random);
};

const changeShape: Mutation = (bytes, { random }) => {
  const records: number[] = [];
  let at = headerBytes;
  while (at + 12 <= bytes.length && records.length < maxRecords) {
    records.push(at);
    at += 8 + 2 * bytes.readUInt32BE(at + 4);
  }
  if (records.length === 0) return undefined;
  const record = random.pick(records);
  const change = random.below(4);
  if (change === 0) makeOdd(bytes, { at: record + random.pick([0, 4]), size: 4 }, false, random);
  else if (change === 1) bytes.writeInt32LE(random.below(32), record + 8);
  else if (change === 2)
    makeOdd(bytes, { at: record + random.pick([44, 48, 52, 56]), size: 4 }, true, random);
  else makeOdd(bytes, { at: record + 12 + 8 * random.below(10), size: 8 }, true, random);
  return bytes;
};

const changeTableHeader: Mutation = (bytes, { random }) => {
  const fields = [...numbersOf(1, 0, 29), ...numbersOf(2, 8, 10), ...numbersOf(4, 4)];
  return makeOdd(bytes, random.pick(fields), true, random);
};

const changeTableField: Mutation = (bytes, { random }) => {
  const headerEnd = bytes.length < fieldBytes ? 0 : Math.min(bytes.readUInt16LE(8), bytes.length);
  const fields = Math.floor((headerEnd - 1 - fieldBytes) / fieldBytes);
  if (fields < 1) return undefined;
  const at = fieldBytes * (1 + random.below(fields));
  const change = random.below(3);
  if (change === 0) makeOdd(bytes, { at: at + random.pick([16, 17]), size: 1 }, true, random);
  else if (change === 1)
    bytes.write(random.pick(['C', 'N', 'F', 'L', 'D', 'M', 'B', 'I', '?', '\0']), at + 11);
  else bytes[at + random.below(11)] = random.below(256);
  return bytes;
};

const replaceBy =
  (...texts: readonly string[]): Mutation =>
  (_bytes, { random }) =>
    Buffer.from(random.pick(texts));

/** Mutations of a file in an archive, by its extension. */
export const memberMutations: Readonly<Record<string, readonly Mutation[]>> = {
  '.shp': [changeShapeHeader, changeShape, changeShape, changeShape, ...byteMutations],
  '.shx': [changeShapeHeader, changeShape, ...byteMutations],
  '.dbf': [changeTableHeader, changeTableHeader, changeTableField, changeTableField, ...byteMutations],
  '.prj': [
    replaceBy('', 'EPSG:4326', 'GEOGCS[', 'PROJCS["x",'.repeat(5000), '/etc/hostname', 'http://127.0.0.1:9/'),
    ...byteMutations,
  ],
  '.cpg': [replaceBy('', '1251', 'LDID/87', 'UTF-16', 'ISO-2022-CN-EXT', '\0', 'x'.repeat(100_000))],
  '.geojson': geojsonMutations,
  '.json': geojsonMutations,
  '.gpkg': geopackageMutations,
};
