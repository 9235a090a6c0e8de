import { listed, quoted, readable } from '../../lib/readable.ts';
import { conflict, invalid, problem, sentences } from '../base/define.ts';

type Status = 'queued' | 'running' | 'succeeded' | 'failed';

/** Reasons not to answer with a dossier, or not to store a signature over it. */
export const dossierProblems = sentences('dossier', {
  notSucceeded: conflict(
    (status: Status) => `only a run that has succeeded has a dossier; this one is ${status}`,
  ),
  rastersGone: conflict(
    (groups: readonly string[]) =>
      `the dossier cannot have these rasters, because they were deleted: ${listed(groups)}; ask for it without them`,
  ),
  noSignature: problem('not_found', () => 'the dossier of this run has no signature'),
  notCms: invalid(
    () =>
      'the body is not a CMS signature: send the bytes of SignedData (RFC 5652) in DER or BER, neither PEM nor Base64',
  ),
  noSigner: invalid(() => 'the signature states no signer'),
  otherBytes: invalid(
    (sha256: string) =>
      `the signature is over other bytes: sign the inventory or the manifest of this run as it is now, in the language that is asked for; its SHA-256 is ${sha256}`,
  ),
  notCounted: conflict(
    () =>
      'areas or balance of this run are being counted: wait for the inventory, sign it, and send the signature',
  ),
  notValidThen: invalid(
    (at: string, from: string, to: string) =>
      `the signature states that it was made at ${at}, when its certificate was not valid: it is valid from ${from} to ${to}`,
  ),
  wrongSignature: invalid(
    (subject: string) => `the signature does not belong to the key of its certificate, of ${quoted(subject)}`,
  ),
});

const shown = (name: string) => quoted(readable(name, 120));

const by = (subject: string) => (subject === '' ? 'an unnamed signer' : readable(subject, 300));

/** Faults that the verification of a dossier reports. */
export const dossierFaults = {
  notAnArchive: 'The file does not end as a dossier does: it was cut short, or is another kind of file.',
  brokenList: 'The list of members at the end of the file is damaged.',
  wrongList: (name: string) => `The entry of ${shown(name)} in the list of members was changed.`,
  wrongEnd: 'The end of the file was changed.',
  twice: (name: string) => `The member ${shown(name)} is there twice.`,
  unsafeName: (name: string) =>
    `The member ${shown(name)} has a name that no dossier has: nothing was written there.`,
  packed: (name: string) =>
    `The member ${shown(name)} is packed or encrypted; members of a dossier are stored as they are.`,
  misplaced: (name: string) => `The member ${shown(name)} does not begin where the one before it ends.`,
  wrongHead: (name: string) => `The head of the member ${shown(name)} was changed.`,
  wrongSum: (name: string) => `The member ${shown(name)} has another checksum than the file states.`,
  tooLarge: (name: string) => `The member ${shown(name)} is larger than any of its kind.`,
  missing: (name: string) => `The member ${shown(name)} is missing.`,
  added: (name: string) => `The member ${shown(name)} was added: the contents do not name it.`,
  renamed: (name: string, before: string) => `The member ${shown(before)} was renamed to ${shown(name)}.`,
  otherSize: (name: string) => `The member ${shown(name)} has another size than the contents state.`,
  otherBytes: (name: string) =>
    `The member ${shown(name)} was changed: its SHA-256 is not that of the contents.`,
  notCanonical: (name: string) => `The member ${shown(name)} is not written as a dossier writes it.`,
  malformed: (name: string) => `The member ${shown(name)} lacks required entries.`,
  otherRun: (name: string) => `The member ${shown(name)} is of another run than the manifest.`,
  otherDataset: (name: string) =>
    `The member ${shown(name)} is about another dataset than the manifest names.`,
  listedTwice: (name: string) => `The contents name the member ${shown(name)} twice.`,
  otherRaster: (name: string) => `The member ${shown(name)} is not the raster that the manifest names.`,
  unnamedRaster: (name: string) => `The manifest names no raster for the member ${shown(name)}.`,
  wrongFingerprint: (code: string) =>
    `The fingerprint of node ${code} is not that of its inputs and parameters.`,
  brokenSignature: 'The signature cannot be read: it is not a CMS signature.',
  noSigner: 'The signature names no signer.',
  twoSigned: 'The file has both inventory.json and signed-manifest.json; one signature is over one of them.',
  otherBytesSigned: (name: string, subject: string) =>
    `The signature of ${by(subject)} is over other bytes than ${name}.`,
  otherKey: (subject: string) => `The key in the certificate of ${by(subject)} has not made the signature.`,
  notValidThen: (subject: string, at: string, from: string, to: string) =>
    `The signature of ${by(subject)} states that it was made at ${at}, when its certificate was not valid: it is valid from ${from} to ${to}.`,
  changedCertificate: (subject: string) =>
    `The certificate of ${by(subject)} was changed: it claims to be self-signed, but its key has not signed it.`,
  notTrusted: (subject: string) =>
    `The certificate of ${by(subject)} is none of those given with --trust, and none of them has issued it.`,
  signedOtherRun: (signed: string, run: string) =>
    `The signature is over run ${signed}, and this file is the dossier of run ${run}.`,
  notAsSigned: (name: string) => `The member ${shown(name)} is not the one that was signed.`,
  notSigned: (name: string) => `The member ${shown(name)} was added beside what was signed.`,
  otherLeftOut: 'The contents and the signed inventory disagree on what was left out.',
  otherManifest: (places: readonly string[]) =>
    `The manifest is not the one that was signed, and not by deletions alone; it differs in: ${listed(places.map((place) => readable(place, 80)))}.`,
} as const;

