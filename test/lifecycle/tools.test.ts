import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { assertNoDamage, openDataDir, postmasterPid, startService } from '../support/service.ts';
import { createCategory, isReady, readCategory } from './catalogue.ts';
import { afterTests } from '../support/for-tests.ts';

const dataDir = await openDataDir();
afterTests(async () => await rm(dataDir, { recursive: true }));

describe('the store check', () => {
  test('looks at a service that runs without disturbing it, and at one that does not by itself', async () => {
    await using service = await startService({ dataDir });
    const category = await createCategory(service.baseUrl);
    const postgres = await service.postgresPid();
    await assertNoDamage(dataDir);
    assert.equal(await service.postgresPid(), postgres);
    assert.ok(await isReady(service.baseUrl));
    assert.equal(await service.stop(), 0);

    await assertNoDamage(dataDir);
    assert.equal(await postmasterPid(dataDir), undefined);
    await using next = await startService({ dataDir });
    assert.deepEqual(await readCategory(next.baseUrl, category.id), category);
  });
});
