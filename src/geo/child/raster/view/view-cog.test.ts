import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import { compareRasters } from '../../../../../tools/compare/compare-rasters.ts';
import { isDrawableFile } from './view.ts';
import { structureOf } from '../image/write-cog.ts';
import { decodeMesh } from '../../../../../common/maps/raster/mesh.ts';
import { closeAfterTests } from '../../../../../test/support/for-tests.ts';
import { fixture } from '../../../../../test/support/geo/engine.ts';
import { openRasterEngineHere } from '../../../../../test/support/geo/raster-conversion.ts';

const engine = await closeAfterTests(openRasterEngineHere());
const view = async (path: string) => await engine.run((geo, task) => geo.makeView(task), path);
const names = (await readdir(fixture('raster-codecs'))).filter((each) => each.endsWith('.tif'));
/** Compressions that the api cannot decode. */
const coded = /^(jpeg|webp|lerc|lzma|ccitt)/;

interface Made {
  readonly name: string;
  readonly side?: number;
  readonly bands?: number;
  readonly type?: string;
  readonly crs?: string;
  readonly options?: Readonly<Record<string, string>>;
}

async function writeRaster({
  name,
  side = 100,
  bands = 1,
  type = 'Byte',
  crs = 'EPSG:32642',
  options = {},
}: Made) {
  const path = join(engine.folder, `${name}.tif`);
  const tiled = { TILED: 'YES', COMPRESS: 'DEFLATE', ...options };
  const raster = gdal.open(path, 'w', 'GTiff', side, side, bands, type, tiled);
  if (crs !== '') raster.srs = gdal.SpatialReference.fromUserInput(crs);
  raster.geoTransform = [500_000, 10, 0, 5_600_000, 0, -10];
  const values = Float64Array.from({ length: side * side }, (_, at) => at % 1000);
  if (!type.startsWith('C')) raster.bands.get(1).pixels.write(0, 0, side, side, values);
  raster.close();
  return path;
}

describe('the view of a COG', () => {
  for (const name of names)
    test(`equals the pixels of ${name}, where they cannot be decoded without GDAL`, async () => {
      const path = fixture(`raster-codecs/${name}`);
      const { meshPath, viewPath } = await view(path);
      assert.ok(meshPath);
      assert.deepEqual(decodeMesh(await readFile(meshPath)).width, 100);
      assert.equal(viewPath !== undefined, coded.test(name));
      if (viewPath === undefined) return;
      assert.deepEqual(await compareRasters(path, viewPath, engine.folder), []);
      assert.ok(await isDrawableFile(viewPath));
      assert.ok((await structureOf(viewPath)).isCog);
    });

  test('has overviews where the COG has too few of them', async () => {
    const { viewPath } = await view(await writeRaster({ name: 'large', side: 1100 }));
    assert.ok(viewPath);
    assert.deepEqual((await structureOf(viewPath)).overviews.at(-1), { width: 275, height: 275 });
    const small = await writeRaster({ name: 'small', side: 1000 });
    assert.equal((await view(small)).viewPath, undefined);
  });

  test('has values of whole bytes, and tiles that are not too large to read', async () => {
    const odd = await view(await writeRaster({ name: 'odd', type: 'UInt16', options: { NBITS: '12' } }));
    assert.equal(
      gdal
        .open(odd.viewPath ?? '')
        .bands.get(1)
        .getMetadata('IMAGE_STRUCTURE')['NBITS'],
      undefined,
    );
    const half = await view(await writeRaster({ name: 'half', type: 'Float32', options: { NBITS: '16' } }));
    assert.ok(half.viewPath !== undefined && (await isDrawableFile(half.viewPath)));
    const many = await writeRaster({
      name: 'many',
      bands: 20,
      type: 'Float32',
      side: 520,
      options: { BLOCKXSIZE: '512', BLOCKYSIZE: '512' },
    });
    const { viewPath } = await view(many);
    assert.ok(viewPath);
    assert.equal((await structureOf(viewPath)).tileWidth, 256);
    assert.deepEqual(await compareRasters(many, viewPath, engine.folder), []);
  });

  test('is missing without a CRS, and for complex numbers', async () => {
    const nowhere = await writeRaster({ name: 'nowhere', crs: '', options: { COMPRESS: 'LZMA' } });
    assert.deepEqual(await view(nowhere), { meshPath: undefined, viewPath: undefined });
    const complex = await writeRaster({ name: 'complex', type: 'CFloat32' });
    assert.deepEqual(await view(complex), { meshPath: undefined, viewPath: undefined });
  });

  test('is made, or found to be needed, when a raster is converted', async () => {
    const convert = async (path: string) => {
      const { meshPath, needsView } = await engine.run((geo, task) => geo.convertRaster(task), path);
      return { hasMesh: meshPath !== undefined, needsView };
    };
    const codecs = (name: string) => fixture(`raster-codecs/${name}.tif`);
    // Strips are rewritten; tiles that make a COG are stored unchanged.
    assert.deepEqual(await convert(codecs('lzma_int32')), { hasMesh: true, needsView: false });
    assert.deepEqual(await convert(codecs('lerc_float32')), { hasMesh: true, needsView: true });
    const complex = await writeRaster({ name: 'converted', type: 'CFloat32' });
    assert.deepEqual(await convert(complex), { hasMesh: false, needsView: false });
  });
});
