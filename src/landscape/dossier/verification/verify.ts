import { createHash, type X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { canonicalJson } from '../../../json/canonical-json.ts';
import { MiB } from '../../../lib/units.ts';
import { dossierFaults, dossierUnchecked } from '../../../messages/runs/english.ts';
import { graphVersion } from '../../graph/graph.ts';
import { DossierInventory, names } from '../inventory.ts';
import { DossierContents, DossierManifest } from '../manifest-schema.ts';
import { type FileBytes, type PlacedMember, readArchive, readMember } from '../read-archive.ts';
import { isBrokenSelf, isTrusted } from '../trust.ts';
import {
  faultsOfContents,
  faultsOfRasters,
  isRaster,
  type Measured,
  wrongFingerprints,
} from './verify-contents.ts';
import { faultsOfDocuments, parseJson } from './verify-documents.ts';
import {
  type ExaminedSignature,
  examineSignature,
  type ExaminedSigner,
  faultsOfEarlier,
  faultsOfInventory,
} from './verify-signature.ts';

/** The document that a signature covers. */
export type SignedForm = 'inventory' | 'manifest' | 'earlier manifest';

/**
 * Result of an examination. `holds`: everything is signed by a trusted key. `not_vouched`: everything is signed by a key of an unknown
 * owner. `not_covered`: a part is not signed. `not_signed`: the parts only match each other. `not_checked`: it could not be determined
 * here.
 */
export type Outcome =
  | 'holds'
  | 'does_not_hold'
  | 'not_signed'
  | 'not_covered'
  | 'not_checked'
  | 'not_vouched';

/** The result of the verification of a dossier file. */
export interface Verified {
  readonly outcome: Outcome;
  /** Faults, one sentence each. */
  readonly faults: readonly string[];
  /** Open points that cannot be examined here, one sentence each. */
  readonly unchecked: readonly string[];
  /** Undefined if it cannot be read. */
  readonly manifest: DossierManifest | undefined;
  readonly manifestSha256: string | undefined;
  readonly contents: DossierContents | undefined;
  readonly members: ReadonlyMap<string, PlacedMember>;
  /** Undefined without a signature. */
  readonly over: SignedForm | undefined;
  readonly signers: readonly ExaminedSigner[];
  /** Members that no signature covers. */
  readonly uncovered: readonly string[];
}

export interface VerifyOptions {
  readonly signal: AbortSignal;
  /** Trusted certificates of signers or issuers; undefined if none were given. */
  readonly trusted?: readonly X509Certificate[] | undefined;
  readonly now?: Date;
}

/** Limit of documents that are read into memory; a manifest has about ten kilobytes. */
const maxDocumentBytes = 8 * MiB;
const maxReadBytes = 64 * MiB;

/** Verifies every byte of a dossier file. Its contents are not trusted, and nothing is written. */
export async function verifyDossier(
  file: FileBytes,
  { signal, trusted, now = new Date() }: VerifyOptions,
): Promise<Verified> {
  const archive = await readArchive(file);
  if (archive.isRepacked) return nothingKnown([dossierUnchecked.repacked]);
  const faults = [...archive.faults];
  const unchecked: string[] = [];
  const members = new Map(archive.members.map((member) => [member.name, member]));
  const { digests, damaged } = await measureAll(file, members, signal);
  faults.push(...[...damaged].map(dossierFaults.wrongSum));
  const measured: Measured = { members, digests };

  async function readWhole(name: string, limit: number): Promise<Buffer | undefined> {
    const member = damaged.has(name) ? undefined : members.get(name);
    if (member === undefined) return undefined;
    if (member.bytes <= limit) return Buffer.concat(await Array.fromAsync(readMember(file, member)));
    faults.push(dossierFaults.tooLarge(name));
    return undefined;
  }

  /** Reads JSON that must be canonical, so that only one form is accepted. */
  async function readDocument<T>(name: string, schema: z.ZodType<T>): Promise<T | undefined> {
    const bytes = await readWhole(name, maxDocumentBytes);
    if (bytes === undefined) return undefined;
    const text = bytes.toString('utf8');
    const json = parseJson(text);
    const parsed = schema.safeParse(json);
    const version = Versioned.safeParse(json).data?.version ?? 1;
    if (parsed.success && canonicalJson(parsed.data) !== text) faults.push(dossierFaults.notCanonical(name));
    if (!parsed.success && version > 1) unchecked.push(dossierUnchecked.newerForm(name, version));
    else if (!parsed.success) faults.push(dossierFaults.malformed(name));
    return parsed.data;
  }

  const contents = await readDocument(names.contents, DossierContents);
  const manifest = await readDocument(names.manifest, DossierManifest);
  const inventory = await readDocument(names.inventory, DossierInventory);
  const earlier = await readDocument(names.signedManifest, DossierManifest);
  for (const name of [names.contents, names.manifest])
    if (!members.has(name)) faults.push(dossierFaults.missing(name));
  if (contents !== undefined) faults.push(...faultsOfContents(contents, measured));
  if (manifest !== undefined) {
    faults.push(...wrongFingerprints(manifest));
    faults.push(
      ...(await faultsOfDocuments(
        manifest,
        members.keys(),
        async (name) => await readWhole(name, maxReadBytes),
      )),
    );
  }
  if (contents !== undefined && manifest !== undefined) {
    faults.push(...faultsOfRasters(contents, manifest, measured));
    if (inventory !== undefined)
      faults.push(...faultsOfInventory(inventory, { contents, manifest, measured }));
    if (earlier !== undefined) faults.push(...faultsOfEarlier(earlier, manifest));
  }
  if (members.has(names.inventory) && members.has(names.signedManifest)) faults.push(dossierFaults.twoSigned);
  const isSigned = members.has(names.signature);
  for (const name of [names.inventory, names.signedManifest])
    if (members.has(name) && !isSigned) faults.push(dossierFaults.missing(names.signature));

  const over = isSigned ? formOf(members) : undefined;
  const signature = over === undefined ? unsigned : await examine(over);
  faults.push(...signature.faults);
  unchecked.push(...signature.unchecked);
  const uncovered = over === undefined ? [] : [...members.keys()].filter((name) => !isCovered(name, over));
  const outcome = outcomeOf({ faults, unchecked, over, signature, uncovered });
  const graph = manifest?.run.graph_version ?? graphVersion;
  // With a signature, fingerprints prove nothing more; without one, they make a manifest consistent.
  const isGraphUnknown = graph !== graphVersion;
  if (isGraphUnknown) unchecked.push(dossierUnchecked.otherGraph(graph, graphVersion));
  return {
    outcome: isGraphUnknown && outcome === 'not_signed' ? 'not_checked' : outcome,
    faults: [...new Set(faults)],
    unchecked,
    manifest,
    manifestSha256: digests.get(names.manifest),
    contents,
    members,
    over,
    signers: signature.signers,
    uncovered,
  };

  async function examine(form: SignedForm): Promise<ExaminedSignature> {
    const name = memberOf[form];
    const cms = await readWhole(names.signature, maxDocumentBytes);
    const signed = await readWhole(name, maxDocumentBytes);
    if (cms === undefined || signed === undefined) return unsigned;
    return examineSignature(cms, {
      over: name,
      signed,
      now,
      isChanged: isBrokenSelf,
      isTrusted: trusted && ((certificate, others, at) => isTrusted(certificate, { trusted, others, at })),
    });
  }
}

const Versioned = z.object({ version: z.number() });
const unsigned: ExaminedSignature = { signers: [], faults: [], unchecked: [] };

const memberOf: Readonly<Record<SignedForm, string>> = {
  inventory: names.inventory,
  manifest: names.manifest,
  'earlier manifest': names.signedManifest,
};

function formOf(members: ReadonlyMap<string, PlacedMember>): SignedForm {
  if (members.has(names.inventory)) return 'inventory';
  return members.has(names.signedManifest) ? 'earlier manifest' : 'manifest';
}

/** Returns whether a signature covers a member, directly or through a digest. */
function isCovered(name: string, over: SignedForm): boolean {
  const isList: boolean = name === names.contents || name === names.signature;
  return (
    over === 'inventory' || isList || isRaster(name) || name === names.manifest || name === memberOf[over]
  );
}

interface Known extends Pick<Verified, 'faults' | 'unchecked' | 'over' | 'uncovered'> {
  readonly signature: ExaminedSignature;
}

function outcomeOf({ faults, unchecked, over, signature, uncovered }: Known): Outcome {
  if (faults.length > 0) return 'does_not_hold';
  if (unchecked.length > 0) return 'not_checked';
  if (over === undefined) return 'not_signed';
  if (uncovered.length > 0) return 'not_covered';
  return signature.signers.every(({ state }) => state === 'trusted') ? 'holds' : 'not_vouched';
}

function nothingKnown(unchecked: readonly string[]): Verified {
  return {
    outcome: 'not_checked',
    faults: [],
    unchecked,
    manifest: undefined,
    manifestSha256: undefined,
    contents: undefined,
    members: new Map(),
    over: undefined,
    signers: [],
    uncovered: [],
  };
}

/** Measures every member; the contents of damaged members are not used. */
async function measureAll(file: FileBytes, members: ReadonlyMap<string, PlacedMember>, signal: AbortSignal) {
  const digests = new Map<string, string>();
  const damaged = new Set<string>();
  for (const member of members.values()) {
    signal.throwIfAborted();
    const sha256 = createHash('sha256');
    let sum = 0;
    for await (const chunk of readMember(file, member)) {
      sha256.update(chunk);
      sum = crc32(chunk, sum);
    }
    digests.set(member.name, sha256.digest('hex'));
    if (sum !== member.crc32) damaged.add(member.name);
  }
  return { digests, damaged };
}
