import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attackArchives } from './attack-archives.ts';
import { attackGeoJson } from './attack-geojson.ts';
import { attackGeoPackages } from './attack-geopackages.ts';
import { attackRasters } from './attack-rasters.ts';
import type { Attack, End, Targets } from './attack.ts';
import { endOf } from './ends.ts';
import { everythingOf, type Served } from './everything-served.ts';

const uploadsAtOnce = 4;

/** Outcome of an attack. */
export interface Outcome {
  readonly attack: Attack;
  readonly end: End;
  /** Message for the uploader if it failed. */
  readonly sentence: string | null;
  /** The answers about its dataset; empty for a refused upload. */
  readonly served: readonly Served[];
}

/** Uploads every hostile file and waits for its outcome. */
export async function attackWith(
  targets: Targets,
  baseUrl: string,
  categoryId: string,
): Promise<readonly Outcome[]> {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-attacks-'));
  try {
    const left = [
      ...attackRasters(targets),
      ...attackArchives(targets),
      ...attackGeoJson(targets),
      ...attackGeoPackages(targets, folder),
    ];
    const outcomes: Outcome[] = [];
    const attackOn = async () => {
      for (let attack = left.shift(); attack !== undefined; attack = left.shift())
        outcomes.push(await attackOnce(attack, baseUrl, categoryId));
    };
    await Promise.all(Array.from({ length: uploadsAtOnce }, attackOn));
    return outcomes;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function attackOnce(attack: Attack, baseUrl: string, categoryId: string): Promise<Outcome> {
  const { status, body } = await uploadAttack(attack, baseUrl, categoryId);
  if (status === 422) return { attack, end: 'refused', sentence: body.errors?.['file'] ?? null, served: [] };
  if (status !== 201 || body.id === undefined) throw new Error(`${attack.name}: ${status}`);
  const { status: end, parse_error } = await endOf(baseUrl, body.id);
  return { attack, end, sentence: parse_error, served: await everythingOf(baseUrl, body.id) };
}

async function uploadAttack({ fileType, filename, bytes }: Attack, baseUrl: string, categoryId: string) {
  const form = new FormData();
  form.append('file_type', fileType);
  form.append('category_id', categoryId);
  form.append('file', new File([bytes], filename));
  const response = await fetch(`${baseUrl}/datasets`, { method: 'POST', body: form });
  const body: { readonly id?: string; readonly errors?: Readonly<Record<string, string>> } = JSON.parse(
    await response.text(),
  );
  return { status: response.status, body };
}
