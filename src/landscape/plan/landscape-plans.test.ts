import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { leaves } from '../model/leaves.ts';
import { startTestApp } from '../../../test/support/app.ts';
import { send, sendJson } from '../../../test/support/datasets.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const app = await closeAfterTests(startTestApp({ landscape: true }));
const groups = leaves.map(({ group }) => group);

interface Body {
  readonly id: string;
  readonly error: string | null;
  readonly missing: readonly string[];
  readonly nodes: readonly { readonly error?: string | null }[];
  /** Runs of a page. */
  readonly data?: readonly Body[];
}

/** Sends a request in a language; returns the body of the answer, which must declare that language. */
async function ask(language: string, method: string, path: string): Promise<Body> {
  const { status, body, headers, text } = await send<Body>(app, path, {
    method,
    headers: { 'accept-language': language },
  });
  assert.equal(status, 200, text);
  assert.equal(headers.get('content-language'), language);
  assert.match(headers.get('vary') ?? '', /\baccept-language\b/i);
  return body;
}

describe('the error of a run that could not begin', () => {
  test('is said in the language that the client prefers, by the plan, the dry run and a run', async () => {
    const { body: run } = await sendJson<Body>(app, 'POST', '/landscape/runs', {});
    const sentences = {
      en: `no ready raster for input groups: ${groups.join(', ')}`,
      ru: /^нет готового растра для входных данных: /,
      kk: /^мына кіріс деректер үшін дайын растр жоқ: /,
    };
    for (const [language, sentence] of Object.entries(sentences)) {
      const plan = await ask(language, 'POST', '/landscape/plans');
      if (typeof sentence === 'string') assert.equal(plan.error, sentence);
      else assert.match(plan.error ?? '', sentence);
      assert.deepEqual([plan.missing, plan.nodes], [groups, []]);
      assert.deepEqual(await ask(language, 'GET', `/landscape/runs/${run.id}/plan`), plan);
      const dry = await ask(language, 'POST', '/landscape/runs?dry_run=true');
      assert.deepEqual([dry.error, dry.nodes[0]?.error], [null, plan.error]);
    }
    assert.equal((await send(app, `/landscape/runs/${run.id}`, { method: 'DELETE' })).status, 204);
    const cancelled = { en: 'cancelled', ru: 'расчёт отменён', kk: 'есептеуден бас тартылды' };
    for (const [language, sentence] of Object.entries(cancelled)) {
      for (const path of [`/landscape/runs/${run.id}`, `/landscape/runs/${run.id}/plan`])
        assert.equal((await ask(language, 'GET', path)).error, sentence);
      const { data } = await ask(language, 'GET', '/landscape/runs');
      assert.equal(data?.[0]?.error, sentence);
    }
  });

  test('of an earlier release stays in English', async () => {
    await app.services.db.updateTable('landscape_runs').set({ failure: null }).execute();
    const { body } = await send<Body>(app, '/landscape/runs', {
      headers: { 'accept-language': 'ru' },
    });
    assert.equal(body.data?.[0]?.error, 'cancelled');
  });

  test('is absent from a run that waits, which is the same in each language', async () => {
    const { headers } = await sendJson(app, 'POST', '/landscape/runs', {});
    assert.doesNotMatch(headers.get('vary') ?? '', /accept-language/i);
  });
});
