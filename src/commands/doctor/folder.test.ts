import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/for-tests.ts';
import { examineFolder } from './folder.ts';

const folder = await temporaryFolder();

test('a folder with too little space is a fault, and one with enough is none', async () => {
  for (const place of [folder, join(folder, 'new')]) {
    const enough = await examineFolder('Data', place, 1);
    assert.equal(enough.isFault, false);
    assert.match(enough.lines.join('\n'), /, [\d.]+ [KMGTP]iB free$/);
    const scarce = await examineFolder('Data', place, 2 ** 60);
    assert.equal(scarce.isFault, true);
    assert.match(scarce.lines.join('\n'), /, [\d.]+ [KMGTP]iB free; Steppe needs 1024 PiB or more$/);
  }
});
