import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import { makeMemoryFolder } from '../support/memory-folder.ts';
import { projectRoot } from '../support/project.ts';
import { z } from 'zod';
import { costly } from './hostile/costly.ts';
import { longTexts } from './hostile/lying.ts';
import { olderCostly } from './hostile/older.ts';

const run = promisify(execFile);
/** Far above the actual use: a successful bomb takes minutes and gigabytes. */
const most = { seconds: 60, mebibytes: 1024 };
const End = z.object({
  ends: z.string(),
  where: z.string().optional(),
  seconds: z.number(),
  mebibytes: z.number(),
});

suite('a file that wants to cost too much takes a bounded time and memory', () => {
  for (const { name, file, bytes, ends } of [...costly, ...longTexts, ...olderCostly]) {
    test(name, { timeout: 2 * most.seconds * 1000 }, async () => {
      const folder = await makeMemoryFolder('steppe-hostile-');
      try {
        const path = join(folder, file);
        await writeFile(path, bytes());
        const program = join(projectRoot, 'test/spreadsheets/read-program.ts');
        const { stdout } = await run(process.execPath, [program, path], { timeout: most.seconds * 1000 });
        const end = End.parse(JSON.parse(stdout));
        assert.ok(ends.includes(end.ends), `${end.ends} ${end.where}, is none of ${ends.join(', ')}`);
        assert.ok(end.mebibytes < most.mebibytes, `${end.mebibytes} MiB`);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }
});
