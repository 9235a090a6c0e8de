import assert from 'node:assert/strict';
import { createHash, hash } from 'node:crypto';
import { readFile, writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { verify } from '../../commands/verify.ts';
import { canonicalJson } from '../../json/canonical-json.ts';
import type { Dossier, DossierSignature } from './dossier-schema.ts';
import { DossierContents, type DossierManifest } from './manifest-schema.ts';
import { type PlacedMember, readArchive, readMember } from './read-archive.ts';
import { leaves } from '../model/leaves.ts';
import { verifyDossier } from './verification/verify.ts';
import { startTestApp } from '../../../test/support/app.ts';
import { askAgainWhileBusy } from '../../../test/support/http/ask-again.ts';
import { runHere } from '../../../test/support/tools/commands.ts';
import { type Refusal, send } from '../../../test/support/datasets.ts';
import { closeAfterTests, temporaryFolder } from '../../../test/support/for-tests.ts';
import { fillDemonstration } from '../../../test/support/landscape/layer-landscape.ts';
import { startRuns } from '../../../test/support/landscape/runs.ts';
import { createSigner } from '../../../test/support/landscape/signing.ts';
import {
  contentsOf,
  inMemory,
  json,
  packed,
  sha256Of,
} from '../../../test/support/landscape/small-dossier.ts';
import { isLongTier } from '../../../test/support/tier.ts';

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
      const answer = await askAgainWhileBusy(async () => await fetch(`${app.baseUrl}${base}.zip${query}`));
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
const opened = inMemory(whole);
const { members } = await readArchive(opened);
const known = new Map<string, Buffer>(
  await Promise.all(
    members.map(
      async (member) =>
        [member.name, Buffer.concat(await Array.fromAsync(readMember(opened, member)))] as const,
    ),
  ),
);

const faultsOf = async (bytes: Buffer) =>
  (await verifyDossier(inMemory(bytes), { signal: new AbortController().signal })).faults;

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
      assert.match((await faultsOf(await packed(changed))).join('\n'), sentence);
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
    assert.deepEqual(await faultsOf(await packed([...changed])), [
      'The member "cogs/34.tif" is not the raster that the manifest names.',
    ]);
    const manifest =
      known.get('manifest.json')?.toString().replace('"v1_min_s_e3":5', '"v1_min_s_e3":4') ?? '';
    changed.set('manifest.json', Buffer.from(manifest));
    const faults = (await faultsOf(await packed([...changed]))).join('\n');
    assert.match(faults, /The fingerprint of node 33 is not that of its inputs and parameters/);
  });

  test('is computed again bit for bit, without the service, which shows a raster that was forged in all lists', async () => {
    const manifest: DossierManifest = JSON.parse(known.get('manifest.json')?.toString() ?? '');
    const forged = Buffer.from(known.get('cogs/34.tif') ?? '');
    forged.writeUInt8(forged.readUInt8(forged.length - 1) ^ 1, forged.length - 1);
    const cog = { sha256: sha256Of(forged), bytes: forged.length };
    const nodes = manifest.nodes.map((node) =>
      node.code === '34' ? { ...node, output: { ...node.output, cog } } : node,
    );
    const changed = new Map(known)
      .set('cogs/34.tif', forged)
      .set('manifest.json', json({ ...manifest, nodes }));
    for (const name of ['areas/district.json', 'areas/region.json'])
      changed.set(
        name,
        Buffer.from(String(known.get(name)).replace(/"digest": "[^"]+"/, `"digest": "${cog.sha256}"`)),
      );
    changed.set('contents.json', json(contentsOf(changed, { manifest: { ...manifest, nodes } })));
    const path = join(folder, 'forged.zip');
    await writeFile(path, await packed(changed));
    const { code, stdout } = await runHere(verify, [path], {});
    assert.equal(code, 3, stdout);
    const again = await runHere(verify, [path, '--recompute'], {});
    assert.equal(again.code, 1, again.stdout);
    assert.equal(again.stdout.match(/^\d\d  the same, bit for bit$/gm)?.length, 18, again.stdout);
    assert.match(
      again.stdout,
      /^34  DIFFERS[\s\S]*1 output is not what these inputs give\.\nThey were computed with GDAL 0\.0\.0, [^\n]* and here with GDAL/m,
    );
    assert.doesNotMatch(again.stdout, /reproduced/);
  });

  test('is examined by the command, whose status says whether it is whole', async () => {
    const right = await runHere(verify, [file], {});
    assert.equal(right.code, 3);
    assert.match(
      right.stdout,
      /^The \d+ members of this file fit each other[\s\S]*Not signed: nothing shows who has made this file/,
    );
    assert.doesNotMatch(right.stdout, /as they were when|reproduced/, 'nothing was computed again');
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

  test('is the same file each time, with its length and a strong ETag, and 304 for a client that has it', async () => {
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
  const other = createSigner('ec', 'АХМЕТОВА АЙГУЛЬ');
  const put = async <T = Refusal>(body: Buffer, query = '') =>
    await send<T>(app, `${base}/signature${query}`, {
      method: 'PUT',
      body: new Uint8Array(body),
      headers: { 'content-type': 'application/pkcs7-signature' },
    });
  const bytesOf = async (path: string) =>
    Buffer.from(await (await fetch(`${app.baseUrl}${base}${path}`)).arrayBuffer());
  const readManifest = async () => await bytesOf('/manifest.json');

  /** Downloads a dossier and returns the output of the command that verifies it. */
  async function verifyNow(query: string, ...options: readonly string[]) {
    const path = join(folder, 'now.zip');
    await writeFile(path, await download(query));
    return await runHere(verify, [path, ...options], {});
  }
  async function certificateOf({ certificate }: typeof signer, name: string): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, certificate);
    return path;
  }

  test('over the manifest is stored, shown, and in the dossier, and covers the run and its rasters', async () => {
    const manifest = await readManifest();
    assert.ok(manifest.equals(known.get('manifest.json') ?? Buffer.alloc(0)));
    assert.equal((await fetch(`${app.baseUrl}${base}/signature`)).status, 404);
    const cms = signer.sign(manifest);
    const stored = await put<DossierSignature>(cms);
    assert.equal(stored.status, 200);
    const { revision, over, is_current, is_in_force, signers } = stored.body;
    assert.deepEqual(
      [revision, over, is_current, is_in_force, signers[0]?.subject, signers[0]?.digest],
      [1, 'manifest', true, true, 'CN=АХМЕТОВА АЙГУЛЬ', 'right'],
    );
    assert.equal((await put<DossierSignature>(cms)).body.revision, 1);
    const answer = await fetch(`${app.baseUrl}${base}/signature`);
    assert.equal(answer.headers.get('content-type'), 'application/pkcs7-signature');
    assert.ok(cms.equals(Buffer.from(await answer.arrayBuffer())));
    const { code, stdout } = await verifyNow('');
    assert.equal(code, 4, stdout);
    assert.match(stdout, /key of CN=АХМЕТОВА АЙГУЛЬ, certificate 5C3A1B, valid from 2025-06-01\S* to 2040/);
    assert.match(stdout, /does not cover README\.txt, report\.html, areas\/, balance\/, record\.json, /);
  });

  test('over the inventory covers every member, and the dossier keeps what was signed', async () => {
    const inventory = await bytesOf('/inventory.json?lang=kk');
    const cms = signer.sign(inventory);
    const wrongLanguage = await put(cms, '?over=inventory&lang=ru');
    assert.equal(wrongLanguage.status, 422);
    const { body } = await put<DossierSignature>(cms, '?over=inventory&lang=kk');
    assert.deepEqual(
      [body.revision, body.over, body.language, body.is_in_force],
      [2, 'inventory', 'kk', true],
    );
    const signed = await download('?with=cogs&lang=ru');
    await send(app, `/landscape/runs/${run.id}/record`, {
      method: 'PUT',
      body: JSON.stringify({ name: 'Later', note: null, basis: null }),
    });
    assert.ok(signed.equals(await download('?with=cogs')), 'a note later changes nothing of what was signed');
    const now = await verifyNow('?with=cogs');
    assert.equal(now.code, 6, now.stdout);
    assert.match(now.stdout, /covers every member[\s\S]*--trust CERTIFICATE/);
    const right = await verifyNow('?with=cogs', '--trust', await certificateOf(signer, 'signer.der'));
    assert.equal(right.code, 0, right.stdout);
    assert.match(right.stdout, /by a certificate that you trust/);
    const wrong = await verifyNow('?with=cogs', '--trust', await certificateOf(other, 'other.der'));
    assert.equal(wrong.code, 1, wrong.stdout);
    const ofNow = await verifyNow('?as=now');
    assert.equal(ofNow.code, 3, ofNow.stdout);
  });

  test('that cannot be checked is stored, and takes the place of no right one', async () => {
    const cms = signer.sign(await readManifest(), { isGost: true });
    const { body } = await put<DossierSignature>(cms);
    assert.deepEqual(
      [body.revision, body.is_in_force, body.signers[0]?.signature],
      [3, false, 'not_checked'],
    );
    const { body: dossier } = await send<Dossier>(app, base);
    assert.deepEqual(
      dossier.signatures.map(({ revision, is_in_force: isInForce }) => [revision, isInForce]),
      [
        [3, false],
        [2, true],
        [1, false],
      ],
    );
    assert.ok(cms.equals(await bytesOf('/signature?revision=3')));
    assert.ok(!cms.equals(await bytesOf('/signature')));
    assert.equal((await fetch(`${app.baseUrl}${base}/signature?revision=9`)).status, 404);
    assert.deepEqual([dossier.cogs.files, dossier.inputs.files], [19, 13]);
  });

  test('over other bytes, by another key, outside of its validity, or malformed is refused', async () => {
    const manifest = await readManifest();
    const cms = signer.sign(manifest);
    cms.writeUInt8(cms.readUInt8(cms.length - 5) ^ 1, cms.length - 5);
    for (const [body, sentence] of [
      [signer.sign(Buffer.from('other')), /over other bytes: .* SHA-256 is [0-9a-f]{64}/],
      [cms, /does not belong to the key/],
      [
        signer.sign(manifest, { at: '240101000000Z' }),
        /made at 2024-01-01T00:00:00.000Z, when its certificate/,
      ],
      [Buffer.from('-----BEGIN CMS-----'), /not a CMS signature/],
    ] as const) {
      const { status, body: refusal } = await put(body);
      assert.equal(status, 422);
      assert.match(refusal.error ?? '', sentence);
    }
    assert.equal((await put(Buffer.alloc(300 * 1024))).status, 413);
  });

  test('stays over what was signed when a dataset is deleted later', async () => {
    const last = signer.sign(await readManifest());
    assert.equal((await put<DossierSignature>(last)).body.is_in_force, true);
    const input = run.nodes?.[0]?.inputs?.[0]?.dataset_id ?? '';
    assert.equal((await send(app, `/datasets/${input}`, { method: 'DELETE' })).status, 204);
    const { body } = await send<Dossier>(app, base);
    assert.equal(body.signatures[0]?.is_current, false);
    assert.deepEqual(body.inputs.missing.length, 1);
    assert.equal((await fetch(`${app.baseUrl}${base}.zip?with=inputs`)).status, 409);
    const { code, stdout } = await verifyNow('');
    assert.equal(code, 4, stdout);
    assert.match(
      stdout,
      /over signed-manifest\.json\. The manifest of the file differs from it in what was deleted/,
    );
  });
});
