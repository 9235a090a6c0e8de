import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { spooled } from './spool.ts';

const left = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('steppe-spool-'));

describe('a spooled text', () => {
  for (const [where, maxBytes] of [
    ['in memory', 1_000_000],
    ['in a file', 1000],
  ] as const) {
    it(`is read to its end before anybody takes it, and comes back whole ${where}`, async () => {
      let isEnded = false;
      async function* pieces(): AsyncGenerator<string> {
        for (let number = 0; number < 500; number += 1) yield `степь ${number}\n`;
        isEnded = true;
      }
      const body = await spooled(pieces(), maxBytes);
      assert.ok(isEnded);
      const expected = Array.from({ length: 500 }, (_, number) => `степь ${number}\n`).join('');
      assert.equal(await text(body), expected);
      assert.deepEqual(await left(), []);
    });
  }

  it('fails as its source does', async () => {
    async function* broken(): AsyncGenerator<string> {
      yield 'x'.repeat(2000);
      throw new Error('the cursor is gone');
    }
    await assert.rejects(spooled(broken(), 1000), /the cursor is gone/);
    assert.deepEqual(await left(), []);
  });
});
