import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { describeSpreadReferences } from '../../../test/contract/spread-references.ts';
import { openArchiveServer, readerOfArchive } from '../../../test/support/http/archive-server.ts';
import { createFakeEngine } from '../../../test/support/landscape/fake-workflow-engine.ts';
import { startRuns } from '../../../test/support/landscape/runs.ts';
import { fillWide } from '../../../test/support/landscape/spread.ts';

const archive = await closeAfterTests(openArchiveServer());
const runs = await closeAfterTests(startRuns());
// Four tiles of 256 KiB in a row: each block needs one of them that the other one does not need.
const tiles = ['TILED=YES', 'BLOCKXSIZE=256', 'BLOCKYSIZE=256'];
await fillWide(runs, { width: 1024, height: 256, options: tiles });
const { engine } = createFakeEngine();

const etag = '"registered"';
const serve = async (name: string, bytes: Buffer): Promise<string> =>
  await Promise.resolve(archive.serve(`/${name}`, { bytes, etag }));
const changed = /input group landscape-in-dem: The file on archive\.test:\d+ is not the one/;

await describeSpreadReferences('https', {
  runs,
  engines: [engine, engine],
  sources: {
    serve,
    openReader: () => readerOfArchive(archive.port, { deadlineMs: 120_000, pausesMs: [1] }),
  },
  changes: [
    {
      name: 'gets another version',
      change: async (name, bytes) =>
        await Promise.resolve(archive.serve(`/${name}`, { bytes, etag: '"another"' })),
      sentence: changed,
    },
    {
      name: 'gets other pixels at its end, of which its server says nothing,',
      change: async (name, bytes) => {
        const other = Buffer.from(bytes);
        other.fill(0, other.length - 1000);
        return await serve(name, other);
      },
      sentence: changed,
    },
    {
      name: 'becomes shorter',
      change: async (name, bytes) => await serve(name, bytes.subarray(0, 1000)),
      sentence: changed,
    },
    {
      name: 'is removed',
      change: async (name) => await Promise.resolve(archive.remove(`/${name}`)),
      sentence: /input group landscape-in-dem: archive\.test:\d+ has no file at this address/,
    },
  ],
});
