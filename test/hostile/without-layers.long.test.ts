import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { findIsolations, layers, withoutLayerVariable } from '../support/hostile/layers.ts';

const program = fileURLToPath(new URL('./layer-tests-program.ts', import.meta.url));
const Outcome = z.object({ failed: z.array(z.string()), passed: z.array(z.string()) });
/** Without the variable of the test runner, with which a child would not run its tests. */
const { NODE_TEST_CONTEXT: _, ...env } = process.env;

const { children } = await findIsolations();
/** A machine without any isolation has nothing to switch off. */
const layersHere = layers.filter((layer) => layer !== 'isolation' || children.isolation !== 'none');

for (const layer of layersHere) {
  test(`without ${layer}, its own tests fail`, async () => {
    const options = { env: { ...env, [withoutLayerVariable]: layer } };
    const { stdout } = await promisify(execFile)(process.execPath, [program, layer], options);
    const { failed, passed } = Outcome.parse(JSON.parse(stdout));
    assert.ok(failed.length > 0, `passed all the same: ${passed.join(', ')}`);
  });
}
