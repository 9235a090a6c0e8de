import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const module = new URL('without-opening-files.ts', import.meta.url).href;
const program = `
  import { openSync, closeSync } from 'node:fs';
  const { withoutOpeningFiles } = await import('${module}');
  const outcome = (work) => { try { return String(work()); } catch (error) { return error.code ?? error.message; } };
  const inside = outcome(() => withoutOpeningFiles(() => openSync('/etc/passwd', 'r')));
  const after = outcome(() => { closeSync(openSync('/dev/null', 'r')); return 'opened'; });
  console.log([inside, after].join());
`;

async function run(limit: number): Promise<string> {
  const shell = `ulimit -n ${limit} && exec "$0" --input-type=module -e "$1"`;
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', shell, process.execPath, program]);
  return stdout.trim();
}

test('while values are read, a child can open no file, and afterwards it can', async () => {
  assert.equal(await run(256), 'EMFILE,opened');
});

test('without a limit on files, no values are read', async () => {
  assert.equal(await run(5000), 'the number of open files is not limited,opened');
});
