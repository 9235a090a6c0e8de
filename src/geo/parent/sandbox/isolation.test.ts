import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { adviseIsolation, readSystemFacts, type SystemFacts, noTools } from './isolation.ts';

const linux: SystemFacts = { isRoot: false, hasApt: true, settings: new Map() };
const bwrap = { ...noTools, bwrap: '/usr/bin/bwrap' };
const refusals = [{ isolation: 'bubblewrap', reason: 'exit 1: bwrap: strange\nand stranger' }] as const;
const state = { isolation: 'none', isNamed: false, refusals, tools: bwrap, system: linux } as const;

function withSetting(setting: string, value: string, isRoot = false) {
  return { ...state, system: { ...linux, isRoot, settings: new Map([[setting, value]]) } };
}

const elsewhere = {
  obstacle: 'bubblewrap does not work here (exit 1: bwrap: strange and stranger)',
  remedy: 'see "Stronger isolation" in SECURITY.md',
};

for (const [name, given, advice] of [
  ['nothing when bubblewrap is in force', { ...state, isolation: 'bubblewrap' }, undefined],
  [
    'the setting that asks for less',
    { ...state, isolation: 'namespaces', isNamed: true },
    { obstacle: 'ENGINE_ISOLATION asks for namespaces', remedy: 'unset ENGINE_ISOLATION' },
  ],
  [
    'the missing package',
    { ...state, tools: noTools },
    { obstacle: 'bubblewrap is not installed', remedy: 'sudo apt-get install -y bubblewrap' },
  ],
  [
    'the missing package, without a command where there is no apt-get',
    { ...state, tools: noTools, system: { ...linux, hasApt: false } },
    { obstacle: 'bubblewrap is not installed', remedy: 'install the package bubblewrap' },
  ],
  [
    'a setting of the kernel that binds root too',
    withSetting('user.max_user_namespaces', '0', true),
    {
      obstacle: 'the kernel does not allow user namespaces (user.max_user_namespaces)',
      remedy: 'sysctl -w user.max_user_namespaces=15000',
    },
  ],
  [
    'a setting of AppArmor',
    withSetting('kernel.apparmor_restrict_unprivileged_userns', '1'),
    {
      obstacle: 'the kernel does not allow user namespaces (kernel.apparmor_restrict_unprivileged_userns)',
      remedy: 'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
    },
  ],
  [
    'no setting that does not bind root',
    withSetting('kernel.unprivileged_userns_clone', '0', true),
    elsewhere,
  ],
  ['no setting that allows namespaces', withSetting('user.max_user_namespaces', '96365'), elsewhere],
] as const) {
  test(`advice on isolation names ${name}`, () => {
    assert.deepEqual(adviseIsolation(given), advice);
  });
}

test('the facts are those of this system', async () => {
  const facts = await readSystemFacts();
  assert.equal(facts.isRoot, process.getuid?.() === 0);
  assert.equal(facts.hasApt, existsSync('/usr/bin/apt-get'));
  assert.equal(facts.settings.has('user.max_user_namespaces'), existsSync('/proc/sys/user'));
});
