import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { findTool } from './tools.ts';

const packageManagers = ['apt-get', 'dnf', 'apk', 'pacman', 'zypper'] as const;
export type PackageManager = (typeof packageManagers)[number];
export type Container = 'docker' | 'podman' | 'kubernetes' | 'other';

/** What of the system decides how far children can be isolated. */
export interface SystemFacts {
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
  /** Whether this process has CAP_SYS_ADMIN, which restrictions of unprivileged namespaces do not concern. */
  readonly isPrivileged: boolean;
  readonly container: Container | undefined;
  readonly packageManager: PackageManager | undefined;
  /** Settings of the kernel, as text; absent where the kernel does not have them. */
  readonly settings: {
    readonly unprivilegedUserNamespaces: string | undefined;
    readonly maxUserNamespaces: string | undefined;
    readonly apparmorRestrictsUserNamespaces: string | undefined;
  };
  /** What watches over this process, and so over its children. */
  readonly confinedBy: { readonly seccomp: boolean; readonly apparmor: boolean; readonly selinux: boolean };
}

/** Looks at the system without changing anything; what it does not tell counts as not there. */
export async function readSystemFacts(): Promise<SystemFacts> {
  const status = (await textOf('/proc/self/status')) ?? '';
  const label = (await textOf('/proc/self/attr/current')) ?? '';
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    container: await findContainer(),
    packageManager: await findPackageManager(),
    settings: {
      unprivilegedUserNamespaces: await textOf('/proc/sys/kernel/unprivileged_userns_clone'),
      maxUserNamespaces: await textOf('/proc/sys/user/max_user_namespaces'),
      apparmorRestrictsUserNamespaces: await textOf('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'),
    },
    ...describeProcess(status, label),
  };
}

const sysAdminBit = 21n;

/** What the texts of `/proc/self/status` and `/proc/self/attr/current` tell. */
export function describeProcess(
  status: string,
  label: string,
): Pick<SystemFacts, 'isPrivileged' | 'confinedBy'> {
  const capabilities = /^CapEff:\s*(?<mask>[0-9a-f]+)$/m.exec(status)?.groups?.['mask'] ?? '0';
  return {
    isPrivileged: ((BigInt(`0x${capabilities}`) >> sysAdminBit) & 1n) === 1n,
    confinedBy: {
      seccomp: /^Seccomp:\s*2$/m.test(status),
      apparmor: /\((?:enforce|kill)\)$/.test(label),
      selinux: /:container_\w+:/.test(label),
    },
  };
}

async function findContainer(): Promise<Container | undefined> {
  const groups = (await textOf('/proc/1/cgroup')) ?? '';
  if (existsSync('/var/run/secrets/kubernetes.io') || groups.includes('kubepods')) return 'kubernetes';
  if (existsSync('/run/.containerenv')) return 'podman';
  if (existsSync('/.dockerenv') || groups.includes('/docker')) return 'docker';
  return /\/(?:lxc|containerd)|libpod/.test(groups) ? 'other' : undefined;
}

async function findPackageManager(): Promise<PackageManager | undefined> {
  for (const name of packageManagers) {
    if ((await findTool(name)) !== undefined) return name;
  }
  return undefined;
}

async function textOf(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text?.replaceAll('\0', '').trimEnd();
}
