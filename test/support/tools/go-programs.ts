import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cachePath } from '../project.ts';

const run = promisify(execFile);
/** A debug build would be three times as large. */
const withoutSymbols = '-ldflags=-s -w';

/** A program that Go builds from its module, once for all clones of the project. */
export interface GoProgram {
  readonly name: string;
  /** Version in its go.mod, without the v. */
  readonly version: string;
  /** Package of the main function; Go names the program after its last part. */
  readonly source: string;
  /** N of the oldest Go 1.N that builds the program. */
  readonly goMinor: number;
}

/** Path of a program that `buildGoProgram` builds. */
export function goProgramPath({ name, version }: GoProgram): string {
  return cachePath(`${name}-${version}-${process.platform}-${process.arch}`);
}

/**
 * Builds a program unless another clone has built it, which takes some minutes.
 * @param say receives what takes long
 * @throws {Error} without Go, or when the build fails
 */
export async function buildGoProgram(
  program: GoProgram,
  say: (what: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const path = goProgramPath(program);
  if (await isProgram(path)) return;
  const { name, version, source, goMinor } = program;
  const go = await findGo(goMinor, name);
  say(`${name} is built, once, which takes some minutes …`);
  const folder = await mkdtemp(join(tmpdir(), `steppe-${name}-`));
  try {
    const env = { ...process.env, GOBIN: folder };
    await run(go, ['install', withoutSymbols, `${source}@v${version}`], { env, ...(signal && { signal }) });
    await mkdir(dirname(path), { recursive: true });
    const partial = `${path}.${process.pid}`; // renamed when complete, also if another process builds the same
    await copyFile(join(folder, basename(source)), partial);
    await rename(partial, path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Folders that may contain programs; the PATH of an ordinary user may lack those of servers. */
export function systemFolders(): readonly string[] {
  return [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'].filter(Boolean);
}

export async function isProgram(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function findGo(goMinor: number, wantedBy: string): Promise<string> {
  for (const folder of ['/usr/local/go/bin', ...systemFolders()]) {
    const go = join(folder, 'go');
    if (!(await isProgram(go))) continue;
    const { stdout } = await run(go, ['env', 'GOVERSION']);
    const [, minor = '0'] = /^go1\.(\d+)/.exec(stdout) ?? [];
    if (Number(minor) >= goMinor) return go;
  }
  const place = 'https://go.dev/dl/';
  throw new Error(
    `Go 1.${goMinor} or newer, which builds ${wantedBy}, is not installed. Get it from ${place}`,
  );
}
