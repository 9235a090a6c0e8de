import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { settingsOn } from '../support/tools/commands.ts';
import { openTestDatabase } from '../support/database.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { eventually } from '../support/processes.ts';
import { formType, rawForm, textPart } from '../support/http/raw-http.ts';
import { startService } from '../support/service.ts';

const rounds = 2;
const requestsOfRound = 24;
const tiff = Buffer.concat([Buffer.from('II*\0'), Buffer.alloc(2_000_000, 7)]);

const database = await closeAfterTests(openTestDatabase());
const { db } = database;
const dataDir = await temporaryFolder();
const startApi = async () =>
  await startService({
    dataDir,
    env: settingsOn(database.target, dataDir),
    command: [process.execPath, 'src/main.ts', 'api'],
  });
const survivor = await startApi();

interface Keyed {
  readonly key: string;
  readonly kind: 'run' | 'upload';
}

/** Sends a request, an upload at a limited speed. Returns undefined when the service ends before it has answered. */
async function send(baseUrl: string, { key, kind }: Keyed, category: string, pauseMs = 0) {
  const form = rawForm([
    textPart('file_type', 'raster'),
    textPart('category_id', category),
    textPart('name', key),
    { headers: ['Content-Disposition: form-data; name="file"; filename="relief.tif"'], content: tiff },
  ]);
  async function* inPieces() {
    for (let at = 0; at < form.length; at += 500_000) {
      yield form.subarray(at, at + 500_000);
      await sleep(pauseMs);
    }
  }
  const headers = { 'idempotency-key': `"${key}"` };
  const asked = {
    run: ['/landscape/runs', { body: JSON.stringify({ from_stage: 3 }), headers }],
    upload: [
      '/datasets',
      { body: ReadableStream.from(inPieces()), duplex: 'half', headers: { ...headers, ...formType } },
    ],
  } as const;
  const [path, init] = asked[kind];
  try {
    const response = await fetch(baseUrl + path, { method: 'POST', ...init });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}

test('whatever an api was doing when it was killed, each key has made one thing, or makes it now', async () => {
  const made = await fetch(`${survivor.baseUrl}/categories`, {
    method: 'POST',
    body: JSON.stringify({ code: 'keys', name: 'Keys' }),
  });
  const { id: category } = Object(await made.json());
  const counts = { answered: 0, lost: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const doomed = await startApi();
    const requests = Array.from({ length: requestsOfRound }, (_, index): Keyed => ({
      key: randomUUID(),
      kind: index % 3 === 0 ? 'run' : 'upload',
    }));
    const isAnswering = Promise.withResolvers<void>();
    const sending = requests.map(async (request) => {
      await sleep(randomInt(250));
      const answer = await send(doomed.baseUrl, request, category, randomInt(60));
      if (answer !== undefined) isAnswering.resolve();
      return answer;
    });
    await Promise.race([isAnswering.promise, Promise.all(sending)]);
    await sleep(randomInt(200));
    await doomed.kill9();
    const first = await Promise.all(sending);
    const again = requests.map(async (request, index) => {
      const answer = await eventually(
        `${request.kind} of ${request.key}`,
        async () => {
          const next = await send(survivor.baseUrl, request, category);
          return next?.status === 409 ? undefined : next;
        },
        25,
      );
      assert.equal(answer.status, request.kind === 'run' ? 202 : 201, answer.text);
      const before = first[index];
      if (before?.status === answer.status) assert.equal(answer.text, before.text);
      counts[before === undefined ? 'lost' : 'answered'] += 1;
      return answer.text;
    });
    const texts = await Promise.all(again);
    assert.equal(new Set(texts).size, requestsOfRound);
  }
  const all = rounds * requestsOfRound;
  const names = await db.selectFrom('datasets').select('name').execute();
  const runs = await db.selectFrom('landscape_runs').select('id').execute();
  assert.deepEqual(
    [names.length, new Set(names.map(({ name }) => name)).size],
    [(all * 2) / 3, (all * 2) / 3],
  );
  assert.equal(runs.length, all / 3);
  const left = await db.selectFrom('idempotency_keys').select('id').where('status', 'is', null).execute();
  assert.deepEqual(left, []);
  assert.ok(counts.lost > 0 && counts.answered > 0, JSON.stringify(counts));
  assert.equal(await survivor.stop(), 0);
});
