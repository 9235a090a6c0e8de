import type { X509Certificate } from 'node:crypto';
import { canonicalJson } from '../../../json/canonical-json.ts';
import { dossierFaults, dossierUnchecked } from '../../../messages/runs/english.ts';
import { type CertifiedSigner, certifiedSignersOf, NotCms, readSignedData } from '../cms.ts';
import type { DossierSigner } from '../dossier-schema.ts';
import { type DossierInventory, names } from '../inventory.ts';
import type { DossierContents, DossierManifest } from '../manifest-schema.ts';
import { isRaster, type Measured } from './verify-contents.ts';

/** The state of a signer: `trusted`, by a trusted certificate; `right`, valid by a certificate that the reader has not declared trusted. */
type SignerState = 'trusted' | 'right' | 'wrong' | 'not_checked';

export interface ExaminedSigner {
  readonly signer: DossierSigner;
  readonly state: SignerState;
  /** SHA-256 of the certificate in the usual notation of programs. */
  readonly fingerprint: string | undefined;
}

export interface ExaminedSignature {
  readonly signers: readonly ExaminedSigner[];
  readonly faults: readonly string[];
  /** Open points, one sentence each. */
  readonly unchecked: readonly string[];
}

interface Examining {
  /** The name of the member that must be signed. */
  readonly over: string;
  readonly signed: Buffer;
  readonly now: Date;
  /** Returns whether the reader trusts a certificate; undefined if no certificates were given. */
  readonly isTrusted:
    | ((certificate: X509Certificate, others: readonly X509Certificate[], at: Date) => boolean)
    | undefined;
  readonly isChanged: (certificate: X509Certificate) => boolean;
}

/** Examines a signature over given bytes. */
export function examineSignature(cms: Buffer, examining: Examining): ExaminedSignature {
  try {
    const data = readSignedData(cms);
    const found = certifiedSignersOf(data, examining.signed);
    if (found.length === 0) return { signers: [], faults: [dossierFaults.noSigner], unchecked: [] };
    const examined = found.map((each) => examineSigner(each, data.certificates, examining));
    return {
      signers: examined.map(({ examined: signer }) => signer),
      faults: examined.flatMap(({ fault }) => fault ?? []),
      unchecked: examined.flatMap(({ unchecked }) => unchecked ?? []),
    };
  } catch (error) {
    if (!(error instanceof NotCms)) throw error;
    return { signers: [], faults: [dossierFaults.brokenSignature], unchecked: [] };
  }
}

interface One {
  readonly examined: ExaminedSigner;
  readonly fault?: string;
  readonly unchecked?: string;
}

/** Tolerance for the clock of the machine. */
const clockToleranceMs = 24 * 3600 * 1000;

function examineSigner(
  { signer, certificate }: CertifiedSigner,
  others: readonly X509Certificate[],
  { over, now, isTrusted, isChanged }: Examining,
): One {
  const { digest, signature, validity, valid_from: from, valid_to: to, signed_at: at } = signer;
  const who = signer.subject ?? signer.issuer;
  const as = (state: SignerState): ExaminedSigner => ({
    signer,
    state,
    fingerprint: certificate?.fingerprint256.replaceAll(':', '').toLowerCase(),
  });
  const wrong = (fault: string): One => ({ examined: as('wrong'), fault });
  const unknown = (unchecked: string): One => ({ examined: as('not_checked'), unchecked });
  if (digest === 'wrong') return wrong(dossierFaults.otherBytesSigned(over, who));
  if (signature === 'wrong') return wrong(dossierFaults.otherKey(who));
  if (validity === 'wrong') return wrong(dossierFaults.notValidThen(who, at ?? '', from ?? '', to ?? ''));
  if (certificate !== undefined && isChanged(certificate))
    return wrong(dossierFaults.changedCertificate(who));
  if (digest !== 'right' || signature !== 'right' || certificate === undefined)
    return unknown(dossierUnchecked.signer(who));
  if (at !== null && Date.parse(at) > now.getTime() + clockToleranceMs)
    return unknown(dossierUnchecked.signedLater(who, at));
  if (now > certificate.validToDate) return unknown(dossierUnchecked.expired(who, to ?? '', at));
  if (now < certificate.validFromDate) return unknown(dossierUnchecked.notYetValid(who, from ?? ''));
  if (isTrusted === undefined) return { examined: as('right') };
  const then = at === null ? now : new Date(at);
  return isTrusted(certificate, others, then)
    ? { examined: as('trusted') }
    : wrong(dossierFaults.notTrusted(who));
}

