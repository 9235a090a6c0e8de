import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { z } from 'zod';
import { MiB } from '../../lib/units.ts';
import { dossierFaults } from '../../messages/dossier.ts';
import { graphVersion, nodeByCode } from '../graph/graph.ts';
import { fingerprintOf, paramsOf } from '../runs/plan.ts';
import { canonicalJson } from '../../json/canonical-json.ts';
import { NotCms, readSignedData, signersOf } from './cms.ts';
import { contentsName, manifestName, promisedRasters, signatureName, signedManifestName } from './dossier.ts';
import type { DossierSigner } from './dossier-schema.ts';
import { DossierContents, DossierManifest, DossierPart } from './manifest-schema.ts';
import { type FileBytes, type PlacedMember, readArchive, readMember } from './read-archive.ts';

/** What is known of a dossier file. */
export interface Verified {
  /** One sentence each; none when all is as it was. */
  readonly faults: readonly string[];
  /** Undefined where it cannot be read. */
  readonly manifest: DossierManifest | undefined;
  readonly manifestSha256: string | undefined;
  readonly contents: DossierContents | undefined;
  readonly members: ReadonlyMap<string, PlacedMember>;
  readonly signers: readonly DossierSigner[];
  /** True when the signature is over an earlier form of the manifest, which lies beside it. */
  readonly isOlderSigned: boolean;
}

/** What is read into memory: a manifest has some ten kilobytes. */
const maxDocumentBytes = 8 * MiB;

/** Proves every byte of a dossier file. Nothing of it is trusted, and nothing is written. */
export async function verifyDossier(file: FileBytes, signal: AbortSignal): Promise<Verified> {
  const archive = await readArchive(file);
  const faults = [...archive.faults];
  const members = new Map(archive.members.map((member) => [member.name, member]));
  const digests = new Map<string, string>();
  /** Nothing follows from what a damaged member says. */
  const damaged = new Set<string>();
  for (const member of members.values()) {
    signal.throwIfAborted();
    const { sha256, isWhole } = await measure(file, member);
    digests.set(member.name, sha256);
    if (isWhole) continue;
    faults.push(dossierFaults.wrongSum(member.name));
    damaged.add(member.name);
  }
  const readOne = async <T>(name: string, schema: z.ZodType<T>) =>
    damaged.has(name) ? undefined : await readDocument(file, members, { name, schema }, faults);
  const contents = await readOne(contentsName, DossierContents);
  const manifest = await readOne(manifestName, DossierManifest);
  if (contents !== undefined) faults.push(...faultsOfContents(contents, members, digests));
  if (manifest !== undefined) faults.push(...wrongFingerprints(manifest));
  if (contents !== undefined && manifest !== undefined)
    faults.push(...faultsOfRasters(contents, manifest, digests));
  const isSignatureWhole = [signatureName, signedManifestName, manifestName].every(
    (name) => !damaged.has(name),
  );
  const signature = isSignatureWhole
    ? await readSignature(file, members, faults)
    : { signers: [], isOlderSigned: false };
  return {
    faults: [...new Set(faults)],
    manifest,
    manifestSha256: digests.get(manifestName),
    contents,
    members,
    ...signature,
  };
}

async function measure(file: FileBytes, member: PlacedMember) {
  const sha256 = createHash('sha256');
  let sum = 0;
  for await (const chunk of readMember(file, member)) {
    sha256.update(chunk);
    sum = crc32(chunk, sum);
  }
  return { sha256: sha256.digest('hex'), isWhole: sum === member.crc32 };
}

type Members = ReadonlyMap<string, PlacedMember>;

/** Undefined when it is missing, or larger than any. */
async function readWhole(file: FileBytes, members: Members, name: string, faults: string[]) {
  const member = members.get(name);
  if (member === undefined) return undefined;
  if (member.bytes > maxDocumentBytes) {
    faults.push(dossierFaults.tooLarge(name));
    return undefined;
  }
  return Buffer.concat(await Array.fromAsync(readMember(file, member)));
}

