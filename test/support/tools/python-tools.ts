import { join } from 'node:path';
import { installOnce } from './install-once.ts';
import { cachePath } from '../project.ts';

/** Programs of PyPI, in an environment of their own that all clones share. */
export interface PythonTools {
  readonly name: string;
  /** As pip reads it, such as `schemathesis==4.32.5`. */
  readonly packages: readonly [string, ...string[]];
  /** True where the list names all that is needed, so that nothing else comes with it. */
  readonly isWhole?: true;
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
  const { name, packages, isWhole = false } = tools;
  const args = [...(isWhole ? ['--no-deps'] : []), ...packages];
  const status = installOnce(environmentOf(tools), installLines, args);
  if (status === 0) return pythonToolsFolder(tools);
  if (status === noVenv)
    throw new Error(`${name} needs Python 3.10 or newer with venv: apt-get install python3-venv`);
  throw new Error(`${name} could not be installed from PyPI`);
}

const noVenv = 3;
const installLines = `python3 -m venv "$folder" || exit ${noVenv}
  echo "installing $*"
  "$folder/bin/python" -m pip install --quiet "$@"`;

function environmentOf({ name, packages }: PythonTools): string {
  return cachePath([name, ...packages.map((each) => each.split('==')[1])].join('-'));
}
