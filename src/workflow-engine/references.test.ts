import { Readable } from 'node:stream';
import { pino } from 'pino';
import { describeSpreadReferences } from '../../test/contract/spread-references.ts';
import { closeAfterTests, temporaryFolder } from '../../test/support/for-tests.ts';
import { startRuns } from '../../test/support/landscape/runs.ts';
import { fillWide } from '../../test/support/landscape/spread.ts';
import { startS3 } from '../../test/support/services/s3.ts';
import { startTemporal } from '../../test/support/services/temporal.ts';
import { readReferenceBucket, readS3Url } from '../object-store/s3/location.ts';
import { createS3ObjectStore } from '../object-store/s3/store.ts';
import { createRemoteFiles } from '../remote/remote-files.ts';
import { loadEnginePackage } from '../runtime/workflow-engine.ts';
import { readWorkflowEngineUrl } from './address.ts';

const folder = await temporaryFolder();
const temporal = await closeAfterTests(startTemporal(folder));
const s3 = await closeAfterTests(startS3(folder));
const { credentials } = s3;
const archive = createS3ObjectStore(readS3Url(s3.url), { credentials, onRefusal: () => undefined });
await closeAfterTests(Promise.resolve({ close: async () => archive.close?.() }));
const runs = await closeAfterTests(startRuns());
await fillWide(runs);
const { open } = await loadEnginePackage();
const log = pino({ level: process.env['STEPPE_TEST_LOG'] ?? 'silent' });
const openEngine = async () => await closeAfterTests(open(readWorkflowEngineUrl(temporal.url), log));

await describeSpreadReferences('objects of a bucket, by workers of Temporal', {
  runs,
  engines: [await openEngine(), await openEngine()],
  sources: {
    async serve(name, bytes) {
      await archive.put(name, Readable.from([bytes]));
      return `s3://steppe/${name}`;
    },
    openReader: () =>
      createRemoteFiles({ hosts: [], buckets: [readReferenceBucket(s3.url)], credentials, pausesMs: [1] }),
  },
  changes: [
    {
      name: 'is replaced',
      async change(name, bytes) {
        await archive.remove(name);
        await archive.put(name, Readable.from([Buffer.from(bytes).fill(0, bytes.length - 1000)]));
      },
      sentence: /input group landscape-in-dem: The file on steppe is not the one/,
    },
    {
      name: 'is removed',
      change: async (name) => await archive.remove(name),
      sentence: /input group landscape-in-dem: steppe has no file at this address/,
    },
  ],
});
