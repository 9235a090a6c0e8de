import { readable } from '../../../common/readable.ts';
import type { Isolation } from './isolation.ts';
import type { IsolationRefusal } from './probe.ts';
import type { PackageManager, SystemFacts } from './system-facts.ts';
import type { Tools } from './tools.ts';

/** What keeps children from being isolated better. */
export interface Advice {
  /** What stands in the way, such as `bubblewrap is not installed`. */
  readonly obstacle: string;
  /** One command, or one way to start the container, that takes it away; absent where there is none. */
  readonly remedy: string | undefined;
}

export interface IsolationState {
  /** In force. */
  readonly isolation: Isolation;
  /** Whether ENGINE_ISOLATION names it. */
  readonly isNamed: boolean;
  /** Why stronger ones are not. */
  readonly refusals: readonly IsolationRefusal[];
  readonly tools: Tools;
  readonly system: SystemFacts;
}

/** What would strengthen the isolation: the first obstacle on the way to bubblewrap; undefined when that is in force. */
export function adviseIsolation({
  isolation,
  isNamed,
  refusals,
  tools,
  system,
}: IsolationState): Advice | undefined {
  if (isolation === 'bubblewrap') return undefined;
  if (isNamed) {
    return { obstacle: `ENGINE_ISOLATION asks for ${isolation}`, remedy: 'unset ENGINE_ISOLATION' };
  }
  if (system.platform !== 'linux') return { obstacle: 'only Linux can isolate them', remedy: undefined };
  const reason = refusals.find((each) => each.isolation === 'bubblewrap')?.reason ?? '';
  return (
    adviseInstallation(tools, system) ??
    adviseKernelSetting(system) ??
    adviseContainer(system) ??
    adviseAppArmor(system) ?? {
      obstacle: `bubblewrap does not work here (${readable(reason, maxReasonCharacters)})`,
      remedy: undefined,
    }
  );
}

const maxReasonCharacters = 300;
const installCommands: Readonly<Record<PackageManager, string>> = {
  'apt-get': 'apt-get install -y bubblewrap',
  dnf: 'dnf install -y bubblewrap',
  apk: 'apk add bubblewrap',
  pacman: 'pacman -S --noconfirm bubblewrap',
  zypper: 'zypper install -y bubblewrap',
};

function adviseInstallation(tools: Tools, system: SystemFacts): Advice | undefined {
  if (tools.bwrap !== undefined) return undefined;
  const { packageManager, isRoot, container } = system;
  return {
    obstacle: `bubblewrap is not installed${container === undefined ? '' : ' in the image'}`,
    remedy:
      packageManager === undefined ? undefined : `${isRoot ? '' : 'sudo '}${installCommands[packageManager]}`,
  };
}

function adviseKernelSetting(system: SystemFacts): Advice | undefined {
  const { settings, isPrivileged } = system;
  if (settings.maxUserNamespaces === '0') {
    return changeOf(system, 'user.max_user_namespaces', '15000', 'allows no user namespaces');
  }
  if (settings.unprivilegedUserNamespaces === '0' && !isPrivileged) {
    const fault = 'allows no user namespaces to ordinary accounts';
    return changeOf(system, 'kernel.unprivileged_userns_clone', '1', fault);
  }
  return undefined;
}

/** Ubuntu since 23.10; inside a container it counts as soon as the container's own profile is gone. */
function adviseAppArmor(system: SystemFacts): Advice | undefined {
  if (system.settings.apparmorRestrictsUserNamespaces !== '1' || system.isPrivileged) return undefined;
  return changeOf(
    system,
    'kernel.apparmor_restrict_unprivileged_userns',
    '0',
    'has AppArmor restrict user namespaces',
  );
}

function changeOf({ isRoot, container }: SystemFacts, setting: string, value: string, fault: string): Advice {
  const owner = container === undefined ? 'the kernel' : 'the host of the container';
  const sudo = isRoot && container === undefined ? '' : 'sudo ';
  return { obstacle: `${owner} ${fault} (${setting})`, remedy: `${sudo}sysctl -w ${setting}=${value}` };
}

/** Only the walls of the container that are there are named. Podman's own filter of system calls lets namespaces pass. */
function adviseContainer({ container, confinedBy }: SystemFacts): Advice | undefined {
  const labels = [
    ...(confinedBy.apparmor ? ['apparmor=unconfined'] : []),
    ...(confinedBy.selinux ? ['label=disable'] : []),
  ];
  const isFiltered = confinedBy.seccomp && (container !== 'podman' || labels.length === 0);
  const options = [...(isFiltered ? ['seccomp=unconfined'] : []), ...labels];
  if (container === undefined || options.length === 0) return undefined;
  const obstacle = 'the container does not allow user namespaces';
  if (container === 'other') return { obstacle, remedy: undefined };
  const flags = options.map((option) => `--security-opt ${option}`).join(' ');
  return { obstacle, remedy: container === 'kubernetes' ? podFields : `${container} run ${flags}` };
}

const podFields =
  'securityContext: { seccompProfile: { type: Unconfined }, appArmorProfile: { type: Unconfined } }';
