import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startService } from './support/service.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The README's curl lines as printed, but for the port. */
async function firstMinute(baseUrl: string): Promise<string> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const block = /## The first minute[\s\S]*?```sh\n(?<lines>[\s\S]*?)```/.exec(readme)?.groups?.['lines'];
  assert.ok(block !== undefined && block.includes('BASE=http://127.0.0.1:8080\n'));
  return block.replace('http://127.0.0.1:8080', baseUrl);
}

test('the lines of the README’s first minute do what it says', async () => {
  await using service = await startService();
  const folder = await mkdtemp(join(tmpdir(), 'steppe-first-minute-'));
  try {
    await cp(join(root, 'examples'), join(folder, 'examples'), { recursive: true });
    const { stdout } = await promisify(execFile)('sh', ['-euc', await firstMinute(service.baseUrl)], {
      cwd: folder,
    });
    assert.equal(stdout.match(/"status":"ready"/g)?.length, 4, 'three ends and the raster itself');
    assert.match(stdout, /"bbox":\[67,51,70,53\]/);
    assert.match(stdout, /\{"type":"FeatureCollection","features":\[/);
    assert.match(stdout, /"status":"extracting"/);
    assert.match(stdout, /"kato_code":"110000000","start_date":"2023-12-31","end_date":null,"value":\d+/);

    const cog = await readFile(join(folder, 'zhabay.cog.tif'));
    assert.deepEqual([...cog.subarray(0, 4)], [0x49, 0x49, 0x2a, 0]);
    const map: { features: { properties: { kato: string } }[] } = JSON.parse(
      await readFile(join(folder, 'population.geojson'), 'utf8'),
    );
    assert.equal(map.features.length, 20);
  } finally {
    await rm(folder, { recursive: true });
  }
});
