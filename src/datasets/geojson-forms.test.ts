import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openTestDatabase } from '../../test/support/database.ts';
import { until } from '../../test/support/jobs.ts';
import { openTestObjects } from '../../test/support/store.ts';
import type { ObjectDraft } from '../object-store/ledger.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { storeForms } from './geojson-forms.ts';

const { store, entries, stored, put } = await openTestObjects(await openTestDatabase());

const content = Buffer.from('{"дала":"степь"} '.repeat(50_000));
const pieces = () => Readable.from([content.subarray(0, 5), content.subarray(5)]);

/** Stores drafts as an attempt does; disposal removes them. */
function openWriter(write: (key: string, body: Readable) => Promise<ObjectDraft> = put) {
  const drafts = new AsyncDisposableStack();
  const id = randomUUID();
  return {
    async store(folder: string, extension: string, body: Readable): Promise<string> {
      return drafts.use(await write(`${folder}/${id}/1${extension}`, body)).key;
    },
    [Symbol.asyncDispose]: async () => await drafts.disposeAsync(),
  };
}

const forms = { kind: 'geojson', madeFrom: 3 } as const;

async function expectNothing(): Promise<void> {
  assert.deepEqual(await stored(), []);
  assert.deepEqual(await entries(), []);
}

describe('the forms of a GeoJSON', () => {
  it('are objects of their own, which decode to what was given', async () => {
    await using writer = openWriter();
    const files = await storeForms(store, pieces(), writer, forms);
    assert.deepEqual(
      files.map(({ kind, encoding, madeFrom }) => [kind, encoding, madeFrom]),
      ['identity', 'gzip', 'br'].map((encoding) => ['geojson', encoding, 3]),
    );
    const [plain = '', gzip = '', br = ''] = files.map(({ key }) => key);
    assert.match(plain, /^geojson\/[0-9a-f-]{36}\/1\.geojson$/);
    assert.deepEqual([gzip, br], [`${plain}.gz`, `${plain}.br`]);
    assert.deepEqual(await buffer(await store.read(plain)), content);
    const [zipped, brotli] = [await buffer(await store.read(gzip)), await buffer(await store.read(br))];
    assert.deepEqual([gunzipSync(zipped), brotliDecompressSync(brotli)], [content, content]);
    assert.ok(zipped.length < content.length / 10 && brotli.length < content.length / 10);
  });

  it('are made when the body has been read to its end, which lets go of what it holds', async () => {
    await using writer = openWriter(async (key, body) => {
      if (!key.endsWith('.geojson')) assert.ok(given.destroyed);
      return await put(key, body);
    });
    const given = pieces();
    await storeForms(store, given, writer, forms);
  });

  it('are none when the body breaks', async () => {
    async function* breaking(): AsyncGenerator<Buffer> {
      yield content;
      throw new Error('the database went away');
    }
    {
      await using writer = openWriter();
      const storing = storeForms(store, Readable.from(breaking()), writer, forms);
      await assert.rejects(storing, /the database went away/);
    }
    await expectNothing();
  });

  for (const [extension, reads] of [
    ['.geojson', 0],
    ['.geojson.gz', 1],
    ['.geojson.br', 2],
  ] as const) {
    it(`leave nothing behind or open when ${extension} cannot be written`, async () => {
      const opened: Readable[] = [];
      const watched: ObjectStore = {
        ...store,
        async read(key) {
          const stream = await store.read(key);
          opened.push(stream);
          return stream;
        },
      };
      {
        await using writer = openWriter(async (key, body) => {
          const form = key.endsWith(extension) ? body.map(breakOff) : body;
          return await put(key, form);
        });
        await assert.rejects(storeForms(watched, pieces(), writer, forms), /the store is full/);
      }
      await expectNothing();
      assert.equal(opened.length, reads);
      await until(() => opened.every(({ destroyed }) => destroyed));
    });
  }

  it('leave nothing behind when what was stored cannot be read, at once or half-way', async () => {
    async function* half(): AsyncGenerator<Buffer> {
      yield content.subarray(0, 100_000);
      throw new Error('the disk is broken');
    }
    const brokenReads: ObjectStore['read'][] = [
      async () => await Promise.reject(new Error('the disk is broken')),
      async () => Readable.from(half()),
    ];
    for (const read of brokenReads) {
      {
        await using writer = openWriter();
        await assert.rejects(storeForms({ ...store, read }, pieces(), writer, forms), /the disk is broken/);
      }
      await expectNothing();
    }
  });
});

function breakOff(): never {
  throw new Error('the store is full');
}
