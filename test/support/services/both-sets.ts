import { closeAfterTests } from '../for-tests.ts';
import { startServices } from './services.ts';

/** Services under Steppe, with which it works by these variables. */
export interface ServiceSet {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** What a dead worker had claimed waits for this long; the embedded set knows at once that it is dead. */
  readonly leaseSeconds: number;
}

/** Returns both sets on which every promise holds; the external services are new, and go after the last test of a file. */
export async function openBothSets(): Promise<readonly [ServiceSet, ServiceSet]> {
  const services = await closeAfterTests(startServices());
  return [
    { name: 'embedded services', env: {}, leaseSeconds: 0 },
    { name: 'PostgreSQL behind PgBouncer, S3 and NATS', env: services.pooledEnv, leaseSeconds: 30 },
  ];
}
