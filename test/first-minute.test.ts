import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from './support/client.ts';
import { closeAfterTests } from './support/for-tests.ts';
import { assertMapPage } from './support/browser/map-page.ts';
import { paste, documentLines } from './support/tools/paste.ts';
import { eventually } from './support/processes.ts';
import { projectRoot } from './support/project.ts';
import { startService } from './support/service.ts';
import { isLongTier } from './support/tier.ts';

const [firstMinute] = documentLines('docs/tutorial.md', 'sh', 'The first minute');
const [zoning] = documentLines('docs/tutorial.md', 'sh', 'A zoning');
const [, firstUpload = ''] = documentLines('README.md', 'sh', 'Start');
const examples = join(projectRoot, 'examples');
const nobody = 'http://127.0.0.1:1';
const shells = isLongTier ? (['sh', 'bash'] as const) : (['bash'] as const);
/** One service for all lines, which must work whatever it contains. */
const service = await closeAfterTests(startService());

/** Creates a folder as the README requires it, or an empty one. */
async function openFolder(withExamples: boolean) {
  const path = await mkdtemp(join(tmpdir(), 'steppe-first-minute-'));
  if (withExamples) await cp(examples, join(path, 'examples'), { recursive: true });
  return { path, [Symbol.asyncDispose]: async () => await rm(path, { recursive: true }) };
}

/** Asserts that the lines stopped at the fault. */
function assertStopped(shown: string, reason: RegExp): void {
  assert.match(shown, reason);
  assert.doesNotMatch(shown, /"status":"ready"|== A table/, 'nothing goes on after that');
}

async function assertMaps(folder: string): Promise<void> {
  const sent = await readFile(join(folder, 'examples/zhabay-dem.tif'));
  const cog = await readFile(join(folder, 'maps/zhabay.cog.tif'));
  assert.deepEqual([...cog.subarray(0, 4)], [0x49, 0x49, 0x2a, 0]);
  assert.notDeepEqual(cog, sent, 'what came in was no COG');
  const featuresOf = async (name: string): Promise<{ properties: { rows?: { ADM2_RU: string }[] } }[]> =>
    JSON.parse(await readFile(join(folder, 'maps', name), 'utf8')).features;
  const [region, ...others] = await featuresOf('akmola.geojson');
  assert.equal(others.length, 0);
  assert.equal(region?.properties.rows?.length, 20);
  assert.equal(region.properties.rows[0]?.ADM2_RU, 'Кокшетау');
  assert.equal((await featuresOf('population.geojson')).length, 20);
}

