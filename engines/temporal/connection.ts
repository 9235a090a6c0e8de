import { readFile } from 'node:fs/promises';
import type { WorkflowEngineAddress } from '../../src/workflow-engine/address.ts';

/** The common options of client and worker connections of the SDK. */
export interface ConnectionOptions {
  readonly address: string;
  readonly apiKey?: string;
  readonly tls?: {
    readonly serverRootCACertificate?: Buffer;
    readonly clientCertPair?: { readonly crt: Buffer; readonly key: Buffer };
  };
}

/** Reads the files that an address names. @throws when one cannot be read. */
export async function connectionOptions(address: WorkflowEngineAddress): Promise<ConnectionOptions> {
  const { server, caPath, certPath, keyPath, apiKeyPath } = address;
  const files = [caPath, certPath, keyPath, apiKeyPath].map(async (path) =>
    path === undefined ? undefined : await readFile(path),
  );
  const [ca, crt, key, apiKey] = await Promise.all(files);
  if (ca === undefined && crt === undefined && apiKey === undefined) return { address: server };
  return {
    address: server,
    ...(apiKey && { apiKey: apiKey.toString('utf8').trim() }),
    tls: {
      ...(ca && { serverRootCACertificate: ca }),
      ...(crt && key && { clientCertPair: { crt, key } }),
    },
  };
}
