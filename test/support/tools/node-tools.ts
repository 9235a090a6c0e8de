import { installOnce } from './install-once.ts';
import { cachePath } from '../project.ts';

/**
 * Installs a package of npm unless an earlier clone has; the tree stays as it is. @param version an exact one.
 * @param beside what it works with, such as `typescript@5.9.3`, where it would take any version of that.
 * @returns a folder in which programs can import it @throws {Error} when npm does not have it
 */
export function installNodeTool(name: string, version: string, beside: readonly string[] = []): string {
  const folder = cachePath([name.replace('/', '+'), version, ...beside].join('-'));
  const status = installOnce(folder, installLines, [`${name}@${version}`, ...beside]);
  if (status !== 0) throw new Error(`${name} could not be installed from npm`);
  return folder;
}

const installLines = `echo "installing $*"
  npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --silent "$@"`;
