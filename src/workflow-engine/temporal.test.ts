import { pino } from 'pino';
import { readWorkflowEngineUrl } from './address.ts';
import { loadEnginePackage } from '../runtime/workflow-engine.ts';
import { describeComputeCluster } from '../../test/contract/compute-cluster.ts';
import { closeAfterTests, temporaryFolder } from '../../test/support/for-tests.ts';
import { startRuns } from '../../test/support/landscape/runs.ts';
import { startTemporal } from '../../test/support/services/temporal.ts';
import { digestsOf, fillWide, openSpreading, withWorkers } from '../../test/support/landscape/spread.ts';

const temporal = await closeAfterTests(startTemporal(await temporaryFolder()));
const runs = await closeAfterTests(startRuns());
await fillWide(runs);
const expected = await digestsOf(runs, await runs.execute({ from_stage: 0 }));
const { open } = await loadEnginePackage();
const log = pino({ level: process.env['STEPPE_TEST_LOG'] ?? 'silent' });
const engine = await closeAfterTests(open(readWorkflowEngineUrl(temporal.url), log));
const spreading = await closeAfterTests(openSpreading(runs, engine));

describeComputeCluster('this machine', { runs, makeCluster: undefined }, expected);
describeComputeCluster(
  'workers of Temporal',
  {
    runs: withWorkers(runs, (faults) => spreading.serve('here', faults)),
    makeCluster: spreading.cluster('here'),
  },
  expected,
);
