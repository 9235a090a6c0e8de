import { existsSync, lstatSync, readlinkSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { GiB } from '../../../lib/units.ts';
import { compiledModules } from '../../../lib/compiled-modules.ts';
import { readable } from '../../../lib/readable.ts';
import { isolationAdvice } from '../../../messages/service/english.ts';

/** Isolations of a child, strongest first. */
export const isolations = ['bubblewrap', 'namespaces', 'none'] as const;
export type Isolation = (typeof isolations)[number];

/** Reason for the absence of an isolation. */
export interface IsolationRefusal {
  readonly isolation: Isolation;
  readonly reason: string;
}

/** The part of the file system that one child can access. */
export interface Reach {
  /** Program of the child. */
  readonly entry: string;
  /** Readable files and folders. */
  readonly inputs: readonly string[];
  /** Writable folders; the first one is the working directory. */
  readonly folders: readonly [scratch: string, ...others: string[]];
}

/** Returns the prefix of the program's command line; undefined if the system lacks the tools. */
export function isolationArguments(
  isolation: Isolation,
  tools: Tools,
  reach: Reach,
): readonly string[] | undefined {
  if (isolation === 'none') return [];
  if (isolation === 'namespaces') return namespaceArguments(tools);
  return tools.bwrap === undefined ? undefined : [tools.bwrap, ...bubblewrapArguments(tools, reach), '--'];
}

/** Without network and other processes, but with all files of the account. */
function namespaceArguments({ unshare, timeout }: Tools): readonly string[] | undefined {
  if (unshare === undefined || timeout === undefined) return undefined;
  return [
    unshare,
    ...words('--user --map-current-user --net --ipc --uts --pid --fork --kill-child --'),
    // The first process of a namespace ignores most signals, including that of the time limit: `timeout 0`,
    // which only waits, takes its place.
    timeout,
    ...words('--foreground 0'),
  ];
}

function words(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}

const projectRoot = fileURLToPath(new URL('../../../..', import.meta.url));
/** System libraries and the loader's configuration. */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
const systemFiles = ['/etc/alternatives', '/etc/ld.so.cache', '/nix/store', '/gnu/store'];
/** Folders of the program that a child can read. */
export const programPaths = ['src', 'common', 'node_modules', 'package.json'];
const programFiles = programPaths.map((name) => join(projectRoot, name));

/**
 * Unshares all namespaces, without network, capabilities or `/proc`; readable are the system libraries, the program and
 * the inputs, writable its folders, and nothing else is visible.
 */
function bubblewrapArguments(
  { bwrapForbidsNamespaces }: Tools,
  { entry, inputs, folders }: Reach,
): readonly string[] {
  const readOnly = [...systemFiles.filter(existsSync), ...programFiles, process.execPath, entry, ...inputs];
  return [
    ...words('--unshare-user --unshare-all --die-with-parent --cap-drop ALL'),
    ...words(bwrapForbidsNamespaces ? '--disable-userns' : ''),
    ...systemFolders.flatMap(systemFolderArguments),
    ...words('--dev /dev'),
    ...[...new Set(readOnly)].flatMap((path) => ['--ro-bind', path, path]),
    ...folders.flatMap((path) => ['--bind', path, path]),
    ...words('--remount-ro /dev --remount-ro / --chdir'),
    folders[0],
  ];
}

/** Keeps `/lib` and similar folders as links if they are links into `/usr`. */
function systemFolderArguments(path: string): readonly string[] {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return [];
  return entry.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}

/** Returns the distinct folders of files. */
export function foldersOf(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map((path) => dirname(path)))];
}

const names = ['setpriv', 'nice', 'prlimit', 'bwrap', 'unshare', 'timeout'] as const;

/** Absolute paths of the system tools that confine a child; absent if not installed. */
export interface Tools extends Readonly<Partial<Record<(typeof names)[number], string | undefined>>> {
  /** True if this bubblewrap can forbid nested namespaces (since 0.8). */
  readonly bwrapForbidsNamespaces: boolean;
}

export const noTools: Tools = { bwrapForbidsNamespaces: false };

/** Finds tools of util-linux, bubblewrap and coreutils. */
export async function findTools(): Promise<Tools> {
  const found = await Promise.all(names.map(async (name) => [name, await findTool(name)] as const));
  const tools: Tools = { ...noTools, ...Object.fromEntries(found) };
  return { ...tools, bwrapForbidsNamespaces: await knows(tools.bwrap, '--disable-userns') };
}

async function knows(tool: string | undefined, option: string): Promise<boolean> {
  if (tool === undefined) return false;
  const help = promisify(execFile)(tool, ['--help'], { env: {} });
  return await help.then(
    ({ stdout }) => stdout.includes(option),
    () => false,
  );
}

/** Returns the absolute path of a system program. */
export async function findTool(name: string): Promise<string | undefined> {
  for (const folder of systemPath.split(':')) {
    const path = join(folder, name);
    const isExecutable = access(path, constants.X_OK).then(() => true);
    if (await isExecutable.catch(() => false)) return path;
  }
  return undefined;
}

