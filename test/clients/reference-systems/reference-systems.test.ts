import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { openRasterEnginesHere } from '../../support/geo/raster-engine-here.ts';
import { temporaryFolder } from '../../support/for-tests.ts';
import { repetitions } from '../../support/tier.ts';
import { environmentOfPackages, installPythonTools } from '../../support/tools/python-tools.ts';
import { MiB } from '../../../src/lib/units.ts';
import { Problem } from '../../../src/lib/errors.ts';

const program = fileURLToPath(new URL('rasters.py', import.meta.url));
/** One in this many of about 9,900 systems; 1 takes 20 minutes. */
const every = repetitions('REFERENCE_SYSTEMS_EVERY', 60, 60);
/** Path of a table of all outcomes that are not the usual one, as docs/reference-systems.csv is. */
const tablePath = process.env['REFERENCE_SYSTEMS_TABLE'];

test('a raster of any reference system keeps it, by a reader with a PROJ of its own, or is refused with a sentence', async () => {
  const python = join(installPythonTools({ name: 'rasterio', packages: ['rasterio==1.4.4'] }), 'python');
  const folder = await temporaryFolder();
  const run = async (...args: readonly string[]) =>
    (
      await promisify(execFile)(python, [program, ...args], {
        maxBuffer: 64 * MiB,
        // What a library writes beside the file does not come with it.
        env: { ...environmentOfPackages(), GDAL_PAM_ENABLED: 'NO' },
      })
    ).stdout;
  await run('write', folder, String(every));
  const { geo: engine } = await openRasterEnginesHere();
  const { signal } = new AbortController();
  const names = (await readdir(folder)).filter((name) => name.endsWith('.tif')).toSorted();
  const outcomes = new Map<string, string>();
  for (const file of names) {
    const name = file.replace(/\.tif$/, '');
    const scratch = join(folder, 'scratch');
    await mkdir(scratch);
    try {
      const { cogPath, place, findings } = await engine.convertRaster({
        inputPath: join(folder, file),
        scratch,
        signal,
      });
      await rename(cogPath, join(folder, `${name}.cog.tif`));
      outcomes.set(name, [place, ...findings.warnings.map(({ code }) => code)].join(' '));
    } catch (error) {
      // Anything else than a sentence about the file is a fault of ours.
      assert.ok(error instanceof Problem, `${name}: ${String(error)}`);
      outcomes.set(name, `refused: ${error.message}`);
    }
    await rm(scratch, { recursive: true });
  }
  const compared = z.record(z.string(), z.boolean()).parse(JSON.parse(await run('compare', folder)));
  const lost = Object.keys(compared).filter((name) => compared[name] !== true);
  const unusual = [...outcomes].filter(([, outcome]) => outcome !== 'earth');
  if (tablePath !== undefined)
    await writeFile(
      tablePath,
      `system,outcome\n${unusual.map(([name, outcome]) => `${name.replace('.', ':')},"${outcome}"\n`).join('')}`,
    );
  assert.ok(names.length > 100, `${names.length} systems`);
  assert.deepEqual(lost, []);
  // Without a place on the earth, a warning says so.
  const silent = unusual.filter(
    ([, outcome]) => outcome.startsWith('elsewhere') && !outcome.includes('no_georeference'),
  );
  assert.deepEqual(silent, []);
});
