import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { type Service, startService } from '../support/service.ts';
import { loadSuite } from './claim.ts';
import { type Client, createAcceptanceClient } from './client.ts';

const { claims } = await loadSuite();
/** `scripts/acceptance.ts --external` says in STEPPE_TEST_SERVICES, as JSON, with which external services to start it. */
const external = z
  .record(z.string(), z.string())
  .parse(JSON.parse(process.env['STEPPE_TEST_SERVICES'] ?? '{}'));

/** Over HTTP alone, against the service at BASE_URL, or one that is started for it. */
describe('acceptance', { concurrency: 8 }, () => {
  let service: Service | undefined;
  let client: Client;

  before(async () => {
    const given = process.env['BASE_URL'];
    service = given === undefined ? await startService({ env: external }) : undefined;
    client = createAcceptanceClient(given ?? service?.baseUrl ?? '');
  });
  after(async () => await service?.stop());

  for (const { rows, text, check } of claims) {
    test(`${text} [${rows.join(', ')}]`, async () => await check(client));
  }
});
