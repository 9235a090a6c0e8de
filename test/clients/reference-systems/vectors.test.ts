import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { Problem } from '../../../src/lib/errors.ts';
import { MiB } from '../../../src/lib/units.ts';
import { closeAfterTests, temporaryFolder } from '../../support/for-tests.ts';
import { openVectorEngineHere } from '../../support/geo/engine-here.ts';
import { repetitions } from '../../support/tier.ts';
import { environmentOfPackages, installPythonTools } from '../../support/tools/python-tools.ts';

const program = fileURLToPath(new URL('vectors.py', import.meta.url));
const packages = ['rasterio==1.4.4', 'pyogrio==0.13.0'] as const;
/** One in this many of about 9,900 systems; 10 takes 4 minutes. */
const every = repetitions('REFERENCE_SYSTEMS_EVERY', 120, 120);
/** Path of a table of all outcomes that are not the usual one. */
const tablePath = process.env['VECTOR_SYSTEMS_TABLE'];
const metresPerDegree = 111_320;
/** Positions are stored with seven decimals of a degree, and files have theirs. */
const roundedMetres = 0.05;
/** Two versions of PROJ may choose different shifts, of which the less accurate are some tens of metres from each other. */
const shiftedMetres = 50;

const Places = z.record(z.string(), z.tuple([z.number(), z.number()]));
const Collection = z.object({
  features: z.array(
    z.object({ geometry: z.object({ coordinates: z.tuple([z.number(), z.number()]).rest(z.number()) }) }),
  ),
});

test('a point in any reference system is where a PROJ of its own finds it, or is refused with a sentence', async () => {
  const python = join(installPythonTools({ name: 'vector-systems', packages }), 'python');
  const folder = await temporaryFolder();
  const { stdout, stderr } = await promisify(execFile)(python, [program, folder, String(every)], {
    maxBuffer: 64 * MiB,
    env: environmentOfPackages(),
  });
  const places = Places.parse(JSON.parse(stdout));
  const engine = await closeAfterTests(openVectorEngineHere());
  const outcomes = new Map<string, string>();
  const far: string[] = [];
  for (const [name, place] of Object.entries(places)) {
    try {
      const path = join(folder, name);
      const { geojsonPath, findings } = await engine.run((geo, task) => geo.assembleVector(task), path);
      const [feature] = Collection.parse(JSON.parse(await readFile(geojsonPath, 'utf8'))).features;
      const metres = distance(feature?.geometry.coordinates ?? [NaN, NaN], place);
      const warnings = findings.warnings.map(({ code }) => code).join(' ');
      if (!(metres <= roundedMetres)) outcomes.set(name, `${metres.toFixed(2)} m ${warnings}`.trim());
      else if (warnings !== '') outcomes.set(name, warnings);
      if (!(metres <= shiftedMetres) && warnings === '') far.push(`${name}: ${metres.toFixed(1)} m`);
    } catch (error) {
      // Anything else than a sentence about the file is a fault of ours.
      assert.ok(error instanceof Problem, `${name}: ${String(error)}`);
      outcomes.set(name, `refused: ${error.message}`);
    }
  }
  const lines = [...outcomes].map(([name, outcome]) => `${name},"${outcome.replaceAll('"', '""')}"\n`);
  if (tablePath !== undefined) await writeFile(tablePath, `file,outcome\n${lines.join('')}`);
  assert.ok(
    Object.keys(places).length > (0.95 * 9800) / every,
    `${Object.keys(places).length} systems: ${stderr}`,
  );
  assert.deepEqual(far, []);
  const state = Object.keys(places).filter((name) => /^EPSG\.109\d\d\./.test(name));
  assert.ok(state.length >= 27, state.join());
  assert.deepEqual(
    state.filter((name) => outcomes.has(name)),
    [],
  );
});

function distance(one: readonly [number, number, ...number[]], other: readonly [number, number]): number {
  const turn = (((one[0] - other[0] + 540) % 360) + 360) % 360;
  const east = (turn - 180) * Math.cos((other[1] * Math.PI) / 180);
  return Math.hypot(east, one[1] - other[1]) * metresPerDegree;
}
