/** Checks the inputs of the Landscape Program without a pause, on the database in its argument, until it is killed. */
import { createDatabaseConnection } from '../../database/connect.ts';
import { createZonedRuns } from '../balance/zoned-runs.ts';
import { checkInputs } from './check-inputs.ts';
import { silentQueue } from '../../../test/support/landscape/pretended-runs.ts';

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
