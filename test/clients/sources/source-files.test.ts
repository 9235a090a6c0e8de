import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { Problem } from '../../../src/lib/errors.ts';
import { MiB } from '../../../src/lib/units.ts';
import { sourceFormats } from '../../../src/geo/source.ts';
import { closeAfterTests, temporaryFolder } from '../../support/for-tests.ts';
import { openTestEngine } from '../../support/geo/engine.ts';
import { environmentOfPackages, installPythonTools } from '../../support/tools/python-tools.ts';
import { makeFiles, sourcePackages } from './source-packages.ts';

const program = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const Case = z.object({
  file: z.string(),
  format: z.enum(sourceFormats),
  /** `*` stands for the only one; null if the whole file is refused. */
  variable: z.string().nullable(),
  positions: z.record(z.string(), z.int()).default({}),
  expected: z.string().optional(),
  grid: z.array(z.number()).nullish(),
  crs: z.string().nullish(),
  when: z.string().nullish(),
  period: z.array(z.string()).nullish(),
  refused: z.string().optional(),
  tile: z.int().nullish(),
});

test('rasters have the values, places and times that other programs read, or a sentence says why there are none', async () => {
  const python = join(installPythonTools({ name: 'source-files', packages: sourcePackages }), 'python');
  const folder = await temporaryFolder();
  const env = environmentOfPackages();
  await promisify(execFile)(python, [makeFiles, folder], { maxBuffer: 64 * MiB, env });
  const cases = z.array(Case).parse(JSON.parse(await readFile(join(folder, 'cases.json'), 'utf8')));
  const { engine } = await closeAfterTests(openTestEngine());
  const faults: string[] = [];
  const made = [];
  for (const { file, format, variable, positions, expected, when, period, refused, tile, ...more } of cases) {
    const scratch = async () => await mkdtemp(join(folder, 'scratch-'));
    const task = { inputPath: join(folder, file), format, signal: new AbortController().signal };
    const name = `${file} ${variable} ${JSON.stringify(positions)}`;
    try {
      const description = await engine.inspectSource({ ...task, scratch: await scratch() });
      const [only] = description.variables;
      const found = description.variables.find((one) => variable === '*' || one.name === variable) ?? only;
      const time = description.axes.find(
        ({ periods }, index) => periods !== undefined && found?.axes.includes(index) === true,
      );
      const position = positions[time?.name ?? ''] ?? 0;
      if (when != null && time?.values[position] !== when)
        faults.push(`${name}: at ${time?.values[position]}, expected ${when}`);
      if (period != null && time?.periods?.[position]?.join() !== period.join())
        faults.push(`${name}: period ${time?.periods?.[position]?.join()}, expected ${period.join()}`);
      const choice = {
        variable: variable === '*' ? (only?.name ?? '') : (variable ?? ''),
        positions,
        ...(tile != null && { tile }),
      };
      const [raster] = await engine.makeRasters({ ...task, choices: [choice], scratch: await scratch() });
      if (refused !== undefined) faults.push(`${name}: was not refused`);
      else if (raster !== undefined && expected !== undefined)
        made.push({
          ...{ file, variable, positions, ...more, path: raster.path, expected: join(folder, expected) },
          tolerance: format === 'grib' ? 1e-6 : 3e-7,
        });
    } catch (error) {
      // Anything else than a sentence about the file is a fault of ours.
      if (!(error instanceof Problem)) faults.push(`${name}: ${String(error)}`);
      else if (refused === undefined || !error.message.includes(refused))
        faults.push(`${name}: ${error.message}`);
    }
  }
  const list = join(folder, 'made.json');
  await writeFile(list, JSON.stringify(made));
  const { stdout } = await promisify(execFile)(python, [program('compare.py'), list], {
    maxBuffer: 64 * MiB,
    env,
  });
  const compared = z.object({ faults: z.array(z.string()), compared: z.int() }).parse(JSON.parse(stdout));
  assert.deepEqual([...faults, ...compared.faults], []);
  assert.ok(new Set(cases.map(({ file }) => file)).size >= 60, `${cases.length} cases`);
  assert.ok(compared.compared > 400_000, `${compared.compared} cells`);
});
