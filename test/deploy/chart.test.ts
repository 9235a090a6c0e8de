import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestDatabase } from '../support/database.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { kubernetesVersions, type Manifest, openChartTools } from '../support/deploy/chart.ts';
import { readProjectFile, settingNames } from '../support/project.ts';

const tools = await openChartTools();
const database = await closeAfterTests(openTestDatabase());
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
    'temporal.enabled=true',
    'temporal.database.host=db.example',
    'blocks.enabled=true',
    'blocks.keda.enabled=true',
    'blocks.keda.taskQueue=steppe-landscape-1',
    'extraVolumes[0].name=ca',
    'extraVolumes[0].secret.secretName=ca',
    'extraVolumeMounts[0].name=ca',
    'extraVolumeMounts[0].mountPath=/etc/steppe',
    'networkPolicy.peers[0].ipBlock.cidr=10.0.0.0/8',
    'imagePullSecrets[0].name=registry',
  ],
  'with a Temporal server elsewhere': [
    'workflowEngine.url=temporal://temporal.example:7233/?namespace=maps',
    'worker.keda.enabled=true',
    'blocks.enabled=true',
    'blocks.keda.enabled=true',
    'blocks.keda.taskQueue=steppe-landscape-1',
  ],
  'on a cluster without user namespaces': [
    'worker.hostUsers=true',
    'worker.isolation=auto',
    'networkPolicy.enabled=false',
  ],
};
/** Kinds of KEDA, which Kubernetes does not have. */
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
    const services = ['5432', '6432', '443', '4222'];
    const reached = {
      api: services,
      migrate: services,
      worker: [...services, '7233'],
      blocks: [...services, '7233'],
      temporal: ['5432'],
      'temporal-schema': ['5432'],
    };
    for (const [role, ports] of Object.entries(reached)) {
      const policy = policies.find(({ text }) =>
        text.includes(
          `podSelector:\n    matchLabels:\n      app.kubernetes.io/name: steppe\n      app.kubernetes.io/instance: field\n      app.kubernetes.io/component: ${role}\n`,
        ),
      );
      assert.ok(policy, role);
      const [, egress = ''] = policy.text.split('  egress:\n');
      assert.deepEqual(
        [...egress.matchAll(/port: (\d+)/g)].map(([, port]) => port),
        ['53', '53', ...ports],
      );
      assert.match(egress, /cidr: 10\.0\.0\.0\/8/);
    }
  });

  it('lets workers alone reach its Temporal server', async () => {
    const policies = ofKind(await tools.render(sites['with all parts']), 'NetworkPolicy');
    const own = policies.find(({ text }) => text.includes('  name: field-temporal\n'))?.text ?? '';
    const [, ingress = ''] = /  ingress:\n([^]*)  egress:/.exec(own) ?? [];
    assert.match(ingress, /port: 7233/);
    assert.deepEqual(
      [...ingress.matchAll(/component: (\S+)/g)].map(([, role]) => role),
      ['blocks', 'worker'],
    );
  });

  it('tells workers where Temporal is, and what they take', async () => {
    const told = async (site: keyof typeof sites) =>
      ofKind(await tools.render(sites[site]), 'Deployment').map(({ text }) => [
        /component: (\S+)/.exec(text)?.[1],
        /WORKER_ROLES, value: "(.*)"/.exec(text)?.[1],
        /WORKFLOW_ENGINE_URL, value: "(.*)"/.exec(text)?.[1],
      ]);
    const isWorker = ([role = '']: readonly (string | undefined)[]) => ['worker', 'blocks'].includes(role);
    assert.deepEqual((await told('as it comes')).filter(isWorker), [['worker', undefined, undefined]]);
    for (const [site, url] of [
      ['with all parts', 'temporal://field-temporal:7233/?namespace=steppe'],
      ['with a Temporal server elsewhere', 'temporal://temporal.example:7233/?namespace=maps'],
    ] as const) {
      assert.deepEqual((await told(site)).filter(isWorker), [
        ['blocks', 'blocks', url],
        ['worker', 'datasets,runs', url],
      ]);
    }
  });

  it('scales workers by the jobs that wait, and keeps Kubernetes from setting their number as well', async () => {
    const manifests = await tools.render(sites['with all parts']);
    const [workers, blocks] = ofKind(manifests, 'ScaledObject');
    assert.match(workers?.text ?? '', /name: field-worker[^]*query: .*from jobs where/);
    assert.match(blocks?.text ?? '', /name: field-blocks[^]*query: .*from landscape_passes/);
    const replicas = ofKind(manifests, 'Deployment').filter(({ text }) => /^ {2}replicas:/m.test(text));
    assert.deepEqual(
      replicas.map(({ text }) => /component: (\S+)/.exec(text)?.[1]),
      ['temporal'],
    );
  });

  it('counts by queries that the database answers with one number', async () => {
    const scaled = ofKind(await tools.render(sites['with all parts']), 'ScaledObject');
    for (const { text } of scaled) {
      const [, query = ''] = /query: "(.*)"/.exec(text) ?? [];
      const { rows } = await database.pool.query<Record<string, string>>(query);
      assert.deepEqual(
        rows.map((row) => Object.values(row).map(Number)),
        [[0]],
        query,
      );
    }
  });

  it('scales workers of blocks by the task queue as well, wherever its server is', async () => {
    for (const [site, endpoint, namespace] of [
      ['with all parts', 'field-temporal:7233', 'steppe'],
      ['with a Temporal server elsewhere', 'temporal.example:7233', 'maps'],
    ] as const) {
      const [, blocks] = ofKind(await tools.render(sites[site]), 'ScaledObject');
      for (const line of [
        `endpoint: ${endpoint}`,
        `namespace: ${namespace}`,
        'taskQueue: steppe-landscape-1',
      ])
        assert.match(blocks?.text ?? '', new RegExp(`type: temporal\n[^]* ${line}\n`));
    }
  });

  it('refuses settings that are none, and an address without a host', async () => {
    for (const settings of [
      ['worker.isolatoin=none'],
      ['api.replicas=0'],
      ['ingress.enabled=true'],
      ['temporal.enabled=true'],
      ['workflowEngine.url=http://a'],
    ]) {
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
