import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cachePath } from './project.ts';

/** Programs of PyPI, in an environment of their own that all clones share. */
export interface PythonTools {
  readonly name: string;
  /** As pip reads it, such as `schemathesis==4.32.5`. */
  readonly packages: readonly [string, ...string[]];
  /** True where the list names all that is needed, so that nothing else comes with it. */
  readonly isWhole?: true;
  /** The program that proves that they are installed. */
  readonly program: string;
}

/** Where `installPythonTools` puts programs, and the Python that knows their packages. */
export function pythonToolsFolder(tools: PythonTools): string {
  return join(environmentOf(tools), 'bin');
}

/**
 * Installs programs of PyPI unless an earlier clone has; nothing of the system's Python changes.
 * @returns the folder of the programs @throws {Error} with the line to type when there is no Python with venv
 */
export function installPythonTools(tools: PythonTools): string {
  const { name, packages, program, isWhole = false } = tools;
  const environment = environmentOf(tools);
  const folder = pythonToolsFolder(tools);
  const isInstalled =
    existsSync(join(folder, program)) && spawnSync(join(folder, program), ['--version']).status === 0;
  if (isInstalled) return folder;
  rmSync(environment, { recursive: true, force: true });
  const made = spawnSync('python3', ['-m', 'venv', environment], { encoding: 'utf8' });
  if (made.status !== 0) {
    rmSync(environment, { recursive: true, force: true });
    console.error(made.stdout ?? '', made.stderr ?? '');
    throw new Error(`${name} needs Python 3.10 or newer with venv: apt-get install python3-venv`);
  }
  console.log(`installing ${packages.join(' and ')}`);
  const pip = ['-m', 'pip', 'install', '--quiet', ...(isWhole ? ['--no-deps'] : []), ...packages];
  const { status } = spawnSync(join(folder, 'python'), pip, { stdio: 'inherit' });
  if (status === 0) return folder;
  rmSync(environment, { recursive: true, force: true });
  throw new Error(`${name} could not be installed from PyPI`);
}

function environmentOf({ name, packages }: PythonTools): string {
  return cachePath([name, ...packages.map((each) => each.split('==')[1])].join('-'));
}
