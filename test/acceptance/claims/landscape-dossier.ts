import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { fromBufferPromise } from 'yauzl';
import { checkedElsewhere, claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { goldenPins, outputOf, succeed } from '../support/landscape.ts';
import { once } from '../support/datasets.ts';
import { createSigner } from '../../support/signing.ts';

interface Stored {
  readonly sha256: string;
  readonly bytes: number;
}
interface Manifest {
  readonly run: { readonly id: string };
  readonly inputs: readonly { readonly group: string; readonly original: Stored; readonly cog: Stored }[];
  readonly nodes: readonly {
    readonly code: string;
    readonly action: 'compute' | 'reuse';
    readonly output: { readonly dataset_id: string; readonly cog: Stored };
    readonly made_by: Readonly<Record<'run_id' | 'steppe' | 'gdal' | 'proj', string | null>>;
  }[];
}
interface Contents {
  readonly members: readonly ({ readonly name: string } & Stored)[];
}
interface Signature {
  readonly revision: number;
  readonly is_current: boolean;
  readonly signers: readonly {
    readonly subject: string;
    readonly digest: string;
    readonly signature: string;
  }[];
}
interface Dossier {
  readonly manifest_sha256: string;
  readonly cogs: { readonly files: number; readonly bytes: number; readonly missing: readonly string[] };
  readonly inputs: { readonly files: number };
  readonly signatures: readonly Signature[];
}

const sharedRun = once(async (client: Client) => {
  const overrides = await goldenPins(client);
  await succeed(client, { overrides });
  return await succeed(client, { overrides });
});
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A path once it is 200. */
async function made(client: Client, path: string): Promise<Response> {
  for (;;) {
    const answer = await fetch(client.baseUrl + path);
    if (answer.status === 200) return answer;
    assert.equal(answer.status, 202);
    await answer.arrayBuffer();
  }
}

async function bytesOf(client: Client, path: string): Promise<Buffer> {
  return Buffer.from(await (await made(client, path)).arrayBuffer());
}

claim(
  ['D7 dossier | D7 dossier bytes | D7 dossier facts', 'D7 manifest | D7 manifest maker'],
  'a dossier has by digest what a run was made of, in a file that is the same each time',
  async (client) => {
    const run = await sharedRun(client);
    const base = `/landscape/runs/${run.id}/dossier`;
    const answer = await made(client, `${base}.zip?with=cogs,inputs`);
    const whole = Buffer.from(await answer.arrayBuffer());
    assert.equal(answer.headers.get('content-length'), String(whole.length));
    const headers = { 'if-none-match': answer.headers.get('etag') ?? '' };
    assert.equal((await fetch(`${client.baseUrl}${base}.zip?with=cogs,inputs`, { headers })).status, 304);
    const members = new Map<string, Buffer>();
    const zip = await fromBufferPromise(whole, { lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      assert.equal(entry.compressionMethod, 0);
      const stream = await zip.openReadStreamPromise(entry);
      members.set(entry.fileName, Buffer.concat(await Array.fromAsync(stream)));
    }
    const read = (name: string) => members.get(name) ?? assert.fail(name);
    const contents: Contents = JSON.parse(read('contents.json').toString());
    assert.deepEqual(
      contents.members.map(({ name }) => name).toSorted(),
      [...members.keys()].filter((name) => name !== 'contents.json').toSorted(),
    );
    for (const { name, bytes, sha256: digest } of contents.members)
      assert.deepEqual([read(name).length, sha256(read(name))], [bytes, digest], name);
    const manifest: Manifest = JSON.parse(read('manifest.json').toString());
    assert.ok(read('manifest.json').equals(await bytesOf(client, `${base}/manifest.json`)));
    for (const { code, output, action, made_by: maker } of manifest.nodes) {
      assert.equal(output.dataset_id, outputOf(run, code));
      assert.equal(sha256(read(`cogs/${code}.tif`)), output.cog.sha256);
      assert.equal(maker.run_id === run.id, action === 'compute', code);
      assert.match(`${maker.steppe} ${maker.gdal} ${maker.proj}`, /^\d+\.\S+ GDAL \d+\.\S+ \d+\.\d+\.\d+$/);
    }
    for (const { group, cog, original } of manifest.inputs) {
      assert.equal(sha256(read(`inputs/${group}/cog.tif`)), cog.sha256);
      if (original.sha256 !== cog.sha256)
        assert.equal(sha256(read(`inputs/${group}/original.tif`)), original.sha256);
    }
    const dossier = await client.get<Dossier>(base);
    assert.equal(dossier.manifest_sha256, sha256(read('manifest.json')));
    assert.deepEqual([dossier.cogs.files, dossier.cogs.missing], [19, []]);
    assert.equal(
      dossier.cogs.bytes,
      manifest.nodes.reduce((sum, { output }) => sum + output.cog.bytes, 0),
    );
  },
);

claim(['D7 signature'], 'a signature over the manifest is stored, shown and kept', async (client) => {
  const base = `/landscape/runs/${(await sharedRun(client)).id}/dossier`;
  const manifest = await bytesOf(client, `${base}/manifest.json`);
  const cms = createSigner('ec', 'АХМЕТОВА АЙГУЛЬ').sign(manifest);
  const put = async () => {
    const answer = await fetch(`${client.baseUrl}${base}/signature`, {
      method: 'PUT',
      body: new Uint8Array(cms),
      headers: { 'content-type': 'application/pkcs7-signature' },
    });
    assert.equal(answer.status, 200);
    const stored: Signature = JSON.parse(await answer.text());
    return stored;
  };
  const stored = await put();
  assert.equal((await put()).revision, stored.revision);
  assert.deepEqual(
    stored.signers.map(({ subject, digest, signature }) => [subject, digest, signature]),
    [['CN=АХМЕТОВА АЙГУЛЬ', 'right', 'right']],
  );
  assert.ok(cms.equals(await bytesOf(client, `${base}/signature`)));
  const { signatures } = await client.get<Dossier>(base);
  assert.deepEqual([signatures[0]?.revision, signatures[0]?.is_current], [stored.revision, true]);
});

checkedElsewhere('test/landscape/dossier.test.ts', {
  'breaks the connection when an object is damaged, and is refused when one is gone': ['D7 dossier broken'],
  'stays over what was signed when a dataset is deleted later': ['D7 dossier deleted'],
  'over other bytes, by another key, or that is none is refused': ['D7 signature checked'],
  'names what is missing, added, renamed, twice, and of another size': ['D7 verify'],
});
