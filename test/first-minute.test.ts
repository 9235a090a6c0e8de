import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { paste, readmeLines } from './support/paste.ts';
import { projectRoot } from './support/project.ts';
import { startService } from './support/service.ts';
import { isLongTier } from './support/tier.ts';

const firstMinute = readmeLines('The first minute');
const landscapeProgram = readmeLines('The Landscape Program');
const examples = join(projectRoot, 'examples');
const nobody = 'http://127.0.0.1:1';
const shells = ['sh', 'bash'] as const;

/** A folder as the README wants it, or an empty one. */
async function openFolder(withExamples: boolean) {
  const path = await mkdtemp(join(tmpdir(), 'steppe-first-minute-'));
  if (withExamples) await cp(examples, join(path, 'examples'), { recursive: true });
  return { path, [Symbol.asyncDispose]: async () => await rm(path, { recursive: true }) };
}

/** Asserts that the lines ended where something was wrong. */
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

test('the lines of the README do what it says, also when they are pasted again', async () => {
  await using service = await startService();
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

    if (!isLongTier) continue;
    const landscape = await paste(landscapeProgram, place);
    assert.equal(landscape.match(/"status":"ready","parse_error":null/g)?.length, 13, landscape);
    assert.match(landscape, /"status":"succeeded","params"/, shell);
    assert.equal(
      landscape.match(/"node_code":"\d\d","stage":\d,"status":"(?:succeeded|skipped)"/g)?.length,
      19,
    );
    assert.equal(landscape.match(/"cog_url":"\/datasets\/[-0-9a-f]{36}\.cog"/g)?.length, 19, shell);
  }
});

test('what the service has against a line is shown, and the lines after it are left out', async () => {
  await using service = await startService();
  await using folder = await openFolder(true);
  const place = { shell: 'sh', folder: folder.path, baseUrl: service.baseUrl } as const;
  await writeFile(join(folder.path, 'examples/zhabay-dem.tif'), 'no TIFF');
  assertStopped(await paste(firstMinute, place), /\{"errors":\{"file":".*\.tif file/);
  await writeFile(join(folder.path, 'examples/zhabay-dem.tif'), 'II*\0 and no more');
  assertStopped(
    await paste(firstMinute, place),
    /status did not come to a good end: \{"id":"[^"]+","status":"failed","parse_error":"[A-Z][^"]+\."/,
  );
  await writeFile(join(folder.path, 'examples/landscape/dem.tif'), 'no TIFF');
  assertStopped(await paste(landscapeProgram, place), /\{"errors":\{"file":".*\.tif file/);
});

test('without a service the lines say so and end', async () => {
  await using folder = await openFolder(true);
  for (const shell of shells) {
    for (const lines of [firstMinute, landscapeProgram]) {
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
    for (const lines of [firstMinute, landscapeProgram]) {
      const shown = await paste(lines, { shell, folder: folder.path, baseUrl: nobody });
      assertStopped(shown, /examples\/ask\.sh: No such file/);
      assert.deepEqual(await readdir(folder.path), []);
    }
  }
});
