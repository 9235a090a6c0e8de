import type { DossierManifest } from '../../../../src/landscape/dossier/manifest-schema.ts';
import { names } from '../../../../src/landscape/dossier/inventory.ts';
import type { Outcome } from '../../../../src/landscape/dossier/verification/verify.ts';
import { oneOf } from '../plan-changes.ts';
import {
  contentsOf,
  inventoryIn,
  json,
  type Members,
  packed,
  type SmallRun,
  withoutElevation,
} from '../small-dossier.ts';
import { ministry, type Signer } from './signers.ts';

/** Kinds of signatures of a dossier before it is forged. */
export const bases = ['inventory', 'manifest', 'earlier', 'unsigned'] as const;
export type Base = (typeof bases)[number];

/** Outcome of the verification of a genuine dossier of each kind. */
export const outcomeOfGood: Readonly<Record<Base, Outcome>> = {
  inventory: 'holds',
  manifest: 'not_covered',
  earlier: 'not_covered',
  unsigned: 'not_signed',
};

/** A forged dossier and the expected outcome. */
export interface Forged {
  readonly bytes: Buffer;
  readonly outcome: Outcome;
  /** Matches the faults, the parts that could not be checked, and the names that are not covered. */
  readonly says: RegExp;
}

/** Two runs of one service, their signer, and another signer of the same name. */
interface World {
  readonly run: SmallRun;
  readonly other: SmallRun;
  readonly random: () => number;
}

export const emptied: Buffer = Buffer.alloc(0);
export const of = (members: Members, member: string): Buffer => members.get(member) ?? emptied;

/** Members of a genuine dossier. */
export function goodMembers(base: Base, run: SmallRun): Map<string, Buffer> {
  if (base === 'inventory') return signedBy(ministry, run, run.documents);
  const signed = of(run.documents, names.manifest);
  const now = base === 'earlier' ? withoutElevation(run) : run;
  const members = new Map([...now.documents, ...now.rasters]);
  if (base !== 'unsigned') members.set(names.signature, ministry.sign(signed));
  if (base === 'earlier') members.set(names.signedManifest, signed);
  return members;
}

export function signedBy(
  signer: Signer,
  run: SmallRun,
  documents: Members,
  options?: Parameters<Signer['sign']>[1],
): Map<string, Buffer> {
  const inventory = inventoryIn(run, documents);
  return new Map([...documents, ...run.rasters])
    .set(names.inventory, inventory)
    .set(names.signature, signer.sign(inventory, options));
}

/** Writes members with contents that name them all, as a forger who knows the format does. */
export async function written(members: Members, run: SmallRun, more: object = {}): Promise<Buffer> {
  const contents = { ...contentsOf(members, run), ...more };
  return await packed([[names.contents, json(contents)], ...members]);
}

export const isDocument = (member: string): boolean =>
  !member.startsWith('cogs/') &&
  !member.startsWith('inputs/') &&
  !/^(?:manifest\.json|signed-manifest\.json|inventory\.json|signature\.p7s)$/.test(member);

interface Asked extends World {
  readonly base: Base;
  readonly members: Map<string, Buffer>;
}
type Kind = (asked: Asked) => Promise<Forged | undefined>;
/** Kinds of forgeries by name. */
export type Kinds = Readonly<Record<string, Kind>>;

export const wrong = (bytes: Buffer, says: RegExp): Forged => ({ bytes, outcome: 'does_not_hold', says });

/**
 * Expected outcome of a changed document: without a signature, or with one over a manifest, it cannot be distinguished from a genuine one.
 */
export function ofDocument(base: Base, bytes: Buffer, member: string, isThere = true): Forged {
  const quoted = RegExp.escape(member);
  if (base === 'inventory')
    return wrong(
      bytes,
      new RegExp(`"${quoted}" (?:is not the one that was signed|is missing|was added beside)`),
    );
  const isNamed = isThere && base !== 'unsigned';
  return { bytes, outcome: outcomeOfGood[base], says: isNamed ? new RegExp(`^${quoted}$`, 'm') : /^/ };
}

export function changedText(random: () => number, content: Buffer): Buffer {
  const text = content.toString('latin1');
  const forged = text.replace(/\d+(?:\.\d+)?(?= ha|$|\r)/, '999999.9');
  if (forged !== text && random() < 0.5) return Buffer.from(forged, 'latin1');
  return Buffer.concat([content, Buffer.from(oneOf(random, [' ', '\n', '\r\n']))]);
}

export function changedManifest(
  run: SmallRun,
  change: (manifest: DossierManifest) => DossierManifest,
): Buffer {
  return json(change(structuredClone(run.manifest)));
}

export const documentsIn = (members: Members) => [...members.keys()].filter(isDocument);

/** A signed forgery is reported only as a different document. */
export const signedSays = /is not the one that was signed|over other bytes than|differs in/;
