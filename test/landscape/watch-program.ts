/** Looks at the inputs of the Landscape Program without a pause, on the database of its argument, until it is killed. */
import { createDatabaseConnection } from '../../src/database/connect.ts';
import { createZonedRuns } from '../../src/landscape/balance/zoned-runs.ts';
import { checkInputs } from '../../src/landscape/watch/check-inputs.ts';
import { silentQueue } from '../support/pretended-runs.ts';

const { db } = createDatabaseConnection(JSON.parse(process.argv[2] ?? '{}'), {
  maxConnections: 2,
  applicationName: 'steppe-watch',
  onError: () => undefined,
});
const dependencies = { db, messageQueue: silentQueue };
const zonedRuns = createZonedRuns(dependencies);
await checkInputs({ ...dependencies, zonedRuns });
process.stdout.write('looking');
for (;;) await checkInputs({ ...dependencies, zonedRuns });
