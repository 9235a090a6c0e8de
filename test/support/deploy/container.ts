import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir } from 'node:fs/promises';
import { descendantsOf } from '../processes.ts';
import type { Image } from './image.ts';

/** Settings of a container whose name is none of the image. */
interface ContainerOptions {
  readonly image: Image;
  /** Becomes `/data`. */
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Instead of the entrypoint and its default argument. */
  readonly command?: readonly string[];
}

export type Container = Awaited<ReturnType<typeof startContainer>>;

/** What a container may still do as root before it becomes the user of the image. */
const capabilities = ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'];

/**
 * Starts a container as a runtime does that is set up strictly: the files of the image read-only, `/data` and `/tmp` of its own, its user,
 * environment and entrypoint, processes apart, no new privileges; on the network of this machine. Needs root.
 */
export async function startContainer({ image, dataDir, env = {}, command }: ContainerOptions) {
  const [uid = '', gid = uid] = image.user.split(':');
  await mkdir(dataDir, { recursive: true });
  await chown(dataDir, Number(uid), Number(gid));
  const settings = Object.entries({ ...image.env, ...env }).flatMap(([name, value]) => [
    '--setenv',
    name,
    value,
  ]);
  const files = ['--ro-bind', image.root, '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'];
  const folders = ['--bind', dataDir, '/data', '--chdir', '/data'];
  const apart = ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--as-pid-1', '--die-with-parent'];
  const allowed = capabilities.flatMap((name) => ['--cap-add', name]);
  const user = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--no-new-privs',
    '--bounding-set=-all',
  ];
  const program = command ?? [...image.entrypoint, ...image.defaultArguments];
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
      ...program,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const ended = once(child, 'close');
  return {
    output: () => output,
    /** Waits for its end, and gives the exit code or the name of the signal. */
    async ended(): Promise<number | string> {
      const [code, signal] = await ended;
      return code ?? signal;
    },
    /** Asks its first process to end, as a runtime does. */
    stop: async () => {
      const [first] = child.pid === undefined ? [] : await descendantsOf(child.pid);
      if (first !== undefined) process.kill(first.pid, 'SIGTERM');
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL'); // the others go with it
      await ended;
    },
  };
}
