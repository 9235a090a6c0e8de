import { closeAfterTests } from '../support/for-tests.ts';
import { startServices } from '../support/services/services.ts';
import { registerClaims } from './suite.ts';

await registerClaims({
  title: 'acceptance with PostgreSQL behind PgBouncer, an S3 store and NATS',
  isWhole: true,
  env: async () => (await closeAfterTests(startServices())).pooledEnv,
});
