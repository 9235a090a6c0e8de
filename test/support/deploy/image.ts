import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { setSessionNiceness } from '../../../src/geo/parent/sandbox/supervise.ts';
import { projectRoot } from '../project.ts';

const run = promisify(execFile);
/** Debian packages that build an image. */
export const imagePackages = ['buildah', 'mmdebstrap'] as const;
const base = 'localhost/steppe-base';
const authorities = '/usr/local/share/ca-certificates';

const Inspected = z.object({
  Docker: z.object({
    config: z.object({
      User: z.string(),
      Env: z.array(z.string()),
      Entrypoint: z.array(z.string()),
      Cmd: z.array(z.string()),
      Healthcheck: z.object({ Test: z.array(z.string()) }),
    }),
  }),
});

/** An image as a container runtime reads it, and its files. */
export type Image = Awaited<ReturnType<typeof openImage>>;

/**
 * Builds the image of `Dockerfile` with buildah, which needs no daemon but root, buildah and mmdebstrap. The base image is made of Debian
 * packages and the certificate authorities of this machine, so that no registry is needed.
 * @param niceness of the compilers, which keep all cores busy for minutes
 */
export async function buildImage(name: string, niceness = 0): Promise<void> {
  if (!(await exists(base))) await makeBase();
  const options = ['--isolation', 'chroot', '--format', 'docker', '--layers', '--build-arg', `BASE=${base}`];
  await runLoudly('buildah', ['build', ...options, '--tag', name, projectRoot], niceness);
}

/** Opens a container of an image whose files do not change. Disposing of the result removes the container. */
export async function openImage(name: string) {
  const { stdout: inspected } = await run('buildah', ['inspect', '--type', 'image', name]);
  const { config } = Inspected.parse(JSON.parse(inspected)).Docker;
  const container = await outputOf('buildah', ['from', name]);
  const root = await outputOf('buildah', ['mount', container]);
  await writeFile(join(root, 'etc/hosts'), '127.0.0.1 localhost\n'); // as every runtime does
  return {
    root,
    user: config.User,
    env: Object.fromEntries(config.Env.map((line) => splitOnce(line))),
    entrypoint: config.Entrypoint,
    /** Arguments of the entrypoint when no others are given. */
    defaultArguments: config.Cmd,
    /** Program of the health check, and its arguments. */
    healthcheck: config.Healthcheck.Test.slice(1),
    [Symbol.asyncDispose]: async () => void (await run('buildah', ['rm', container])),
  };
}

async function makeBase(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-base-'));
  try {
    const archive = join(folder, 'base.tar');
    const own = (await readdir(authorities)).map((file) => join(authorities, file));
    const hooks =
      own.length === 0
        ? []
        : [`copy-in ${own.join(' ')} ${authorities}`, 'chroot "$1" update-ca-certificates'].map(
            (hook) => `--customize-hook=${hook}`,
          );
    const options = ['--quiet', '--variant=minbase', '--include=ca-certificates', ...hooks];
    await runLoudly('mmdebstrap', [...options, 'bookworm', archive]);
    const container = await outputOf('buildah', ['from', 'scratch']);
    await run('buildah', ['add', '--quiet', container, archive, '/']);
    await run('buildah', ['commit', '--quiet', '--rm', container, base]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function exists(name: string): Promise<boolean> {
  return await run('buildah', ['inspect', '--type', 'image', name]).then(
    () => true,
    () => false,
  );
}

async function outputOf(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run(program, [...args]);
  return stdout.trim();
}

/**
 * Runs a program and passes its output on.
 * @throws {Error} when the program fails
 */
async function runLoudly(program: string, args: readonly string[], niceness = 0): Promise<void> {
  // The niceness applies to a session of its own; it ends with this process.
  const detached = niceness > 0;
  const child = spawn('nice', ['-n', String(niceness), program, ...args], { stdio: 'inherit', detached });
  const ended = once(child, 'exit');
  const { pid } = child;
  if (detached && pid !== undefined) {
    await setSessionNiceness(pid, niceness);
    const killGroup = () => void process.kill(-pid, 'SIGKILL');
    process.once('exit', killGroup);
    void ended.then(() => process.off('exit', killGroup));
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

function splitOnce(line: string): readonly [name: string, value: string] {
  const at = line.indexOf('=');
  return [line.slice(0, at), line.slice(at + 1)];
}
