import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MiB } from '../../lib/units.ts';
import { repetitions } from '../../../test/support/tier.ts';
import { findReferenceSystems, projVariables } from './reference-systems.ts';

const program = fileURLToPath(new URL('positions.for-tests.ts', import.meta.url));
/** One in this many of some 9,500 systems. */
const every = repetitions('REFERENCE_SYSTEMS_EVERY', 40, 40);

test('newer systems change nothing about those of PROJ: names, parameters and positions are equal bit for bit', async () => {
  const positions = async (env: Readonly<Record<string, string>>) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, String(every)], {
      env: { ...process.env, OSR_DEFAULT_AXIS_MAPPING_STRATEGY: 'TRADITIONAL_GIS_ORDER', ...env },
      maxBuffer: 256 * MiB,
    });
    return stdout.trimEnd().split('\n');
  };
  const systems = await findReferenceSystems();
  assert.notEqual(systems.epsg, null);
  const [before, after] = await Promise.all([
    positions({ PROJ_DATA: '/usr/share/proj', PROJ_LIB: '/usr/share/proj' }),
    positions(projVariables(systems)),
  ]);
  assert.ok(before.length > 9000 / every, `${before.length} systems`);
  for (const [index, line] of before.entries()) assert.equal(after[index], line);
});
