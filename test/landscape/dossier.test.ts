import assert from 'node:assert/strict';
import { createHash, hash } from 'node:crypto';
import { readFile, writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { verify } from '../../src/commands/verify.ts';
import { canonicalJson } from '../../src/json/canonical-json.ts';
import type { Dossier, DossierSignature } from '../../src/landscape/dossier/dossier-schema.ts';
import { DossierContents, type DossierManifest } from '../../src/landscape/dossier/manifest-schema.ts';
import {
  type FileBytes,
  type PlacedMember,
  readArchive,
  readMember,
} from '../../src/landscape/dossier/read-archive.ts';
import { leaves } from '../../src/landscape/model/leaves.ts';
import { recompute } from '../../src/landscape/dossier/recompute.ts';
import { verifyDossier } from '../../src/landscape/dossier/verify.ts';
import { writeArchive } from '../../src/landscape/dossier/write-archive.ts';
import { startTestApp } from '../support/app.ts';
import { runHere } from '../support/commands.ts';
import { type Refusal, send } from '../support/datasets.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { fillDemonstration } from '../support/layer-landscape.ts';
import { startRuns } from '../support/runs.ts';
import { createSigner } from '../support/signing.ts';
import { isLongTier } from '../support/tier.ts';

const runs = await closeAfterTests(startRuns({ districts: true }));
if (isLongTier) await fillDemonstration(runs);
else for (const { key } of leaves) await runs.fill(key);
const first = await runs.execute();
const run = await runs.execute({ params: { v1_min_s_e3: 5 } });
const app = await closeAfterTests(
  startTestApp({
    databaseTarget: runs.target,
    storeFolder: runs.store.root,
    messageQueue: runs.messageQueue,
  }),
);
const folder = await temporaryFolder();
const base = `/landscape/runs/${run.id}/dossier`;
const hostile = '<script>alert(1)</script>=HYPERLINK("x")\u202e';
await send(app, `/landscape/runs/${run.id}/record`, {
  method: 'PUT',
  body: JSON.stringify({ name: hostile, note: hostile, basis: '../../etc/passwd' }),
});

async function download(query: string): Promise<Buffer> {
  const worker = runs.start();
  try {
    for (;;) {
      const answer = await fetch(`${app.baseUrl}${base}.zip${query}`);
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (answer.status === 200) return bytes;
      assert.equal(answer.status, 202, bytes.toString());
    }
  } finally {
    await worker.stop();
  }
}

const whole = await download('?with=cogs,inputs');
const file = join(folder, 'dossier.zip');
await writeFile(file, whole);
const inMemory = (bytes: Buffer): FileBytes => ({
  size: bytes.length,
  read: async (position, length) => bytes.subarray(position, position + length),
});
const opened = inMemory(whole);
const { members } = await readArchive(opened);
const known = new Map(
  await Promise.all(
    members.map(
      async (member) =>
        [member.name, Buffer.concat(await Array.fromAsync(readMember(opened, member)))] as const,
    ),
  ),
);

const faultsOf = async (bytes: Buffer) =>
  (await verifyDossier(inMemory(bytes), new AbortController().signal)).faults;

/** Writes a dossier of other members, by the rules of its archive. */
async function repacked(of: readonly (readonly [name: string, content: Buffer])[]): Promise<Buffer> {
  const sources = of.map(([name, content]) => ({
    name,
    content,
    bytes: content.length,
    sha256: hash('sha256', content, 'hex'),
  }));
  return Buffer.concat(await Array.fromAsync(writeArchive(sources)));
}

describe('a dossier', () => {
  test('has what the run was made of, and proves it', async () => {
    assert.deepEqual(await faultsOf(whole), []);
    const names = [...known.keys()];
    for (const name of [
      'README.txt',
      'manifest.json',
      'contents.json',
      'record.json',
      'areas/district.csv',
      'balance/region.json',
    ])
      assert.ok(names.includes(name), name);
    assert.equal(names.filter((name) => name.startsWith('cogs/')).length, 19);
    assert.equal(names.filter((name) => name.startsWith('inputs/')).length, 13);
    const manifest: DossierManifest = JSON.parse(known.get('manifest.json')?.toString() ?? '');
    assert.equal(canonicalJson(manifest), known.get('manifest.json')?.toString());
    const zoning = manifest.nodes.find(({ code }) => code === '34');
    assert.equal(zoning?.action, 'compute');
    const versions = { steppe: '1.0.0', gdal: runs.engines.geo.version, proj: runs.engines.geo.proj };
    assert.deepEqual(zoning?.made_by, { run_id: run.id, ...versions });
    const reused = manifest.nodes.find(({ code }) => code === '01');
    assert.deepEqual([reused?.action, reused?.made_by.run_id], ['reuse', first.id]);
  });

  test('names the member of any changed byte, and of none that was not', async () => {
    for (const { name, start, bytes } of members) {
      if (bytes === 0) continue;
      const changed = Buffer.from(whole);
      const at = start + (createHash('sha256').update(name).digest().readUInt32LE() % bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      const faults = await faultsOf(changed);
      assert.ok(
        faults.some((fault) => fault.includes(`"${name}"`)),
        `${name}: ${faults.join(' ')}`,
      );
      const others = members.filter(
        (other) => other.name !== name && faults.join().includes(`"${other.name}"`),
      );
      assert.deepEqual(
        others.map((other) => other.name),
        [],
        name,
      );
    }
  });

  test('names what is missing, added, renamed, twice, and of another size', async () => {
    const all = [...known];
    const without = all.filter(([name]) => name !== 'record.json');
    const record = known.get('record.json') ?? Buffer.alloc(0);
    for (const [changed, sentence] of [
      [without, /^The member "record\.json" is missing\.$/],
      [[...all, ['notes.txt', Buffer.from('x')] as const], /^The member "notes\.txt" was added/],
      [
        [...without, ['records.json', record] as const],
        /^The member "record\.json" was renamed to "records\.json"\.$/,
      ],
      [[...all, ['record.json', record] as const], /^The member "record\.json" is there twice\.$/],
      [
        [...without, ['record.json', record.subarray(1)] as const],
        /^The member "record\.json" has another size/,
      ],
      [
        [...all, ['../record.json', record] as const],
        /^The member "\.\.\/record\.json" has a name that no dossier has/,
      ],
    ] as const)
      assert.match((await faultsOf(await repacked(changed))).join('\n'), sentence);
  });

  test('does not take another raster for the one of the manifest, whatever the contents say', async () => {
    const contents = DossierContents.parse(JSON.parse(known.get('contents.json')?.toString() ?? ''));
    const forged = Buffer.from(known.get('cogs/33.tif') ?? '');
    const swapped = contents.members.map((member) =>
      member.name === 'cogs/34.tif'
        ? { name: member.name, bytes: forged.length, sha256: hash('sha256', forged, 'hex') }
        : member,
    );
    const changed = new Map(known);
    changed.set('cogs/34.tif', forged);
    changed.set('contents.json', Buffer.from(canonicalJson({ ...contents, members: swapped })));
    assert.deepEqual(await faultsOf(await repacked([...changed])), [
      'The member "cogs/34.tif" is not the raster that the manifest names.',
    ]);
    const manifest =
      known.get('manifest.json')?.toString().replace('"v1_min_s_e3":5', '"v1_min_s_e3":4') ?? '';
    changed.set('manifest.json', Buffer.from(manifest));
    const faults = (await faultsOf(await repacked([...changed]))).join('\n');
    assert.match(faults, /The fingerprint of node 33 is not that of its inputs and parameters/);
  });

  test('is computed again bit for bit, without the service', async () => {
    const verified = await verifyDossier(opened, new AbortController().signal);
    const outputs = await recompute(
      { engines: runs.engines, computeWorkers: 1, maxPixels: 1e6 },
      {
        verified,
        file: opened,
        scratch: await temporaryFolder(),
        signal: new AbortController().signal,
        onOutput: () => undefined,
      },
    );
    assert.equal(outputs.length, 19);
    for (const { code, sha256, expected } of outputs) assert.equal(sha256, expected, code);
  });

  test('is examined by the command, whose status says whether it is whole', async () => {
    const right = await runHere(verify, [file], {});
    assert.equal(right.code, 0);
    assert.match(
      right.stdout,
      /^All \d+ members are as they were[\s\S]*No signature\.[\s\S]*reproduction, not truth/,
    );
    const changed = Buffer.from(whole);
    changed.writeUInt8(0, members.find(({ name }) => name === 'cogs/34.tif')?.start ?? 0);
    await writeFile(join(folder, 'changed.zip'), changed);
    const wrong = await runHere(verify, [join(folder, 'changed.zip')], {});
    assert.equal(wrong.code, 1);
    assert.match(wrong.stdout, /"cogs\/34\.tif"/);
    await assert.rejects(
      runHere(verify, [join(folder, 'none.zip')], {}),
      /none\.zip cannot be read \(ENOENT\)/,
    );
  });

  test('is the same file each time, with its length and a strong ETag, and 304 for who has it', async () => {
    assert.ok(whole.equals(await download('?with=inputs,cogs')));
    const head = await fetch(`${app.baseUrl}${base}.zip?with=cogs,inputs`, { method: 'HEAD' });
    assert.equal(head.headers.get('content-length'), String(whole.length));
    const etag = head.headers.get('etag') ?? '';
    assert.match(etag, /^"[0-9a-f]{32}"$/);
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${app.baseUrl}${base}.zip?with=cogs,inputs`, { headers })).status;
    assert.equal(await ask({ 'if-none-match': etag }), 304);
    assert.equal(await ask({ 'if-match': '"x"' }), 412);
  });

  test('shows hostile names as what they are: text of JSON', async () => {
    const { record } = JSON.parse(known.get('record.json')?.toString() ?? '');
    assert.deepEqual([record.name, record.basis], [hostile, '../../etc/passwd']);
    assert.ok(members.every(({ name }: PlacedMember) => /^[\w./-]+$/.test(name) && !name.includes('..')));
  });

  test('breaks the connection when an object is damaged, and is refused when one is gone', async () => {
    const row = await runs.db
      .selectFrom('dataset_files')
      .select('object_key')
      .where('dataset_id', '=', run.nodes?.at(-1)?.outputs?.[0]?.dataset_id ?? '')
      .where('kind', '=', 'cog')
      .executeTakeFirstOrThrow();
    const path = join(runs.store.root, row.object_key);
    const bytes = await readFile(path);
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(100) ^ 1, 100);
    const ask = async () => await fetch(`${app.baseUrl}${base}.zip?with=cogs`);
    try {
      await rm(path);
      await writeFile(path, damaged);
      await assert.rejects(async () => await (await ask()).arrayBuffer());
      await rm(path);
      assert.equal((await ask()).status, 404);
    } finally {
      await writeFile(path, bytes);
    }
    assert.equal((await (await ask()).arrayBuffer()).byteLength > 0, true);
  });
});

describe('a signature', () => {
  const signer = createSigner('rsa', 'АХМЕТОВА АЙГУЛЬ');
  const put = async <T = Refusal>(body: Buffer) =>
    await send<T>(app, `${base}/signature`, {
      method: 'PUT',
      body: new Uint8Array(body),
      headers: { 'content-type': 'application/pkcs7-signature' },
    });
  const readManifest = async () =>
    Buffer.from(await (await fetch(`${app.baseUrl}${base}/manifest.json`)).arrayBuffer());

  test('over the manifest is stored, shown, and in the dossier', async () => {
    const manifest = await readManifest();
    assert.ok(manifest.equals(known.get('manifest.json') ?? Buffer.alloc(0)));
    assert.equal((await fetch(`${app.baseUrl}${base}/signature`)).status, 404);
    const cms = signer.sign(manifest);
    const stored = await put<DossierSignature>(cms);
    assert.equal(stored.status, 200);
    assert.deepEqual(
      [
        stored.body.revision,
        stored.body.is_current,
        stored.body.signers[0]?.subject,
        stored.body.signers[0]?.digest,
      ],
      [1, true, 'CN=АХМЕТОВА АЙГУЛЬ', 'right'],
    );
    assert.equal((await put<DossierSignature>(cms)).body.revision, 1);
    const answer = await fetch(`${app.baseUrl}${base}/signature`);
    assert.equal(answer.headers.get('content-type'), 'application/pkcs7-signature');
    assert.ok(cms.equals(Buffer.from(await answer.arrayBuffer())));
    const signed = join(folder, 'signed.zip');
    await writeFile(signed, await download(''));
    const { code, stdout } = await runHere(verify, [signed], {});
    assert.equal(code, 0, stdout);
    assert.match(
      stdout,
      /Signed by CN=АХМЕТОВА АЙГУЛЬ, certificate 5C3A1B: its digest and its key are right; trust in the issuer was not/,
    );
  });

  test('of an unknown algorithm is stored, not verified, and is in force instead', async () => {
    const { body } = await put<DossierSignature>(signer.sign(await readManifest(), { isGost: true }));
    assert.deepEqual([body.revision, body.signers[0]?.signature], [2, 'not_checked']);
    const { body: dossier } = await send<Dossier>(app, base);
    assert.deepEqual(
      dossier.signatures.map(({ revision }) => revision),
      [2, 1],
    );
    assert.deepEqual([dossier.cogs.files, dossier.inputs.files], [19, 13]);
  });

  test('over other bytes, by another key, or that is none is refused', async () => {
    const manifest = await readManifest();
    const cms = signer.sign(manifest);
    cms.writeUInt8(cms.readUInt8(cms.length - 5) ^ 1, cms.length - 5);
    for (const [body, sentence] of [
      [signer.sign(Buffer.from('other')), /over other bytes: .* SHA-256 is [0-9a-f]{64}/],
      [cms, /does not belong to the key/],
      [Buffer.from('-----BEGIN CMS-----'), /not a CMS signature/],
    ] as const) {
      const { status, body: refusal } = await put(body);
      assert.equal(status, 422);
      assert.match(refusal.error ?? '', sentence);
    }
    assert.equal((await put(Buffer.alloc(300 * 1024))).status, 413);
  });

  test('stays over what was signed when a dataset is deleted later', async () => {
    const input = run.nodes?.[0]?.inputs?.[0]?.dataset_id ?? '';
    assert.equal((await send(app, `/datasets/${input}`, { method: 'DELETE' })).status, 204);
    const { body } = await send<Dossier>(app, base);
    assert.equal(body.signatures[0]?.is_current, false);
    assert.deepEqual(body.inputs.missing.length, 1);
    assert.equal((await fetch(`${app.baseUrl}${base}.zip?with=inputs`)).status, 409);
    const signed = join(folder, 'later.zip');
    await writeFile(signed, await download(''));
    const { code, stdout } = await runHere(verify, [signed], {});
    assert.equal(code, 0, stdout);
    assert.match(stdout, /over an earlier form of the manifest/);
  });
});
