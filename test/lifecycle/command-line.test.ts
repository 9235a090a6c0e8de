import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { runCommand } from '../../src/commands/run-command.ts';
import { runSteppe, runToEnd, runTool } from '../support/service.ts';
import { temporaryFolder } from '../support/for-tests.ts';

const names = 'serve api worker doctor migrate districts token fsck backup restore'.split(' ');
/** With these no command gets far, should it be run after all. */
const wrongSettings = { HTTP_PORT: 'none' };

const folder = await temporaryFolder();

describe('the command line', () => {
  for (const name of names) {
    test(`of ${name}: --help and -h say how it is used and do nothing, whatever else is wrong`, async (t) => {
      const said = await runHere(t, [name, 'extra', '--nosuch', '-h']);
      assert.equal(said.code, 0, said.output);
      assert.match(said.stdout, new RegExp(`^Usage: .*\\b${name}\\b`));
      assert.equal(said.output, said.stdout);
      assert.deepEqual(await runHere(t, [name, '--help']), said);
    });

    test(`of ${name}: what it does not know is refused in one line, and nothing is done`, async (t) => {
      const hint = `see ./steppe ${name} --help`;
      const { code, output } = await runHere(t, [name, '--port', '8555']);
      assert.deepEqual([code, output], [1, `steppe: unknown option --port; ${hint}\n`]);
      const surplus = await runHere(t, [name, 'a', 'b', 'c']);
      assert.match(surplus.output, new RegExp(`^steppe: unexpected argument [abc]; ${hint}\n$`));
      assert.equal(surplus.code, 1);
    });
  }

  test('lists every command but the one for services, and says what runs without one', async () => {
    for (const args of [['help'], ['--help'], ['-h'], ['help', '--help']]) {
      const { code, stdout } = await run(args, wrongSettings);
      assert.equal(code, 0);
      const listed = [...stdout.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name);
      assert.deepEqual(listed, [...names, 'version', 'help']);
      assert.match(stdout, /^ {2}serve .*what runs without a command$/m);
    }
    assert.equal((await run(['help', 'fsck'])).stdout, (await run(['fsck', '--help'])).stdout);
  });

  test('tells the version', async () => {
    const { version }: { version: string } = JSON.parse(await readFile('package.json', 'utf8'));
    for (const name of ['version', '--version']) {
      assert.deepEqual(await run([name], wrongSettings), {
        code: 0,
        stdout: `${version}\n`,
        output: `${version}\n`,
      });
    }
  });

  test('names what is not a command', async () => {
    await assertRefused(['frob'], 'there is no command frob; see ./steppe --help');
    await assertRefused(['help', 'frob'], 'there is no command frob; see ./steppe --help');
    await assertRefused(['version', 'x'], 'unexpected argument x; see ./steppe --help');
  });

  test('of what looks at data: where there is none, it says so and makes none', async () => {
    for (const args of [
      ['fsck'],
      ['token', 'list'],
      ['token', 'revoke', '0123456789abcdef'],
      ['districts', 'restore'],
    ]) {
      await assertRefused(
        args,
        `there is no data in ${join(folder, 'data')}; is DATA_DIR right? A new database is made by ./steppe migrate, and by a service that starts`,
      );
    }
  });

  /** Runs a command line that ends before its command does anything, in this process. */
  async function runHere(t: TestContext, args: readonly string[]) {
    let [stdout, output] = ['', ''];
    const replace = (stream: 'stdout' | 'stderr') => {
      const write = process[stream].write.bind(process[stream]);
      return t.mock.method(process[stream], 'write', (said: string | Buffer) => {
        if (typeof said !== 'string') return write(said); // the test runner's
        if (stream === 'stdout') stdout += said;
        output += said;
        return true;
      });
    };
    const replaced = [replace('stdout'), replace('stderr')];
    try {
      return { code: await runCommand(args), stdout, output };
    } finally {
      for (const { mock } of replaced) mock.restore();
    }
  }

  async function assertRefused(args: readonly string[], why: string, env = {}): Promise<void> {
    assert.deepEqual(await run(args, env), { code: 1, stdout: '', output: `steppe: ${why}\n` });
    assert.deepEqual(await readdir(folder), []);
  }

  async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    return await runSteppe(args, { dataDir: join(folder, 'data'), env });
  }
});

describe('the command line of the tools', () => {
  test('demo and survey: --help prints the usage, and unknown options are refused', async () => {
    for (const name of ['demo', 'survey'] as const) {
      const { code, stdout } = await run([name, 'extra', '--nosuch', '-h']);
      assert.equal(code, 0);
      assert.match(stdout, new RegExp(`^Usage: npm run ${name}\\b`));
      await assertRefused([name, '--port', '1'], `unknown option --port; see npm run ${name} -- --help`);
    }
  });

  test('survey: a missing folder, or one with nothing to upload, is named before a service is asked', async () => {
    const missing = join(folder, 'nosuch');
    await assertRefused(['survey', missing], `there is no folder ${missing}`);
    await assertRefused(
      ['survey', 'package.json'],
      `there is no folder ${join(process.cwd(), 'package.json')}`,
    );
    await assertRefused(
      ['survey', folder],
      `no file in ${folder} can be uploaded; a survey takes .tif, .tiff, .geojson, .gpkg, .zip, .sld`,
    );
    await assertRefused(
      ['survey', 'examples', '--report', join(missing, 'report.json')],
      `--report: there is no folder ${missing}`,
    );
  });

  test('a wrong address is named with its source', async () => {
    await assertRefused(['demo', '--base-url', '127.0.0.1'], '--base-url: 127.0.0.1 is not an http address');
    await assertRefused(['demo'], 'BASE_URL: ftp://x is not an http address', { BASE_URL: 'ftp://x' });
  });

  test('a STEPPE_TOKEN that cannot be one is not shown', async () => {
    const { code, output } = await run(['demo'], { STEPPE_TOKEN: 'secret words' });
    assert.equal(code, 1);
    assert.match(output, /^demo: STEPPE_TOKEN is not a bearer token; .*\n$/);
    assert.ok(!output.includes('secret'));
  });

  type Args = Parameters<typeof runTool>[0];

  async function assertRefused(args: Args, why: string, env = {}): Promise<void> {
    assert.deepEqual(await run(args, env), { code: 1, stdout: '', output: `${args[0]}: ${why}\n` });
    assert.deepEqual(await readdir(folder), []);
  }

  async function run(args: Args, env: Readonly<Record<string, string>> = {}) {
    return await runTool(args, { dataDir: join(folder, 'data'), env });
  }
});

describe('the command line of', () => {
  const scripts: Readonly<Record<string, readonly [script: string, ...args: string[]]>> = {
    'mutate: unknown option --frob; see npm run mutate -- --help\n': ['mutate', 'F', '--frob'],
    'mutate: say into which folder the files go; see npm run mutate -- --help\n': ['mutate'],
    'mutate: --count: a whole number of 0 or more, not x; see npm run mutate -- --help\n': [
      'mutate',
      'F',
      '--count',
      'x',
    ],
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
