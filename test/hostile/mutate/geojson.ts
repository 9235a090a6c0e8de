import { type Mutation, oddText, replaceRange } from './mutation.ts';
import type { Random } from './random.ts';

const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g;
const oddNumbers =
  '0 -0 1e400 -1e400 1e308 1e-400 NaN Infinity -Infinity 0x10 01 1. +1 90.0000001 -91 180 -180 181 720 2147483648 -9223372036854775809 9007199254740993 123456789012345678901234567890 0.1234567890123456789 "1" "1,5" null []'.split(
    ' ',
  );
const types = [
  ['Feature', 'FeatureCollection', 'GeometryCollection', 'Point', 'MultiPoint', 'LineString'],
  ['MultiLineString', 'Polygon', 'MultiPolygon', 'Topology', 'Curve', 'point'],
].flat();
const members = '"type" "coordinates" "geometry" "geometries" "features" "properties" "crs"'.split(' ');
const crsMembers: readonly string[] = [
  '"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}},',
  '"crs":{"type":"name","properties":{"name":"EPSG:999999"}},',
  '"crs":{"type":"link","properties":{"href":"http://127.0.0.1:9/crs","type":"proj4"}},',
  '"crs":null,',
  '"crs":[[]],',
];

type Place = readonly [start: number, end: number];

const placesOf = (text: string, wanted: (found: string) => boolean): readonly Place[] =>
  Array.from(text.matchAll(token))
    .filter(([found]) => wanted(found))
    .map(({ 0: found, index }) => [index, index + found.length]);

/** A mutation that puts something in the place of a token. */
const replaceToken =
  (wanted: (found: string) => boolean, by: (found: string, random: Random) => string): Mutation =>
  (bytes, { random }) => {
    const text = bytes.toString('latin1');
    const places = placesOf(text, wanted);
    if (places.length === 0) return undefined;
    const [start, end] = random.pick(places);
    return Buffer.from(replaceRange(text, start, end, by(text.slice(start, end), random)), 'latin1');
  };

const isNumber = (found: string): boolean => /^[-\d]/.test(found);
const isText = (found: string): boolean => found.startsWith('"');
const isType = (found: string): boolean => types.includes(found.slice(1, -1));
const isBracket = (found: string): boolean => /^[[\]{},:]/.test(found);

const changeNumber = replaceToken(isNumber, (_, random) => random.pick(oddNumbers));
const changeText = replaceToken(isText, (_, random) => {
  if (random.chance(0.2)) return random.pick(['"\\ud800"', '"\\u0000"', '"\\x"', '"', '"\t"', "'x'", 'x']);
  return JSON.stringify(oddText(random));
});
const changeType = replaceToken(isType, (_, random) => `"${random.pick(types)}"`);
const changeName = replaceToken(
  (found) => members.includes(found),
  (found, random) => random.pick([...members, found.toUpperCase(), `${found}:null,${found}`]),
);
const changeBracket = replaceToken(isBracket, (_, random) =>
  random.pick([...'{}[],:', '', ' ', '[]', '{}', ',,']),
);
const deepen = replaceToken(isNumber, (found, random) => {
  const depth = random.pick([2, 10, 63, 64, 65, 1000, 100_000]);
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
  ] as const);
  return open.repeat(depth) + found + (random.chance(0.8) ? close.repeat(depth) : '');
});
const addCrs = replaceToken(
  (found) => found === '"type"',
  (found, random) => random.pick(crsMembers) + found,
);

/** Takes a range between two tokens out, or says it many times. */
const changeRange: Mutation = (bytes, { random }) => {
  const text = bytes.toString('latin1');
  const places = placesOf(text, isBracket);
  if (places.length < 2) return undefined;
  const from = random.below(places.length - 1);
  const to = Math.min(places.length - 1, from + 1 + random.below(40));
  const [start, end] = [places[from]?.[0] ?? 0, places[to]?.[0] ?? 0];
  const times = random.pick([0, 0, 2, 3, 200]);
  return Buffer.from(text.slice(0, start) + text.slice(start, end).repeat(times) + text.slice(end), 'latin1');
};

const changeEncoding: Mutation = (bytes, { random }) => {
  const text = bytes.toString('utf8');
  return random.pick([
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(`\ufeff${text}`, 'utf16le'),
    () => Buffer.from(text, 'utf16le').swap16(),
    () => Buffer.from(text, 'latin1'),
    () => Buffer.from(`\u001e${text}\n`),
    () => Buffer.from(`${text}${text}`),
    () => Buffer.from(`callback(${text});`),
  ])();
};

export const geojsonMutations: readonly Mutation[] = [
  [changeNumber, changeNumber, changeNumber, changeText, changeText, changeType, changeType],
  [changeName, changeBracket, deepen, addCrs, changeRange, changeRange, changeEncoding],
].flat();
