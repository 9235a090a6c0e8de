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

/** The README's curl lines as printed, but for the port: those of the first minute, then those of the Landscape Program. */
async function readmeLines(baseUrl: string): Promise<string> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const blockOf = (title: string): string => {
    const [, lines] = new RegExp(`## ${title}\n[\\s\\S]*?\`\`\`sh\n([\\s\\S]*?)\`\`\``).exec(readme) ?? [];
    assert.ok(lines !== undefined, title);
    return lines;
  };
  const firstMinute = blockOf('The first minute');
  assert.ok(firstMinute.includes('BASE=http://127.0.0.1:8080\n'));
  const lines = `${firstMinute}\necho; echo then\n${blockOf('The Landscape Program')}`;
  return lines.replace('http://127.0.0.1:8080', baseUrl);
}

test('the lines of the README do what it says', async () => {
  await using service = await startService();
  const folder = await mkdtemp(join(tmpdir(), 'steppe-first-minute-'));
  try {
    await cp(join(root, 'examples'), join(folder, 'examples'), { recursive: true });
    const lines = await readmeLines(service.baseUrl);
    const answers = (await promisify(execFile)('sh', ['-euc', lines], { cwd: folder })).stdout;
    const [stdout = '', landscape = ''] = answers.split('\nthen\n');
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

    assert.match(landscape, /"status":"succeeded"/);
    assert.equal(landscape.match(/"node_code":"\d\d","stage":\d,"status":"succeeded"/g)?.length, 19);
    assert.equal(landscape.match(/"cog_url":"\/datasets\/[-0-9a-f]{36}\.cog"/g)?.length, 19);
  } finally {
    await rm(folder, { recursive: true });
  }
});
