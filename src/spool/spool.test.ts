import assert from 'node:assert/strict';
import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { temporaryFolder } from '../../test/support/for-tests.ts';
import { Problem } from '../lib/errors.ts';
import { KiB } from '../lib/units.ts';
import { type AskedFile, createSpool, type Spool, type TakenFile } from './spool.ts';

const never = new AbortController().signal;
const piece = Buffer.alloc(64 * KiB, 'x');

/** A source of `count` pieces that waits for permission before each, and records its progress. */
function pieces(count: number) {
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  let times = 0;
  return {
    allow,
    begun,
    ended,
    times: () => times,
    async *source(signal: AbortSignal) {
      times += 1;
      begin();
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      const onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        await Promise.race([allowed, aborted]);
        for (let i = 0; i < count; i += 1) yield piece;
        end('whole');
      } finally {
        end('aborted');
      }
    },
  };
}

async function openSpool(limits: Partial<Parameters<typeof createSpool>[0]> = {}) {
  const folder = await temporaryFolder();
  const spool = createSpool({ folder, ...limits });
  const take = async (key: string, source: AskedFile['source'], asked: Partial<AskedFile> = {}) =>
    await spool.take({
      key,
      client: 'a',
      source,
      charge: () => undefined,
      isLong: async () => false,
      until: 'whole',
      signal: never,
      ...asked,
    });
  return { folder, spool, take };
}

/** A complete file. */
const ready = (count: number) => {
  const made = pieces(count);
  made.allow();
  return made;
};

async function read(file: TakenFile): Promise<number> {
  let bytes = 0;
  for await (const some of file.read()) bytes += some.length;
  return bytes;
}

/** Descriptors of this process that lead into a folder. */
async function openIn(folder: string): Promise<number> {
  const links = (await readdir('/proc/self/fd')).map(
    async (name) => await readlink(join('/proc/self/fd', name)).catch(() => ''),
  );
  return (await Promise.all(links)).filter((target) => target.startsWith(folder)).length;
}

async function assertNothingLeft(folder: string, spool: Spool): Promise<void> {
  await spool.close();
  assert.deepEqual(await readdir(folder), []);
  assert.equal(await openIn(folder), 0);
  assert.deepEqual(spool.facts(), { waiting: 0, writing: 0, files: 0, bytes: 0, readers: 0 });
}

const isProblem = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;

