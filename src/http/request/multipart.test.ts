import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { invalidFields, Problem } from '../../common/errors.ts';
import { KiB, MiB } from '../../common/units.ts';
import { exchange, exchangeAndEnd, request } from '../../../test/support/raw-http.ts';
import { type FormFile, readForm } from './multipart.ts';

const maxBytes = 8 * MiB;
const type = { 'content-type': 'multipart/form-data; boundary=edge', connection: 'close' };

interface Taken extends AsyncDisposable {
  readonly filename: string | undefined;
  readonly size: number;
}

let disposed = 0;
let takeFile: (file: FormFile) => Promise<Taken | undefined>;

/** Answers with what `readForm` made of the form, or with the code of the Problem that it threw. */
const server = createServer((message, response) => {
  readForm(
    { raw: message },
    { knownFields: ['a', 'b'], maxBytes, takeFile: async (file) => await takeFile(file) },
  )
    .then(
      ({ fields, file, problems }) => ({ fields, file, problems }),
      (error: unknown) => ({ failed: error instanceof Problem ? error.code : String(error) }),
    )
    .then((answer) => response.end(JSON.stringify(answer)))
    .catch(() => response.destroy());
});
let port = 0;

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
after(() => server.close());

async function readWhole(file: FormFile): Promise<Taken> {
  let size = 0;
  for await (const chunk of file.body) size += chunk.length;
  return {
    filename: file.filename,
    size,
    async [Symbol.asyncDispose]() {
      disposed += 1;
    },
  };
}

function part(headers: string, content: string): string {
  return `--edge\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${content}\r\n`;
}

const field = (name: string, value: string): string => part(`name="${name}"`, value);
const file = (name: string, filename: string, content: string): string =>
  part(`name="${name}"; filename="${filename}"\r\nContent-Type: image/tiff`, content);
const end = '--edge--\r\n';

function parse(text: string) {
  const [, body = ''] = text.split('\r\n\r\n');
  return JSON.parse(body.startsWith('{') ? body : (body.split('\r\n')[1] ?? 'null'));
}

async function submit(body: string, headers: Record<string, string> = type) {
  return parse(await exchange(port, request('POST', '/', headers, body)));
}

describe('a form', () => {
  before(() => {
    takeFile = readWhole;
  });

  test('gives fields and file, whatever their order', async () => {
    const expected = {
      fields: { a: '1', b: 'бір' },
      file: { filename: 'Карта_ҚР.tif', size: 3 },
      problems: {},
    };
    const sentFile = file('file', 'Карта_ҚР.tif', 'abc');
    assert.deepEqual(await submit(field('a', '1') + sentFile + field('b', 'бір') + end), expected);
    assert.deepEqual(await submit(sentFile + field('a', '1') + field('b', 'бір') + end), expected);
  });

  test('knows the extended file name of RFC 8187', async () => {
    const sent = part('name="file"; filename="x.tif"; filename*=UTF-8\'\'%D2%9A.tif', 'abc');
    assert.equal((await submit(sent + end)).file.filename, 'Қ.tif');
  });

  test('may repeat unknown parts, which are ignored', async () => {
    const body = field('x', '1') + field('x', '2') + file('y', 'y.bin', 'abc') + field('a', '1') + end;
    assert.deepEqual(await submit(body), { fields: { a: '1' }, problems: {} });
  });

  test('names each known part that was sent twice', async () => {
    const twice = field('a', '1') + field('a', '1') + file('file', 'x', 'a') + file('file', 'x', 'b') + end;
    assert.deepEqual(Object.keys((await submit(twice)).problems), ['a', 'file']);
  });

  test('names fields that hold U+0000 or bytes that are not UTF-8', async () => {
    const head = `--edge\r\nContent-Disposition: form-data; name="b"\r\n\r\n`;
    const body = Buffer.concat([
      Buffer.from(field('a', 'x\u0000y') + head),
      Buffer.from([0xed, 0xa0, 0x80]), // half a surrogate pair
      Buffer.from(`\r\n${end}`),
    ]);
    const headers = request('POST', '/', { ...type, 'content-length': String(body.length) });
    const answer = parse(await exchange(port, headers, body));
    assert.deepEqual(Object.keys(answer.problems), ['a', 'b']);
    assert.deepEqual(answer.fields, {});
  });

  test('takes U+FFFD that was really sent, and control characters in a file name', async () => {
    const utf8 = part('name="b"\r\nContent-Type: text/plain; charset=UTF-8', '\ufffdҚ');
    const answer = await submit(field('a', '\ufffd') + utf8 + file('file', '\ufffd\u0001.tif', 'abc') + end);
    assert.deepEqual(answer, {
      fields: { a: '\ufffd', b: '\ufffdҚ' },
      file: { filename: '\ufffd\u0001.tif', size: 3 },
      problems: {},
    });
  });

  test('names the file whose name is not UTF-8', async () => {
    const body = Buffer.from(file('file', 'Ж.tif', 'abc').replace('Ж', '\u00c6') + end, 'latin1');
    const headers = request('POST', '/', { ...type, 'content-length': String(body.length) });
    assert.deepEqual(Object.keys(parse(await exchange(port, headers, body)).problems), ['file']);
  });

  test('takes a field of 1 MiB and names one of a byte more', async () => {
    const answer = await submit(field('a', 'x'.repeat(MiB)) + field('b', 'x'.repeat(MiB + 1)) + end);
    assert.equal(answer.fields.a.length, MiB);
    assert.deepEqual(Object.keys(answer.problems), ['b']);
  });

  test('takes a file name of 4 KiB and names the file with one of a byte more', async () => {
    const longest = `${'x'.repeat(4 * KiB - 4)}.tif`;
    assert.equal((await submit(file('file', longest, 'abc') + end)).file.filename, longest);
    for (const filename of [`x${longest}`, `x.tif"; filename*="UTF-8''${'%41'.repeat(KiB + 400)}`]) {
      const answer = await submit(file('file', filename, 'abc') + end);
      assert.deepEqual(Object.keys(answer.problems), ['file']);
    }
  });

  test('takes 64 parts, and names the file for a part more', async () => {
    const parts = (count: number): string => field('x', '1').repeat(count - 1) + field('a', '1') + end;
    assert.deepEqual((await submit(parts(64))).problems, {});
    assert.deepEqual(Object.keys((await submit(parts(65))).problems), ['file']);
  });

  test('names a file that was sent as text and text that was sent as a file', async () => {
    const answer = await submit(field('file', 'abc') + file('a', 'a.txt', '1') + end);
    assert.deepEqual(Object.keys(answer.problems).toSorted(), ['a', 'file']);
  });

  test('is malformed without a boundary, with another one, or when it is something else', async () => {
    const body = field('a', '1') + end;
    for (const contentType of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'application/json',
      'multipart/mixed; boundary=edge',
    ]) {
      assert.deepEqual(await submit(body, { ...type, 'content-type': contentType }), { failed: 'malformed' });
    }
    const other = { ...type, 'content-type': 'multipart/form-data; boundary=other' };
    assert.deepEqual(await submit(body, other), { failed: 'malformed' });
    assert.deepEqual(await submit('', type), { failed: 'malformed' });
    assert.deepEqual(
      await submit(body, { ...type, 'content-type': 'multipart/form-data; boundary="edge"' }),
      {
        fields: { a: '1' },
        problems: {},
      },
    );
  });

  test('is malformed when its end or the end of a part header is missing', async () => {
    assert.deepEqual(await submit(field('a', '1')), { failed: 'malformed' });
    assert.deepEqual(await submit(file('file', 'x.tif', 'abc')), { failed: 'malformed' });
    assert.deepEqual(await submit('--edge\r\nContent-Disposition: form-da'), { failed: 'malformed' });
    assert.deepEqual(await submit('--edge\r\nbad header\r\n\r\n\r\n--edge--'), { failed: 'malformed' });
  });

  test('is too large a byte past the limit, however it is sent', async () => {
    const frame = file('file', 'x.tif', '') + end;
    const atLimit = (extra: number): string => {
      return file('file', 'x.tif', 'x'.repeat(maxBytes - frame.length + extra)) + end;
    };
    assert.equal((await submit(atLimit(0))).file.size, maxBytes - frame.length);
    assert.deepEqual(await submit(atLimit(1)), { failed: 'too_large' });
    const body = atLimit(1);
    const head = `POST / HTTP/1.1\r\nhost: test\r\ntransfer-encoding: chunked\r\n`;
    const headers = `content-type: ${type['content-type']}\r\nconnection: close\r\n\r\n`;
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    assert.deepEqual(parse(await exchange(port, head + headers + chunked)), { failed: 'too_large' });
  });
});

