import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kubernetesVersions, type Manifest, openChartTools } from '../support/deploy/chart.ts';
import { readProjectFile, settingNames } from '../support/project.ts';

const tools = await openChartTools();
/** Settings of operators, each of which turns a part of the chart on or off. */
const sites = {
  'as it comes': [],
  'with all parts': [
    'api.autoscaling.enabled=true',
    'worker.keda.enabled=true',
    'ingress.enabled=true',
    'ingress.host=maps.example',
    'ingress.className=nginx',
    'ingress.tlsSecretName=maps-tls',
    'settings.AUTH_MODE=token',
    'migrateSecretName=steppe-owner',
    'networkPolicy.peers[0].ipBlock.cidr=10.0.0.0/8',
    'imagePullSecrets[0].name=registry',
  ],
  'on a cluster without user namespaces': [
    'worker.hostUsers=true',
    'worker.isolation=auto',
    'networkPolicy.enabled=false',
  ],
};
/** Kinds of KEDA, which are not Kubernetes' own. */
const foreign = new Set(['ScaledObject', 'TriggerAuthentication']);
const ofKind = (manifests: readonly Manifest[], ...kinds: readonly string[]) =>
  manifests.filter(({ kind }) => kinds.includes(kind));

describe('the chart', () => {
  for (const [site, settings] of Object.entries(sites)) {
    it(`is what Kubernetes takes: ${site}`, async () => {
      for (const version of kubernetesVersions) {
        await tools.lint(settings, version);
        const own = (await tools.render(settings, version)).filter(({ kind }) => !foreign.has(kind));
        assert.ok(own.length >= 6);
        await tools.validate(own, version);
      }
    });
  }

  it('is looked at closely: a property that Kubernetes does not know is found', async () => {
    const [service] = ofKind(await tools.render([]), 'Service');
    assert.ok(service);
    const wrong = { ...service, text: service.text.replace('spec:', 'spec:\n  typo: true') };
    for (const version of kubernetesVersions) await assert.rejects(tools.validate([wrong], version), /typo/);
  });

  it('has every pod run without root, with its files read-only, and stop in time', async () => {
    const pods = ofKind(await tools.render([]), 'Deployment', 'Job');
    assert.equal(pods.length, 3);
    for (const { text } of pods) {
      for (const promise of [
        'runAsNonRoot: true',
        'readOnlyRootFilesystem: true',
        'allowPrivilegeEscalation: false',
        'capabilities: { drop: [ALL] }',
        'automountServiceAccountToken: false',
      ]) {
        assert.ok(text.includes(promise), promise);
      }
    }
    const api = pods.find(({ text }) => text.includes('args: [api]'))?.text ?? '';
    assert.match(api, /terminationGracePeriodSeconds: 40\n/);
    const [, delay, drain] =
      /DRAIN_DELAY_SECONDS, value: "(\d+)"[^]*DRAIN_SECONDS, value: "(\d+)"/.exec(api) ?? [];
    assert.ok(Number(delay) + Number(drain) < 40);
  });

  it('lets a policy select every pod, and workers reach nothing but the ports of the services', async () => {
    const manifests = await tools.render(sites['with all parts']);
    const policies = ofKind(manifests, 'NetworkPolicy');
    for (const role of ['api', 'worker', 'migrate']) {
      const policy = policies.find(({ text }) => text.includes(`app.kubernetes.io/component: ${role}\n`));
      assert.ok(policy, role);
      const [, egress = ''] = policy.text.split('  egress:\n');
      assert.deepEqual(
        [...egress.matchAll(/port: (\d+)/g)].map(([, port]) => port),
        ['53', '53', '5432', '6432', '443', '4222'],
      );
      assert.match(egress, /cidr: 10\.0\.0\.0\/8/);
    }
  });

  it('scales workers by the jobs that wait, and keeps Kubernetes from setting their number as well', async () => {
    const manifests = await tools.render(sites['with all parts']);
    const [scaled] = ofKind(manifests, 'ScaledObject');
    assert.match(scaled?.text ?? '', /query: .*from jobs where/);
    const replicas = ofKind(manifests, 'Deployment').map(({ text }) => /^ {2}replicas:/m.test(text));
    assert.deepEqual(replicas, [false, false]);
  });

  it('refuses settings that are none, and an address without a host', async () => {
    for (const settings of [['worker.isolatoin=none'], ['api.replicas=0'], ['ingress.enabled=true']]) {
      await assert.rejects(tools.render(settings), settings.join());
    }
  });
});

describe('the Compose file', () => {
  it('is what Compose takes', () => tools.validateCompose('deploy/compose.yaml'));
});

it('the settings that chart and Compose file give are settings of the service', async () => {
  const texts = [
    ...(await tools.render([])).map(({ text }) => text),
    readProjectFile('deploy/compose.yaml').split('\n  postgres:\n')[0] ?? '',
  ];
  const known = new Set([...settingNames(), 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']);
  const given = texts.flatMap((text) =>
    [...text.matchAll(/(?:name: |^ {2,6})(?<name>[A-Z]+_[A-Z_]+)\b/gm)].map(([, name]) => name),
  );
  assert.ok(given.length > 8);
  assert.deepEqual(
    given.filter((name = '') => !known.has(name)),
    [],
  );
});
