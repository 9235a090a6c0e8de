import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import gdal from 'gdal-async';
import { fromUrl } from 'geotiff';
import { KiB, MiB } from '../../lib/units.ts';
import { startTestApp } from '../../../test/support/app.ts';
import { insertCategory, setState, upload } from '../../../test/support/datasets.ts';
import { writeRaster } from '../../../test/support/geo/geotiffs.ts';
import { createConversion } from '../../../test/support/geo/raster-conversion.ts';
import { closeAfterTests, temporaryFolder } from '../../../test/support/for-tests.ts';

const side = 2600;
const noData = -9999;
const origin = { x: 7_900_000, y: 6_600_000 };
const pixelMetres = 30;
/** Limit for reading the structure of a COG: its header, and requests for sidecar files that do not exist. */
const headerBytes = 64 * KiB;

let cogPath = '';
const sockets = new Set<Socket>();

/** Noise, which cannot be compressed. */
function noise(column: number, row: number): number {
  if (column < 8 && row < 8) return noData;
  const mixed = Math.imul(column ^ Math.imul(row + 1, 0x9e3779b1), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

const folder = await temporaryFolder();
const path = join(folder, 'noise.tif');
const affine = [origin.x, pixelMetres, 0, origin.y, 0, -pixelMetres] as const;
writeRaster(path, { width: side, height: side, affine, epsg: 3857, noData, value: noise });
({ cogPath } = await createConversion(folder).convert(path));
const bytes = await readFile(cogPath);
assert.ok(bytes.length > 20 * MiB);
const app = await closeAfterTests(startTestApp());
const { id } = await upload(app, { category_id: await insertCategory(app.services.db) });
await setState(app.services, id, { status: 'ready' }, { cog: bytes });
const url = `${app.baseUrl}/datasets/${id}.cog`;
app.app.server.on('connection', (socket) => sockets.add(socket));

/** Does `work`; returns its result, and the bytes that the service sent meanwhile, including headers. */
async function sentBy<T>(work: () => Promise<T>): Promise<{ found: T; bytes: number }> {
  const sent = (): number => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0);
  const before = sent();
  const found = await work();
  return { found, bytes: sent() - before };
}

/** Pixels of the file itself, at full resolution or from an overview. */
function pixels(window: Window, overview?: number): readonly number[] {
  const dataset = gdal.open(cogPath);
  const band = dataset.bands.get(1);
  const level = overview === undefined ? band : band.overviews.get(overview);
  const values = [...level.pixels.read(window.x, window.y, window.width, window.height)];
  dataset.close();
  return values;
}

interface Window {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

describe('GDAL over /vsicurl/', () => {
  test('reads a window without the rest', async () => {
    const window = { x: 1000, y: 700, width: 100, height: 50 };
    const { found, bytes } = await sentBy(async () => {
      const dataset = await gdal.openAsync(`/vsicurl/${url}`);
      const band = await dataset.bands.getAsync(1);
      const values = await band.pixels.readAsync(window.x, window.y, window.width, window.height);
      dataset.close();
      return [...values];
    });
    assert.deepEqual(found, pixels(window));
    assert.ok(bytes < 4 * MiB, `${bytes} bytes`);
  });
});

describe('geotiff.js', () => {
  test('knows the COG from its header', async () => {
    const { found, bytes } = await sentBy(async () => {
      const tiff = await fromUrl(url);
      const image = await tiff.getImage();
      return {
        images: await tiff.getImageCount(),
        size: [image.getWidth(), image.getHeight()],
        noData: image.getGDALNoData(),
        origin: image.getOrigin().slice(0, 2),
        epsg: image.getGeoKeys()?.['ProjectedCSTypeGeoKey'],
      };
    });
    const expected = { images: 4, size: [side, side], noData, origin: [origin.x, origin.y], epsg: 3857 };
    assert.deepEqual(found, expected);
    assert.ok(bytes < 2 * headerBytes, `${bytes} bytes`);
  });

  test('reads a window and an overview as GDAL does', async () => {
    const tiff = await fromUrl(url);
    const window = { x: 0, y: 2400, width: 200, height: 200 };
    for (const overview of [undefined, 2]) {
      const { x, width, height } = window;
      const y = overview === undefined ? window.y : 0;
      const image = await tiff.getImage(overview === undefined ? 0 : overview + 1);
      const [band = []] = await image.readRasters({ window: [x, y, x + width, y + height] });
      assert.ok(typeof band !== 'number');
      assert.deepEqual([...band], pixels({ x, y, width, height }, overview));
    }
  });
});

test('the GeoTIFF source of OpenLayers is ready with the view of the COG, and its tiles hold the values', async () => {
  const program = fileURLToPath(new URL('./open-layers-program.for-tests.ts', import.meta.url));
  const { found, bytes } = await sentBy(
    async () => await promisify(execFile)(process.execPath, [program, url], { maxBuffer: 64 * MiB }),
  );
  const { values, ...view }: { values: readonly number[] } = JSON.parse(found.stdout);
  assert.deepEqual(view, {
    state: 'ready',
    code: 'EPSG:3857',
    extent: [origin.x, origin.y - side * pixelMetres, origin.x + side * pixelMetres, origin.y],
    resolutions: [8, 4, 2, 1].map((factor) => factor * pixelMetres),
  });
  // Each value is followed by its opacity.
  const tile = pixels({ x: 0, y: 0, width: 512, height: 512 });
  const isHidden = (value: number): boolean => value === noData;
  assert.equal(tile.filter(isHidden).length, 64);
  assert.deepEqual(
    values.filter((_, index) => index % 2 === 1),
    tile.map((value) => (isHidden(value) ? 0 : 255)),
  );
  assert.deepEqual(
    values.filter((_, index) => index % 2 === 0 && values[index + 1] !== 0),
    tile.filter((value) => !isHidden(value)),
  );
  assert.ok(bytes < 4 * MiB, `${bytes} bytes`);
});
