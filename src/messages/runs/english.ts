import type { Message } from '../../lib/message.ts';
import { listed, quoted, readable } from '../../lib/readable.ts';
import { conflict, problem, sentences, invalid } from '../base/define.ts';
import { createWording } from '../base/wording.ts';
import { percentOf } from '../zoning/english.ts';

/** Failures of a run at a node. The run's error puts the node's code in front. */
export const runFaults = sentences('run_fault', {
  cancelled: 'cancelled',
  atNode: (node: string, fault: Message) => `${node}: ${fault.english}`,
  internalError: (node: string) => `node ${node}: internal error`,
  outputNotStored: (node: string) => `node ${node}: output could not be stored`,
  noReadyRaster: (groups: readonly string[]) => `no ready raster for input groups: ${groups.join(', ')}`,
  datasetNotAvailable: (id: string, group: string) => `dataset ${id} of group ${group} is not available`,
  sourceAway: (group: string, told: Message) => `input group ${group}: ${told.english}`,
  unreadable: (group: string) => `input group ${group}: raster cannot be read`,
  noCrs: (group: string) => `input group ${group}: CRS missing or not supported`,
  noOverlap: (group: string) => `input group ${group} does not overlap the reference grid`,
  picture: (group: string, bands: number) =>
    `input group ${group}: a picture of ${bands} bands instead of a raster with one band of values`,
  noValidPixel: (group: string) =>
    `input group ${group} has no valid pixel on the reference grid; check unit, scale and nodata`,
  referenceWithoutCrs: 'reference raster: no CRS',
  referenceNotNorthUp: 'reference raster: not north-up',
  referenceTooLarge: 'reference raster: too many pixels',
});

export const overrideFaults = sentences('override', {
  notAnObject: 'must be an object of dataset ids by group code',
  tooMany: (most: number) => `must have at most ${most} groups`,
  notAnInput: 'not an input group of the graph',
  notAUuid: 'must be a uuid',
  notFound: 'dataset not found',
  notARaster: 'dataset is not a raster',
  notReady: 'dataset is not ready',
});

export const paramFaults = sentences('param', {
  tiePriority: 'must be a list of the numbers from 1 to 5, each of them once',
});

export const landscapeProblems = sentences('landscape', {
  noSuchRun: problem('not_found', () => 'there is no such run'),
  runHasEnded: problem(
    'conflict',
    () => 'the run has ended: only a run that is queued or running can be cancelled',
  ),
  gapsNotYet: conflict(() => 'the run has not ended; its gaps are known once it has succeeded'),
  gapsOfFailedRun: problem('not_found', () => 'the run has failed; only a run that has succeeded has gaps'),
  gapsNotCounted: problem(
    'not_found',
    () =>
      'the gaps of this run were not counted, because an earlier release has executed it or an input was deleted; the next run over the same inputs counts them',
  ),
  rasterOfRunGone: problem(
    'not_found',
    (group: string) => `the raster that this run has for ${group} was deleted since`,
  ),
  inputsMissing: conflict(
    (groups: readonly string[]) => `no ready raster for input groups: ${groups.join(', ')}`,
  ),
  noResultGroup: problem('not_found', (code: string) => `there is no dataset group ${code}`),
  noSlotGroup: problem(
    'not_found',
    (code: string) => `there is no dataset group ${code}: the next start of the service creates it again`,
  ),
  noSuchSlot: problem('not_found', (meant: string | undefined) => {
    const suggestion = meant === undefined ? '' : ` did you mean ${meant}?`;
    return `there is no such slot;${suggestion} GET /landscape/slots lists them all`;
  }),
});

/** A missing dataset, and its group. */
interface GoneDataset {
  readonly id: string;
  readonly group: string;
}

/** Refusals to change the record of a run. */
export const recordProblems = sentences('record', {
  changed: problem(
    'precondition_failed',
    () => 'the record was changed since the revision that If-Match names; read it again',
  ),
  notSucceeded: conflict(
    (status: 'queued' | 'running' | 'succeeded' | 'failed') =>
      `only a run that has succeeded can be adopted; this one is ${status}`,
  ),
  datasetsGone: conflict(
    (gone: readonly GoneDataset[]) =>
      `the run cannot be adopted, because these datasets of it were deleted: ${listed(gone.map(({ id, group }) => `${id} of group ${group}`))}`,
  ),
  datasetsElsewhere: conflict(
    (elsewhere: readonly GoneDataset[]) =>
      `the run cannot be adopted, because the files of these datasets stay on other servers, which may change them: ${listed(elsewhere.map(({ id, group }) => `${id} of group ${group}`))}; POST /datasets/{id}/copy copies them to this service`,
  ),
});

