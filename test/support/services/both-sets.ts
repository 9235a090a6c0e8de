import { closeAfterTests } from '../for-tests.ts';
import { startServices } from './services.ts';

/** A set of services for Steppe, and the variables that select it. */
export interface ServiceSet {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** Time until the claims of a dead worker are released; the embedded set detects the death at once. */
  readonly leaseSeconds: number;
}

/** Returns both sets of services, on which every promise holds; the external ones are new and end after the last test of a file. */
export async function openBothSets(): Promise<readonly [ServiceSet, ServiceSet]> {
  const services = await closeAfterTests(startServices());
  return [
    { name: 'embedded services', env: {}, leaseSeconds: 0 },
    { name: 'PostgreSQL behind PgBouncer, S3 and NATS', env: services.pooledEnv, leaseSeconds: 30 },
  ];
}