/** Points that the verification of a dossier leaves open. */
export const dossierUnchecked = {
  repacked:
    'Another program has packed this file again. A dossier has every byte in one place, so that nothing can hide in it; this file cannot be checked. Take the file as it was downloaded.',
  newerForm: (name: string, version: number) =>
    `The member ${shown(name)} has version ${version} of its form, which this Steppe does not know: take a newer one.`,
  otherGraph: (own: number, here: number) =>
    `The run was computed by version ${own} of the graph, and this Steppe has version ${here}: the fingerprints of its nodes were not checked.`,
  signer: (subject: string) =>
    `The signature names ${by(subject)}; this Steppe cannot check its checksum or its key, so it proves nothing here.`,
  signedLater: (subject: string, at: string) =>
    `The signature of ${by(subject)} states that it was made at ${at}, which is in the future.`,
  expired: (subject: string, to: string, at: string | null) =>
    `The certificate of ${by(subject)} has expired at ${to}. ${at === null ? 'The signature does not state when it was made' : `Only the signature itself states that it was made before, at ${at}`}: the owner of the key can still make one.`,
  notYetValid: (subject: string, from: string) =>
    `The certificate of ${by(subject)} is valid only from ${from} on.`,
} as const;

/** Reasons not to recompute a dossier. */
export const dossierFailures = {
  noInputs: 'the dossier has no inputs to compute from: download it with ?with=inputs',
  otherGraph: (own: number, here: number) =>
    `the run was computed by version ${own} of the graph, and this Steppe has version ${here}: take the release that the manifest names`,
  unknownNodes: (codes: readonly string[]) => `this Steppe has no node ${listed(codes)}`,
  notComputed: (code: string, reason: string) => `node ${code} cannot be computed: ${reason}`,
  noFile: (path: string, code: string) => `${readable(path, 200)} cannot be read (${code})`,
  noCertificate: (path: string) => `${readable(path, 200)} is not a certificate in PEM or DER`,
} as const;

export const dossierWords = {
  fits: (members: number, run: string) =>
    `The ${members} members of this file fit each other and run ${run}: each has the SHA-256 that the file gives it.`,
  manifest: (sha256: string) => `SHA-256 of the manifest: ${sha256}`,
  made: (versions: readonly string[]) => `Computed with ${versions.join('; ')}, as the manifest states.`,
  leftOut: (member: string, because: string) =>
    `Not in it: ${readable(member, 60)}, because ${readable(because, 400)}`,
  moreFaults: (count: number) => `And ${count} more of the kind.`,
  signer: ({ subject, serial, from, to, fingerprint }: SignerFacts) =>
    `Signed with the key of ${by(subject)}, certificate ${readable(serial, 100)}, valid from ${from} to ${to}, SHA-256 ${fingerprint}.`,
  issued: (issuer: string, at: string | null) =>
    `Issued by ${by(issuer)}; ${at === null ? 'the signature does not state when it was made' : `made at ${at}, as the signature states`}.`,
  earlier:
    'The signature is over signed-manifest.json. The manifest of the file differs from it in what was deleted since, and in nothing else.',
  notSigned:
    'Not signed: nothing shows who has made this file, or that it is unchanged. A person who changes a member can also change the SHA-256 that the file gives it.',
  notCovered: (names: readonly string[]) =>
    `The signature is over the manifest, and through it over the rasters. It does not cover ${names.join(', ')}: nothing shows that these are as they were.`,
  holds:
    'The signature covers every member of this file, by a certificate that you trust. Revocation was not checked.',
  notVouched:
    'The signature covers every member of this file. Nothing shows that the name in the certificate is true: anyone can make a certificate of any name. Give the certificate of the signer, or of its issuer, with --trust CERTIFICATE.',
  doesNotHold: 'This file is not valid.',
  notChecked: 'This file could not be checked.',
  same: (code: string) => `${code}  the same, bit for bit`,
  differs: (code: string, sha256: string) => `${code}  DIFFERS: computed here ${sha256}`,
  unknown: (code: string, sha256: string) => `${code}  was deleted before; computed here ${sha256}`,
  allSame: (count: number) =>
    `${count === 1 ? 'The output follows' : `All ${count} outputs follow`} from these inputs, bit for bit. This proves that the results can be reproduced, not that the inputs are correct.`,
  noneKnown: 'No output could be compared: all of them were deleted before the dossier was made.',
  differing: (count: number) =>
    count === 1
      ? '1 output is not what these inputs give.'
      : `${count} outputs are not what these inputs give.`,
  otherVersions: (then: readonly string[], here: string) =>
    `They were computed with ${then.join('; ')}, and here with ${here}: other versions may round differently. Compare with the same versions.`,
  sameVersions: (here: string) =>
    `They were computed with the same versions, ${here}: outputs or inputs of this file are not those of the run.`,
} as const;

interface SignerFacts {
  readonly subject: string;
  readonly serial: string;
  readonly from: string;
  readonly to: string;
  readonly fingerprint: string;
}
