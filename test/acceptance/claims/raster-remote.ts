import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import gdal from 'gdal-async';
import { claim } from '../claim.ts';
import { process } from '../support/datasets.ts';
import { repositoryFile } from '../support/files.ts';

/** Passes requests on, and counts what comes back. */
async function openCounter(baseUrl: string) {
  let receivedBytes = 0;
  const server = createServer((incoming, outgoing) => {
    const { range } = incoming.headers;
    const init = { method: incoming.method ?? 'GET', ...(range === undefined ? {} : { headers: { range } }) };
    const forward = async (): Promise<void> => {
      const answer = await fetch(baseUrl + (incoming.url ?? ''), init);
      const bytes = Buffer.from(await answer.arrayBuffer());
      receivedBytes += bytes.length;
      const kept = ['content-type', 'content-range', 'accept-ranges', 'etag', 'content-length'];
      const headers = kept.flatMap((name) => [[name, answer.headers.get(name) ?? ''] as const]);
      outgoing.writeHead(answer.status, Object.fromEntries(headers.filter(([, value]) => value !== '')));
      outgoing.end(bytes);
    };
    forward().catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return {
    url: `http://127.0.0.1:${address.port}`,
    receivedBytes: () => receivedBytes,
    async close() {
      server.closeAllConnections();
      await promisify(server.close.bind(server))();
    },
  };
}

claim(
  ['D4 vsicurl', 'D4 Range'],
  'GDAL opens a COG by its URL and reads no more than its header',
  async (client) => {
    const { id, size_bytes } = await process(
      client,
      'ready',
      await repositoryFile('test/fixtures/raster/cog_already.tif'),
    );
    const counter = await openCounter(client.baseUrl);
    try {
      gdal.config.set('GDAL_DISABLE_READDIR_ON_OPEN', 'EMPTY_DIR');
      const raster = await gdal.openAsync(`/vsicurl/${counter.url}/datasets/${id}.cog`);
      assert.deepEqual({ ...raster.rasterSize }, { x: 2658, y: 2667 });
      assert.equal((await raster.bands.getAsync(1)).overviews.count(), 4);
      raster.close();
      assert.ok(counter.receivedBytes() < 64 * 1024, `${counter.receivedBytes()} of ${size_bytes}`);
    } finally {
      await counter.close();
    }
  },
);
