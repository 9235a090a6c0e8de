import { hash } from 'node:crypto';
import { canonicalJson } from '../../../src/json/canonical-json.ts';
import { graphVersion, nodeByCode } from '../../../src/landscape/graph/graph.ts';
import { inventoryOf, names } from '../../../src/landscape/dossier/inventory.ts';
import type { DossierContents, DossierManifest } from '../../../src/landscape/dossier/manifest-schema.ts';
import { promisedRasters } from '../../../src/landscape/dossier/rasters.ts';
import type { FileBytes } from '../../../src/landscape/dossier/read-archive.ts';
import { readme } from '../../../src/landscape/dossier/readme.ts';
import { writeArchive } from '../../../src/landscape/dossier/write-archive.ts';
import { defaultParams } from '../../../src/landscape/model/params.ts';
import { fingerprintOf, paramsOf } from '../../../src/landscape/plan/plan.ts';

/** Members by name, in the order of the file; `packed` adds contents.json. */
export type Members = ReadonlyMap<string, Buffer>;

export interface SmallRun {
  readonly manifest: DossierManifest;
  /** All members but the rasters. */
  readonly documents: Members;
  readonly rasters: Members;
}

export const sha256Of = (bytes: Buffer | string): string => hash('sha256', bytes, 'hex');
export const json = (value: object): Buffer => Buffer.from(canonicalJson(value));

/** Derives a GUID from a name. */
function idOf(name: string): string {
  const digest = sha256Of(name);
  const cuts = [0, 8, 12, 16, 20, 32];
  return cuts
    .slice(1)
    .map((end, at) => digest.slice(cuts[at], end))
    .join('-');
}

/** Returns a manifest with fingerprints derived from it. */
export function withFingerprints(manifest: DossierManifest, version = graphVersion): DossierManifest {
  return {
    ...manifest,
    run: { ...manifest.run, graph_version: version },
    nodes: manifest.nodes.map((node) => {
      const known = nodeByCode(node.code);
      const computation = {
        code: node.code,
        inputs: new Map(node.inputs.map(({ group, dataset_id: id }) => [group, id])),
        params: known === undefined ? {} : paramsOf(known, manifest.run.params),
      };
      return { ...node, fingerprint: fingerprintOf(computation, version) };
    }),
  };
}