describe('the taker of a file', () => {
  test('that finds fault with it has its fields named, and the rest is read', async () => {
    takeFile = async () => {
      throw invalidFields({ file: 'is not a map' });
    };
    const answer = await submit(file('file', 'x.tif', 'x'.repeat(2 * MiB)) + field('a', '1') + end);
    assert.deepEqual(answer, { fields: { a: '1' }, problems: { file: 'is not a map' } });
  });

  test('that destroys its stream half-way does not hang the form', async () => {
    takeFile = async (sent) => {
      for await (const _chunk of sent.body) throw invalidFields({ file: 'is not a map' });
      throw new Error('no chunk came');
    };
    const answer = await submit(file('file', 'x.tif', 'x'.repeat(2 * MiB)) + field('a', '1') + end);
    assert.deepEqual(answer.problems, { file: 'is not a map' });
  });

  test('that wants nothing of it leaves it unread, and the rest is read', async () => {
    takeFile = async () => undefined;
    const answer = await submit(file('file', 'x.tif', 'x'.repeat(2 * MiB)) + field('a', '1') + end);
    assert.deepEqual(answer, { fields: { a: '1' }, problems: {} });
  });

  test('that fails otherwise ends the request with its own error', async () => {
    takeFile = async () => {
      throw new Error('disk full');
    };
    assert.deepEqual(await submit(file('file', 'x.tif', 'abc') + end), { failed: 'Error: disk full' });
  });

  test('sees its stream fail when the form is cut short, and the form is malformed', async () => {
    let seen: unknown;
    takeFile = async (sent) =>
      await readWhole(sent).catch((error: unknown) => {
        seen = error;
        throw error;
      });
    assert.deepEqual(await submit(file('file', 'x.tif', 'abc')), { failed: 'malformed' });
    assert.ok(seen instanceof Error);
  });

  test('sees its stream fail when the client goes away', async () => {
    const failed = Promise.withResolvers<unknown>();
    takeFile = async (sent) =>
      await readWhole(sent).catch((error: unknown) => {
        failed.resolve(error);
        throw error;
      });
    const whole = request('POST', '/', type, file('file', 'x.tif', 'x'.repeat(MiB)) + end);
    await exchangeAndEnd(port, whole.slice(0, MiB / 2));
    assert.ok((await Promise.race([failed.promise, delay(5000)])) instanceof Error);
  });

  test('has its result disposed of when the form breaks after the file', async () => {
    takeFile = readWhole;
    disposed = 0;
    const answer = await submit(`${file('file', 'x.tif', 'abc')}--edge\r\nbroken`);
    assert.deepEqual(answer, { failed: 'malformed' });
    assert.equal(disposed, 1);
  });
});
