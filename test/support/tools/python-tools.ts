import { join } from 'node:path';
import { installOnce } from './install-once.ts';
import { cachePath } from '../project.ts';

/** Programs of PyPI in an environment that all clones share. */
export interface PythonTools {
  readonly name: string;
  /** Requirements in the form of pip, such as `schemathesis==4.32.5`. */
  readonly packages: readonly [string, ...string[]];
  /** True if the list contains all dependencies, so that pip installs no others. */
  readonly isWhole?: true;
}

/** Folder of the programs that `installPythonTools` installs, with the Python that imports their packages. */
export function pythonToolsFolder(tools: PythonTools): string {
  return join(environmentOf(tools), 'bin');
}

/**
 * Installs programs of PyPI unless another clone has; the Python of the system does not change.
 * @returns the folder of the programs
 * @throws {Error} with the command that installs Python with venv
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

/**
 * The environment without settings of PROJ, which an engine in this process may have set: packages have a database of their own. Programs
 * write no compiled copies into the tree.
 */
export function environmentOfPackages(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('PROJ_'));
  return { ...Object.fromEntries(own), PYTHONDONTWRITEBYTECODE: '1' };
}
