import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { send } from '../support/datasets.ts';
import { readDescription } from '../support/described.ts';
import { afterTests, closeAfterTests } from '../support/for-tests.ts';
import { startService } from '../support/service.ts';
import { isTimeUp, repetitions } from '../support/tier.ts';
import { type Fuzzed, type Finding, sendBurst } from './burst.ts';
import { createFuzzClient } from './http-client.ts';
import { createPool, seedPool } from './pool.ts';
import { drafts } from './requests.ts';

const requestCount = repetitions('FUZZ_REQUESTS', 1000, 50_000);
const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));
const burstSize = 8;
const burstsARound = 250;
/** The smallest burst that still fails is looked for so often: what fails may depend on what was sent before. */
const maxShrinks = 200;

const service = await closeAfterTests(startService({ env: { LOG_LEVEL: 'error', WORKER_CONCURRENCY: '1' } }));
const { baseUrl } = service;
const document = await readDescription(service);
const { body: slots } = await send<readonly { readonly code: string }[]>(service, '/landscape/slots');
const codes = slots.map(({ code }) => code);
const pool = createPool();
await seedPool(baseUrl, pool);
const client = createFuzzClient(baseUrl);
afterTests(async () => client.close());
const fuzzed: Fuzzed = { baseUrl, client, document, pool };

test(`${requestCount} requests drawn from the service's own description keep to it (FUZZ_SEED=${seed})`, async (t) => {
  const bursts = fc.array(drafts(document, codes), {
    minLength: 1,
    maxLength: burstSize,
    size: 'max',
  });
  let shrinks = 0;
  const property = fc.asyncProperty(bursts, async (burst) => {
    if (shrinks > maxShrinks) return;
    const findings = await sendBurst(burst, fuzzed);
    if (findings.length > 0 || shrinks > 0) shrinks += 1;
    if (findings.length > 0) throw new Error(findings.map(describeFinding).join('\n\n'));
  });
  // In rounds, so that what fast-check remembers of one is let go.
  for (let round = 0; client.sent < requestCount && (round === 0 || !isTimeUp()); round += 1) {
    const numRuns = Math.min(burstsARound, Math.ceil((requestCount - client.sent) / burstSize));
    const { failed, errorInstance } = await fc.check(property, { seed: seed + round, numRuns });
    assert.ok(!failed, `FUZZ_SEED=${seed}\n${String(errorInstance)}`);
  }
  t.diagnostic(`${client.sent} requests`);
});

test('the service has come through it', async () => {
  assert.equal((await fetch(`${baseUrl}/healthz`)).status, 200);
  assert.equal((await fetch(`${baseUrl}/readyz`)).status, 200);
  assert.doesNotMatch(service.output(), /request failed|uncaught|unhandled/i);
});

function describeFinding({ operation, faults, reproduction, answer }: Finding): string {
  return `${operation}\n  ${faults.join('\n  ')}\n${reproduction}\n→ ${answer}`;
}
