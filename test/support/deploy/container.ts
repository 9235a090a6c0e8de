import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { descendantsOf } from '../processes.ts';
import type { Image } from './image.ts';

interface ContainerOptions {
  readonly image: Image;
  /** Folder mounted as `/data`. */
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Files below /tmp of this machine that the container may read as well, such as certificates. */
  readonly readable?: readonly string[];
  /** Command of the first process. */
  readonly command: readonly string[];
}

/** Longest time that a test waits for the end; a process that hangs is then killed, and the test reports its output. */
const endsWithinMs = 120_000;

export type Container = Awaited<ReturnType<typeof startContainer>>;

/** Capabilities of root until it becomes the user of the image. */
const capabilities = ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'];

/**
 * Starts a container as a strict runtime does: read-only files of the image, its own `/data` and `/tmp`, the user and environment of the
 * image, a separate process namespace, no new privileges, and the network of this machine. Needs root.
 */
export async function startContainer({ image, dataDir, env = {}, readable = [], command }: ContainerOptions) {
  const [uid = '', gid = uid] = image.user.split(':');
  await mkdir(dataDir, { recursive: true });
  await chown(dataDir, Number(uid), Number(gid));
  const settings = Object.entries({ ...image.env, ...env }).flatMap(([name, value]) => [
    '--setenv',
    name,
    value,
  ]);
  const files = ['--ro-bind', image.root, '/', '--dev', '/dev', '--proc', '/proc'];
  const shown = readable.flatMap((path) => [...foldersTo(path), '--ro-bind', path, path]);
  const folders = [
    '--perms',
    '1777',
    '--tmpfs',
    '/tmp',
    ...shown,
    '--bind',
    dataDir,
    '/data',
    '--chdir',
    '/data',
  ];
  const apart = ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--as-pid-1', '--die-with-parent'];
  const allowed = capabilities.flatMap((name) => ['--cap-add', name]);
  const user = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--no-new-privs',
    '--bounding-set=-all',
  ];
  const child = spawn(
    'bwrap',
    [
      ...files,
      ...folders,
      ...apart,
      ...allowed,
      '--clearenv',
      ...settings,
      '--',
      'setpriv',
      ...user,
      '--',
      ...command,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const ended = once(child, 'close');
  return {
    output: () => output,
    /** Waits for the end; returns the exit code or the name of the signal. */
    async ended(): Promise<number | string> {
      const late = setTimeout(() => child.kill('SIGKILL'), endsWithinMs);
      const [code, signal] = await ended;
      clearTimeout(late);
      return code ?? signal;
    },
    /** Stops the first process, as a runtime does. */
    stop: async () => {
      const [first] = child.pid === undefined ? [] : await descendantsOf(child.pid);
      if (first !== undefined) process.kill(first.pid, 'SIGTERM');
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL'); // the other processes end with it
      await ended;
    },
  };
}

/** Creates the parent folders of a file under /tmp, which all users may traverse. */
function foldersTo(path: string): readonly string[] {
  const names = dirname(path).split('/').slice(2);
  const folders = names.map((_, index) => ['/tmp', ...names.slice(0, index + 1)].join('/'));
  return folders.flatMap((folder) => ['--perms', '0755', '--dir', folder]);
}
