import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { z } from 'zod';
import { EngineDied } from '../../../src/geo/engine.ts';
import { type SourceFormat, sourceFormatOf } from '../../../src/geo/source.ts';
import { Problem, ResourceError } from '../../../src/lib/errors.ts';
import { MiB } from '../../../src/lib/units.ts';
import { byteMutations } from '../../hostile/mutate/bytes.ts';
import { createRandom } from '../../hostile/mutate/random.ts';
import { closeAfterTests, temporaryFolder } from '../../support/for-tests.ts';
import { openTestEngine } from '../../support/geo/engine.ts';
import { projectRoot } from '../../support/project.ts';
import { repetitions } from '../../support/tier.ts';
import { environmentOfPackages, installPythonTools } from '../../support/tools/python-tools.ts';
import { makeFiles, sourcePackages } from './source-packages.ts';

const times = repetitions('DAMAGED_SOURCE_FILES', 300, 300);
const atOnce = 2;
/** Files with which faults of the HDF5 library were reported. */
const reportedFiles = join(projectRoot, 'test/fixtures/hdf5-damaged');
const Cases = z.array(z.object({ file: z.string(), format: z.string(), refused: z.string().optional() }));

test('a damaged file is read or refused with a sentence, and harms no one outside of its child', async () => {
  const python = join(installPythonTools({ name: 'source-files', packages: sourcePackages }), 'python');
  const folder = await temporaryFolder();
  const options = { maxBuffer: 64 * MiB, env: environmentOfPackages() };
  await promisify(execFile)(python, [makeFiles, folder], options);
  const cases = Cases.parse(JSON.parse(await readFile(join(folder, 'cases.json'), 'utf8')));
  const names = [...new Set(cases.filter(({ refused }) => refused === undefined).map(({ file }) => file))];
  const contents = await Promise.all(names.map(async (name) => await readFile(join(folder, name))));
  const random = createRandom(101, 0);
  const damaged = Array.from({ length: times }, (_, index) => {
    const bytes = contents[index % contents.length] ?? Buffer.alloc(0);
    const other = random.pick(contents);
    let made = Buffer.from(bytes);
    for (let changes = 1 + random.below(3); changes > 0; changes -= 1)
      if (made.length > 4)
        made = Buffer.from(random.pick(byteMutations)(made, { random, other: Buffer.from(other) }));
    return { name: `${index} ${names[index % names.length]}`, bytes: made, format: sourceFormatOf(made) };
  });
  const reported = await Promise.all(
    (await readdir(reportedFiles))
      .filter((name) => name.endsWith('.h5'))
      .map(async (name) => {
        const bytes = await readFile(join(reportedFiles, name));
        return { name, bytes, format: sourceFormatOf(bytes) };
      }),
  );
  assert.ok(reported.length > 5);
  const { engine } = await closeAfterTests(openTestEngine());
  const outcomes: Record<string, number> = {};
  const faults: string[] = [];
  const count = (outcome: string): void => void (outcomes[outcome] = (outcomes[outcome] ?? 0) + 1);
  async function look(bytes: Buffer, format: SourceFormat): Promise<string> {
    const own = await mkdtemp(join(folder, 'damaged-'));
    const [inputPath, scratch] = [join(own, 'input'), await mkdtemp(join(own, 'scratch-'))];
    await writeFile(inputPath, bytes);
    const task = { inputPath, format, signal: new AbortController().signal };
    try {
      const { variables, axes, tiles } = await engine.inspectSource({ ...task, scratch });
      const variable = variables.find(({ refusal }) => refusal === undefined);
      if (variable === undefined) return 'refused variables';
      const positions = Object.fromEntries(variable.axes.map((index) => [axes[index]?.name ?? '', 0]));
      const choices = [{ variable: variable.name, positions, ...(tiles !== undefined && { tile: 0 }) }];
      await engine.makeRasters({ ...task, choices, scratch: await mkdtemp(join(own, 'scratch-')) });
      return 'read';
    } catch (error) {
      if (error instanceof Problem) return 'refused';
      // A child that dies, by its limits or by a fault of the library, takes nothing with it.
      if (error instanceof EngineDied && !error.message.includes('failed: ')) return 'died';
      throw error;
    } finally {
      await rm(own, { recursive: true });
    }
  }
  const work = [...damaged, ...reported].values();
  const run = async (): Promise<void> => {
    for (const { name, bytes, format } of work) {
      if (format === undefined) count('another format');
      else
        await look(bytes, format).then(count, (error: unknown) => {
          faults.push(`${name}: ${error instanceof ResourceError ? 'resources: ' : ''}${String(error)}`);
        });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  assert.deepEqual(faults, []);
  assert.ok((outcomes['refused'] ?? 0) > times / 10, JSON.stringify(outcomes));
  assert.ok((outcomes['died'] ?? 0) < times / 10, JSON.stringify(outcomes));
});
