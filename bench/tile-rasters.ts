import { join } from 'node:path';
import gdal from 'gdal-async';
import { noise } from './leaf-files.ts';
import type { Drawn } from './tile-trace.ts';

/** A COG, and its style. */
export interface TileRaster extends Drawn {
  readonly name: string;
  readonly path: string;
  readonly sld: string;
}

const classes = 9;
const stretch = [400, 1200] as const;
const pixelMetres = 10;

/** Draws a COG of floats and one of classes, both with deflated tiles of 512 pixels. */
export async function drawTileRasters(folder: string, side: number): Promise<readonly TileRaster[]> {
  const colours = Object.fromEntries(
    Array.from({ length: classes }, (_, at) => [String(at), [at * 25, 200 - at * 17, at * 9, 255] as const]),
  );
  const floats = await drawCog(join(folder, 'floats.tif'), side, {
    type: 'Float32',
    value: (x, y) => 800 + 400 * Math.sin(x / 190) * Math.cos(y / 130) + 2 * noise(x, y),
    creation: ['PREDICTOR=FLOATING_POINT', 'OVERVIEW_RESAMPLING=AVERAGE'],
  });
  const zones = await drawCog(join(folder, 'classes.tif'), side, {
    type: 'Byte',
    value: (x, y) => Math.floor(noise(x >> 6, y >> 6) * classes),
    creation: ['OVERVIEW_RESAMPLING=MODE'],
  });
  return [
    { name: 'float32', path: floats, stretch, sld: styleOf('ramp', rampEntries()) },
    { name: 'classes', path: zones, colours, sld: styleOf('values', valueEntries(colours)) },
  ];
}

interface Kind {
  readonly type: 'Float32' | 'Byte';
  readonly value: (x: number, y: number) => number;
  readonly creation: readonly string[];
}

async function drawCog(path: string, side: number, { type, value, creation }: Kind): Promise<string> {
  const plain = `${path}.plain`;
  const raster = gdal.drivers.get('GTiff').create(plain, side, side, 1, type, ['TILED=YES']);
  raster.srs = gdal.SpatialReference.fromEPSG(32642);
  raster.geoTransform = [455_000, pixelMetres, 0, 4_591_000, 0, -pixelMetres];
  const band = raster.bands.get(1);
  for (let y0 = 0; y0 < side; y0 += 256) {
    const rows = Math.min(256, side - y0);
    const values = new Float32Array(rows * side);
    for (let at = 0; at < values.length; at += 1) values[at] = value(at % side, y0 + Math.floor(at / side));
    band.pixels.write(0, y0, side, rows, values);
  }
  raster.close();
  const source = await gdal.openAsync(plain);
  const options = ['COMPRESS=DEFLATE', 'BLOCKSIZE=512', 'NUM_THREADS=2', ...creation];
  const cog = await gdal.drivers.get('COG').createCopyAsync(path, source, options);
  cog.close();
  source.close();
  return path;
}

function rampEntries(): string {
  // The colours of cividis at the ends and at the quarters of its range.
  const colours = ['#00224e', '#434e6c', '#7d7c78', '#bcae6c', '#fee838'];
  const [low, high] = stretch;
  return colours
    .map((colour, at) => entry(colour, low + ((high - low) * at) / (colours.length - 1)))
    .join('');
}

function valueEntries(colours: NonNullable<Drawn['colours']>): string {
  const hex = (rgba: readonly number[]) =>
    `#${rgba
      .slice(0, 3)
      .map((part) => part.toString(16).padStart(2, '0'))
      .join('')}`;
  return Object.entries(colours)
    .map(([value, rgba]) => entry(hex(rgba), Number(value)))
    .join('');
}

function entry(colour: string, quantity: number): string {
  return `<ColorMapEntry color="${colour}" quantity="${quantity}"/>`;
}

function styleOf(type: string, entries: string): string {
  return `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>bench</Name><UserStyle><FeatureTypeStyle><Rule><RasterSymbolizer><ColorMap type="${type}">${entries}</ColorMap></RasterSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
}
