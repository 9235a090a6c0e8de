import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isResourceError, Problem } from '../../lib/errors.ts';
import { GiB } from '../../lib/units.ts';
import { EngineDied } from '../engine.ts';
import { findReferenceSystems, projVariables } from './reference-systems.ts';
import { childEnvironment, type Isolation, noTools, type Tools } from './sandbox/isolation.ts';
import { resourceErrorFrom } from '../gdal/last-error.ts';
import { childCommand } from './engine-request.ts';
import { defaultMemoryBytes, type Limits, parseCeilings } from './sandbox/limits.ts';
import { tilesOf, windowsOf } from '../../landscape/model/tiles.ts';
import { askChild, fixture, openTestEngine } from '../../../test/support/geo/engine.ts';
import { descendantsOf, eventually, isRunning } from '../../../test/support/processes.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const entry = fileURLToPath(new URL('../child/main.ts', import.meta.url));
const engineModule = new URL('../../../test/support/geo/engine.ts', import.meta.url).href;

const engine = await closeAfterTests(openTestEngine());
// A reader that opens a pipe without a writer waits for ever.
const pipe = join(engine.folder, 'pipe');
execFileSync('mkfifo', [pipe]);

describe('An engine child', () => {
  const hang = (signal?: AbortSignal) => engine.run((geo, task) => geo.readTable(task), pipe, signal);
  const childOf = (pid: number) =>
    eventually('a child runs', async () =>
      (await descendantsOf(pid)).find(({ commandLine }) => commandLine.includes('geo/child/main.ts')),
    );

  test('that is killed is reported as dead', async () => {
    const hanging = hang();
    const { pid } = await childOf(process.pid);
    process.kill(pid, 'SIGKILL');
    await assert.rejects(hanging, EngineDied);
  });

  test('that refuses a file gives the words of the library too, for the log', async () => {
    const damaged = fixture('raster-damaged/lzw_corrupted.tif');
    await assert.rejects(
      engine.run((geo, task) => geo.convertRaster(task), damaged),
      (error) => {
        assert.ok(error instanceof Problem && error.cause instanceof Error);
        assert.match(error.cause.message, /TIFF|IReadBlock/);
        return true;
      },
    );
  });

  test('that runs out of memory says so, or is reported as dead', async () => {
    const small = await openTestEngine({ memoryBytes: 64 * 1024 * 1024 });
    const run = small.run((geo, task) => geo.assembleVector(task), await largeGeometry(small.folder));
    const saysSo = (error: unknown) => error instanceof Problem && /memory/.test(error.message);
    await assert.rejects(run, (error) => saysSo(error) || error instanceof EngineDied);
    await small.close();
  });

  test('is killed by the abort signal, whose reason is thrown', async () => {
    const stopping = new AbortController();
    const hanging = hang(stopping.signal);
    const { pid } = await childOf(process.pid);
    const reason = new Error('the lease is lost');
    stopping.abort(reason);
    await assert.rejects(hanging, (error) => error === reason);
    assert.equal(await isRunning(pid), false);
    await assert.rejects(hang(stopping.signal), (error) => error === reason);
  });

  test('that assembles may take longer than one that reads a file, but not for ever', async () => {
    const hasty = await openTestEngine({ deadlineSeconds: 1 });
    const tiles = [...tilesOf(windowsOf({ width: 1000, height: 1000 }, 1000))];
    const raster = { width: 1000, height: 1000, left: 0, top: 0, resX: 1, resY: 1, wkt: 'LOCAL_CS["plane"]' };
    const parts = [{ paths: [pipe, pipe], tiles }];
    const rasters = [{ ...raster, dataType: 'Byte', noData: 0, parts }] as const;
    const scratch = await mkdtemp(join(hasty.folder, 'scratch-'));
    const { signal } = new AbortController();
    const assembling = hasty.run(
      async (geo) => await geo.assembleRasters({ rasters: [...rasters], scratch, signal }),
      pipe,
    );
    const begun = performance.now();
    await assert.rejects(assembling, (error) => error instanceof EngineDied && /overdue/.test(error.message));
    // One second for any file, and two for a million pixels.
    assert.ok(performance.now() - begun >= 2900);
    await hasty.close();
  });

  test('dies with its parent, however that ends', async () => {
    const scratch = await mkdtemp(join(engine.folder, 'scratch-'));
    const program = `
      const { openGdalEngine } = await import(${JSON.stringify(engineModule)});
      const log = { info() {}, warn() {} };
      const engine = await openGdalEngine({ deadlineSeconds: 600, log });
      await engine.readTable({ inputPath: ${JSON.stringify(pipe)}, scratch: ${JSON.stringify(scratch)}, signal: new AbortController().signal });
    `;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
    try {
      const { pid } = await eventually('the request runs', async () => {
        const child = await childOf(parent.pid ?? 0);
        // The first child only reports the drivers, and may already have ended.
        const environment = await environmentOf(child.pid).catch(() => undefined);
        return environment?.get('HOME') === scratch && child;
      });
      parent.kill('SIGKILL');
      await eventually('the child is gone', async () => !(await isRunning(pid)));
    } finally {
      parent.kill('SIGKILL');
    }
  });

  test('ends when its input is closed, without help of the system', async () => {
    const child = spawn(process.execPath, [entry], { stdio: ['pipe', 'ignore', 'ignore', 'ignore'] });
    await once(child, 'spawn');
    child.stdin?.end(`${JSON.stringify({ task: 'table', inputPath: pipe, scratch: engine.folder })}\n`);
    const [, killedBy] = await once(child, 'exit');
    assert.equal(killedBy, 'SIGKILL');
  });

  test('has the fixed environment and nothing of ours', async () => {
    process.env['AWS_SECRET_ACCESS_KEY'] = 'canary';
    const stopping = new AbortController();
    const hanging = hang(stopping.signal);
    const { pid } = await childOf(process.pid);
    const environment = await environmentOf(pid);
    const cwd = await realpath(`/proc/${pid}/cwd`);
    stopping.abort(new Error('seen enough'));
    await assert.rejects(hanging, /seen enough/);
    delete process.env['AWS_SECRET_ACCESS_KEY'];

    const proj = projVariables(await findReferenceSystems());
    const expected = { ...childEnvironment(cwd, [], defaultMemoryBytes()), ...proj };
    const given = [...environment.keys()];
    assert.deepEqual(given.toSorted(), Object.keys(expected).toSorted());
    for (const [name, value] of Object.entries(expected)) {
      if (name !== 'GDAL_SKIP') assert.equal(environment.get(name), value);
    }
    assert.ok(cwd.startsWith(await realpath(engine.folder)));
    const skipped = environment.get('GDAL_SKIP')?.split(',') ?? [];
    assert.ok(skipped.includes('VRT') && skipped.includes('WFS') && !skipped.includes('GeoJSON'));
  });

  test('keeps twice the blocks where it may take two gigabytes', () => {
    const cacheOf = (memoryBytes: number) => childEnvironment('/', [], memoryBytes)['GDAL_CACHEMAX'];
    assert.deepEqual([cacheOf(2 * GiB - 1), cacheOf(2 * GiB)], ['256', '512']);
  });

  test('refuses to work while any other driver is registered', async () => {
    const env = childEnvironment(engine.folder, ['VRT']);
    const request = { task: 'raster', inputPath: fixture('raster/no_georef.tif'), scratch: engine.folder };
    const answer = await askChild(entry, request, env);
    assert.equal(answer.outcome, 'fault');
    assert.match(answer.message ?? '', /drivers beyond the allowed ones are registered: .*WMS/);
  });
});

