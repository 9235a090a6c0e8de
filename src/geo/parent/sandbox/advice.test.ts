import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { adviseIsolation, type IsolationState } from './advice.ts';
import type { SystemFacts } from './system-facts.ts';
import { noTools } from './tools.ts';

const debian: SystemFacts = {
  platform: 'linux',
  isRoot: false,
  isPrivileged: false,
  container: undefined,
  packageManager: 'apt-get',
  settings: {
    unprivilegedUserNamespaces: '1',
    maxUserNamespaces: '96365',
    apparmorRestrictsUserNamespaces: undefined,
  },
  confinedBy: { seccomp: false, apparmor: false, selinux: false },
};
const asRoot = { isRoot: true, isPrivileged: true } as const;
const inDocker: Partial<SystemFacts> = {
  container: 'docker',
  isRoot: true,
  confinedBy: { seccomp: true, apparmor: false, selinux: false },
};

const remedyOf = (state: IsolationState): string | undefined => {
  const advice = adviseIsolation(state);
  assert.ok(advice !== undefined);
  return advice.remedy;
};

/** Nothing works, with bubblewrap installed. */
function refused(system: Partial<SystemFacts> = {}, reason = 'exit 1: bwrap: no'): IsolationState {
  return {
    isolation: 'none',
    isNamed: false,
    refusals: [{ isolation: 'bubblewrap', reason }],
    tools: { ...noTools, bwrap: '/usr/bin/bwrap' },
    system: { ...debian, ...system },
  };
}

/** The kernel allows everything, but bubblewrap is not installed. */
function notInstalled(system: Partial<SystemFacts> = {}): IsolationState {
  return { ...refused(system), isolation: 'namespaces', tools: noTools };
}

function withSettings(settings: Partial<SystemFacts['settings']>, system: Partial<SystemFacts> = {}) {
  return refused({ ...system, settings: { ...debian.settings, ...settings } });
}

describe('what strengthens the isolation', () => {
  it('is nothing when bubblewrap is in force', () => {
    assert.equal(adviseIsolation({ ...refused(), isolation: 'bubblewrap', refusals: [] }), undefined);
  });

  it('is to take back the setting that asks for less', () => {
    const advice = adviseIsolation({ ...refused(), isolation: 'namespaces', isNamed: true, refusals: [] });
    assert.deepEqual(advice, {
      obstacle: 'ENGINE_ISOLATION asks for namespaces',
      remedy: 'unset ENGINE_ISOLATION',
    });
  });

  it('is not to be had but on Linux', () => {
    const advice = adviseIsolation(notInstalled({ platform: 'darwin', packageManager: undefined }));
    assert.deepEqual(advice, { obstacle: 'only Linux can isolate them', remedy: undefined });
  });

  for (const [packageManager, command] of [
    ['apt-get', 'apt-get install -y bubblewrap'],
    ['dnf', 'dnf install -y bubblewrap'],
    ['apk', 'apk add bubblewrap'],
    ['pacman', 'pacman -S --noconfirm bubblewrap'],
    ['zypper', 'zypper install -y bubblewrap'],
  ] as const) {
    it(`is to install bubblewrap with ${packageManager} where it is missing`, () => {
      assert.equal(remedyOf(notInstalled({ packageManager })), `sudo ${command}`);
      assert.equal(remedyOf(notInstalled({ packageManager, ...asRoot })), command);
    });
  }

  it('names the missing bubblewrap where nobody knows how packages are installed', () => {
    const advice = adviseIsolation(notInstalled({ packageManager: undefined }));
    assert.deepEqual(advice, { obstacle: 'bubblewrap is not installed', remedy: undefined });
  });

  it('is to put bubblewrap into the image of a container, before the container is opened to it', () => {
    const advice = adviseIsolation(notInstalled(inDocker));
    assert.deepEqual(advice, {
      obstacle: 'bubblewrap is not installed in the image',
      remedy: 'apt-get install -y bubblewrap',
    });
  });

  it('is the setting of a Debian kernel, which root does not need', () => {
    const state = { unprivilegedUserNamespaces: '0' };
    assert.equal(remedyOf(withSettings(state)), 'sudo sysctl -w kernel.unprivileged_userns_clone=1');
    assert.equal(remedyOf(withSettings(state, asRoot)), undefined);
  });

  it('is the number of namespaces of any kernel, which binds root too', () => {
    const state = { maxUserNamespaces: '0' };
    assert.equal(remedyOf(withSettings(state)), 'sudo sysctl -w user.max_user_namespaces=15000');
    assert.equal(remedyOf(withSettings(state, asRoot)), 'sysctl -w user.max_user_namespaces=15000');
  });

  it('is the setting of AppArmor on Ubuntu, which root does not need', () => {
    const state = { apparmorRestrictsUserNamespaces: '1' };
    const remedy = 'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0';
    assert.equal(remedyOf(withSettings(state)), remedy);
    assert.equal(remedyOf(withSettings(state, asRoot)), undefined);
  });

  it('is an option for each wall that a container has, and for no other', () => {
    const walls = { seccomp: true, apparmor: true, selinux: false };
    assert.equal(remedyOf(refused(inDocker)), 'docker run --security-opt seccomp=unconfined');
    assert.equal(
      remedyOf(refused({ ...inDocker, confinedBy: walls })),
      'docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined',
    );
    const podman = {
      ...inDocker,
      container: 'podman',
      confinedBy: { ...walls, apparmor: false, selinux: true },
    };
    assert.equal(
      remedyOf(refused({ ...podman, container: 'podman' })),
      'podman run --security-opt label=disable',
    );
    assert.match(remedyOf(refused({ ...inDocker, container: 'kubernetes' })) ?? '', /seccompProfile/);
    assert.equal(remedyOf(refused({ ...inDocker, container: 'other' })), undefined);
  });

  it('is a setting of the host once the container has no walls of its own left', () => {
    const open = { ...inDocker, confinedBy: debian.confinedBy };
    const advice = adviseIsolation(withSettings({ apparmorRestrictsUserNamespaces: '1' }, open));
    assert.deepEqual(advice, {
      obstacle:
        'the host of the container has AppArmor restrict user namespaces (kernel.apparmor_restrict_unprivileged_userns)',
      remedy: 'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
    });
  });

  it('is unknown where nothing known is in the way, and what bubblewrap said is told in one line', () => {
    const advice = adviseIsolation(refused({}, 'exit 1: bwrap: strange\nand stranger'));
    assert.deepEqual(advice, {
      obstacle: 'bubblewrap does not work here (exit 1: bwrap: strange and stranger)',
      remedy: undefined,
    });
  });
});