/** A raster of a slot: its name, and the end of its period as a calendar date. */
interface SlotRaster {
  readonly name: string;
  readonly endDate: string | null;
}

const endOf = (date: string | null) => (date === null ? 'has no end_date' : `ends on ${date}`);

export const slotWarnings = sentences('slot_warning', {
  /** Warns that runs use another raster of the slot. */
  notFreshest: (freshest: SlotRaster, ownEndDate: string | null) =>
    `Not the freshest of this slot: "${freshest.name}" ${endOf(freshest.endDate)}, this one ${endOf(ownEndDate)}, and runs use the one ` +
    'with the greatest end_date, then the newest. To use this one, change its end_date or pin it in the overrides of a run.',
});

const { measured } = createWording('en', (count) => ` and ${count} more`);
const percent = (share: number) =>
  percentOf(share, { less: (text) => `Less than ${text}`, more: (text) => `More than ${text}` });
const ofValues = (share: number | undefined) =>
  share === undefined ? 'Some of the values' : `${percent(share)} of the values`;

/** The values that a slot accepts, or that a raster has. */
export interface ValueSpan {
  readonly from: number;
  /** Undefined for an open upper end. */
  readonly to: number | undefined;
  readonly least: number;
  readonly greatest: number;
}

/** Classes of a raster, and those that a slot defines. */
export interface ClassLists {
  readonly found: readonly number[];
  readonly known: readonly number[];
}

/** West, south, east and north in degrees. */
export type Box = readonly number[];

/** Another input of a run, with the extents of both. */
export interface OtherPlace {
  /** Code of its dataset group, and its display name. */
  readonly group: string;
  readonly title: string;
  readonly name: string;
  readonly box: Box;
  readonly own: Box;
}

/** Rounds the degrees of a box for display: a precision of some hundred metres shows the fault. */
export const degreesOf = (box: Box): readonly number[] =>
  box.map((degrees) => Math.round(degrees * 100) / 100);

function placeOf(box: Box): string {
  const [west = 0, south = 0, east = 0, north = 0] = degreesOf(box).map(measured);
  return `longitude ${west} to ${east}, latitude ${south} to ${north}`;
}

const where = ({ box, own }: OtherPlace) => `This one lies at ${placeOf(own)}, the other at ${placeOf(box)}.`;
const other = ({ title, name }: OtherPlace) => `${quoted(name)} (${title})`;

const beyond = ({ from, to }: Pick<ValueSpan, 'from' | 'to'>) =>
  to === undefined ? `below ${measured(from)}` : `outside ${measured(from)} to ${measured(to)}`;

