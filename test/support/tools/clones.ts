import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../project.ts';

const run = promisify(execFile);
const nobody = 65_534;

/** A user of the machine who can run a service. */
export interface ServiceUser {
  readonly name: string;
  /** Undefined for the user who runs the tests. */
  readonly uid: number | undefined;
  /** Prefix of a command that runs as this user. */
  readonly prefix: readonly string[];
}

/** An ordinary user and, if root runs the tests, root. */
export const serviceUsers: readonly ServiceUser[] =
  process.getuid?.() === 0
    ? [
        { name: 'root', uid: undefined, prefix: [] },
        {
          name: 'an ordinary user',
          uid: nobody,
          prefix: ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'],
        },
      ]
    : [{ name: 'this ordinary user', uid: undefined, prefix: [] }];

/** Creates a temporary folder that only this user and root can read. `names` are nested folders in it. */
export async function makeClosedFolder(
  { uid }: ServiceUser,
  ...names: readonly string[]
): Promise<{ readonly folder: string } & AsyncDisposable> {
  const outer = await mkdtemp(join(tmpdir(), 'steppe-place-'));
  await chmod(outer, 0o755);
  let folder = outer;
  for (const name of names) {
    folder = join(folder, name);
    await mkdir(folder, { mode: 0o700 });
    if (uid !== undefined) await chown(folder, uid, uid);
  }
  return { folder, [Symbol.asyncDispose]: async () => await rm(outer, { recursive: true }) };
}

/** Copies files and folders of the project into a folder. */
async function copyParts(folder: string, parts: readonly string[]): Promise<void> {
  for (const part of parts) await run('cp', ['-a', '--force', join(projectRoot, part), folder]);
}

/** Copies files and folders of the project into a folder, and links the packages there. */
export async function copyProject(folder: string, parts: readonly string[]): Promise<void> {
  await copyParts(folder, parts);
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
}

/**
 * Puts the parts of a clone after set-up into a folder, with the owner and the permissions of that folder;
 * files of packages are hard-linked where possible.
 * @param more files and folders of the project beside those that the service needs
 */
export async function cloneInto(folder: string, more: readonly string[] = []): Promise<string> {
  const clone = join(folder, 'steppe');
  const { uid } = await stat(folder);
  await mkdir(clone, { mode: 0o700 });
  await copyParts(clone, ['package.json', 'src', 'common', 'seeds', ...more]);
  await run('cp', ['-al', join(projectRoot, 'node_modules'), clone]).catch(
    async () => await copyParts(clone, ['node_modules']),
  );
  await rm(join(clone, 'node_modules/.cache'), { recursive: true, force: true });
  await run('find', [clone, '-type', 'd', '-exec', 'chown', String(uid), '{}', '+']);
  return clone;
}
