import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { examineFolder } from './folder.ts';

test('a folder with too little space is a fault, and one with enough is none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-folder-'));
  try {
    for (const place of [folder, join(folder, 'new')]) {
      const enough = await examineFolder('Data', place, 1);
      assert.equal(enough.isFault, false);
      assert.match(enough.lines.join('\n'), /, [\d.]+ [KMGTP]iB free$/);
      const scarce = await examineFolder('Data', place, 2 ** 60);
      assert.equal(scarce.isFault, true);
      assert.match(scarce.lines.join('\n'), /, [\d.]+ [KMGTP]iB free; Steppe needs 1024 PiB or more$/);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
