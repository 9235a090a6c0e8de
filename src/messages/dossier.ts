import { listed, quoted, readable } from '../lib/readable.ts';
import { conflict, invalid, problem, sentences } from './define.ts';

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
      `the signature is over other bytes: sign the manifest of this run as it is now, whose SHA-256 is ${sha256}`,
  ),
  wrongSignature: invalid(
    (subject: string) => `the signature does not belong to the key of its certificate, of ${quoted(subject)}`,
  ),
});

const shown = (name: string) => quoted(readable(name, 120));

/** What the examination of a dossier file says, one sentence for each fault. */
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
  wrongSum: (name: string) => `The member ${shown(name)} has another checksum than the file says.`,
  tooLarge: (name: string) => `The member ${shown(name)} is larger than any of its kind.`,
  missing: (name: string) => `The member ${shown(name)} is missing.`,
  added: (name: string) => `The member ${shown(name)} was added: the contents do not name it.`,
  renamed: (name: string, before: string) => `The member ${shown(before)} was renamed to ${shown(name)}.`,
  otherSize: (name: string) => `The member ${shown(name)} has another size than the contents say.`,
  otherBytes: (name: string) =>
    `The member ${shown(name)} was changed: its SHA-256 is not that of the contents.`,
  notCanonical: (name: string) => `The member ${shown(name)} is not written as a dossier writes it.`,
  malformed: (name: string) => `The member ${shown(name)} does not have what it must have.`,
  otherRun: 'Contents and manifest are of different runs.',
  otherRaster: (name: string) => `The member ${shown(name)} is not the raster that the manifest names.`,
  unnamedRaster: (name: string) => `The manifest names no raster for the member ${shown(name)}.`,
  wrongFingerprint: (code: string) =>
    `The fingerprint of node ${code} is not that of its inputs and parameters.`,
  wrongSignature: 'The signature is not over the manifest in this file.',
  brokenSignature: 'The signature cannot be read.',
} as const;

/** Why a dossier cannot be computed again. */
export const dossierFailures = {
  noInputs: 'the dossier has no inputs to compute from: download it with ?with=inputs',
  otherGraph: (own: number, here: number) =>
    `the run was computed by version ${own} of the graph, and this Steppe has version ${here}: take the release that the manifest names`,
  unknownNodes: (codes: readonly string[]) => `this Steppe has no node ${listed(codes)}`,
  notComputed: (code: string, reason: string) => `node ${code} cannot be computed: ${reason}`,
  noFile: (path: string, code: string) => `${readable(path, 200)} cannot be read (${code})`,
} as const;

/** The words of the examination of a dossier file. */
export const dossierWords = {
  whole: (members: number, run: string) =>
    `All ${members} members are as they were when the dossier of run ${run} was made.`,
  manifest: (sha256: string) => `SHA-256 of the manifest: ${sha256}`,
  made: (versions: readonly string[]) => `Computed with ${versions.join('; ')}.`,
  leftOut: (member: string, because: string) =>
    `Not in it: ${readable(member, 60)}, because ${readable(because, 400)}`,
  unsigned: 'No signature.',
  signer: (subject: string, serial: string) =>
    `Signed by ${readable(subject, 500)}, certificate ${readable(serial, 100)}`,
  older: 'The signature is over an earlier form of the manifest, signed-manifest.json.',
  signedRight: 'its digest and its key are right; trust in the issuer was not checked',
  digestRight: 'it is over this manifest; its key was not checked',
  notVerified: 'stored, not verified: this Steppe cannot check its digest or its key',
  same: (code: string) => `${code}  the same, bit for bit`,
  differs: (code: string, sha256: string) => `${code}  DIFFERS: computed here ${sha256}`,
  unknown: (code: string, sha256: string) => `${code}  was deleted before; computed here ${sha256}`,
  allSame: (count: number) => `All ${count} outputs follow from these inputs, bit for bit.`,
  differing: (count: number) =>
    `${count} outputs differ. Compare the versions: another GDAL or PROJ may round otherwise.`,
  proves: 'This proves reproduction, not truth of inputs.',
} as const;