/** Differences between a raster and what its slot accepts. */
export const inputFindings = sentences('input_finding', {
  noReferenceSystem:
    'The raster has no coordinate reference system, so a run cannot place it. Assign the one that its coordinates are in, for example with gdal_translate -a_srs EPSG:32642, and upload the raster again.',
  noPlace: 'The raster has no georeference, so a run cannot place it. Georeference it and upload it again.',
  picture: (bands: number) =>
    `This is a picture: ${measured(bands)} bands of bytes that hold colours. Upload a raster with one band of values.`,
  severalBands: (bands: number) =>
    `The raster has ${measured(bands)} bands. A run reads band 1 and none of the others.`,
  noValue: 'No pixel of the raster has a value.',
  allOutside: ({ least, greatest, ...range }: ValueSpan) =>
    `All values are ${beyond(range)}: the raster has ${measured(least)} to ${measured(greatest)}.`,
  someOutside: (share: number | undefined, { least, greatest, ...range }: ValueSpan) =>
    `${ofValues(share)} are ${beyond(range)} and count as no value: the raster has ${measured(least)} to ${measured(greatest)}.`,
  factor: (factor: number, { least, greatest }: Pick<ValueSpan, 'least' | 'greatest'>) =>
    `Divide by ${measured(factor)}? The values would then be ${measured(least)} to ${measured(greatest)}. Divide them, or declare the scale ${1 / factor} in the file (gdal_translate -a_scale ${1 / factor}), and upload the raster again. The service converts nothing by itself.`,
  noKnownClass: ({ found, known }: ClassLists) =>
    `No class of the raster is known: it has ${listed(found.map(measured))}; the slot takes ${known.map(measured).join(', ')}.`,
  unknownClasses: (share: number, found: readonly number[]) =>
    `${percent(share)} of the values are of unknown classes and count as no value: ${listed(found.map(measured))}.`,
  unknownAsZero: (share: number, found: readonly number[]) =>
    `${percent(share)} of the values are of unknown classes and count as class 0: ${listed(found.map(measured))}.`,
  noClasses: (share: number | undefined, { least, greatest }: Pick<ValueSpan, 'least' | 'greatest'>) =>
    `${ofValues(share)} are none of the classes of the slot: the raster has ${measured(least)} to ${measured(greatest)}.`,
  elsewhere: (place: OtherPlace) =>
    `The raster does not overlap ${other(place)}, whose grid is that of the run. ${where(place)}`,
  apart: (place: OtherPlace) =>
    `The raster does not overlap ${other(place)}, so no place has values of both. ${where(place)}`,
  littleOverlap: (share: number) =>
    `The raster covers only a part of the elevation: ${percent(share).toLowerCase()} of its area.`,
  coarseShift: (operation: string, metres: number, pixelMetres: number) =>
    `The datum of the raster is another one than that of the elevation. The shift between them (${operation}) is accurate to ${measured(metres)} m, which is more than half a pixel of the elevation (${measured(pixelMetres)} m).`,
  beingCounted: 'The values are still being counted and are not judged yet.',
  notCounted: 'The values could not be counted and are not judged.',
});

export const cadenceProblems = sentences('cadence', {
  none: problem('not_found', () => 'the dataset group has no cadence'),
});

export const cadenceFaults = sentences('cadence_fault', {
  notEvery:
    'must be an ISO 8601 duration with one number from 1 to 999 and one unit: years, months, weeks or days, such as P1Y, P3M, P2W or P10D',
  notGrace:
    'must be an ISO 8601 duration with one number from 1 to 999 and one unit: years, months, weeks or days, such as P60D, or P0D',
});

export const watchFaults = sentences('watch_fault', {
  notHold:
    'must be an ISO 8601 duration: P1D to P7D, or one number from 1 to 999 of hours, minutes or seconds, such as PT2H, PT30M or PT0S',
});

/** An input of a draft, in names and notes. */
export interface WatchedInput {
  readonly title: string;
  /** End of its period, `YYYY-MM`; null without dates. */
  readonly month: string | null;
  /** Names of the rasters before and after; null for none. */
  readonly from: string | null;
  readonly to: string | null;
}

const named = (name: string | null): string => (name === null ? 'none' : quoted(name));

/** Names and notes of the runs that the watch makes. */
export const watchPhrases = sentences('watch', {
  name: (inputs: readonly WatchedInput[]) =>
    `Draft by the watch: ${listed(inputs.map(({ title, month }) => (month === null ? title : `${title} ${month}`)))}`,
  note: (inputs: readonly WatchedInput[], hasAdopted: boolean) =>
    `Made by the watch over the inputs. Differences from ${hasAdopted ? 'the adopted run' : 'the previous run'}: ${inputs
      .map(({ title, from, to }) => `${title}: ${named(from)} → ${named(to)}`)
      .join('; ')}.`,
  firstName: 'Draft by the watch: the first run',
  firstNote: (inputs: readonly WatchedInput[]) =>
    `Made by the watch over the inputs; there was no run to compare with. It reads ${inputs.length === 1 ? 'one input' : `${inputs.length} inputs`}.`,
});

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

/** The sentences of this folder that have translations, by the area that prefixes their codes. */
export const english = {
  cadence: cadenceProblems,
  cadence_fault: cadenceFaults,
  dossier: dossierProblems,
  input_finding: inputFindings,
  landscape: landscapeProblems,
  override: overrideFaults,
  param: paramFaults,
  record: recordProblems,
  run_fault: runFaults,
  slot_warning: slotWarnings,
  watch: watchPhrases,
  watch_fault: watchFaults,
};