describe('The command of a child', () => {
  const reach = { entry: '/c.ts', inputs: ['/in.tif'], folders: ['/scratch'] } as const;
  const tools = { setpriv: '/s', prlimit: '/p', bwrap: '/b', unshare: '/u', timeout: '/t' };
  const command = (...options: [Isolation, Partial<Tools>?, Limits?]) =>
    childCommand(
      { tools: { ...noTools, ...options[1] }, ceilings: parseCeilings('') },
      options[0],
      reach,
      options[2],
    ).join(' ');
  const node = process.execPath;

  test('is the program alone where the system has no tools, unless isolation is wanted', () => {
    assert.equal(command('none'), `${node} /c.ts`);
    for (const isolation of ['bubblewrap', 'namespaces'] as const)
      assert.throws(() => command(isolation), /the tools for .* are not installed/);
  });

  test('asks the system to kill it with its parent, and to bound what it uses', () => {
    const limits = { memoryBytes: 1024 ** 3, cpuSeconds: 60, fileBytes: 1000 };
    assert.equal(
      command('none', tools, limits),
      `/s --pdeathsig KILL --no-new-privs -- /p --core=0 --nofile=256 --data=1744830464 --cpu=60:65 --fsize=1000 -- ${node} --max-old-space-size=1024 --min-semi-space-size=16 /c.ts`,
    );
  });

  test('names the isolation, and only what may be seen', () => {
    assert.match(
      command('namespaces', tools),
      /^\/s .* -- \/u --user .*--net .*-- \/t --foreground 0 \S+ \/c\.ts$/,
    );
    const isolated = command('bubblewrap', tools);
    assert.match(isolated, /^\/s --pdeathsig KILL -- \/b --unshare-user --unshare-all .* -- \S+ \/c\.ts$/);
    assert.match(
      isolated,
      / --ro-bind \/in\.tif \/in\.tif .*--bind \/scratch \/scratch .*--chdir \/scratch /,
    );
    assert.doesNotMatch(isolated, /--disable-userns/);
    assert.match(command('bubblewrap', { ...tools, bwrapForbidsNamespaces: true }), / --disable-userns /);
    assert.doesNotMatch(isolated, /--bind(?:-try)? \/(?:home|root|proc|etc) |--share-net/);
  });
});

test('a full or broken disk is a fault of the machine, not of the file', () => {
  assert.ok(isResourceError(Object.assign(new Error('write'), { code: 'ENOSPC' })));
  assert.ok(isResourceError(resourceErrorFrom(new Error('TIFFAppendToStrip:Write error at scanline 0'))));
  assert.ok(isResourceError(resourceErrorFrom(new Error('cog.tif: No space left on device'))));
  assert.ok(!isResourceError(resourceErrorFrom(new Error('unsupported data type'))));
  assert.ok(!isResourceError(Object.assign(new Error('open'), { code: 'ENOENT' })));
});

async function environmentOf(pid: number): Promise<ReadonlyMap<string, string>> {
  const entries = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').filter((text) => text !== '');
  return new Map(
    entries.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
  );
}

/** A line of many positions, which needs more memory than the child has. */
async function largeGeometry(folder: string): Promise<string> {
  const { writeFile } = await import('node:fs/promises');
  const path = join(folder, 'large.geojson');
  const positions = Array.from(
    { length: 1_500_000 },
    (_, i) => `[${(i % 1000) / 10},${(i % 777) / 10}]`,
  ).join();
  await writeFile(path, `{"type":"LineString","coordinates":[${positions}]}`);
  return path;
}
