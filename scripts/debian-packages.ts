import { execFileSync, spawnSync } from 'node:child_process';

/**
 * Installs missing Debian packages, which requires root.
 * @throws {Error} with the command for an administrator, without root; the error of `apt-get` when it fails
 */
export function installDebianPackages(names: readonly string[]): void {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0) throw new Error(`type: sudo apt-get install -y ${missing.join(' ')}`);
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  execFileSync('apt-get', ['update', '-qq'], options);
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], options);
}

function isInstalled(name: string): boolean {
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', '${Status}', name], { encoding: 'utf8' });
  return stdout?.endsWith(' installed') ?? false;
}
