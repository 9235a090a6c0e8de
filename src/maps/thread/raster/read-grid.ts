import { type Directory, readDirectory, type TiffFile } from '../../../geo/formats/tiff/walk.ts';
import type { CogHead } from '../tiff/cog-head.ts';

/** Where the pixels of a raster lie: equal grids have the same pixels. */
export interface RasterGrid {
  /** `EPSG:` and the code, else the name that the file gives its CRS, which may be empty. */
  readonly crsName: string;
  /** Equal for equal CRS. */
  readonly crsKey: string;
  /** The outer corner of the first pixel, in units of the CRS. */
  readonly left: number;
  readonly top: number;
  /** Of a pixel, in units of the CRS, both positive. */
  readonly resX: number;
  readonly resY: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

const tags = { pixelScale: 33_550, tiepoint: 33_922, geoKeys: 34_735, geoDoubles: 34_736, geoTexts: 34_737 };
const keys = { citation: 1026, geographic: 2048, projected: 3072 };
/** What a file says that names its CRS by itself. */
const userDefined = 32_767;
const maxNumbers = 4096;
const maxCharacters = 200;

/** Reads the grid of a north-up GeoTIFF; undefined where it has none. @throws {BrokenTiff} */
export async function readGrid({ tiff, levels }: CogHead): Promise<RasterGrid | undefined> {
  const [full] = levels;
  const directory = await readDirectory(tiff, tiff.firstDirectory);
  const [resX, resY] = await doublesOf(tiff, directory, tags.pixelScale);
  const [column = 0, row = 0, , x, y] = await doublesOf(tiff, directory, tags.tiepoint);
  if (full === undefined || x === undefined || y === undefined) return undefined;
  if (resX === undefined || resY === undefined || !(resX > 0 && resY > 0)) return undefined;
  const { width, height } = full.image;
  const crs = await crsOf(tiff, directory);
  return { ...crs, left: x - column * resX, top: y + row * resY, resX, resY, width, height };
}

async function doublesOf(tiff: TiffFile, { entries }: Directory, tag: number): Promise<readonly number[]> {
  const entry = entries.get(tag);
  if (entry === undefined || entry.size !== 8 || entry.count > maxNumbers) return [];
  const { at, count } = entry;
  const view = await tiff.read(at, count * 8);
  return Array.from({ length: count }, (_, index) => view.getFloat64(index * 8, tiff.littleEndian));
}

/** Without an EPSG code, all that the keys say is compared. */
async function crsOf(tiff: TiffFile, directory: Directory): Promise<Pick<RasterGrid, 'crsName' | 'crsKey'>> {
  const numbers = await directory.numbers(tags.geoKeys, maxNumbers);
  const found = new Map<number, readonly [place: number, count: number, value: number]>();
  for (let at = 4; at + 3 < numbers.length; at += 4) {
    const [key = 0, place = 0, count = 0, value = 0] = numbers.slice(at, at + 4);
    found.set(key, [place, count, value]);
  }
  const codeOf = (key: number) => {
    const [place, , value = userDefined] = found.get(key) ?? [];
    return place === 0 && value !== userDefined && value !== 0 ? value : undefined;
  };
  const code = found.has(keys.projected) ? codeOf(keys.projected) : codeOf(keys.geographic);
  if (code !== undefined) return { crsName: `EPSG:${code}`, crsKey: `EPSG:${code}` };
  const texts = await textOf(tiff, directory);
  const [where, count = 0, start = 0] = found.get(keys.citation) ?? [];
  const name =
    where === tags.geoTexts
      ? texts
          .slice(start, start + count)
          .replace(/\|$/, '')
          .trim()
      : '';
  // The name alone means nothing, and where texts begin depends on it.
  const others = [...found].filter(([, [place]]) => place !== tags.geoTexts);
  const doubles = await doublesOf(tiff, directory, tags.geoDoubles);
  return { crsName: name, crsKey: JSON.stringify([others, doubles]) };
}

async function textOf(tiff: TiffFile, { entries }: Directory): Promise<string> {
  const entry = entries.get(tags.geoTexts);
  if (entry === undefined || entry.size !== 1) return '';
  const { buffer, byteOffset, byteLength } = await tiff.read(entry.at, Math.min(entry.count, maxCharacters));
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}
