import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cp, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { joinSources } from '../../../scripts/setup/joined-sources.mjs';
import { runSteps } from '../../../scripts/setup/step.mjs';
import { temporaryFolder } from '../../support/for-tests.ts';
import { projectRoot } from '../../support/project.ts';

const never = () => false;

describe('The steps of set-up', () => {
  const journal = () => {
    const lines: string[] = [];
    return { lines, say: (line: string) => void lines.push(line.replace(/ in \d+ s$/, '')) };
  };
  /** A step that lasts until it is ended, or until the others are stopped. */
  const lasting = (name: string, after: readonly string[] = []) => {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    return {
      begun: begun.promise,
      end: () => end.resolve(),
      fail: (error: Error) => end.reject(error),
      /** Lets it end after it was stopped. */
      stop: () => stopped.resolve(),
      step: {
        name,
        title: name,
        after,
        done: never,
        async run({ signal }: { readonly signal: AbortSignal }) {
          begun.resolve();
          const aborted = once(signal, 'abort').then(async () => {
            await stopped.promise;
            throw new Error(`${name} was stopped`);
          });
          await Promise.race([end.promise, aborted]);
        },
      },
    };
  };

  test('are under way together, and follow those that they need', async () => {
    const { lines, say } = journal();
    const npm = lasting('npm');
    const system = lasting('system');
    const page = lasting('page', ['npm']);
    const binding = lasting('binding', ['npm', 'system']);
    const all = runSteps(
      [npm, system, page, binding].map(({ step }) => step),
      { say },
    );
    await Promise.all([npm.begun, system.begun]);
    assert.deepEqual(lines, ['npm …', 'system …']);
    npm.end();
    await page.begun;
    system.end();
    await binding.begun;
    binding.end();
    page.end();
    assert.equal((await all).length, 4);
    assert.deepEqual(lines.slice(2, 6), ['npm done', 'page …', 'system done', 'binding …']);
    assert.deepEqual(lines.slice(6).toSorted(), ['binding done', 'page done']);
  });

  test('that are done by their turn are left out', async () => {
    const { lines, say } = journal();
    let isThere = false;
    const run = async () => {
      isThere = true;
    };
    const steps = [
      { name: 'first', title: 'first', after: [], done: never, run },
      { name: 'second', title: 'second', after: ['first'], done: () => isThere, run },
    ];
    assert.equal((await runSteps(steps, { say })).length, 1);
    assert.deepEqual(lines, ['first …', 'first done']);
  });

  test('are stopped when one fails, which is what is told, and have ended by then', async () => {
    const { lines, say } = journal();
    const npm = lasting('npm');
    const system = lasting('system');
    const binding = lasting('binding', ['npm', 'system']);
    const all = runSteps(
      [npm, system, binding].map(({ step }) => step),
      { say },
    );
    let hasEnded = false;
    const failure = assert.rejects(all, /^Error: no registry$/).finally(() => {
      hasEnded = true;
    });
    await Promise.all([npm.begun, system.begun]);
    npm.fail(new Error('no registry'));
    await new Promise(setImmediate);
    assert.equal(hasEnded, false);
    system.stop();
    await failure;
    assert.deepEqual(lines, ['npm …', 'system …']);
  });

  test('are stopped from outside, for the reason that is given', async () => {
    const { say } = journal();
    const stopping = new AbortController();
    const npm = lasting('npm');
    const all = runSteps([npm.step], { stopping, say });
    await npm.begun;
    npm.stop();
    stopping.abort(new Error('SIGTERM'));
    await assert.rejects(all, /^Error: SIGTERM$/);
  });
});

test('The sources of the GDAL binding are compiled once each, in files of equal weight', async () => {
  const original = join(projectRoot, 'node_modules/gdal-async');
  const folder = await temporaryFolder();
  for (const part of ['binding.gyp', 'src'])
    await cp(join(original, part), join(folder, part), { recursive: true });
  const listed = async (of: string) => {
    const text = await readFile(join(of, 'binding.gyp'), 'utf8');
    const [, list = ''] = /"sources_node_gdal": \[([^\]]*)\]/.exec(text) ?? [];
    return [...list.matchAll(/"src\/([^"]+)"/g)].map(([, path = '']) => path);
  };
  const before = await listed(original);
  joinSources(folder, 3);
  const after = await listed(folder);
  assert.equal(after.length, 3);
  const parts = await Promise.all(
    after.map(async (path) =>
      [...(await readFile(join(folder, 'src', path), 'utf8')).matchAll(/^#include "(.+)"$/gm)].map(
        ([, included = '']) => included,
      ),
    ),
  );
  assert.deepEqual(parts.flat().toSorted(), before.toSorted());
  assert.ok(before.length > 50);
  const sizes = await Promise.all(
    parts.map(async (paths) => {
      const files = await Promise.all(
        paths.map(async (path) => (await stat(join(folder, 'src', path))).size),
      );
      return files.reduce((sum, size) => sum + size);
    }),
  );
  assert.ok(Math.max(...sizes) < 2 * Math.min(...sizes), sizes.join(' '));
});
