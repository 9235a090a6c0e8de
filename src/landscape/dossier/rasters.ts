import type { DossierManifest, DossierPart } from './manifest-schema.ts';
import type { ReadManifest, StoredObject } from './read-manifest.ts';

/** Names and objects of the requested rasters. */
export interface StoredMember extends StoredObject {
  readonly name: string;
}

/** A part of the rasters, and the codes of deleted ones. */
interface Part {
  readonly members: readonly StoredMember[];
  readonly missing: readonly string[];
}

const outputName = (code: string): string => `cogs/${code}.tif`;
export const inputName = (group: string): string => `inputs/${group}/cog.tif`;
const originalName = (group: string): string => `inputs/${group}/original.tif`;

/** Finds the objects of outputs, or of inputs and of originals that are separate files. */
export function partOf({ manifest, files }: ReadManifest, part: DossierPart): Part {
  const members: StoredMember[] = [];
  const missing: string[] = [];
  if (part === 'cogs') {
    for (const { code, output } of manifest.nodes) {
      const cog = files.get(output.dataset_id)?.cog;
      if (cog) members.push({ name: outputName(code), ...cog });
      else missing.push(code);
    }
    return { members, missing };
  }
  for (const { group, dataset_id: id } of manifest.inputs) {
    const { cog = null, original = null } = files.get(id) ?? {};
    if (cog === null || original === null) missing.push(group);
    else members.push(...rastersOfInput(group, { cog, original }));
  }
  return { members, missing };
}

function rastersOfInput(
  group: string,
  { cog, original }: { readonly cog: StoredObject; readonly original: StoredObject },
): StoredMember[] {
  const raster = { name: inputName(group), ...cog };
  return original.sha256 === cog.sha256 ? [raster] : [raster, { name: originalName(group), ...original }];
}

/** Returns the names and digests of the rasters in a part, according to the manifest, in the order of `partOf`. */
export function promisedRasters(
  { inputs, nodes }: DossierManifest,
  part: DossierPart,
): readonly { readonly name: string; readonly sha256: string | undefined }[] {
  if (part === 'cogs')
    return nodes.map(({ code, output }) => ({ name: outputName(code), sha256: output.cog?.sha256 }));
  return inputs.flatMap(({ group, cog, original }) => [
    { name: inputName(group), sha256: cog?.sha256 },
    ...(original?.sha256 === cog?.sha256 ? [] : [{ name: originalName(group), sha256: original?.sha256 }]),
  ]);
}
