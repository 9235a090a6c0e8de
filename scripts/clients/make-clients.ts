import { execFile } from 'node:child_process';
import { appendFile, cp, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ownVersion } from '../../src/lib/own-version.ts';
import { installNodeTool } from '../../test/support/tools/node-tools.ts';
import { projectRoot } from '../../test/support/project.ts';
import { installPythonTools } from '../../test/support/tools/python-tools.ts';

const run = promisify(execFile);
const sources = join(projectRoot, 'clients');

/** Generates requests and types in TypeScript without dependencies at run time; compatible with compilers earlier than version 7. */
const typeScriptGenerator = { name: '@hey-api/openapi-ts', version: '0.99.0', beside: ['typescript@5.9.3'] };
const pythonGenerator = {
  name: 'openapi-python-client',
  packages: ['openapi-python-client==0.29.1'],
} as const;

interface Made {
  /** The text of `/openapi.json` from a service that requires tokens. */
  readonly description: string;
  /** The output folder; its folders `typescript` and `python` are replaced. */
  readonly folder: string;
}

/**
 * Creates the packages of both clients, ready for npm and pip.
 * @throws {Error} when a generator cannot be installed, or rejects the API description.
 */
export async function makeClients({ description, folder }: Made): Promise<void> {
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(tmpdir(), 'steppe-clients-'));
  try {
    const path = join(work, 'openapi.json');
    await writeFile(path, description);
    await makeTypeScript(path, join(folder, 'typescript'), work);
    await makePython(path, join(folder, 'python'), work);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function makeTypeScript(description: string, target: string, work: string): Promise<void> {
  const { name, version, beside } = typeScriptGenerator;
  const tool = installNodeTool(name, version, beside);
  const source = join(work, 'typescript');
  await cp(join(sources, 'typescript'), source, { recursive: true });
  await cp(description, join(source, 'openapi.json'));
  await run(process.execPath, [join(tool, 'node_modules', name, 'bin/run.js'), '--silent'], { cwd: source });
  await run(process.execPath, [join(projectRoot, 'node_modules/typescript/bin/tsc'), '--project', source]);
  await replace(target, source, ['dist', 'package.json', 'README.md', 'example.mjs']);
  await cp(join(tool, 'node_modules', name, 'LICENSE.md'), join(target, 'NOTICE'));
  await stamp(join(target, 'package.json'));
}

async function makePython(description: string, target: string, work: string): Promise<void> {
  const tool = installPythonTools(pythonGenerator);
  const source = join(work, 'python');
  await cp(join(sources, 'python'), source, { recursive: true });
  const config = join(source, 'openapi-python-client.yaml');
  await appendFile(config, bytesIn(await readFile(description, 'utf8')));
  const generated = join(work, 'generated');
  await run(join(tool, pythonGenerator.name), [
    'generate',
    '--path',
    description,
    '--meta',
    'none',
    '--config',
    config,
    '--output-path',
    generated,
  ]);
  // Hand-written files replace generated ones.
  await cp(generated, join(source, 'steppe_client'), { recursive: true, force: false });
  await replace(target, source, ['steppe_client', 'pyproject.toml', 'README.md', 'example.py']);
  const licences = 'lib/python3*/site-packages/openapi_python_client-*.dist-info/licenses/LICENSE';
  for await (const licence of glob(licences, { cwd: dirname(tool) }))
    await cp(join(dirname(tool), licence), join(target, 'NOTICE'));
  await stamp(join(target, 'pyproject.toml'));
}

/** Returns the settings with which the Python generator treats all content types except JSON and text as bytes. */
function bytesIn(description: string): string {
  const types = new Set(
    [...description.matchAll(/"((?:application|image)\/[\w.+-]+)":\{"schema"/g)].map(([, type = '']) => type),
  );
  const isBytes = (type: string) => !/\bjson$/.test(type) && type !== 'application/octet-stream';
  return [...types]
    .filter(isBytes)
    .map((type) => `  ${type}: application/octet-stream\n`)
    .join('');
}

/** Replaces the contents of a folder, except the licence, with files of another one. */
async function replace(target: string, source: string, names: readonly string[]): Promise<void> {
  await rm(target, { recursive: true, force: true });
  for (const name of names) await cp(join(source, name), join(target, name), { recursive: true });
  await cp(join(projectRoot, 'LICENSE'), join(target, 'LICENSE'));
}

/** Sets the version of a client to that of the service. */
async function stamp(path: string): Promise<void> {
  await writeFile(path, (await readFile(path, 'utf8')).replace('0.0.0', ownVersion));
}
