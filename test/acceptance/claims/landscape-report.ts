import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { firstRun, outputOf } from '../support/landscape.ts';

/** Asks until what jobs make is there. */
async function made(client: Client, path: string) {
  for (;;) {
    const answer = await client.ask('GET', path);
    if (answer.status === 200) return answer;
    assert.equal(answer.status, 202, answer.text);
    assert.equal(answer.headers.get('retry-after'), '1');
  }
}

interface Areas {
  readonly raster: { readonly classes: Readonly<Record<string, number>> };
}

claim(
  ['D6 report'],
  'a run has a report in three languages with the figures of the service',
  async (client) => {
    const run = await firstRun(client);
    const path = `/landscape/runs/${run.id}/report.html`;
    const zoning = outputOf(run, '34');
    const { raster } = (await made(client, `/datasets/${zoning}/areas`)).read<Areas>();
    const { steps } = await client.get<{ steps: readonly { sha256: string | null }[] }>(
      `/datasets/${zoning}/lineage`,
    );
    for (const language of ['en', 'ru', 'kk']) {
      const { headers, text } = await made(client, `${path}?lang=${language}`);
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(headers.get('content-language'), language);
      assert.match(text, new RegExp(`^<!doctype html>\\s*<html lang="${language}">`));
      const plain = text.replaceAll(/data:image\/png;base64,[\w+/=]+/g, '');
      assert.doesNotMatch(plain, /<script|<link|<iframe|(?:src|srcset)="(?!data:|")|@import|url\(/i);
      const digits = new Set(plain.replaceAll(/(\d)[,\u00a0](?=\d{3}(?!\d))/g, '$1').match(/\d+/g));
      for (const hectares of Object.values(raster.classes))
        assert.ok(digits.has(String(Math.floor(hectares))) || digits.has(String(Math.round(hectares))));
      for (const { sha256 } of steps) assert.ok(sha256 !== null && plain.includes(sha256));
      const balance = await made(client, `/landscape/runs/${run.id}/balance?by=region&lang=${language}`);
      const { chosen_by_order: chosen } = balance.read<{ chosen_by_order: { sentence: string } }>();
      assert.ok(plain.includes(chosen.sentence));
      const etag = headers.get('etag') ?? '';
      assert.match(etag, /^"/);
      const again = await client.ask('GET', `${path}?lang=${language}`, {
        headers: { 'if-none-match': etag },
      });
      assert.equal(again.status, 304);
    }
    await client.expect(404, 'GET', '/landscape/runs/00000000-0000-4000-8000-000000000000/report.html');
  },
);
