import type { Client } from '../client.ts';
import { type Dataset, process } from './datasets.ts';

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

/** Uploads a vector and reads its GeoJSON. */
export async function readVector(client: Client, file: File): Promise<Vector> {
  const dataset = await process(client, 'ready', file);
  const answer = await client.expect(200, 'GET', `/datasets/${dataset.id}.geojson`);
  return { dataset, text: answer.text, collection: answer.read() };
}

export async function readReport(client: Client, id: string): Promise<Report> {
  return await client.get(`/datasets/${id}/report`);
}

/** Codes of the warnings of a dataset. */
export async function warningsOf(client: Client, id: string): Promise<string[]> {
  return (await readReport(client, id)).warnings.map(({ code }) => code);
}

/** Every number in the coordinates of a geometry, at any depth. */
export function numbersIn(coordinates: unknown): number[] {
  if (typeof coordinates === 'number') return [coordinates];
  return Array.isArray(coordinates) ? coordinates.flatMap(numbersIn) : [];
}

/** Twice the signed area of a ring, positive if it is counter-clockwise. */
export function doubleArea(ring: readonly (readonly number[])[]): number {
  return ring.reduce((sum, [x = NaN, y = NaN], index) => {
    const [nextX = NaN, nextY = NaN] = ring[(index + 1) % ring.length] ?? [];
    return sum + x * nextY - nextX * y;
  }, 0);
}
