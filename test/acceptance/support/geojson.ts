import type { Client } from '../client.ts';
import { type Dataset, process } from './datasets.ts';
import assert from 'node:assert/strict';

export interface OutputFeature {
  readonly type: string;
  readonly geometry: {
    readonly type: string;
    readonly coordinates: unknown;
    readonly geometries?: readonly { readonly type: string; readonly coordinates: unknown }[];
  };
  readonly properties: Readonly<Record<string, unknown>> & { readonly rows?: readonly unknown[] };
}

export interface OutputCollection {
  readonly type: string;
  readonly features: readonly OutputFeature[];
}

export interface Report {
  readonly dataset_id: string;
  readonly engine: string;
  readonly source: Readonly<Record<string, unknown>> | null;
  readonly rows: Readonly<Record<string, unknown>> | null;
  readonly raster: Readonly<Record<string, unknown>> | null;
  readonly timings: Readonly<Record<string, number>>;
  readonly failure: { readonly code: string; readonly facts: readonly unknown[] } | null;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

export interface Vector {
  readonly dataset: Dataset;
  readonly text: string;
  readonly collection: OutputCollection;
}

/** Uploads a vector and reads what it became. */
export async function readVector(client: Client, file: File): Promise<Vector> {
  const dataset = await process(client, 'ready', file);
  const answer = await client.expect(200, 'GET', `/datasets/${dataset.id}.geojson`);
  return { dataset, text: answer.text, collection: answer.read() };
}

export async function readReport(client: Client, id: string): Promise<Report> {
  return await client.get(`/datasets/${id}/report`);
}

/** The codes of the warnings of a dataset. */
export async function warningsOf(client: Client, id: string): Promise<string[]> {
  return (await readReport(client, id)).warnings.map(({ code }) => code);
}

/** Every number in the coordinates of a geometry, however nested. */
export function numbersIn(coordinates: unknown): number[] {
  if (typeof coordinates === 'number') return [coordinates];
  return Array.isArray(coordinates) ? coordinates.flatMap(numbersIn) : [];
}

/** Twice the area that a ring goes around, positive when it does so counter-clockwise. */
export function doubleArea(ring: readonly (readonly number[])[]): number {
  return ring.reduce((sum, [x = NaN, y = NaN], index) => {
    const [nextX = NaN, nextY = NaN] = ring[(index + 1) % ring.length] ?? [];
    return sum + x * nextY - nextX * y;
  }, 0);
}

type Warning = Report['warnings'][number];

/** Words of Latin letters that every language of the service has. */
const international =
  /^(?:COG|CRS|EPSG|GDAL|GeoJSON|GeoPackage|ISO|KATO|MultiPatch|NaN|PROJ|PolyhedralSurface|QGIS|SLD|TIFF|TIN|Triangle|UTF|WGS|WMTS|cpg|cst|dbf|gpkg|id|nodata|prj|shp|windows|crs|cp)$/;

/**
 * Expects a warning of this code, which names these facts, in English, Russian and Kazakh: three sentences, each in letters of its
 * language, with no other Latin words than names. Gives the English one.
 */
export async function expectWarning(
  client: Client,
  id: string,
  code: string,
  ...facts: readonly RegExp[]
): Promise<string> {
  const inLanguage = async (language: string): Promise<readonly Warning[]> => {
    const headers = { 'accept-language': language };
    const answer = await client.expect(200, 'GET', `/datasets/${id}/report`, { headers });
    return answer.read<Report>().warnings.filter((warning) => warning.code === code);
  };
  const { warnings } = await readReport(client, id);
  const english = warnings.find((warning) => warning.code === code)?.message;
  assert.ok(english !== undefined, `no ${code} among ${JSON.stringify(warnings)}`);
  for (const fact of facts) assert.match(english, fact);
  const [russian, kazakh] = [await inLanguage('ru'), await inLanguage('kk')];
  for (const { message } of russian) assertTranslated(message, /\p{Script=Cyrillic}/u);
  for (const { message } of kazakh) assertTranslated(message, /[әғқңөұүһі]/iu);
  assert.equal(russian.length, warnings.filter((warning) => warning.code === code).length);
  assert.notDeepEqual(russian, kazakh);
  return english;
}

function assertTranslated(message: string, letters: RegExp): void {
  assert.match(message, letters);
  const foreign = message
    .replaceAll(/"[^"]*"|«[^»]*»/g, '')
    .match(/[A-Za-z]{2,}/g)
    ?.filter((word) => !international.test(word) && !/^[A-Z_\d]+$/.test(word));
  assert.deepEqual(foreign ?? [], [], message);
}
