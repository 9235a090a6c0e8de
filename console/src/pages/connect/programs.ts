import { pythonOf, rOf, webOf } from './snippets.ts';
import { type MadeFile, qgisFiles } from './qgis-files.ts';
import type { Subject } from './subject.ts';

/** An address to paste into a program; its label is among the words of the page. */
export interface LabelledAddress {
  readonly label:
    | 'tiles'
    | 'wmts'
    | 'cog'
    | 'geojson'
    | 'geoPackage'
    | 'flatgeobuf'
    | 'csv'
    | 'parquet'
    | 'geoParquet'
    | 'features'
    | 'stac'
    | 'style'
    | 'tileJson'
    | 'record'
    | 'dcat'
    | 'openApi'
    | 'mcp';
  readonly url: string;
}

/** The connection of one program. */
export interface Program {
  readonly key: 'qgis' | 'arcgis' | 'python' | 'r' | 'web' | 'catalogues' | 'assistants';
  readonly files: readonly MadeFile[];
  readonly addresses: readonly LabelledAddress[];
  /** Code to paste into the program. */
  readonly snippet?: string | undefined;
}

/** Lists the programs that can use the subject, with all addresses filled in. */
export function programsOf(subject: Subject): readonly Program[] {
  const programs: readonly Program[] = [
    { key: 'qgis', files: qgisFiles(subject), addresses: qgisAddresses(subject) },
    { key: 'arcgis', files: [], addresses: arcgisAddresses(subject) },
    { key: 'python', files: [], addresses: tableAddresses(subject), snippet: pythonOf(subject) },
    { key: 'r', files: [], addresses: [], snippet: rOf(subject) },
    { key: 'web', files: [], addresses: webAddresses(subject), snippet: webOf(subject) },
    { key: 'catalogues', files: [], addresses: catalogueAddresses(subject) },
    { key: 'assistants', files: [], ...assistantOf(subject) },
  ];
  return programs.filter(
    ({ files, addresses, snippet }) => files.length + addresses.length > 0 || snippet !== undefined,
  );
}

/** The address of the tiles of a subject that is one map. */
function mapAddress({ kind, maps }: Subject): string | undefined {
  return kind === 'dataset' || kind === 'group' ? maps[0]?.address : undefined;
}

function qgisAddresses(subject: Subject): readonly LabelledAddress[] {
  const { base, id, kind, type } = subject;
  const map = mapAddress(subject);
  const at = `${base}/datasets/${id}`;
  const tiles = map === undefined ? [] : [{ label: 'tiles' as const, url: `${map}/tiles/{z}/{x}/{y}.png` }];
  if (kind === 'service')
    return [
      { label: 'features', url: `${base}/ogc` },
      { label: 'stac', url: `${base}/stac` },
    ];
  if (type === 'raster') return [...tiles, { label: 'cog', url: `${at}.cog` }];
  if (type === 'vector')
    return [
      { label: 'geoPackage', url: `${at}.gpkg` },
      { label: 'flatgeobuf', url: `${at}.fgb` },
      { label: 'geojson', url: `${at}.geojson` },
    ];
  if (type === 'vector_with_kato')
    return [
      { label: 'features', url: `${base}/ogc/collections/${id}` },
      { label: 'geojson', url: `${at}.geojson` },
    ];
  return tiles;
}

function tableAddresses({ base, id, type }: Subject): readonly LabelledAddress[] {
  const at = `${base}/datasets/${id}`;
  if (type === 'vector') return [{ label: 'geoParquet', url: `${at}.parquet` }];
  if (type !== 'vector_with_kato') return [];
  return [
    { label: 'csv', url: `${at}/observations.csv` },
    { label: 'parquet', url: `${at}/observations.parquet` },
    { label: 'geoParquet', url: `${at}.parquet` },
  ];
}

function arcgisAddresses(subject: Subject): readonly LabelledAddress[] {
  const { base, kind, type } = subject;
  const map = mapAddress(subject);
  if (map !== undefined)
    return [
      { label: 'wmts', url: `${map}/wmts` },
      { label: 'tiles', url: `${map}/tiles/{level}/{col}/{row}.png` },
    ];
  if (kind === 'service' || type !== undefined) return [{ label: 'features', url: `${base}/ogc` }];
  return [];
}

function webAddresses(subject: Subject): readonly LabelledAddress[] {
  const { base, id, kind } = subject;
  const address = mapAddress(subject) ?? (kind === 'dataset' ? `${base}/datasets/${id}` : undefined);
  if (address === undefined) return [];
  return [
    { label: 'style', url: `${address}/style.json` },
    { label: 'tileJson', url: `${address}/tilejson.json` },
  ];
}

function catalogueAddresses({ base, id, kind }: Subject): readonly LabelledAddress[] {
  if (kind === 'dataset') return [{ label: 'record', url: `${base}/datasets/${id}/metadata.xml` }];
  if (kind !== 'service') return [];
  return [
    { label: 'stac', url: `${base}/stac` },
    { label: 'dcat', url: `${base}/catalog.jsonld` },
    { label: 'openApi', url: `${base}/openapi.json` },
  ];
}

/** A local assistant starts the command; a remote one connects to `/mcp`. */
function assistantOf({ base, kind, hasTokens }: Subject): Pick<Program, 'addresses' | 'snippet'> {
  if (kind !== 'service') return { addresses: [] };
  const command = { command: '/opt/steppe/steppe', args: ['mcp', '--base-url', base] };
  const steppe = hasTokens ? { ...command, env: { STEPPE_TOKEN: 'TOKEN' } } : command;
  return {
    addresses: [{ label: 'mcp', url: `${base}/mcp` }],
    snippet: JSON.stringify({ mcpServers: { steppe } }, undefined, 2),
  };
}
