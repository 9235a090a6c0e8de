import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCanary } from '../../support/hostile/canary.ts';
import { cloneInto, makeClosedFolder, type ServiceUser } from '../../support/tools/clones.ts';
import { runToEnd, type Service, startService } from '../../support/service.ts';
import { slipName } from './attack.ts';

export type Place = Awaited<ReturnType<typeof openPlace>>;

/** Creates a clone, a home and data of a user of the machine, and canaries that no child may access. */
export async function openPlace(user: ServiceUser) {
  await using parts = new AsyncDisposableStack();
  const { folder } = parts.use(await makeClosedFolder(user, 'place'));
  const clone = await cloneInto(folder);
  const [home, temporary] = [join(folder, 'home'), join(folder, 'temporary')];
  for (const each of [home, temporary]) {
    await mkdir(each);
    if (user.uid !== undefined) await chown(each, user.uid, user.uid);
  }
  const canary = parts.use(await openCanary());
  await chmod(canary.folder, 0o755);
  const outer = addressOfMachine();
  const more = outer === undefined ? [] : [parts.use(await openCanary(outer))];
  const kept = parts.move();
  return {
    user,
    folder,
    clone,
    home,
    dataDir: join(folder, 'data'),
    /** Folder for temporary files of the service. */
    temporary,
    /** A canary on each address of the machine; the user may read its file. */
    canaries: [canary, ...more] as const,
    command(name: string): readonly [string, ...string[]] {
      const program = [join(clone, 'node_modules/.bin/node'), join(clone, 'src/main.ts'), name];
      const [file = '', ...args] = [...user.prefix, ...program];
      return [file, ...args];
    },
    [Symbol.asyncDispose]: async () => await kept.disposeAsync(),
  };
}

/** First address by which other machines reach this one, if any. */
function addressOfMachine(): string | undefined {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
}

export async function startIn(place: Place, env: Readonly<Record<string, string>>): Promise<Service> {
  const { clone, dataDir, temporary } = place;
  return await startService({
    dataDir,
    cwd: clone,
    command: place.command('serve'),
    env: { ...env, TMPDIR: temporary },
  });
}

/** Runs the check of the store; returns its exit code and its output. */
export async function fsckIn({ clone, dataDir, command }: Place): Promise<string> {
  const { code, output } = await runToEnd({ dataDir, cwd: clone, command: command('fsck') });
  return `exit ${code}: ${output}`;
}

/** All files outside of the folders that the service writes to, with their sizes. */
export async function filesAround({ folder, dataDir, canaries }: Place): Promise<readonly string[]> {
  const own = ['objects', 'postgres', 'scratch'].map((name) => join(dataDir, name));
  const cache = 'node_modules/.cache';
  const roots = [folder, ...canaries.map((canary) => canary.folder)];
  const found: string[] = [];
  for (const open of ['/', tmpdir()])
    found.push(
      ...(await readdir(open)).filter((name) => name.includes(slipName)).map((name) => join(open, name)),
    );
  for (const root of roots) {
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (own.some((each) => path.startsWith(each)) || path.includes(cache)) continue;
      found.push(entry.isFile() ? `${path} ${(await stat(path)).size}` : path);
    }
  }
  return found.toSorted();
}
