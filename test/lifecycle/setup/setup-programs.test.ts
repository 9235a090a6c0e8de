import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { afterTests, temporaryFolder } from '../../support/for-tests.ts';
import { eventually, isRunning } from '../../support/processes.ts';
import { projectRoot } from '../../support/project.ts';

const folder = await temporaryFolder();
const waiting = 'set-up: waiting for another set-up of this folder …\n';

/** Creates a clone with old packages, whose npm logs its calls and works until a file `go` exists. */
async function makeClone(name: string, npmSays = '') {
  const clone = join(folder, name);
  const at = (path: string) => join(clone, path);
  await cp(join(projectRoot, 'scripts/setup'), at('scripts/setup'), { recursive: true });
  await copyFile(join(projectRoot, 'scripts/setup.mjs'), at('scripts/setup.mjs'));
  await writeFile(at('package-lock.json'), '{}');
  await mkdir(at('node_modules'));
  await writeFile(at('node_modules/.steppe-installed'), 'for an earlier lock file');
  await mkdir(at('bin'));
  const npm = `echo "begins $$" >> journal; until [ -e go ]; do sleep 0.02; done; echo ends >> journal; echo "${npmSays}"; exit 1`;
  const programs = { npm, 'gdal-config': '', 'g++': '', make: '', python3: '', bwrap: '' };
  for (const [program, script] of Object.entries(programs)) {
    await writeFile(at(`bin/${program}`), `#!/bin/sh\n${script}\n`);
    await chmod(at(`bin/${program}`), 0o755);
  }
  const journal = async () => await readFile(at('journal'), 'utf8').catch(() => '');
  return {
    at,
    journal,
    npmBegins: async () => await eventually('npm begins', async () => (await journal()).includes('begins')),
    letNpmEnd: async () => await writeFile(at('go'), ''),
    setUp() {
      const { npm_execpath: _, ...env } = process.env;
      const PATH = `${at('bin')}:${process.env['PATH']}`;
      const child = spawn(process.execPath, [at('scripts/setup.mjs')], { env: { ...env, PATH } });
      afterTests(async () => child.kill('SIGKILL'));
      let told = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        told += text;
      });
      const ended = once(child, 'exit');
      const closed = once(child, 'close');
      return {
        waits: async () => await eventually('waits', async () => told === waiting),
        async kill(signal: 'SIGKILL' | 'SIGTERM') {
          child.kill(signal);
          await ended;
        },
        async end() {
          const [code] = await closed;
          return { code, told };
        },
      };
    },
  };
}

describe('The programs that set-up runs', () => {
  test('replace no packages that a process runs on', async () => {
    const { at, setUp, letNpmEnd, journal } = await makeClone('in-use');
    await copyFile(await realpath('/bin/sleep'), at('node_modules/sleep'));
    const service = spawn(at('node_modules/sleep'), ['600']);
    afterTests(async () => service.kill());
    await once(service, 'spawn');
    await letNpmEnd();
    const refused = await setUp().end();
    assert.equal(refused.code, 1);
    assert.match(
      refused.told,
      RegExp(
        `Set-up stopped: .*process ${service.pid} still runs on them \\(.*sleep 600\\).*\\n.*: End it, by Ctrl-C`,
      ),
    );
    assert.equal(await journal(), '');
    assert.ok(existsSync(at('node_modules/.steppe-installed')));
    service.kill();
    await once(service, 'exit');
    await setUp().end();
    assert.match(await journal(), /^begins \d+\nends\n$/);
  });

  test('hold its lock when it is killed, so that the next waits for them', async () => {
    const { at, setUp, letNpmEnd, npmBegins, journal } = await makeClone('killed');
    const first = setUp();
    await npmBegins();
    assert.equal(existsSync(at('node_modules/.steppe-installed')), false);
    await first.kill('SIGKILL');
    const second = setUp();
    await second.waits();
    assert.match(await journal(), /^begins \d+\n$/);
    await letNpmEnd();
    await second.end();
    assert.match(await journal(), /^begins \d+\nends\nbegins \d+\nends\n$/);
  });

  test('end before it does, when it is asked to end', async () => {
    const { setUp, npmBegins, journal } = await makeClone('asked');
    const only = setUp();
    await npmBegins();
    const [, npm] = /begins (\d+)/.exec(await journal()) ?? [];
    await only.kill('SIGTERM');
    assert.equal(await isRunning(Number(npm)), false);
    const { code, told } = await only.end();
    assert.equal(code, 128 + 15);
    assert.match(told, /\nSet-up stopped: SIGTERM\.\nWhat to do: Run the same command again/);
  });

  for (const [says, remedy] of [
    ['npm error code ENOTEMPTY', /What to do: rm -rf node_modules, then/],
    ['npm error code ENOSPC', /What to do: Free some space/],
    ['npm error code EACCES', /What to do: Run it as the user who owns the clone/],
    ['npm error code ENOTFOUND', /What to do: Check that the npm registry can be reached/],
  ] as const) {
    test(`print the remedy after ${says}`, async () => {
      const { setUp, letNpmEnd } = await makeClone(says.replaceAll(' ', '-'), says);
      await letNpmEnd();
      const { code, told } = await setUp().end();
      assert.equal(code, 1);
      assert.match(told, remedy);
    });
  }
});
