import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterTests, temporaryFolder } from '../../support/for-tests.ts';
import { openDataDir, runSteppe, startService } from '../../support/service.ts';
import { ask, assertAllEnd, assertAllShown, type Shown, succeed, upload, uploadShown } from './backups.ts';

const dataDir = await openDataDir();
afterTests(async () => await rm(dataDir, { recursive: true }));
const first = join(await temporaryFolder(), 'first');

describe('a backup of a service that works', () => {
  it('has all that was ready, and is restored into another embedded service', async () => {
    let shown: Shown;
    {
      await using service = await startService({ dataDir });
      const { baseUrl } = service;
      shown = await uploadShown(baseUrl);
      const backedUp = new AbortController();
      const load = (async () => {
        for (let n = 0; !backedUp.signal.aborted; n += 1) {
          const id = await upload(baseUrl, `load ${n}`);
          await upload(baseUrl, `stays ${n}`);
          await ask(`${baseUrl}/datasets/${id}`, { method: 'DELETE' });
          await sleep(50);
        }
      })();
      const said = await succeed(['backup', first], { dataDir }).finally(() => backedUp.abort());
      await load;
      assert.match(said, /Backed up 49 tables and \d+ objects/);
    }
    const other = await temporaryFolder();
    assert.match(await succeed(['restore', first], { dataDir: other }), /no damage/);
    await using restored = await startService({ dataDir: other });
    await assertAllShown(restored.baseUrl, shown);
    await assertAllEnd(restored.baseUrl, shown);
    const again = await runSteppe(['restore', first], { dataDir: other });
    assert.equal(again.code, 1);
    assert.match(again.output, /database is not empty/);
  });
});
