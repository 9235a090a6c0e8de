import assert from 'node:assert/strict';
import type { Client } from '../client.ts';
import { claim } from '../claim.ts';
import { process } from '../support/datasets.ts';
import { tiffFile } from '../support/files.ts';
import { firstRun } from '../support/landscape.ts';
import { sharedPoints } from '../support/shared.ts';

/** Around the capital. */
const astana = () => tiffFile({ width: 120, height: 100, corner: [70.9, 51.6], noData: 7 });
const capital = '710000000';

/** Asks until the sheet is made. */
async function madeOf(client: Client, path: string) {
  for (;;) {
    const answer = await client.ask('GET', path);
    if (answer.status === 200) return answer;
    assert.equal(answer.status, 202, answer.text);
    assert.equal(answer.headers.get('retry-after'), '1');
  }
}

const isPdf = (text: string) => text.startsWith('%PDF-') && text.trimEnd().endsWith('%%EOF');

claim(
  ['D7 sheet', 'D7 sheet waits'],
  'a raster is printed to scale, and equal content has equal bytes',
  async (client) => {
    const { id } = await process(client, 'ready', astana());
    const path = `/datasets/${id}/sheet.pdf?size=A3&orientation=portrait&lang=kk`;
    const pending = await client.ask('GET', `${path}&wait=0`);
    assert.ok([200, 202].includes(pending.status), pending.text);
    const whole = await madeOf(client, path);
    assert.equal(whole.headers.get('content-type'), 'application/pdf');
    assert.ok(isPdf(whole.text));
    assert.match(whole.text, /\/MediaBox \[0 0 842 1191\]/);
    const etag = whole.headers.get('etag') ?? '';
    assert.match(etag, /^"[^"]+"$/);
    assert.equal((await madeOf(client, path)).text, whole.text);
    await client.expect(304, 'GET', path, { headers: { 'if-none-match': etag } });
    for (const query of [
      `kato=${capital}&by=region`,
      'bbox=71,51,72,51.4',
      'center=71.4,51.1&scale=200000',
    ]) {
      const sheet = await madeOf(client, `/datasets/${id}/sheet.pdf?${query}`);
      assert.ok(isPdf(sheet.text), query);
      assert.match(sheet.text, /\/MediaBox \[0 0 842 595\]/);
    }
  },
);

claim(['D7 sheet refusals'], 'a sheet of what there is not, or of no raster, is refused', async (client) => {
  const { id } = await process(client, 'ready', astana());
  const path = `/datasets/${id}/sheet.pdf`;
  await client.expect(404, 'GET', `${path}?kato=999999999`);
  await client.expect(404, 'GET', `${path}?kato=${capital}&by=district`);
  await client.expect(404, 'GET', `${path}?run_id=00000000-0000-4000-8000-000000000000`);
  await client.expect(422, 'GET', `${path}?center=67,89&scale=50000000`);
  await client.expect(422, 'GET', `/datasets/${(await sharedPoints(client)).id}/sheet.pdf`);
  await client.expect(400, 'GET', `${path}?scale=10`);
});

claim(['D7 atlas'], 'a zoning is printed, a sheet for each unit, by a job', async (client) => {
  const { id } = await firstRun(client);
  const path = `/landscape/runs/${id}/atlas.pdf?by=region`;
  const atlas = await madeOf(client, path);
  assert.ok(isPdf(atlas.text));
  const pages = [...atlas.text.matchAll(/\/Type \/Page\n/g)].length;
  assert.ok(pages >= 2, String(pages));
  const part = await client.expect(206, 'GET', path, { headers: { range: 'bytes=0-4' } });
  assert.equal(part.text, '%PDF-');
  await client.expect(404, 'GET', `${path}&kato=999999999`);
});
