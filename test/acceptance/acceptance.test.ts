import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { type Service, startService } from '../support/service.ts';
import { loadSuite } from './claim.ts';
import { type Client, createAcceptanceClient } from './client.ts';

const { rows, claims, elsewhere } = await loadSuite();
/** `scripts/acceptance.ts`, which CI runs beside the long tier, and `npm run test:all` ask for the whole contract. */
const isWhole = process.env['STEPPE_TEST_TIER'] === 'long';
/** Rows of claims that have run to their end. */
const proved = new Set<string>();
/** `scripts/acceptance.ts --external` says in STEPPE_TEST_SERVICES, as JSON, with which external services to start it. */
const external = z
  .record(z.string(), z.string())
  .parse(JSON.parse(process.env['STEPPE_TEST_SERVICES'] ?? '{}'));

/** Over HTTP alone, against the service at BASE_URL, or one that is started for it. Most claims wait for a worker. */
describe('acceptance', { concurrency: 16 }, () => {
  let service: Service | undefined;
  let client: Client;

  before(async () => {
    const given = process.env['BASE_URL'];
    service = given === undefined ? await startService({ env: external }) : undefined;
    client = createAcceptanceClient(given ?? service?.baseUrl ?? '');
  });
  after(async () => await service?.stop());

  for (const each of claims.filter(({ isLong }) => isWhole || !isLong)) {
    test(`${each.text} [${each.rows.join(', ')}]`, async () => {
      await each.check(client);
      for (const row of each.rows) proved.add(row);
    });
  }
});

test('each row of docs/interface.md was proved by a claim that ran, or is by a test elsewhere', () => {
  const others = isWhole ? [] : claims.filter(({ isLong }) => isLong);
  for (const row of [...elsewhere, ...others].flatMap((each) => each.rows)) proved.add(row);
  assert.deepEqual(
    [...rows.keys()].filter((row) => !proved.has(row)),
    [],
  );
});
