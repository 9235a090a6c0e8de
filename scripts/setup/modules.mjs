import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runningFrom } from './running.mjs';
import { SetupFailed, root, run } from './step.mjs';

const modules = join(root, 'node_modules');
/** Written after a successful `npm ci`; contains the digest of its inputs. */
const stamp = join(modules, '.steppe-installed');

/** Node 24 from npm; all later steps and the service run on it. */
export const node24 = join(modules, '.bin', 'node');

function wanted() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}`;
}

export function modulesAreInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted() && existsSync(node24);
}

/**
 * Fails while a program from `node_modules` runs, unless nothing has to be replaced: npm empties the folder before it fills it, and a
 * running service would lose its Node and its database.
 * @throws {SetupFailed}
 */
export function refuseToReplaceWhatRuns() {
  if (modulesAreInstalled()) return;
  const [first] = runningFrom(modules);
  if (first === undefined) return;
  throw new SetupFailed(
    `the packages in node_modules have to be replaced, and process ${first.id} still runs on them (${first.command}).`,
    `End it, by Ctrl-C in its terminal or kill ${first.id}, then run the same command again.`,
  );
}

export async function installModules(context) {
  const installed = wanted();
  // npm removes files in any order, so a partial removal must not keep the stamp.
  rmSync(stamp, { force: true });
  await installPackages(root, context);
  writeFileSync(stamp, installed);
}

/** Installs the packages of the lock file in a folder without running their scripts. */
export async function installPackages(folder, context) {
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  await run(command, [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    remedy: (output) => remedies.find(({ when }) => when.test(output)).remedy,
    context,
  });
}

const remedies = [
  { when: /spawn npm ENOENT/, remedy: 'Install npm, for example: apt-get install npm' },
  { when: /\bENOSPC\b/, remedy: 'Free some space (a clone needs 1 GB), then run the same command again.' },
  {
    when: /\b(?:EACCES|EPERM|EROFS)\b/,
    remedy: 'Run it as the user who owns the clone, in a folder that can be written.',
  },
  {
    when: /\b(?:ENOTEMPTY|EEXIST|EBUSY|ENOTDIR|EISDIR)\b/,
    remedy: 'rm -rf node_modules, then run the same command again.',
  },
  {
    when: /(?:)/,
    remedy: 'Check that the npm registry can be reached (npm ping), then run the same command again.',
  },
];
