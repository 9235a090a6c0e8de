import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { cloneInto, makeClosedFolder, serviceUsers, type ServiceUser } from '../../support/tools/clones.ts';
import { startService } from '../../support/service.ts';
import { createCategory, isReady } from '../catalogue.ts';

/** Several names, because a name has at most 255 bytes. */
const longNames = Array.from({ length: 4 }, (_, index) => `Дала деректері, қабат ${index} ${'ұ'.repeat(30)}`);

describe('with clone and DATA_DIR in a closed folder under a long path with a blank and Cyrillic letters, and an empty environment, the service is ready', () => {
  for (const user of serviceUsers) test(`as ${user.name}`, async () => await assertReadyAs(user));
});

async function assertReadyAs(user: ServiceUser): Promise<void> {
  await using place = await makeClosedFolder(user, ...longNames);
  const dataDir = join(place.folder, 'data');
  assert.ok([...dataDir].length > 150 && /\s/.test(dataDir) && /\p{Script=Cyrillic}/u.test(dataDir));
  const clone = await cloneInto(place.folder);
  const [file, ...args] = [...user.prefix, join(clone, 'node_modules/.bin/node'), join(clone, 'src/main.ts')];
  await using service = await startService({ dataDir, cwd: clone, command: [file, ...args, 'serve'] });
  assert.ok(await isReady(service.baseUrl));
  await createCategory(service.baseUrl);
  assert.equal(await service.stop(), 0);
}