/** A run of a few nodes with rasters of a few bytes: verification compares digests, whatever the content is. */
export function smallRun(seed: number): SmallRun {
  const group = 'landscape-in-dem';
  const id = idOf(`run ${seed}`);
  const elevation = { id: idOf(`dem ${seed}`), bytes: Buffer.from(`elevation ${seed}`) };
  const cogOf = (bytes: Buffer) => ({ sha256: sha256Of(bytes), bytes: bytes.length });
  const rasters = new Map<string, Buffer>();
  const nodes = ['01', '33', '34'].map((code) => {
    const bytes = Buffer.from(`raster of ${code} in run ${seed}`);
    rasters.set(`cogs/${code}.tif`, bytes);
    return {
      code,
      group: nodeByCode(code)?.output.group ?? code,
      fingerprint: '',
      action: 'compute' as const,
      reason: 'first',
      inputs: [{ group, dataset_id: elevation.id, sha256: sha256Of(elevation.bytes) }],
      output: { dataset_id: idOf(`output ${code} ${seed}`), cog: cogOf(bytes) },
      made_by: { run_id: id, steppe: '1.0.0', gdal: 'GDAL 3.6.2', proj: '9.1.1' },
    };
  });
  const original = Buffer.from(`original ${seed}`);
  rasters.set(`inputs/${group}/cog.tif`, elevation.bytes);
  rasters.set(`inputs/${group}/original.tif`, original);
  const manifest = withFingerprints({
    format: 'steppe-dossier',
    version: 1,
    run: {
      id,
      created_at: '2026-02-03T10:00:02.113Z',
      started_at: '2026-02-03T10:00:02.958Z',
      finished_at: '2026-02-03T10:01:11.402Z',
      graph_version: graphVersion,
      params: defaultParams,
      overrides: {},
      from_stage: null,
    },
    inputs: [
      {
        group,
        dataset_id: elevation.id,
        file: `dem-${seed}.tif`,
        start_date: null,
        end_date: '2021-12-31',
        licence: 'Copernicus DEM licence',
        original: cogOf(original),
        cog: cogOf(elevation.bytes),
      },
    ],
    nodes,
  });
  const zones = nodes.at(-1)?.output;
  const text = (value: object) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  const areas = {
    dataset_id: zones?.dataset_id,
    digest: zones?.cog.sha256,
    rows: [{ kato: '750000000', ha: 12.5 + seed }],
  };
  const documents = new Map<string, Buffer>([
    [names.readme, Buffer.from(readme)],
    [names.manifest, json(manifest)],
    ['report.html', Buffer.from(`<html><p>Run ${id}</p><p>${12.5 + seed} ha</p></html>`)],
    ['areas/district.json', text({ ...areas, by: 'district' })],
    ['areas/district.csv', Buffer.from(`kato,ha\r\n750000000,${12.5 + seed}\r\n`)],
    ['balance/region.json', text({ run_id: id, seed })],
    ['record.json', text({ record: { run_id: id, state: 'adopted' }, history: [] })],
    [`uploads/${group}.json`, text({ dataset_id: elevation.id, engine: 'GDAL 3.6.2' })],
    ['styles/34.sld', Buffer.from(`<StyledLayerDescriptor seed="${seed}"/>`)],
  ]);
  return { manifest, documents, rasters };
}

/** The run after its elevation was deleted. */
export function withoutElevation(run: SmallRun): SmallRun {
  const manifest: DossierManifest = {
    ...run.manifest,
    inputs: run.manifest.inputs.map((input) => ({
      ...input,
      file: null,
      licence: null,
      original: null,
      cog: null,
    })),
    nodes: run.manifest.nodes.map((node) => ({
      ...node,
      inputs: node.inputs.map((input) => ({ ...input, sha256: null })),
    })),
  };
  return {
    manifest,
    documents: new Map(run.documents).set(names.manifest, json(manifest)),
    rasters: new Map([...run.rasters].filter(([name]) => name.startsWith('cogs/'))),
  };
}

/** Inventory of documents that the service offers for signing. */
export function inventoryIn(run: SmallRun, documents: Members = run.documents): Buffer {
  const list = [...documents].map(([name, content]) => ({ name, content }));
  return inventoryOf(run.manifest.run.id, { language: 'en', documents: list, leftOut: [] });
}

/** Returns contents that list exactly these members. */
export function contentsOf(members: Members, run: Pick<SmallRun, 'manifest'>): DossierContents {
  const parts = (['cogs', 'inputs'] as const).filter((part) =>
    promisedRasters(run.manifest, part).some(({ name }) => members.has(name)),
  );
  return {
    format: 'steppe-dossier-contents',
    version: 1,
    run_id: run.manifest.run.id,
    with: parts,
    left_out: [],
    members: [...members]
      .filter(([name]) => name !== names.contents)
      .map(([name, content]) => ({ name, bytes: content.length, sha256: sha256Of(content) })),
  };
}

/** Writes members as a dossier file. */
export async function packed(members: Iterable<readonly [name: string, content: Buffer]>): Promise<Buffer> {
  const sources = [...members].map(([name, content]) => ({
    name,
    content,
    bytes: content.length,
    sha256: sha256Of(content),
  }));
  return Buffer.concat(await Array.fromAsync(writeArchive(sources)));
}

/** Access to a file in memory. */
export const inMemory = (bytes: Buffer): FileBytes => ({
  size: bytes.length,
  read: async (position, length) => bytes.subarray(position, position + length),
});
