import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { districts } from '../../src/commands/districts.ts';
import { fsck } from '../../src/commands/fsck.ts';
import { runCommand, runTool } from '../../src/commands/run-command.ts';
import { token } from '../../src/commands/token.ts';
import { survey } from '../../tools/survey-command.ts';
import { captureOutput, runHere } from '../support/tools/commands.ts';
import { temporaryFolder } from '../support/for-tests.ts';
import { runSteppe, runToEnd, runTool as runToolProcess } from '../support/service.ts';

const names = 'serve api worker doctor migrate districts token fsck backup restore mcp verify'.split(' ');
/** Settings with which a command fails early, should it run after all. */
const wrongSettings = { HTTP_PORT: 'none' };

const folder = await temporaryFolder();

describe('the command line', () => {
  for (const name of names) {
    test(`of ${name}: --help and -h say how it is used and do nothing, whatever else is wrong`, async () => {
      const said = await runLine([name, 'extra', '--nosuch', '-h']);
      assert.equal(said.code, 0, said.output);
      assert.match(said.stdout, new RegExp(`^Usage: .*\\b${name}\\b`));
      assert.equal(said.output, said.stdout);
      assert.deepEqual(await runLine([name, '--help']), said);
    });

    test(`of ${name}: what it does not know is refused in one line, and nothing is done`, async () => {
      const hint = `see ./steppe ${name} --help`;
      const { code, output } = await runLine([name, '--port', '8555']);
      assert.deepEqual([code, output], [1, `steppe: unknown option --port; ${hint}\n`]);
      const surplus = await runLine([name, 'a', 'b', 'c']);
      assert.match(surplus.output, new RegExp(`^steppe: unexpected argument [abc]; ${hint}\n$`));
      assert.equal(surplus.code, 1);
    });
  }

  test('lists every command but the one for services, and says what runs without one', async () => {
    const { code, stdout } = await runSteppe(['help'], { dataDir: join(folder, 'data'), env: wrongSettings });
    assert.equal(code, 0);
    const listed = [...stdout.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name);
    assert.deepEqual(listed, [...names, 'version', 'help']);
    assert.match(stdout, /^ {2}serve .*what runs without a command$/m);
    for (const args of [['--help'], ['-h'], ['help', '--help']]) {
      assert.deepEqual(await runLine(args), { code: 0, stdout, output: stdout });
    }
    assert.equal((await runLine(['help', 'fsck'])).stdout, (await runLine(['fsck', '--help'])).stdout);
  });

  test('tells the version', async () => {
    const { version }: { version: string } = JSON.parse(await readFile('package.json', 'utf8'));
    const said = { code: 0, stdout: `${version}\n`, output: `${version}\n` };
    for (const name of ['version', '--version']) assert.deepEqual(await runLine([name]), said);
  });

  test('names what is not a command', async () => {
    for (const [why, ...args] of [
      ['there is no command frob', 'frob'],
      ['there is no command frob', 'help', 'frob'],
      ['unexpected argument x', 'version', 'x'],
    ] as const) {
      const output = `steppe: ${why}; see ./steppe --help\n`;
      assert.deepEqual(await runLine(args), { code: 1, stdout: '', output });
    }
  });

  test('of commands that examine data: without data they say so and create none', async () => {
    const dataDir = join(folder, 'data');
    const why = `there is no data in ${dataDir}; is DATA_DIR right? A new database is made by ./steppe migrate, and by a service that starts`;
    for (const [command, ...args] of [
      [token, 'list'],
      [token, 'revoke', '0123456789abcdef'],
      [districts, 'restore'],
    ] as const) {
      await assert.rejects(runHere(command, args, { DATA_DIR: dataDir }), { message: why });
    }
    const said = await runSteppe([fsck.name], { dataDir });
    assert.deepEqual(said, { code: 1, stdout: '', output: `steppe: ${why}\n` });
    assert.deepEqual(await readdir(folder), []);
  });

  /** Runs in this process a command line that ends before its command does anything. */
  async function runLine(args: readonly string[]) {
    return await captureOutput(async () => await runCommand(args));
  }
});

describe('the command line of the tools', () => {
  const usage = /^Usage: npm run (?:demo|survey)\b/;

  test('--help prints the usage, and unknown options are refused', async () => {
    const demo = await runDemo(['extra', '--nosuch', '-h']);
    assert.deepEqual([demo.code, usage.test(demo.stdout)], [0, true]);
    const said = await captureOutput(async () => await runTool(survey, ['extra', '--nosuch', '-h']));
    assert.deepEqual([said.code, usage.test(said.stdout)], [0, true]);
    const refused = await captureOutput(async () => await runTool(survey, ['--port', '1']));
    const output = 'survey: unknown option --port; see npm run survey -- --help\n';
    assert.deepEqual(refused, { code: 1, stdout: '', output });
  });

  const missing = join(folder, 'nosuch');
  const refusals: Readonly<Record<string, readonly string[]>> = {
    [`there is no folder ${missing}`]: [missing],
    [`there is no folder ${join(process.cwd(), 'package.json')}`]: ['package.json'],
    [`no file in ${folder} can be uploaded; a survey takes .tif, .tiff, .geojson, .gpkg, .zip, .sld`]: [
      folder,
    ],
    [`--report: there is no folder ${missing}`]: ['examples', '--report', join(missing, 'report.json')],
    '--base-url: 127.0.0.1 is not an http address': ['examples', '--base-url', '127.0.0.1'],
  };
  for (const [message, args] of Object.entries(refusals)) {
    test(`survey: ${message.replaceAll(folder, 'FOLDER')}`, async () => {
      await assert.rejects(runHere(survey, args, {}), { message });
      assert.deepEqual(await readdir(folder), []);
    });
  }

  test('a wrong address is named with its source', async () => {
    const output = 'demo: BASE_URL: ftp://x is not an http address\n';
    assert.deepEqual(await runDemo([], { BASE_URL: 'ftp://x' }), { code: 1, stdout: '', output });
  });

  test('a STEPPE_TOKEN that cannot be one is not shown', async () => {
    const { code, output } = await runDemo([], { STEPPE_TOKEN: 'secret words' });
    assert.equal(code, 1);
    assert.match(output, /^demo: STEPPE_TOKEN is not a bearer token; .*\n$/);
    assert.ok(!output.includes('secret'));
  });

  async function runDemo(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    return await runToolProcess(['demo', ...args], { dataDir: join(folder, 'data'), env });
  }
});

describe('the command line of', () => {
  const scripts: Readonly<Record<string, readonly [script: string, ...args: string[]]>> = {
    'mutate: say into which folder the files go; see npm run mutate -- --help\n': ['mutate'],
    'mutate: --from: there is no folder /nosuch\n': ['mutate', 'F', '--from', '/nosuch'],
    'test: there are no tests in nosuch; see npm test -- --help\n': ['test', 'src/commands', 'nosuch'],
  };
  for (const [line, [script, ...args]] of Object.entries(scripts)) {
    test(`npm run ${script} -- ${args.join(' ')}`, async () => {
      assert.deepEqual(await run(script, args), { code: 1, output: line });
    });
  }
  for (const script of ['mutate', 'test']) {
    test(`npm run ${script} -- --help`, async () => {
      const { code, output } = await run(script, ['--help']);
      assert.equal(code, 0, output);
      assert.match(output, /^Usage: npm /);
    });
  }

  async function run(script: string, args: readonly string[]) {
    const command = [process.execPath, `scripts/${script}.ts`, ...args] as const;
    const { code, output } = await runToEnd({ dataDir: '/nowhere', command });
    return { code, output };
  }
});