describe('the spool', () => {
  test('writes a file once for all who ask for it, at the same time and later, and leaves nothing', async () => {
    const { folder, spool, take } = await openSpool();
    const made = pieces(3);
    const asking = ['a', 'b', 'a'].map(async (client) => await take('k', made.source, { client }));
    made.allow();
    const files = [...(await Promise.all(asking)), await take('k', made.source)];
    assert.equal(made.times(), 1);
    for (const file of files) {
      assert.equal(file.sizeBytes, 3 * piece.length);
      assert.equal(await read(file), 3 * piece.length);
    }
    const part = await Array.fromAsync(files[0]?.read({ start: 1, end: 2 }) ?? []);
    assert.equal(Buffer.concat(part).toString(), 'xx');
    assert.deepEqual(await readdir(folder), [], 'its file has no name');
    for (const file of files) file[Symbol.dispose]();
    assert.equal(await openIn(folder), 1, 'it is kept for those who ask next');
    await assertNothingLeft(folder, spool);
  });

  test('writes it once for one who asked before it was there, and knows only later how long it takes', async () => {
    const { folder, spool, take } = await openSpool();
    const made = pieces(3);
    const [asked, known] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
    const slow = take('k', made.source, {
      isLong: async () => {
        asked.resolve();
        return await known.promise;
      },
    });
    await asked.promise;
    const quick = take('k', made.source);
    await made.begun;
    known.resolve(false);
    await turn();
    assert.deepEqual([spool.facts().writing, spool.facts().readers], [1, 2]);
    made.allow();
    for (const file of await Promise.all([slow, quick])) {
      assert.equal(await read(file), 3 * piece.length);
      file[Symbol.dispose]();
    }
    assert.equal(made.times(), 1);
    await assertNothingLeft(folder, spool);
  });

  test('goes on for those who stay, and ends with the last who waits', async () => {
    const { folder, spool, take } = await openSpool();
    const made = pieces(3);
    const [first, second] = [new AbortController(), new AbortController()];
    const left = assert.rejects(take('k', made.source, { signal: first.signal }), /first/);
    const stays = take('k', made.source, { signal: second.signal });
    await made.begun;
    first.abort(new Error('first'));
    await left;
    assert.equal(spool.facts().writing, 1);
    const gone = assert.rejects(stays, /second/);
    second.abort(new Error('second'));
    await gone;
    assert.equal(await made.ended, 'aborted');
    await assertNothingLeft(folder, spool);
  });

  test('gives up the turn of a client that goes while it waits, and never writes its file', async () => {
    const { folder, spool, take } = await openSpool();
    const held = [pieces(1), pieces(1)];
    const holding = held.map(async ({ source }, index) => await take(`held ${index}`, source));
    await Promise.all(held.map(async ({ begun }) => await begun));
    const leaving = new AbortController();
    const waiting = pieces(1);
    const left = assert.rejects(take('waiting', waiting.source, { signal: leaving.signal }), /gone/);
    await turn();
    assert.equal(spool.facts().waiting, 1);
    leaving.abort(new Error('gone'));
    await left;
    assert.deepEqual([spool.facts().waiting, waiting.times()], [0, 0]);
    for (const { allow } of held) allow();
    for (const file of await Promise.all(holding)) file[Symbol.dispose]();
    await assertNothingLeft(folder, spool);
  });

  test('a client that asks for a file which another waits for has it with its own turn', async () => {
    const { folder, spool, take } = await openSpool();
    const isLong = async () => true;
    const held = [pieces(1), pieces(1)];
    const holding = held.map(async ({ source }, index) => await take(`held ${index}`, source, { isLong }));
    await Promise.all(held.map(async ({ begun }) => await begun));
    const wanted = ready(1);
    const waiting = take('wanted', wanted.source, { isLong });
    await turn();
    assert.equal(wanted.times(), 0, 'two of three places are all that one client has');
    const other = await take('wanted', wanted.source, { isLong, client: 'b' });
    assert.equal((await waiting).sizeBytes, other.sizeBytes);
    assert.equal(wanted.times(), 1);
    other[Symbol.dispose]();
    (await waiting)[Symbol.dispose]();
    for (const { allow } of held) allow();
    for (const file of await Promise.all(holding)) file[Symbol.dispose]();
    await assertNothingLeft(folder, spool);
  });

  test('is bounded: what has no readers makes way, else the new file is refused, and too large a one always', async () => {
    const { folder, spool, take } = await openSpool({ maxBytes: 8 * piece.length });
    await assert.rejects(take('large', ready(5).source), isProblem('invalid'));
    (await take('idle', ready(4).source))[Symbol.dispose]();
    const reading = [
      await take('a', ready(4).source, { client: 'a' }),
      await take('b', ready(4).source, { client: 'b' }),
    ];
    assert.deepEqual([spool.facts().files, spool.facts().bytes], [2, 8 * piece.length]);
    await assert.rejects(take('c', ready(1).source, { client: 'c' }), isProblem('busy'));
    await assert.rejects(take('d', ready(1).source, { client: 'a' }), isProblem('too_many'));
    assert.deepEqual([spool.facts().files, spool.facts().bytes], [2, 8 * piece.length]);
    for (const file of reading) {
      assert.equal(await read(file), 4 * piece.length);
      file[Symbol.dispose]();
    }
    await assertNothingLeft(folder, spool);
  });

  test('those who take nothing lose their file to others, the stillest first', async () => {
    const { folder, spool, take } = await openSpool({ maxBytes: 8 * piece.length, stillMs: 0 });
    const still = await take('a', ready(4).source, { client: 'a' });
    const later = await take('b', ready(4).source, { client: 'b' });
    const mine = await take('c', ready(4).source, { client: 'c' });
    assert.deepEqual([still.cut.aborted, later.cut.aborted], [true, false]);
    assert.equal(spool.facts().bytes, 8 * piece.length);
    for (const file of [still, later, mine]) file[Symbol.dispose]();
    const again = await take('a', ready(4).source);
    assert.equal(await read(again), 4 * piece.length, 'and may ask for it again');
    again[Symbol.dispose]();
    await assertNothingLeft(folder, spool);
  });

  test('a file is kept for a time, and there are no more than so many', async () => {
    const { folder, spool, take } = await openSpool({ maxFiles: 2, keepMs: 1 });
    const first = ready(1);
    for (const [key, { source }] of [
      ['a', first],
      ['b', ready(1)],
      ['c', ready(1)],
    ] as const)
      (await take(key, source))[Symbol.dispose]();
    while (spool.facts().files > 0) await turn();
    (await take('a', first.source))[Symbol.dispose]();
    assert.equal(first.times(), 2);
    await assertNothingLeft(folder, spool);
  });

  test('what fails fails for all who wait, and the next one tries again', async () => {
    const { folder, spool, take } = await openSpool();
    let times = 0;
    const source = async function* () {
      times += 1;
      yield piece;
      if (times === 1) throw new Error('broken');
    };
    const asked = await Promise.allSettled([take('k', source), take('k', source)]);
    assert.deepEqual(
      asked.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    using file = await take('k', source);
    assert.equal(await read(file), piece.length);
    file[Symbol.dispose]();
    await assertNothingLeft(folder, spool);
  });

  test('a large file begins before it is whole, and those who want its length wait for all of it', async () => {
    const { folder, spool, take } = await openSpool({ beginMs: 3_600_000 });
    const { promise: more, resolve: goOn } = Promise.withResolvers<void>();
    const count = 17 * 16;
    const source = async function* () {
      for (let i = 0; i < count; i += 1) yield piece;
      await more;
      yield piece;
    };
    const begun = await take('k', source, { until: 'begun' });
    assert.equal(begun.sizeBytes, undefined);
    const reading = read(begun);
    goOn();
    const whole = await take('k', source);
    assert.equal(whole.sizeBytes, (count + 1) * piece.length);
    assert.equal(await reading, whole.sizeBytes);
    for (const file of [begun, whole]) file[Symbol.dispose]();
    await assertNothingLeft(folder, spool);
  });

  test('a file that takes long begins with its first bytes', async () => {
    const { folder, spool, take } = await openSpool({ beginMs: 0 });
    const { promise: more, resolve: goOn } = Promise.withResolvers<void>();
    const source = async function* () {
      for (let i = 0; i < 4; i += 1) yield piece;
      await more;
      yield piece;
    };
    const begun = await take('k', source, { until: 'begun' });
    assert.equal(begun.sizeBytes, undefined);
    goOn();
    assert.equal(await read(begun), 5 * piece.length);
    begun[Symbol.dispose]();
    await assertNothingLeft(folder, spool);
  });
});
