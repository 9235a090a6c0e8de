import { describe, test } from 'node:test';
import { openVectorEngineHere } from '../support/geo/engine-here.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { createAsking } from '../support/hostile/hostile-vectors.ts';
import { vectorCases } from './vector-cases.ts';

const asking = createAsking(await closeAfterTests(openVectorEngineHere()));

describe('vector files that people had trouble with elsewhere', () => {
  for (const { slug, text, check } of vectorCases) test(`${slug}: ${text}`, async () => await check(asking));
});
