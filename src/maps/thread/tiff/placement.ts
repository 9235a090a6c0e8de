import { type Directory, type Entry, readDirectory, type TiffFile } from '../../../geo/formats/tiff/walk.ts';

/** Georeference of a raster in its file. */
export interface Placement {
  readonly width: number;
  readonly height: number;
  /** From pixel corners to coordinates, in GDAL's order. */
  readonly affine: readonly [number, number, number, number, number, number];
  /** Equal texts mean the same CRS; different texts may mean the same one. */
  readonly crs: string;
  /** `EPSG:` and the code, otherwise the name of the CRS in the file, which may be empty. */
  readonly crsName: string;
}

/** Pixel grid of a north-up raster: equal grids have the same pixels. */
export interface RasterGrid extends Pick<Placement, 'width' | 'height' | 'crs' | 'crsName'> {
  /** Outer corner of the first pixel, in units of the CRS. */
  readonly left: number;
  readonly top: number;
  /** Pixel size in units of the CRS; both are positive. */
  readonly resX: number;
  readonly resY: number;
}

const tags = {
  pixelScale: 33_550,
  tiepoints: 33_922,
  transformation: 34_264,
  geoKeys: 34_735,
  geoDoubles: 34_736,
  geoText: 34_737,
} as const;
const geoKeys = {
  model: 1024,
  pixelMeaning: 1025,
  geographic: 2048,
  toWgs84: 2062,
  projected: 3072,
  vertical: 4096,
  citation: 1026,
} as const;
const [projectedModel, geographicModel] = [1, 2];
const pixelIsPoint = 2;
const userDefined = 32_767;
const maxNumbers = 4096;

/** Reads the georeference of a raster; undefined for control points, or without one. @throws {BrokenTiff} */
export async function readPlacement(
  tiff: TiffFile,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Placement | undefined> {
  const directory = await readDirectory(tiff, tiff.firstDirectory);
  const keys = await readKeys(directory);
  const affine = await readAffine(tiff, directory, keys.get(geoKeys.pixelMeaning)?.value === pixelIsPoint);
  const crs = await readCrs(tiff, directory, keys);
  return affine === undefined || crs === undefined ? undefined : { width, height, affine, ...crs };
}

/** Returns the grid of a raster; undefined unless rows run from west to east, the northern one first. */
export function gridOf({ affine, ...placement }: Placement): RasterGrid | undefined {
  const [left, resX, shearX, top, shearY, down] = affine;
  if (shearX !== 0 || shearY !== 0 || !(resX > 0 && down < 0)) return undefined;
  return { ...placement, left, top, resX, resY: -down };
}

/** Uses the arithmetic of GDAL, so that results are equal bit by bit. */
async function readAffine(
  tiff: TiffFile,
  { entries }: Directory,
  isPoint: boolean,
): Promise<Placement['affine'] | undefined> {
  const [scale, ties, matrix] = await Promise.all(
    [tags.pixelScale, tags.tiepoints, tags.transformation].map(
      async (tag) => await doublesOf(tiff, entries.get(tag)),
    ),
  );
  const found = affineOf(scale ?? [], ties ?? [], matrix ?? []);
  if (found === undefined || !isPoint) return found;
  const [left, a, b, top, c, d] = found;
  return [left - (a * 0.5 + b * 0.5), a, b, top - (c * 0.5 + d * 0.5), c, d];
}

function affineOf(
  [scaleX = 0, scaleY = 0]: readonly number[],
  ties: readonly number[],
  matrix: readonly number[],
): Placement['affine'] | undefined {
  const [column = 0, row = 0, , x = 0, y = 0] = ties;
  if (scaleX !== 0 && scaleY > 0 && ties.length === 6)
    return [x - column * scaleX, scaleX, 0, y - row * -scaleY, 0, -scaleY];
  const [a, b, , left, c, d, , top] = matrix;
  if (matrix.length !== 16 || a === undefined || b === undefined || left === undefined) return undefined;
  return c === undefined || d === undefined || top === undefined ? undefined : [left, a, b, top, c, d];
}

async function doublesOf(tiff: TiffFile, entry: Entry | undefined): Promise<readonly number[]> {
  const isDouble = entry?.type === 12 && entry.count <= maxNumbers;
  if (!isDouble) return [];
  const view = await tiff.read(entry.at, entry.count * 8);
  return Array.from({ length: entry.count }, (_, i) => view.getFloat64(i * 8, tiff.littleEndian));
}

interface GeoKey {
  /** The value itself, or its index in the doubles or characters. */
  readonly value: number;
  readonly tag: number;
  readonly count: number;
}

async function readKeys(directory: Directory): Promise<ReadonlyMap<number, GeoKey>> {
  const numbers = await directory.numbers(tags.geoKeys, maxNumbers);
  const keys = new Map<number, GeoKey>();
  for (let at = 4; at + 3 < numbers.length; at += 4) {
    const [key = 0, tag = 0, count = 0, value = 0] = numbers.slice(at, at + 4);
    keys.set(key, { tag, count, value });
  }
  return keys;
}

/** Returns the EPSG code of a CRS, or for another CRS everything that the file states about it. */
async function readCrs(
  tiff: TiffFile,
  { entries }: Directory,
  keys: ReadonlyMap<number, GeoKey>,
): Promise<Pick<Placement, 'crs' | 'crsName'> | undefined> {
  const model = keys.get(geoKeys.model)?.value;
  const named =
    model === projectedModel ? geoKeys.projected : model === geographicModel ? geoKeys.geographic : undefined;
  const number = named === undefined ? undefined : keys.get(named)?.value;
  const isPlain = !keys.has(geoKeys.toWgs84) && !keys.has(geoKeys.vertical);
  const code = number === undefined || number === 0 || number === userDefined ? undefined : `EPSG:${number}`;
  if (code !== undefined && isPlain) return { crs: code, crsName: code };
  if (model === undefined) return undefined;
  const doubles = await doublesOf(tiff, entries.get(tags.geoDoubles));
  const text = await textOf(tiff, entries.get(tags.geoText));
  const facts = [...keys]
    .filter(([key]) => key !== geoKeys.pixelMeaning)
    .map(([key, { tag, count, value }]) => {
      if (tag === tags.geoDoubles) return [key, doubles.slice(value, value + count)];
      return [key, tag === tags.geoText ? text.slice(value, value + count) : value];
    });
  const { value: at = 0, count = 0 } = keys.get(geoKeys.citation) ?? {};
  const citation = Buffer.from(text.slice(at, at + count), 'latin1').toString('utf8');
  return { crs: JSON.stringify(facts), crsName: code ?? citation.replace(/\|$/, '').trim() };
}

async function textOf(tiff: TiffFile, entry: Entry | undefined): Promise<string> {
  if (entry?.size !== 1 || entry.count > maxNumbers) return '';
  const { buffer, byteOffset } = await tiff.read(entry.at, entry.count);
  return Buffer.from(buffer, byteOffset, entry.count).toString('latin1');
}
