import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GiB, MiB } from '../../../lib/units.ts';
import {
  deadlineForPixels,
  deadlineForUpload,
  defaultMemoryBytes,
  limitArguments,
  limitsForUpload,
  parseCeilings,
} from './limits.ts';

const unlimited = parseCeilings('');

test('what is not limited is not named', () => {
  assert.deepEqual(limitArguments({}, unlimited), ['--core=0', '--nofile=256']);
});

test('no limit goes beyond one that is set on the service itself, which only root could raise', () => {
  const ceilings = parseCeilings(
    [
      'Limit                     Soft Limit           Hard Limit           Units     ',
      'Max cpu time              unlimited            30                   seconds   ',
      'Max file size             1024                 4096                 bytes     ',
      'Max data size             unlimited            unlimited            bytes     ',
      'Max open files            64                   128                  files     ',
    ].join('\n'),
  );
  assert.deepEqual(limitArguments({ memoryBytes: MiB, cpuSeconds: 60, fileBytes: 5000 }, ceilings), [
    '--core=0',
    '--nofile=128',
    `--data=${641 * MiB}`,
    '--cpu=30',
    '--fsize=4096',
  ]);
  assert.ok(limitArguments({ cpuSeconds: 28 }, ceilings).includes('--cpu=28:30'));
});

test('a larger upload may take longer and write more', () => {
  const [small, large] = [limitsForUpload(0, 'vector'), limitsForUpload(10 * MiB, 'vector')];
  assert.deepEqual(small, { cpuSeconds: 120, fileBytes: GiB });
  assert.deepEqual(large, { cpuSeconds: 720, fileBytes: GiB + 2000 * MiB });
  assert.equal(limitsForUpload(10 * MiB, 'raster').cpuSeconds, 1200);
});

test('the time for assembling a raster grows with its pixels, beyond that of an upload', () => {
  assert.equal(deadlineForPixels(3600, 0), 3600);
  assert.equal(deadlineForPixels(3600, 1e10), 3600 + 20_000);
});

test('a child gets between one and four GiB by default', () => {
  assert.ok(defaultMemoryBytes() >= GiB && defaultMemoryBytes() <= 4 * GiB);
});

test('time grows with the bytes of a file and the values of a raster', () => {
  assert.equal(deadlineForUpload(3600, 100), 3601);
  assert.equal(deadlineForUpload(3600, 20 * GiB), 3600 + 20 * 1024);
  assert.equal(deadlineForUpload(60, MiB, 27e9), 60 + 1 + 27_000);
  const [plain, large] = [limitsForUpload(MiB, 'raster'), limitsForUpload(MiB, 'raster', 27e9)];
  assert.equal((large.cpuSeconds ?? 0) - (plain.cpuSeconds ?? 0), 54_000);
  assert.equal(large.fileBytes, plain.fileBytes);
});
