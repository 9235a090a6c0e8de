import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { UnprocessableFile } from '../../src/geo/engine.ts';
import { openVectorEngineHere } from '../support/geo/engine-here.ts';
import { fixture } from '../support/geo/engine.ts';
import { closeAfterTests } from '../support/for-tests.ts';

/** Offsets in the header of an SQLite file: page size, and journal versions. */
const pageSizeAt = 16;
const journalVersionsAt = 18;
const freelistAt = 32;

const engine = await closeAfterTests(openVectorEngineHere());
const original = await readFile(fixture('vector/multi_layer.gpkg'));

describe('The pages of a hostile GeoPackage', () => {
  async function outcomeOf(bytes: Uint8Array): Promise<unknown> {
    const path = join(engine.folder, 'input.gpkg');
    await writeFile(path, bytes);
    return await engine
      .run((geo, task) => geo.readTable(task), path)
      .then(
        async ({ rowsPath }) => (await readFile(rowsPath, 'utf8')).trimEnd().split('\n'),
        (error: unknown) => error,
      );
  }
  async function refusal(bytes: Uint8Array): Promise<string> {
    const outcome = await outcomeOf(bytes);
    assert.ok(outcome instanceof UnprocessableFile, String(outcome));
    return outcome.message;
  }
  function changed(change: (bytes: Buffer) => void): Buffer {
    const bytes = Buffer.from(original);
    change(bytes);
    return bytes;
  }

  test('that end anywhere before the end are refused', async () => {
    for (let twentieth = 0; twentieth < 20; twentieth += 1) {
      const length = Math.floor((original.length * twentieth) / 20);
      assert.match(
        await refusal(original.subarray(0, length)),
        /cut short|is (?:no|not a) GeoPackage|no JSON/,
      );
    }
  });

  test('of an impossible or a wrong size are refused', async () => {
    const sized = (size: number) => changed((bytes) => bytes.writeUInt16BE(size, pageSizeAt));
    for (const size of [3, 0, 512, 1]) assert.match(await refusal(sized(size)), /The GeoPackage is damaged/);
  });

  test('that are encrypted behind a plain header are refused', async () => {
    const hidden = changed((bytes) => randomBytes(bytes.length - 100).copy(bytes, 100));
    // No table page begins with this byte.
    hidden.writeUInt8(0xee, 100);
    assert.match(await refusal(hidden), /The GeoPackage is damaged/);
  });

  test('that are noise are refused', async () => {
    const noise = changed((bytes) => randomBytes(bytes.length - 8192).copy(bytes, 8192));
    assert.match(await refusal(noise), /The GeoPackage is damaged|The GeoPackage cannot be/);
  });

  test('with a log that is not there, or a list of free pages that loops, are read', async () => {
    const rows = ['["Building A",5]', '["Building B",12]'];
    assert.deepEqual(await outcomeOf(changed((bytes) => bytes.set([2, 2], journalVersionsAt))), rows);
    const loop = changed((bytes) => {
      bytes.writeUInt32BE(2, freelistAt);
      bytes.writeUInt32BE(1000, freelistAt + 4);
    });
    assert.deepEqual(await outcomeOf(loop), rows);
  });
});
