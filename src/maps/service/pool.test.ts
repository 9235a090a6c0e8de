import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { pino } from 'pino';
import { Problem } from '../../lib/errors.ts';
import { createMemoryObjects } from '../../object-store/memory-objects.ts';
import { ObjectMissing } from '../../object-store/object-store.ts';
import { createDrawingPool, type DrawingPoolOptions } from './pool.ts';

const log = pino({ level: 'silent' });
const program = new URL('./drawing-thread-program.for-tests.ts', import.meta.url);
const pools: ReturnType<typeof createDrawingPool>[] = [];

function openPool(options: Partial<DrawingPoolOptions> = {}) {
  const pool = createDrawingPool({
    objectStore: createMemoryObjects(),
    threads: 1,
    log,
    program,
    ...options,
  });
  pools.push(pool);
  const ask = async (meshKey: string, signal?: AbortSignal) =>
    await pool.run('raster-zooms', { meshKey }, { affinity: 'a', signal });
  return { pool, ask };
}

const isProblem = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;

describe('threads that draw', () => {
  after(async () => {
    for (const pool of pools) await pool.close();
  });

  it('answer, and refuse in sentences that other languages can say', async () => {
    const { ask } = openPool();
    assert.equal(await ask('hello'), 'hello');
    const refusal = await ask('refuse').catch((error: unknown) => error);
    assert.ok(refusal instanceof Problem);
    assert.equal(refusal.status, 422);
    assert.deepEqual(refusal.sentence, { code: 'drawing.tooMuch', facts: [7] });
  });

  it('that die fail what they worked on, and others take their place', async () => {
    const { ask } = openPool();
    const waiting = ask('wait');
    await Promise.all([
      assert.rejects(ask('die'), isProblem('busy')),
      assert.rejects(waiting, isProblem('busy')),
    ]);
    assert.equal(await ask('again'), 'again');
    await assert.rejects(ask('throw'), isProblem('busy'));
    assert.equal(await ask('and again'), 'and again');
  });

  it('that hold a call for too long are replaced, even when they never pause', async () => {
    const { ask } = openPool({ deadlineMs: 300 });
    await assert.rejects(ask('spin'), isProblem('busy'));
    assert.equal(await ask('next'), 'next');
  });

  it('that wait for a processor are not cut off', async () => {
    const { ask } = openPool({ deadlineMs: 300 });
    await ask('hello');
    assert.equal(await ask('starve'), 'starve');
  });

  it('that wait for bytes in vain are replaced in the end', async () => {
    const { ask } = openPool({ deadlineMs: 50 });
    await assert.rejects(ask('wait'), isProblem('busy'));
    assert.equal(await ask('next'), 'next');
  });

  it('have as long as a call says, and what they hold beside it has as well', async () => {
    const { pool, ask } = openPool({ deadlineMs: 300 });
    await ask('hello');
    const long = pool.run('raster-zooms', { meshKey: 'work' }, { affinity: 'a', deadlineMs: 60_000 });
    const [one, other] = await Promise.all([long, ask('beside')]);
    assert.deepEqual([one, other], ['work', 'beside']);
    const spun = pool.run('raster-zooms', { meshKey: 'spin' }, { affinity: 'a', deadlineMs: 600 });
    await assert.rejects(spun, isProblem('busy'));
  });

  it('take so many calls, more wait, and further ones are refused at once', async () => {
    const { pool, ask } = openPool({ maxPerThread: 1, maxWaiting: 2 });
    const calls = [ask('wait'), ask('1'), ask('2')];
    const ends = calls.map(async (call) => await assert.rejects(call, isProblem('busy')));
    await assert.rejects(ask('3'), isProblem('busy'));
    await pool.close();
    await Promise.all(ends);
  });

  it('never begin what was taken back while it waited', async () => {
    const { ask } = openPool({ maxPerThread: 1, deadlineMs: 500 });
    const held = assert.rejects(ask('wait'), isProblem('busy'));
    const leaving = new AbortController();
    const left = ask('die', leaving.signal);
    leaving.abort(new Error('gone'));
    await assert.rejects(left, /gone/);
    await held;
    assert.equal(await ask('next'), 'next');
  });

  it('tell why an object cannot be read', async () => {
    const pool = createDrawingPool({ objectStore: createMemoryObjects(), threads: 1, log });
    pools.push(pool);
    await assert.rejects(
      pool.run('raster-zooms', { meshKey: 'no/such' }, { affinity: 'a' }),
      (error) => error instanceof ObjectMissing,
    );
  });

  it('read objects by ranges, and refuse a mesh that makes no sense', async () => {
    const objects = createMemoryObjects();
    objects.put('a', Buffer.from('no mesh at all'));
    const pool = createDrawingPool({ objectStore: objects, threads: 2, log });
    pools.push(pool);
    await assert.rejects(pool.run('raster-zooms', { meshKey: 'a' }, { affinity: 'a' }), isProblem('broken'));
  });
});
