import { dossierFaults } from '../../../messages/runs/english.ts';
import { graphVersion, nodeByCode } from '../../graph/graph.ts';
import { fingerprintOf, paramsOf } from '../../plan/plan.ts';
import { names } from '../inventory.ts';
import { type DossierContents, type DossierManifest, DossierPart } from '../manifest-schema.ts';
import { promisedRasters } from '../rasters.ts';
import type { PlacedMember } from '../read-archive.ts';

/** Members by name, with their SHA-256. */
export interface Measured {
  readonly members: ReadonlyMap<string, PlacedMember>;
  readonly digests: ReadonlyMap<string, string>;
}

/** Compares the existing members with those in the contents, byte by byte. */
export function faultsOfContents(
  contents: DossierContents,
  { members, digests }: Measured,
): readonly string[] {
  const faults: string[] = [];
  const named = new Set<string>();
  const added = new Set(members.keys());
  added.delete(names.contents);
  for (const { name } of contents.members) {
    if (named.has(name)) faults.push(dossierFaults.listedTwice(name));
    named.add(name);
    added.delete(name);
  }
  for (const { name, bytes, sha256 } of contents.members) {
    const member = members.get(name);
    if (member === undefined) {
      const now = [...added].find((other) => digests.get(other) === sha256);
      if (now !== undefined) added.delete(now);
      faults.push(now === undefined ? dossierFaults.missing(name) : dossierFaults.renamed(now, name));
    } else if (member.bytes !== bytes) faults.push(dossierFaults.otherSize(name));
    else if (digests.get(name) !== sha256) faults.push(dossierFaults.otherBytes(name));
  }
  return [...faults, ...[...added].map(dossierFaults.added)];
}

/** Compares the existing rasters with those in the manifest. */
export function faultsOfRasters(
  contents: DossierContents,
  manifest: DossierManifest,
  { digests }: Measured,
): readonly string[] {
  if (contents.run_id !== manifest.run.id) return [dossierFaults.otherRun(names.contents)];
  const promised = contents.with.flatMap((part) => promisedRasters(manifest, part));
  const known = new Set(promised.map(({ name }) => name));
  const unnamed = [...digests.keys()].filter((name) => isRaster(name) && !known.has(name));
  const isConsistent = digestsByDataset(manifest)
    .values()
    .every((found) => found.size === 1);
  return [
    ...(isConsistent ? [] : [dossierFaults.malformed(names.manifest)]),
    ...promised.flatMap(({ name, sha256 }) => {
      const found = digests.get(name);
      if (found === undefined) return [dossierFaults.missing(name)];
      return found === sha256 ? [] : [dossierFaults.otherRaster(name)];
    }),
    ...unnamed.map(dossierFaults.unnamedRaster),
  ];
}

/** Returns the digests of each dataset in a manifest; a valid manifest has one per dataset. */
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

export const isRaster = (name: string): boolean =>
  DossierPart.options.some((part) => name.startsWith(`${part}/`));

/** Returns the nodes whose fingerprints do not follow from the manifest, for the current version of the graph. */
export function wrongFingerprints({ run, nodes }: DossierManifest): readonly string[] {
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
