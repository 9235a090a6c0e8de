import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { invalidFields, Problem } from '../../lib/errors.ts';
import { MiB } from '../../lib/units.ts';
import { exchange, exchangeAndEnd, request } from '../../../test/support/http/raw-http.ts';
import { type FormFile, readForm } from './multipart.ts';
import { Message } from '../../lib/message.ts';

const maxBytes = 8 * MiB;
const type = { 'content-type': 'multipart/form-data; boundary=edge', connection: 'close' };

interface Taken extends AsyncDisposable {
  readonly filename: string | undefined;
  readonly size: number;
}

let disposed = 0;
let takeFile: (file: FormFile) => Promise<Taken | undefined>;

/** Answers with the result of `readForm`, or with the code of the Problem that it threw. */
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

  test('takes U+FFFD that was really sent, and control characters in a file name', async () => {
    const utf8 = part('name="b"\r\nContent-Type: text/plain; charset=UTF-8', '\ufffdҚ');
    const answer = await submit(field('a', '\ufffd') + utf8 + file('file', '\ufffd\u0001.tif', 'abc') + end);
    assert.deepEqual(answer, {
      fields: { a: '\ufffd', b: '\ufffdҚ' },
      file: { filename: '\ufffd\u0001.tif', size: 3 },
      problems: {},
    });
  });
});

const fault = new Message('is not a map');

describe('the taker of a file', () => {
  test('that finds fault with it has its fields named, and the rest is read', async () => {
    takeFile = async () => {
      throw invalidFields({ file: fault });
    };
    const answer = await submit(file('file', 'x.tif', 'x'.repeat(2 * MiB)) + field('a', '1') + end);
    assert.deepEqual(answer, { fields: { a: '1' }, problems: { file: { english: 'is not a map' } } });
  });

  test('that destroys its stream half-way does not hang the form', async () => {
    takeFile = async (sent) => {
      for await (const _chunk of sent.body) throw invalidFields({ file: fault });
      throw new Error('no chunk came');
    };
    const answer = await submit(file('file', 'x.tif', 'x'.repeat(2 * MiB)) + field('a', '1') + end);
    assert.deepEqual(answer.problems, { file: { english: 'is not a map' } });
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
