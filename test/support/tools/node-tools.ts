import { installOnce } from './install-once.ts';
import { cachePath } from '../project.ts';

/**
 * Installs a package of npm in a folder of the cache unless another clone has; node_modules does not change.
 * @param version an exact version
 * @param beside companions with their versions, such as `typescript@5.9.3`
 * @returns a folder from which programs can import the package
 * @throws {Error} when npm does not have it
 */
export function installNodeTool(name: string, version: string, beside: readonly string[] = []): string {
  const folder = cachePath([name.replace('/', '+'), version, ...beside].join('-'));
  const status = installOnce(folder, installLines, [`${name}@${version}`, ...beside]);
  if (status !== 0) throw new Error(`${name} could not be installed from npm`);
  return folder;
}

const installLines = `echo "installing $*"
  npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --silent "$@"`;
