import assert from 'node:assert/strict';
import { link, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { compiledModules } from '../../src/lib/compiled-modules.ts';
import { EngineDied } from '../../src/geo/engine.ts';
import { isolations } from '../../src/geo/parent/sandbox/isolation.ts';
import { GiB, MiB } from '../../src/lib/units.ts';
import { openCanary } from '../support/hostile/canary.ts';
import { registered, writeGeoPackage } from '../support/geo/geopackages.ts';
import { handmadeTiff, imageTags } from '../support/hostile/hostile-tiffs.ts';
import { findIsolations, openBehind } from '../support/hostile/layers.ts';
import { eventually, isRunning } from '../support/processes.ts';
import { hostileZip } from '../support/hostile/hostile-zip.ts';

const { works, children } = await findIsolations();

/** Tests each layer alone, without the others, against the attacks that it defends from. */

describe('file-checks', () => {
  const { signal } = new AbortController();

  test('refuse an archive that holds a link', async () => {
    await using behind = await openBehind('file-checks');
    const inputPath = join(behind.folder, 'linked.zip');
    const point = '{"type":"Point","coordinates":[71,51]}';
    await writeFile(
      inputPath,
      hostileZip([{ name: 'a.geojson', bytes: point, says: { unixMode: 0o120777 } }]),
    );
    const reading = behind.engine.assembleVector({ inputPath, scratch: await behind.scratch(), signal });
    await assert.rejects(reading, /"a\.geojson" in it is a symbolic link/);
  });

  test('refuse a view that would run a function of GDAL’s', async () => {
    await using behind = await openBehind('file-checks');
    const sql = `create view spy as select fid, ogr_version() as told from places; ${registered('spy')}`;
    const inputPath = writeGeoPackage(join(behind.folder, 'view.gpkg'), { sql });
    const reading = behind.engine.readTable({ inputPath, scratch: await behind.scratch(), signal });
    await assert.rejects(reading, /its view "spy" calls the function ogr_version/);
  });

  test('refuse a raster whose images follow each other in a loop', async () => {
    await using behind = await openBehind('file-checks');
    const inputPath = join(behind.folder, 'loop.tif');
    const image = { tags: imageTags(1, 1), blocks: [Buffer.alloc(1)] };
    await writeFile(inputPath, handmadeTiff([image, image], { nextOfLast: { image: 0 } }));
    const reading = behind.engine.convertRaster({ inputPath, scratch: await behind.scratch(), signal });
    await assert.rejects(reading, /follow each other in a loop/);
  });
});

describe('driver-list', () => {
  test('lets no format open that names other files', async () => {
    await using canary = await openCanary();
    await using behind = await openBehind('driver-list');
    const layer = `<OGRVRTLayer name="canary"><SrcDataSource>${canary.csvPath}</SrcDataSource></OGRVRTLayer>`;
    const path = join(behind.folder, 'layer.vrt');
    await writeFile(path, `<OGRVRTDataSource>${layer}</OGRVRTDataSource>`);
    // Vector drivers in a child that reads rasters: the child must not even start.
    const [vector = '', ...rasters] = await behind.attemptAll([
      { task: 'open-vector', path },
      ...[path, canary.csvPath].map((opened) => ({ task: 'open-raster', path: opened })),
    ]);
    assert.match(vector, /^failed: drivers beyond the allowed/);
    assert.equal(rasters.length, 2);
    for (const answer of rasters) assert.match(answer, /^failed: /);
  });
});

describe('fixed-environment', () => {
  test('keeps the secrets of the service', async () => {
    process.env['AWS_SECRET_ACCESS_KEY'] = 'canary';
    await using behind = await openBehind('fixed-environment');
    assert.equal(await behind.attempt({ task: 'variable', name: 'AWS_SECRET_ACCESS_KEY' }), 'unset');
    delete process.env['AWS_SECRET_ACCESS_KEY'];
  });

  test('lets GDAL call no host', async () => {
    await using canary = await openCanary();
    await using behind = await openBehind('fixed-environment');
    await behind.attempt({ task: 'open-raster', path: `/vsicurl/${canary.url}/a.tif` });
    assert.equal(canary.connections(), 0);
  });
});

describe('limits', () => {
  test('bound memory', async () => {
    await using behind = await openBehind('limits', { memoryBytes: 256 * MiB });
    assert.equal(await behind.attempt({ task: 'allocate', bytes: 64 * MiB }), String(64 * MiB));
    assert.match(await behind.attempt({ task: 'allocate', bytes: 2 * GiB }), /^failed: |^EngineDied/);
  });

  test('bound processor time', async () => {
    await using behind = await openBehind('limits');
    const limits = { cpuSeconds: 2 };
    assert.equal(await behind.attempt({ task: 'spin', cpuSeconds: 0.5 }, limits), 'spun');
    assert.equal(await behind.attempt({ task: 'spin', cpuSeconds: 9 }, limits), 'overdue by processor time');
  });

  test('bound the size of a file', async () => {
    await using behind = await openBehind('limits');
    const write = (bytes: number) => ({ task: 'write', path: 'big', bytes });
    const [small, large = ''] = await behind.attemptAll(
      [2, 8].map((each) => write(each * MiB)),
      {
        fileBytes: 4 * MiB,
      },
    );
    assert.equal(small, 'written');
    assert.match(large, /^failed: EFBIG/);
  });
});

for (const isolation of isolations.filter((each) => !works(each))) {
  describe(`isolation by ${isolation}`, () => {
    test('does not work on this machine, of which operators are told', () => {
      assert.ok(children.refusals.some((refusal) => refusal.isolation === isolation));
      assert.ok(children.advice !== undefined);
    });
  });
}

for (const isolation of isolations.filter((each) => each !== 'none' && works(each))) {
  describe(`isolation by ${isolation}`, () => {
    test('has no network, and sees no process but its own', async () => {
      await using canary = await openCanary();
      await using behind = await openBehind('isolation', { isolation });
      const [connection = '', signal = ''] = await behind.attemptAll([
        { task: 'connect', port: canary.port },
        { task: 'signal', pid: process.pid },
      ]);
      assert.match(connection, /^failed: .*(ENETUNREACH|ECONNREFUSED)/);
      assert.equal(canary.connections(), 0);
      assert.match(signal, /^failed: .*ESRCH/);
    });

    if (isolation !== 'bubblewrap') return;

    test('sees no file but the program, its input and its scratch folder, and changes only the last', async () => {
      await using canary = await openCanary();
      await using behind = await openBehind('isolation', { isolation: 'bubblewrap' });
      const [stored, input] = [join(behind.folder, 'stored.tif'), join(behind.folder, 'input.tif')];
      await writeFile(stored, 'as it was sent');
      await link(stored, input);
      const write = (path: string) => ({ task: 'write', path, bytes: 1 });
      const hidden = [canary.csvPath, '/etc/passwd', '/proc/self/environ'];
      const folders = ['/', '/dev', '/dev/shm', '/usr', import.meta.dirname, compiledModules];
      const answers = await behind.attemptAll(
        [
          [write('mine'), write(input), { task: 'list', path: canary.folder }],
          hidden.map((path) => ({ task: 'read', path })),
          folders.map((folder) => write(join(folder, 'new'))),
        ].flat(),
        {},
        [input],
      );
      const [mine, changed = '', ...others] = answers;
      assert.equal(mine, 'written');
      assert.match(changed, /^failed: .*EROFS/);
      assert.equal(await readFile(stored, 'utf8'), 'as it was sent');
      assert.equal(others.length, 1 + hidden.length + folders.length);
      for (const [index, answer] of others.entries())
        assert.match(
          answer,
          index <= hidden.length ? /^failed: .*ENOENT/ : /^failed: .*(EROFS|ENOENT|EACCES)/,
        );
    });
  });
}

describe('supervision', () => {
  test('ends a child at its deadline', async () => {
    await using behind = await openBehind('supervision', { deadlineSeconds: 2 });
    assert.equal(await behind.attempt({ task: 'rest', seconds: 8 }), 'overdue by deadline');
  });

  test('ends what a child has started', async () => {
    await using behind = await openBehind('supervision');
    const pid = Number(await behind.attempt({ task: 'spawn', seconds: 600 }));
    assert.ok(pid > 0);
    await eventually('it is gone', async () => !(await isRunning(pid)));
  });

  test('hears no answer without end', async () => {
    await using behind = await openBehind('supervision');
    const answer = await behind.attempt({ task: 'say', bytes: 64 * MiB });
    assert.match(answer, /^EngineDied: .*its answer is longer than 32 MiB/);
  });

  test('takes no result that is not the child’s own', async () => {
    await using canary = await openCanary();
    await using behind = await openBehind('supervision');
    const folder = await behind.scratch();
    assert.equal(await behind.attempt({ task: 'link', folder, to: canary.csvPath }), 'result');
    for (const named of ['result', canary.csvPath, '../', '.', 'nothing', '/dev/zero'])
      await assert.rejects(behind.children.ownResult(folder, named), EngineDied);
  });
});
