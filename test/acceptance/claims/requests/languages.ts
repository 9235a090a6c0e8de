import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { checkedElsewhere, claim } from '../../claim.ts';
import type { Answer, Client } from '../../client.ts';
import { fillSlot, goldenFile, goldenPins, runToEnd } from '../../support/landscape.ts';

const english = /^[\p{Script=Latin}\P{L}]+$/u;
const cyrillic = /\p{Script=Cyrillic}/u;
/** Letters of the Kazakh alphabet that the Russian one lacks. */
const kazakh = /[әғқңөұүһі]/iu;

const asked = async (client: Client, status: number, path: string, language: string | undefined) =>
  await client.expect(status, 'GET', path, {
    headers: language === undefined ? {} : { 'accept-language': language },
  });

function assertLanguage({ headers }: Answer, language: string): void {
  assert.equal(headers.get('content-language'), language);
  assert.match(headers.get('vary') ?? '', /\baccept-language\b/i);
}

/** Reads a path in each language, and checks the language of the message. */
async function checkSentence(
  client: Client,
  { status, path }: { readonly status: number; readonly path: string },
  sentenceOf: (answer: Answer) => string,
): Promise<void> {
  for (const language of [undefined, 'en', '*', 'de-AT, fr;q=0.5']) {
    const answer = await asked(client, status, path, language);
    assert.match(sentenceOf(answer), english, language);
    assertLanguage(answer, 'en');
  }
  for (const [wanted, language, letters] of [
    ['ru', 'ru', cyrillic],
    ['de, ru-RU;q=0.8, en;q=0.3', 'ru', cyrillic],
    ['kk', 'kk', kazakh],
    ['kk-KZ, ru;q=0.9', 'kk', kazakh],
  ] as const) {
    const answer = await asked(client, status, path, wanted);
    assert.match(sentenceOf(answer), letters, wanted);
    assertLanguage(answer, language);
  }
}

claim(
  ['D7 language', 'D7 language headers'],
  'an error, and what is wrong with a field, are said in the language that the client prefers',
  async (client) => {
    await checkSentence(client, { status: 404, path: `/datasets/${randomUUID()}` }, (answer) => {
      return answer.read<{ error: string }>().error;
    });
    await checkSentence(client, { status: 400, path: '/datasets?page=0' }, (answer) => {
      return answer.read<{ error: string }>().error.replace('page: ', '');
    });
  },
);

claim(
  ['D7 run errors', 'D7 language headers', 'D6 run error', 'L8.3 failure', 'L8.4 overlap'],
  'the error of a failed run and of its node are said in the language that the client prefers, with their code and facts',
  async (client) => {
    const pin = await fillSlot(client, 'ndvi', await goldenFile('ndvi-elsewhere'));
    const overrides = { ...(await goldenPins(client)), 'landscape-in-ndvi': pin };
    const { id, status } = await runToEnd(client, { overrides });
    assert.equal(status, 'failed');
    const of = (answer: Answer) => {
      const run = answer.read<FailedRun>();
      return { run, node: run.nodes.find((node) => node.error !== null) };
    };
    const path = `/landscape/runs/${id}`;
    await checkSentence(client, { status: 200, path }, (answer) => of(answer).node?.error ?? '');
    await checkSentence(client, { status: 200, path }, (answer) => of(answer).run.error ?? '');
    const inRussian = of(await asked(client, 200, path, 'ru'));
    assert.equal(inRussian.run.error, `04: ${inRussian.node?.error}`);
    const failure = { code: 'run_fault.noOverlap', facts: ['landscape-in-ndvi'] };
    assert.deepEqual(inRussian.node?.failure, failure);
    assert.deepEqual(inRussian.run.failure, { code: 'run_fault.atNode', facts: ['04', failure] });
    await checkSentence(client, { status: 200, path: '/landscape/runs?page_size=100' }, (answer) => {
      return answer.read<{ data: FailedRun[] }>().data.find((run) => run.id === id)?.error ?? '';
    });
  },
);

interface Failed {
  readonly error: string | null;
  readonly failure?: object;
}
type FailedRun = Failed & { readonly id: string; readonly nodes: readonly Failed[] };

checkedElsewhere('src/landscape/plan/landscape-plans.test.ts', {
  'is said in the language that the client prefers, by the plan, the dry run and a run': ['D7 run errors'],
});
checkedElsewhere('src/messages/languages/translate.test.ts', {
  'is there in ${language}, and none that English does not have': ['D9 languages'],
  'without facts is in the letters of ${language}': ['D9 languages'],
});
checkedElsewhere('test/http/languages.test.ts', {
  'the warnings of a report are in the language that the client prefers': ['D7 language', 'D9 languages'],
  'of ${name} is stored as code and facts, and told in three languages': ['D7 language'],
});