interface Compared {
  readonly contents: DossierContents;
  readonly manifest: DossierManifest;
  readonly measured: Measured;
}

/** Members that an inventory cannot contain, because they are created after it. */
const beside: readonly string[] = [names.contents, names.inventory, names.signature];

/** Compares a dossier with its inventory, which must name all members except the rasters. */
export function faultsOfInventory(
  inventory: DossierInventory,
  { contents, manifest, measured: { members, digests } }: Compared,
): readonly string[] {
  if (inventory.run_id !== manifest.run.id)
    return [dossierFaults.signedOtherRun(inventory.run_id, manifest.run.id)];
  const named = new Map(inventory.members.map((member) => [member.name, member]));
  const isProper =
    named.size === inventory.members.length &&
    named.has(names.manifest) &&
    [...named.keys()].every((name) => !beside.includes(name) && !isRaster(name));
  const isAsSigned = ([name, { bytes, sha256 }]: readonly [
    string,
    { bytes: number; sha256: string },
  ]): boolean => members.get(name)?.bytes === bytes && digests.get(name) === sha256;
  return [
    ...(isProper ? [] : [dossierFaults.malformed(names.inventory)]),
    ...(canonicalJson(inventory.left_out) === canonicalJson(contents.left_out)
      ? []
      : [dossierFaults.otherLeftOut]),
    ...[...named]
      .filter((entry) => !isAsSigned(entry))
      .map(([name]) => (members.has(name) ? dossierFaults.notAsSigned(name) : dossierFaults.missing(name))),
    ...[...members.keys()]
      .filter((name) => !named.has(name) && !beside.includes(name) && !isRaster(name))
      .map(dossierFaults.notSigned),
  ];
}

/** Members that become null, or another text, when a dataset of a run, or the run that made an output, is deleted. */
const deletable = new Set(
  'file licence original cog sha256 start_date end_date run_id steppe gdal proj'.split(' '),
);

/** Compares the signed manifest with the current one; only deletions may differ between two manifests of a run. */
export function faultsOfEarlier(signed: DossierManifest, now: DossierManifest): readonly string[] {
  if (signed.run.id !== now.run.id) return [dossierFaults.signedOtherRun(signed.run.id, now.run.id)];
  const places = differences(signed, now, []);
  return places.length === 0 ? [] : [dossierFaults.otherManifest(places)];
}

function differences(before: unknown, now: unknown, path: readonly string[]): readonly string[] {
  if (canonicalJson(before) === canonicalJson(now)) return [];
  const key = path.at(-1) ?? '';
  if (path[0] !== 'run' && (key === 'licence' || (now === null && deletable.has(key)))) return [];
  const [one, other] = [entriesOf(before), entriesOf(now)];
  const isSameShape =
    one.length > 0 && one.length === other.length && one.every(([name], at) => other[at]?.[0] === name);
  return isSameShape
    ? one.flatMap(([name, value], at) => differences(value, other[at]?.[1], [...path, name]))
    : [path.join('.')];
}

/** Returns the members of an object in order; for an array, by code or group of each element. */
function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  if (!Array.isArray(value)) return entries.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([at, each]) => [nameIn(each) ?? at, each]);
}

function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('code' in value && typeof value.code === 'string') return value.code;
  return 'group' in value && typeof value.group === 'string' ? value.group : undefined;
}
