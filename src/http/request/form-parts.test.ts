import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Problem } from '../../lib/errors.ts';
import { KiB } from '../../lib/units.ts';
import { decodeExtended, decodeStrictly, headerParameters, readParts } from './form-parts.ts';

async function* inChunksOf(size: number, text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Returns the headers and content of every part. */
async function split(chunks: AsyncIterable<Buffer>): Promise<unknown[]> {
  const parts: unknown[] = [];
  for await (const { headers, body } of readParts(chunks, 'edge')) {
    const content = Buffer.concat(await Array.fromAsync(body)).toString('latin1');
    parts.push([Object.fromEntries(headers), content]);
  }
  return parts;
}

async function isMalformed(text: string, size = 7): Promise<boolean> {
  const outcome = await split(inChunksOf(size, text)).catch((error: unknown) => error);
  return outcome instanceof Problem && outcome.code === 'malformed';
}

const lookAlikes = '\r\n--edg\r\n--edgeless\r\n--edge-\r\n--edge\r\r\n-';
const form = [
  'what comes before\r\n--edge\r\nA: 1\r\nLong-Name:  b;\r\n\tc \r\n\r\n',
  lookAlikes,
  '\r\n--edge\r\n\r\n',
  'no headers',
  '\r\n--edge\r\nEmpty:\r\n\r\n',
  '\r\n--edge--\r\nwhat comes after',
].join('');

describe('the parts of a form', () => {
  test('may be parted by delimiters with blanks behind them', async () => {
    const padded = '--edge \t\r\n\r\none\r\n--edge two\r\n--edge  \r\n\r\nthree\r\n--edge--';
    for (let size = 1; size <= padded.length; size += 1) {
      assert.deepEqual(await split(inChunksOf(size, padded)), [
        [{}, 'one\r\n--edge two'],
        [{}, 'three'],
      ]);
    }
  });

  test('are the same however the bytes arrive', async () => {
    for (let size = 1; size <= form.length; size += 1) {
      assert.deepEqual(await split(inChunksOf(size, form)), [
        [{ a: '1', 'long-name': 'b; c' }, lookAlikes],
        [{}, 'no headers'],
        [{ empty: '' }, ''],
      ]);
    }
  });

  test('are there also when one before was left half read, or not read at all', async () => {
    const contents: string[] = [];
    for await (const { body } of readParts(inChunksOf(3, form), 'edge')) {
      if (contents.length === 1) contents.push('not read');
      else for await (const bytes of body) if (contents.push(bytes.toString()) > 0) break;
    }
    const [begun = '', second] = contents;
    assert.ok(begun !== '' && lookAlikes.startsWith(begun), begun);
    assert.equal(second, 'not read');
  });

  test('close their source when no reader wants more of them', async () => {
    let isClosed = false;
    async function* source(): AsyncGenerator<Buffer> {
      try {
        yield* inChunksOf(50, form);
      } finally {
        isClosed = true;
      }
    }
    for await (const _part of readParts(source(), 'edge')) break;
    assert.ok(isClosed);
  });

  test('may be none', async () => {
    assert.deepEqual(await split(inChunksOf(5, '--edge--')), []);
  });

  test('are malformed when anything is missing', async () => {
    for (const cut of [0, 20, 30, 40, 60, form.indexOf('--edge--') + 7]) {
      assert.ok(await isMalformed(form.slice(0, cut)), form.slice(0, cut));
    }
    assert.ok(await isMalformed('--edge\r\nno colon\r\n\r\n\r\n--edge--'));
    assert.ok(await isMalformed('--edge\r\n: no name\r\n\r\n\r\n--edge--'));
  });

  test('are malformed when their headers are too long, however the bytes arrive', async () => {
    const headed = (bytes: number) => `--edge\r\nA: ${'x'.repeat(bytes)}\r\n\r\n\r\n--edge--`;
    for (const size of [7, 100 * KiB]) {
      assert.ok(await isMalformed(headed(80 * KiB), size));
      assert.ok(!(await isMalformed(headed(60 * KiB), size)));
    }
  });
});

test('parameters are quoted or bare, their names in any case; of two the first counts', () => {
  const header = 'form-data; NAME="a;b"; filename=x y.tif ;name="second"; empty=""';
  assert.deepEqual(Object.fromEntries(headerParameters(header)), {
    name: 'a;b',
    filename: 'x y.tif',
    empty: '',
  });
});

test('a backslash escapes a quote or a backslash, and is itself before all else', () => {
  const filenameOf = (quoted: string) => headerParameters(`form-data; filename="${quoted}"`).get('filename');
  assert.equal(filenameOf(String.raw`a\"b\\c.tif`), String.raw`a"b\c.tif`);
  assert.equal(filenameOf(String.raw`C:\maps\x.tif`), String.raw`C:\maps\x.tif`);
});

test('a bare value keeps its last byte, whatever it is', () => {
  const latin1 = Buffer.from('form-data; filename=à ; x').toString('latin1');
  assert.equal(headerParameters(latin1).get('filename'), Buffer.from('à').toString('latin1'));
});

test('text is decoded whole or not at all', () => {
  assert.equal(decodeStrictly(Buffer.from('\ufeffҚ\ufffd')), '\ufeffҚ\ufffd');
  assert.equal(decodeStrictly(Buffer.from([0xed, 0xa0, 0x80])), undefined); // half a surrogate pair
  assert.equal(decodeStrictly(Buffer.from([0xca]), 'windows-1251'), 'К');
  assert.equal(decodeStrictly(Buffer.from('a'), 'no-such-encoding'), undefined);
});

test('extended values are those of RFC 8187', () => {
  assert.equal(decodeExtended("UTF-8''%D2%9A%20x.tif"), 'Қ x.tif');
  assert.equal(decodeExtended("iso-8859-1'en'%A3"), '£');
  for (const wrong of ['x.tif', "UTF-8''%FF", "''x"]) assert.equal(decodeExtended(wrong), undefined);
});