/** Reads JSON that has to be canonical, so that there is one form of it. */
async function readDocument<T>(
  file: FileBytes,
  members: Members,
  { name, schema }: { readonly name: string; readonly schema: z.ZodType<T> },
  faults: string[],
): Promise<T | undefined> {
  const bytes = await readWhole(file, members, name, faults);
  if (bytes === undefined) {
    if (!members.has(name)) faults.push(dossierFaults.missing(name));
    return undefined;
  }
  const parsed = schema.safeParse(parseJson(bytes.toString('utf8')));
  if (!parsed.success) faults.push(dossierFaults.malformed(name));
  else if (canonicalJson(parsed.data) !== bytes.toString('utf8'))
    faults.push(dossierFaults.notCanonical(name));
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Compares the members that there are with those that the contents name, to the byte. */
function faultsOfContents(
  contents: DossierContents,
  members: Members,
  digests: ReadonlyMap<string, string>,
): readonly string[] {
  const faults: string[] = [];
  const named = new Map(contents.members.map((member) => [member.name, member]));
  const added = [...members.keys()].filter((name) => name !== contentsName && !named.has(name));
  for (const { name, bytes, sha256 } of contents.members) {
    const member = members.get(name);
    if (member === undefined) {
      const now = added.find((other) => digests.get(other) === sha256);
      if (now !== undefined) added.splice(added.indexOf(now), 1);
      faults.push(now === undefined ? dossierFaults.missing(name) : dossierFaults.renamed(now, name));
    } else if (member.bytes !== bytes) faults.push(dossierFaults.otherSize(name));
    else if (digests.get(name) !== sha256) faults.push(dossierFaults.otherBytes(name));
  }
  return [...faults, ...added.map(dossierFaults.added)];
}

/** Compares the rasters that there are with those that the manifest names. */
function faultsOfRasters(
  contents: DossierContents,
  manifest: DossierManifest,
  digests: ReadonlyMap<string, string>,
): readonly string[] {
  if (contents.run_id !== manifest.run.id) return [dossierFaults.otherRun];
  const promised = contents.with.flatMap((part) => promisedRasters(manifest, part));
  const names = new Set(promised.map(({ name }) => name));
  const unnamed = [...digests.keys()].filter((name) => isRaster(name) && !names.has(name));
  const isConsistent = digestsByDataset(manifest)
    .values()
    .every((found) => found.size === 1);
  return [
    ...(isConsistent ? [] : [dossierFaults.malformed(manifestName)]),
    ...promised.flatMap(({ name, sha256 }) => {
      const found = digests.get(name);
      if (found === undefined) return [dossierFaults.missing(name)];
      return found === sha256 ? [] : [dossierFaults.otherRaster(name)];
    }),
    ...unnamed.map(dossierFaults.unnamedRaster),
  ];
}

/** The digests that a manifest gives each dataset, wherever it names it: one, unless it was made up. */
function digestsByDataset({
  inputs,
  nodes,
}: DossierManifest): ReadonlyMap<string, ReadonlySet<string | null>> {
  const found = new Map<string, Set<string | null>>();
  const see = (id: string, sha256: string | null): void =>
    void found.set(id, (found.get(id) ?? new Set()).add(sha256));
  for (const { dataset_id: id, cog } of inputs) see(id, cog?.sha256 ?? null);
  for (const { inputs: read, output } of nodes) {
    see(output.dataset_id, output.cog?.sha256 ?? null);
    for (const { dataset_id: id, sha256 } of read) see(id, sha256);
  }
  return found;
}

const isRaster = (name: string): boolean => DossierPart.options.some((part) => name.startsWith(`${part}/`));

/** The nodes whose fingerprints do not follow from what the manifest says; known for this version of the graph. */
function wrongFingerprints({ run, nodes }: DossierManifest): readonly string[] {
  if (run.graph_version !== graphVersion) return [];
  return nodes.flatMap(({ code, inputs, fingerprint }) => {
    const node = nodeByCode(code);
    const computation = {
      code,
      inputs: new Map(inputs.map(({ group, dataset_id: id }) => [group, id])),
      params: node === undefined ? {} : paramsOf(node, run.params),
    };
    return fingerprintOf(computation) === fingerprint ? [] : [dossierFaults.wrongFingerprint(code)];
  });
}

async function readSignature(
  file: FileBytes,
  members: Members,
  faults: string[],
): Promise<Pick<Verified, 'signers' | 'isOlderSigned'>> {
  const cms = await readWhole(file, members, signatureName, faults);
  const isOlderSigned = members.has(signedManifestName);
  const signed = await readWhole(file, members, isOlderSigned ? signedManifestName : manifestName, faults);
  if (cms === undefined || signed === undefined) return { signers: [], isOlderSigned: false };
  try {
    const signers = signersOf(readSignedData(cms), signed);
    const isWrong = signers.some(({ digest, signature }) => digest === 'wrong' || signature === 'wrong');
    if (isWrong || signers.length === 0) faults.push(dossierFaults.wrongSignature);
    return { signers, isOlderSigned };
  } catch (error) {
    if (!(error instanceof NotCms)) throw error;
    faults.push(dossierFaults.brokenSignature);
    return { signers: [], isOlderSigned };
  }
}
