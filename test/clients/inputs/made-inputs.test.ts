import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { installDebianPackages } from '../../../scripts/debian-packages.ts';
import { createGdalEngine } from '../../../src/geo/parent/gdal-engine.ts';
import { createLandscapeEngine } from '../../../src/landscape/compute/driver.ts';
import { InputWork } from '../../../src/landscape/compute/input-work.ts';
import { temporaryFolder } from '../../support/for-tests.ts';
import { openTestChildren, withFolder } from '../../support/geo/engine.ts';
import { readBand } from '../../support/geo/read-band.ts';
import { environmentOfPackages, installPythonTools } from '../../support/tools/python-tools.ts';

const program = fileURLToPath(new URL('made.py', import.meta.url));
const packages = [
  'rasterio==1.4.4',
  'exactextract==0.3.0',
  'shapely==2.2.0',
  'pyproj==3.7.2',
  'affine==3.0.1',
] as const;

const Case = z.object({
  recipe: InputWork.shape.recipe,
  hasGrid: z.boolean(),
  hasFeatures: z.boolean(),
  rasters: z.number(),
  classes: z.array(z.number()).nullable(),
  width: z.number(),
  height: z.number(),
  tolerance: z.number(),
  share: z.number(),
});

/** Marks a pixel that is not compared. */
const notCompared = -77777;

installDebianPackages(['gdal-bin', 'python3-gdal']);
const python = join(installPythonTools({ name: 'made-inputs', packages }), 'python');
const folder = await temporaryFolder();
await promisify(execFile)(python, [program, folder], { env: environmentOfPackages() });
const entries = await readdir(folder, { withFileTypes: true });
const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
const children = await openTestChildren();
const geo = await withFolder(createGdalEngine(children));
after(geo.close);
const landscape = createLandscapeEngine(children);
const { signal } = new AbortController();

describe('a made input equals that of other programs', () => {
  for (const name of names) {
    test(name, async () => {
      const own = join(folder, name);
      const made = Case.parse(JSON.parse(await readFile(join(own, 'case.json'), 'utf8')));
      const { path, figures } = await make(own, made);
      const values = readBand(path);
      assert.deepEqual([values.width, values.height], [made.width, made.height]);
      assert.deepEqual([figures.width, figures.height], [made.width, made.height]);
      const bytes = await readFile(join(own, 'expected.bin'));
      const expected = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
      const differences = differencesOf(values.pixels, expected, made);
      const compared = expected.filter((value) => value !== notCompared).length;
      assert.ok(compared > 400, `only ${compared} pixels are compared`);
      assert.ok(expected.some((value) => Number.isFinite(value) && value !== notCompared));
      const shown = differences.slice(0, 5).join('; ');
      assert.ok(
        differences.length <= made.share * compared,
        `${differences.length} of ${compared}: ${shown}`,
      );
    });
  }

  test('in more than thirty cases', () => {
    assert.ok(names.length >= 30, names.join());
  });
});

async function make(own: string, { recipe, hasGrid, hasFeatures, rasters, classes }: z.infer<typeof Case>) {
  const sources: InputWork['sources'] = [];
  if (hasGrid) sources.push({ role: 'grid', key: 'grid', path: join(own, 'grid.tif') });
  if (hasFeatures) {
    const { features } = await geo.run(
      (engine, task) => engine.writeFeatures(task),
      join(own, 'features.geojson'),
    );
    assert.ok(features !== undefined);
    sources.push({ role: 'features', key: 'features', path: features.path });
  }
  for (let index = 0; index < rasters; index += 1)
    sources.push({ role: 'raster', key: String(index), path: join(own, `${index}.tif`) });
  const [made, scratch] = [join(own, 'made'), join(own, 'scratch')];
  for (const each of [made, scratch]) await mkdir(each);
  return await landscape.makeInput({ work: { recipe, sources, classes, folder: made }, scratch, signal });
}

function differencesOf(
  pixels: Float64Array,
  expected: Float64Array,
  { width, tolerance }: z.infer<typeof Case>,
): readonly string[] {
  const found: string[] = [];
  for (const [i, value] of pixels.entries()) {
    const other = expected[i] ?? NaN;
    const isEqual =
      other === notCompared ||
      (Number.isNaN(value)
        ? Number.isNaN(other)
        : Math.abs(value - other) <= tolerance + 1e-6 * Math.abs(other));
    if (!isEqual) found.push(`${i % width} ${Math.floor(i / width)}: ${value}, not ${other}`);
  }
  return found;
}
