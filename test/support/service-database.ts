import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, type ClientConfig } from 'pg';
import type { Service } from './service.ts';

/** Connection settings of the database of a service. */
export async function databaseOf({ dataDir }: Pick<Service, 'dataDir'>): Promise<ClientConfig> {
  const note: { database: { target: ClientConfig } } = JSON.parse(
    await readFile(join(dataDir, 'service.json'), 'utf8'),
  );
  return note.database.target;
}

export async function connectTo(service: Pick<Service, 'dataDir'>): Promise<Client> {
  const client = new Client(await databaseOf(service));
  await client.connect();
  return client;
}
