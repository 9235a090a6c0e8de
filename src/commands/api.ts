import { drainSecondsOf, startApi } from '../runtime/api/api.ts';
import { checkComponents, openComponents, rolesNeedUrls } from '../runtime/components.ts';
import { openTracing } from '../runtime/tracing.ts';
import { aborted } from '../lib/concurrency/promises.ts';
import { defineCommand } from './command.ts';

export const api = defineCommand({
  name: 'api',
  summary: 'run only the HTTP api; needs the three URLs',
  usage: `Usage: ./steppe api\n\nRuns the HTTP api alone until it is stopped. ${rolesNeedUrls}`,
  options: {},
  drainSeconds: (config) => drainSecondsOf('api', config),
  async run({ config, log, shutdown }) {
    checkComponents(config, 'api');
    await using resources = new AsyncDisposableStack();
    resources.defer((await openTracing(config, 'api', log)).close);
    const components = await openComponents(config, undefined, 'api', log);
    resources.defer(async () => await components.close());
    const { url } = await startApi(
      { role: 'api', config, components, log, shutdown, isPrepared: false },
      resources,
    );
    process.stdout.write(`Steppe's api is ready: ${url}\n`);
    await aborted(shutdown);
  },
});
