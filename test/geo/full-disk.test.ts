import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import gdal from 'gdal-async';
import { MiB } from '../../src/units.ts';
import { openTestEngine, type TestEngine } from '../support/geo.ts';

const engineModule = new URL('../../src/geo/gdal/engine.ts', import.meta.url).href;
const side = 1024;

describe('A disk without room for a COG', () => {
  let engine: TestEngine;
  /** 1 MiB that can not be compressed: with its overviews, the COG is larger. */
  const noise = randomBytes(side * side);
  before(async () => {
    engine = await openTestEngine();
  });
  after(() => engine.close());

  /** What becomes of a task when no file may be larger than `bytes`: that behaves like a full disk, and needs no rights. */
  async function outcomeWithin(
    bytes: number,
    method: 'convertRaster',
    input: object,
  ): Promise<string> {
    const scratch = await mkdtemp(join(engine.folder, 'scratch-'));
    const program = `
      const { openGdalEngine } = await import(${JSON.stringify(engineModule)});
      const engine = await openGdalEngine({ deadlineSeconds: 120, log: { info() {}, warn() {} } });
      const task = { ...${JSON.stringify({ ...input, scratch })}, signal: new AbortController().signal };
      await engine.${method}(task).then(
        () => process.stdout.write('done'),
        (error) => process.stdout.write(error.name + ': ' + error.message),
      );`;
    const node = [process.execPath, '--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      `ulimit -f ${bytes / 512}; exec "$0" "$@"`,
      ...node,
    ]);
    return stdout;
  }

  test('is to blame when an upload is converted, not the file', async () => {
    const inputPath = join(engine.folder, 'noise.tif');
    const source = gdal.open(inputPath, 'w', 'GTiff', side, side, 1, 'Byte');
    source.bands.get(1).pixels.write(0, 0, side, side, noise);
    source.close();
    assert.match(
      await outcomeWithin(0.5 * MiB, 'convertRaster', { inputPath }),
      /^Error: the geo engine lacks resources/,
    );
    assert.equal(await outcomeWithin(2 * MiB, 'convertRaster', { inputPath }), 'done');
  });
});
