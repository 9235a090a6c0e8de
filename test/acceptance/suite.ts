import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Service, startService } from '../support/service.ts';
import { loadSuite } from './claim.ts';
import { type Client, createAcceptanceClient } from './client.ts';

/**
 * Registers the claims as tests over HTTP against the service at BASE_URL, or a service that it starts; and a
 * test that each row of docs/interface.md is proved.
 * @param env settings of the service that it starts, evaluated when the first claim runs
 */
export async function registerClaims({
  title,
  isWhole,
  env = async () => ({}),
}: {
  readonly title: string;
  /** True to include the claims that `npm test` leaves out because other tests prove the same without a service. */
  readonly isWhole: boolean;
  readonly env?: () => Promise<Readonly<Record<string, string>>>;
}): Promise<void> {
  const { rows, claims, elsewhere } = await loadSuite();
  /** Rows of claims that have completed. */
  const proved = new Set<string>();

  // Most claims wait for a worker.
  describe(title, { concurrency: 16 }, () => {
    let service: Service | undefined;
    let client: Client;

    before(async () => {
      const given = process.env['BASE_URL'];
      service = given === undefined ? await startService({ env: await env() }) : undefined;
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

  test(`${title}: each row of docs/interface.md was proved by a claim that ran, or is by a test elsewhere`, () => {
    const others = isWhole ? [] : claims.filter(({ isLong }) => isLong);
    for (const row of [...elsewhere, ...others].flatMap((each) => each.rows)) proved.add(row);
    assert.deepEqual(
      [...rows.keys()].filter((row) => !proved.has(row)),
      [],
    );
  });
}
