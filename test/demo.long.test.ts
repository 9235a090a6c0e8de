import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTool, startService } from './support/service.ts';

async function demo(baseUrl: string, dataDir: string) {
  return await runTool(['demo'], { dataDir, env: { BASE_URL: baseUrl } });
}

test('the demo shows a raster, a Cyrillic shapefile, a table by KATO and a zoning, as often as it is run', async () => {
  await using service = await startService();
  for (const [total, slots, rasters] of [
    [3, /13 slots filled, 0 were filled before/, /19 rasters computed, 0 reused/],
    [6, /0 slots filled, 13 were filled before/, /what an earlier run made is used again \(19\)/],
  ] as const) {
    const { code, output } = await demo(service.baseUrl, service.dataDir);
    assert.equal(code, 0, output);
    assert.match(output, /bbox {2}67, 51, 70, 53/);
    assert.match(output, /dissolved from 20 districts:\n {2}Кокшетау, Косшы, Степногорск, /);
    assert.match(output, /158 observations, 153 of them with a district on the map/);
    assert.match(output, /101000000 {2}2026-01-01\.\.2026-12-31 {2}0\.02 {2}Семей\n/);
    assert.match(output, slots);
    assert.match(output, rasters);
    const urls = output.match(/http:\/\/\S+/g) ?? [];
    assert.equal(urls.length, 10);
    for (const url of urls) {
      const { status, body } = await fetch(url, { redirect: 'follow' });
      await body?.cancel();
      assert.equal(status, 200, url);
    }
    const page = await fetch(`${service.baseUrl}/datasets?category_code=demo`);
    assert.equal(JSON.parse(await page.text()).total, total);
  }
});

test('without a service the demo says how to start one', async () => {
  const { code, output } = await demo('http://127.0.0.1:1', '/nowhere');
  assert.equal(code, 1);
  assert.match(output, /^demo: no service is ready at http:\/\/127\.0\.0\.1:1\. Start one .* npm start/);
});
