import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { type Client, createAcceptanceClient } from '../acceptance/client.ts';
import { type Service, startService } from '../support/service.ts';
import { fieldCases } from './case.ts';
import { rasterCases } from './raster-cases.ts';
import { styleCases } from './style-cases.ts';
import { tableCases } from './table-cases.ts';
import { vectorCases } from './vector-cases.ts';

test('every folder of files is a case', async () => {
  const entries = await readdir(fieldCases, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const cases = [...vectorCases, ...tableCases, ...rasterCases, ...styleCases];
  assert.deepEqual([...new Set(cases.map(({ slug }) => slug))].toSorted(), folders.toSorted());
});

describe('files that people had trouble with elsewhere', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startService();
    client = createAcceptanceClient(service.baseUrl);
  });
  after(async () => await service[Symbol.asyncDispose]());

  for (const { slug, text, check } of [...tableCases, ...rasterCases, ...styleCases])
    test(`${slug}: ${text}`, async () => await check(client));
});
