import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { describeProcess, readSystemFacts } from './system-facts.ts';

const statusOf = (capEff: string, seccomp: number): string =>
  `Name:\tnode\nCapPrm:\t0000000000000000\nCapEff:\t${capEff}\nNoNewPrivs:\t0\nSeccomp:\t${seccomp}\nSeccomp_filters:\t1\n`;
const free = { seccomp: false, apparmor: false, selinux: false };

describe('the facts of the system', () => {
  it('tell what confines a process', () => {
    const dockerStatus = statusOf('00000000a80425fb', 2);
    assert.deepEqual(describeProcess(dockerStatus, 'docker-default (enforce)'), {
      isPrivileged: false,
      confinedBy: { seccomp: true, apparmor: true, selinux: false },
    });
    assert.deepEqual(describeProcess(dockerStatus, 'system_u:system_r:container_t:s0:c12,c345').confinedBy, {
      ...free,
      seccomp: true,
      selinux: true,
    });
    for (const label of ['', 'unconfined', 'unconfined_u:unconfined_r:unconfined_t:s0-s0:c0.c1023']) {
      assert.deepEqual(describeProcess(statusOf('000001ffffffffff', 0), label), {
        isPrivileged: true,
        confinedBy: free,
      });
    }
  });

  it('are read from the system that this is', async () => {
    const facts = await readSystemFacts();
    assert.equal(facts.platform, process.platform);
    assert.equal(facts.isRoot, process.getuid?.() === 0);
    assert.equal(facts.packageManager === 'apt-get', existsSync('/usr/bin/apt-get'));
    assert.equal(facts.settings.maxUserNamespaces !== undefined, existsSync('/proc/sys/user'));
  });
});