test(`the lines of the tutorial do what it says${isLongTier ? ', also when they are pasted again' : ''}`, async () => {
  await using folder = await openFolder(true);
  for (const shell of shells) {
    const place = { shell, folder: folder.path, baseUrl: service.baseUrl };
    const shown = await paste(firstMinute, place);
    assert.equal(shown.match(/"status":"ready"/g)?.length, 4, `three ends and the raster itself:\n${shown}`);
    assert.match(shown, /"bbox":\[67,51,70,53\]/, shell);
    assert.equal(shown.match(/^"ADM2_RU": *"[А-Яа-яA-Z]/gmu)?.length, 20, shell);
    assert.match(shown, /"status":"extracting"/, shell);
    assert.match(
      shown,
      /"kato_code":"110000000","start_date":"2023-12-31","end_date":null,"value":\d+/,
      shell,
    );
    await assertMaps(folder.path);
    await rm(join(folder.path, 'maps'), { recursive: true });

    // The first visit of the page computes the same zoning.
    if (!isLongTier) continue;
    const shownThen = await paste(zoning, place);
    assert.equal(shownThen.match(/"status":"ready","parse_error":null/g)?.length, 13, shownThen);
    assert.match(shownThen, /"status":"succeeded","params"/, shell);
    const nodes = shownThen.match(/"node_code":"\d\d","stage":\d,"status":"(?:succeeded|skipped)"/g);
    assert.equal(nodes?.length, 19, shell);
    const [group = ''] = /^http:\S+\/dataset-groups\/[-0-9a-f]{36}$/m.exec(shownThen) ?? [];
    await assertMapPage(join(folder.path, 'maps/zoning.html'), group);
  }
});

test('the lines of the README upload a shapefile and save its GeoJSON', async () => {
  await using folder = await openFolder(true);
  const shown = await paste(firstUpload, { shell: 'bash', folder: folder.path, baseUrl: service.baseUrl });
  assert.match(shown, /"status":"ready"/);
  assert.match(await readFile(join(folder.path, 'maps/rayony.geojson'), 'utf8'), /"Кокшетау"/);
});

test('a name is text on the page of a map, whatever is in it', async () => {
  await using folder = await openFolder(true);
  const client = createClient(service.baseUrl);
  const file = new File([await readFile(join(examples, 'zhabay-dem.tif'))], 'dem.tif');
  const id = await client.upload(await client.createCategory('names'), 'raster', file);
  await eventually('a raster', async () => (await client.status(id)).status === 'ready');
  const name = `</script><img src=x onerror="document.title='taken over'"> & \\n %s $(id) Жабай`;
  const renamed = await client.json(`/datasets/${id}`, { method: 'PATCH', body: JSON.stringify({ name }) });
  assert.equal(renamed.status, 200);
  for (const shell of shells) {
    const place = { shell, folder: folder.path, baseUrl: service.baseUrl };
    await paste(`. examples/ask.sh && draw maps/${shell}.html datasets/${id}`, place);
    const dataset = `${service.baseUrl}/datasets/${id}`;
    assert.equal(await assertMapPage(join(folder.path, `maps/${shell}.html`), dataset), name);
  }
});

test('save asks again for a file that is still being made, and leaves nothing of one that is refused', async () => {
  await using folder = await openFolder(true);
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (url === '/refused') response.writeHead(409).end('{"error":"it cannot be made"}');
    else if (asked.length < 3) response.writeHead(202).end('{"state":"pending"}');
    else response.end('the file');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = Object(server.address());
    const place = { folder: folder.path, baseUrl: `http://127.0.0.1:${port}` };
    const lines = '. examples/ask.sh; save made/a made && echo saved; save made/b refused || echo refused';
    const shown = await paste(lines, { ...place, shell: 'sh' });
    assert.match(shown, /^saved$/m);
    assert.match(shown, /it cannot be made[^]*^refused$/m);
    assert.deepEqual(asked, ['/made', '/made', '/made', '/refused']);
    assert.deepEqual(await readdir(join(folder.path, 'made')), ['a']);
    assert.equal(await readFile(join(folder.path, 'made/a'), 'utf8'), 'the file');
  } finally {
    server.close();
  }
});

test('what the service has against a line is shown, and the lines after it are left out', async () => {
  await using folder = await openFolder(true);
  const place = { shell: 'sh', folder: folder.path, baseUrl: service.baseUrl } as const;
  await writeFile(join(folder.path, 'examples/zhabay-dem.tif'), 'no TIFF');
  assertStopped(await paste(firstMinute, place), /\{"errors":\{"file":".*\.tif file/);
  await writeFile(join(folder.path, 'examples/zhabay-dem.tif'), 'II*\0 and no more');
  assertStopped(
    await paste(firstMinute, place),
    /status failed: \{"id":"[^"]+","status":"failed","parse_error":"[A-Z][^"]+\."/,
  );
  await writeFile(join(folder.path, 'examples/landscape/dem.tif'), 'no TIFF');
  assertStopped(await paste(zoning, place), /\{"errors":\{"file":".*\.tif file/);
});

test('without a service the lines say so and end', async () => {
  await using folder = await openFolder(true);
  for (const shell of shells) {
    for (const lines of [firstMinute, zoning]) {
      const shown = await paste(lines, { shell, folder: folder.path, baseUrl: nobody });
      assertStopped(shown, /curl: \(7\) Failed to connect to 127\.0\.0\.1 port 1/);
      assert.equal(
        shown.split(`Nothing from ${nobody}. The service runs after: npm start`).length,
        2,
        'once',
      );
    }
  }
});

test('in a foreign folder the lines say what is missing, end and leave nothing', async () => {
  await using folder = await openFolder(false);
  for (const shell of shells) {
    for (const lines of [firstMinute, zoning]) {
      const shown = await paste(lines, { shell, folder: folder.path, baseUrl: nobody });
      assertStopped(shown, /examples\/ask\.sh: No such file/);
      assert.deepEqual(await readdir(folder.path), []);
    }
  }
});