/** Folders of system tools; a child does not inherit the parent's PATH. */
export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Returns the complete environment of a child: no credentials, proxies, GDAL or PROJ settings of the machine. All
 * network settings point to a port without a listener. GDAL_DATA is omitted, because a system library has its folder
 * built in, and the prebuilt binding sets its own.
 * @param memoryBytes limit of the child.
 */
export function childEnvironment(
  scratch: string,
  skippedDrivers: readonly string[],
  memoryBytes = 0,
): Readonly<Record<string, string>> {
  return {
    PATH: systemPath,
    LANG: 'C.UTF-8',
    HOME: scratch,
    TMPDIR: scratch,
    CPL_TMPDIR: scratch,
    NODE_COMPILE_CACHE: compiledModules,
    GDAL_SKIP: skippedDrivers.join(','),
    GDAL_DRIVER_PATH: 'disable',
    GDAL_CACHEMAX: String(blockCacheMiB(memoryBytes)),
    GDAL_NUM_THREADS: '2',
    GDAL_PAM_ENABLED: 'NO',
    GDAL_DISABLE_READDIR_ON_OPEN: 'EMPTY_DIR',
    GDAL_MAX_BAND_COUNT: '4096',
    GDAL_VRT_ENABLE_PYTHON: 'NO',
    GDAL_VRT_ENABLE_RAWRASTERBAND: 'NO',
    GTIFF_IGNORE_READ_ERRORS: 'NO',
    // HDF5 would load compiled filters from a folder.
    HDF5_PLUGIN_PRELOAD: '::',
    HDF5_USE_FILE_LOCKING: 'FALSE',
    OSR_DEFAULT_AXIS_MAPPING_STRATEGY: 'TRADITIONAL_GIS_ORDER',
    // GDAL would replace a code that the database calls deprecated by its successor, and say nothing.
    OSR_USE_NON_DEPRECATED: 'NO',
    PROJ_NETWORK: 'OFF',
    CPL_VSIL_CURL_ALLOWED_EXTENSIONS: '.none',
    GDAL_HTTP_PROXY: '127.0.0.1:9',
    GDAL_HTTPS_PROXY: '127.0.0.1:9',
    GDAL_HTTP_TIMEOUT: '1',
  };
}

/** If twice the blocks fit, GDAL decodes a large raster once less while writing its COG. */
function blockCacheMiB(memoryBytes: number): number {
  return memoryBytes >= 2 * GiB ? 512 : 256;
}

/** An obstacle to a stronger isolation of children. */
export interface Advice {
  /** For example `bubblewrap is not installed`. */
  readonly obstacle: string;
  /** A command that removes it, or a reference. */
  readonly remedy: string;
}

/** Kernel settings that can forbid user namespaces: a value that does, and one that does not. */
const kernelSettings = [
  { setting: 'user.max_user_namespaces', forbids: '0', allows: '15000', bindsRoot: true },
  { setting: 'kernel.unprivileged_userns_clone', forbids: '0', allows: '1', bindsRoot: false },
  { setting: 'kernel.apparmor_restrict_unprivileged_userns', forbids: '1', allows: '0', bindsRoot: false },
];

/** Facts about the system that determine the possible isolation of children. */
export type SystemFacts = Awaited<ReturnType<typeof readSystemFacts>>;

export async function readSystemFacts() {
  /** Values of kernel settings; absent for unsupported ones. */
  const settings = new Map<string, string>();
  for (const { setting } of kernelSettings) {
    const path = join('/proc/sys', setting.replace('.', '/'));
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== undefined) settings.set(setting, text.trim());
  }
  const hasApt = (await findTool('apt-get')) !== undefined;
  return { isRoot: process.getuid?.() === 0, hasApt, settings };
}

/** Returns the first obstacle to bubblewrap; undefined if bubblewrap is in use. */
export function adviseIsolation(state: {
  readonly isolation: Isolation;
  /** True if ENGINE_ISOLATION sets it. */
  readonly isNamed: boolean;
  readonly refusals: readonly IsolationRefusal[];
  readonly tools: Tools;
  readonly system: SystemFacts;
}): Advice | undefined {
  const { isolation, isNamed, refusals, tools, system } = state;
  const { isRoot, settings } = system;
  if (isolation === 'bubblewrap') return undefined;
  if (isNamed) return isolationAdvice.named(isolation);
  if (tools.bwrap === undefined) return isolationAdvice.notInstalled(system.hasApt, isRoot);
  const blocking = kernelSettings.find(
    ({ setting, forbids, bindsRoot }) => settings.get(setting) === forbids && (bindsRoot || !isRoot),
  );
  if (blocking !== undefined) return isolationAdvice.kernelSetting(blocking.setting, blocking.allows, isRoot);
  const reason = refusals.find((each) => each.isolation === 'bubblewrap')?.reason ?? '';
  return isolationAdvice.other(readable(reason, maxReasonCharacters));
}

export const maxReasonCharacters = 300;
