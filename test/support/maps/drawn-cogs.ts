import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import gdal from 'gdal-async';

export interface CogOptions {
  /** Pixels per side. */
  readonly side: number;
  readonly type?: 'Byte' | 'UInt16' | 'Float32';
  readonly bands?: number;
  /** Creation options of GDAL's COG driver. */
  readonly creation?: Readonly<Record<string, string>>;
  /** West and north edge of the upper left corner, in metres of UTM zone 42. */
  readonly corner?: readonly [number, number];
  /** Added to every value. */
  readonly shift?: number;
}

/** A valid COG of squares of 16 by 16 pixels with 10 values. A pixel is 30 m wide; from 512 pixels on, the COG has overviews. */
export async function squaresCog(options: CogOptions): Promise<Buffer<ArrayBuffer>> {
  const { side, type = 'Byte', bands = 1, creation = {}, corner = [455_000, 5_300_000], shift = 0 } = options;
  const folder = await mkdtemp(join(tmpdir(), 'steppe-cog-'));
  try {
    const source = gdal.drivers.get('MEM').create('', side, side, bands, type);
    source.srs = gdal.SpatialReference.fromEPSG(32642);
    source.geoTransform = [corner[0], 30, 0, corner[1], 0, -30];
    const values = new Uint16Array(side * side);
    for (let at = 0; at < values.length; at += 1) {
      const [column, row] = [(at % side) >> 4, Math.floor(at / side) >> 4];
      values[at] = ((column * 7 + row * 3) % 10) + shift;
    }
    source.bands.forEach((band) => band.pixels.write(0, 0, side, side, values));
    const path = join(folder, 'cog.tif');
    const chosen = { COMPRESS: 'DEFLATE', OVERVIEW_RESAMPLING: 'NEAREST', ...creation };
    const words = Object.entries(chosen).map(([name, value]) => `${name}=${value}`);
    gdal.drivers.get('COG').createCopy(path, source, words).close();
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Style of the squares: one colour for each of the 10 values. */
export function squaresStyle(colours: (value: number) => string, shift = 0): string {
  const entries = Array.from(
    { length: 10 },
    (_, value) => `<ColorMapEntry color="${colours(value)}" quantity="${value + shift}" label="${value}"/>`,
  );
  return rasterStyle(`<ColorMap type="values">${entries.join('')}</ColorMap>`);
}

/** An SLD with `inner` in its RasterSymbolizer. */
export function rasterStyle(inner: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>x</Name><UserStyle><FeatureTypeStyle><Rule><RasterSymbolizer>${inner}</RasterSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
}
