import assert from 'node:assert/strict';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as PostgresClient } from 'pg';
import { z } from 'zod';
import type { DatasetFileKind } from '../../../src/database/tables/tables.ts';
import { createClient } from '../client.ts';
import { eventually } from '../processes.ts';
import { type Service, startService } from '../service.ts';
import { randomUUID } from 'node:crypto';

const Note = z.object({ database: z.object({ target: z.record(z.string(), z.unknown()) }) });
const patienceSeconds = 120;
/** A rate that no test reaches; tests of the rate set their own. */
const unlimited = { TILE_RATE: '1000000', LOG_LEVEL: 'warn' } as const;

export interface TileAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

export interface TileJson {
  readonly bounds: readonly [number, number, number, number];
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly tiles: readonly string[];
}

export type DrawingService = Awaited<ReturnType<typeof startDrawing>>;

/** Starts a service for tests of tiles, with a category for rasters. */
export async function startDrawing(env: Readonly<Record<string, string>> = {}) {
  const service = await startService({ env: { ...unlimited, ...env } });
  return { ...createDrawing(service), service, [Symbol.asyncDispose]: service[Symbol.asyncDispose] };
}

/** Uploads, styles and reads drawn rasters of a service. */
function createDrawing(service: Service) {
  const { baseUrl } = service;
  const client = createClient(baseUrl);
  let category: Promise<string> | undefined;
  /** Uploads a raster; the result has an `id` when it is accepted. */
  async function send(
    bytes: Uint8Array<ArrayBuffer>,
    name: string,
    fields: Readonly<Record<string, string>> = {},
  ) {
    category ??= client.createCategory('drawn');
    const form = new FormData();
    const all = { file_type: 'raster', category_id: await category, ...fields };
    for (const [field, value] of Object.entries(all)) form.set(field, value);
    form.set('file', new File([bytes], name));
    const response = await fetch(`${baseUrl}/datasets`, { method: 'POST', body: form });
    const text = await response.text();
    const body: { readonly id?: string } = JSON.parse(text);
    return { status: response.status, id: body.id, text };
  }
  return {
    baseUrl,
    client,
    send,
    /** Uploads a raster and returns its id; `fields` are further fields of the form. */
    async upload(...[bytes, name, fields]: Parameters<typeof send>): Promise<string> {
      const { status, id, text } = await send(bytes, name, fields);
      assert.ok(status === 201 && id !== undefined, text);
      return id;
    },
    /** Waits until a dataset is ready or has failed; returns the status. */
    async endOf(id: string): Promise<string> {
      const ended = async () => {
        const { status } = await client.status(id);
        return status === 'ready' || status === 'failed' ? status : undefined;
      };
      return await eventually(`${id} is ready or failed`, ended, patienceSeconds);
    },
    async makeReady(id: string): Promise<void> {
      assert.equal(await this.endOf(id), 'ready', (await client.status(id)).parse_error ?? '');
    },
    setStyle: async (path: string, sld: string) => await setStyle(baseUrl, path, sld),
    /**
     * Waits until the first tile of a raster is drawn, after which its view exists. Views are made after all
     * uploads, which may take long on a busy machine; the service itself ends a job that hangs.
     */
    async awaitView(id: string): Promise<void> {
      const isUnderWay = async () => {
        const statement = `select from jobs where kind = 'make-view' and ref_id = $1 and state in ('queued', 'running')`;
        return (await query(service, statement, [id])).length > 0;
      };
      while (await isUnderWay()) await sleep(500);
      const { bounds, minzoom } = await tileJsonOf(baseUrl, id);
      const place = tileAt((bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2, minzoom).join('/');
      const { status, bytes } = await askPatiently(`${baseUrl}/datasets/${id}/tiles/${place}.png`);
      assert.equal(status, 200, `${id}: ${bytes.toString()}`);
    },
    tileJson: async (id: string) => await tileJsonOf(baseUrl, id),
    /** Runs a statement in the embedded database of the service. */
    query: async (statement: string, values: readonly unknown[] = []) =>
      await query(service, statement, values),
    /** Key of an object of a dataset by kind; undefined when it has none. */
    async keyOf(id: string, kind: DatasetFileKind): Promise<string | undefined> {
      const statement = 'select object_key as key from dataset_files where dataset_id = $1 and kind = $2';
      const [row] = await query(service, statement, [id, kind]);
      const key = row?.['key'];
      return typeof key === 'string' ? key : undefined;
    },
    /** Path of an object in the embedded object store. */
    pathOf: (key: string) => join(service.dataDir, 'objects', key),
  };
}

/** Stores a style of a dataset or a group, and repeats the request while the service is busy. Returns the status. */
export async function setStyle(baseUrl: string, path: string, sld: string): Promise<number> {
  const deadline = Date.now() + patienceSeconds * 1000;
  for (;;) {
    const form = new FormData();
    form.set('file', new File([sld], 'style.sld'));
    const response = await fetch(`${baseUrl}${path}/sld`, { method: 'POST', body: form });
    await response.arrayBuffer();
    if (response.status !== 503 || Date.now() > deadline) return response.status;
    assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    await sleep(1000);
  }
}

export async function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<TileAnswer> {
  const response = await fetch(url, { headers });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

/** Sends a request, and repeats it after Retry-After while the service is busy or this client has reached its rate. */
export async function askPatiently(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<TileAnswer> {
  const deadline = Date.now() + patienceSeconds * 1000;
  for (;;) {
    const answer = await ask(url, headers);
    const retryAfter = answer.headers.get('retry-after');
    const isLater = answer.status === 503 || answer.status === 429;
    if (!isLater || retryAfter === null || Date.now() > deadline) return answer;
    await sleep(Math.min(1000, Number(retryAfter) * 1000));
  }
}

async function tileJsonOf(baseUrl: string, id: string): Promise<TileJson> {
  const { status, bytes } = await askPatiently(`${baseUrl}/datasets/${id}/tilejson.json`);
  assert.equal(status, 200, bytes.toString());
  const tileJson: TileJson = JSON.parse(bytes.toString());
  return tileJson;
}

async function query(service: Service, statement: string, values: readonly unknown[]) {
  const note = Note.parse(JSON.parse(await readFile(join(service.dataDir, 'service.json'), 'utf8')));
  const postgres = new PostgresClient(note.database.target);
  await postgres.connect();
  try {
    const { rows } = await postgres.query<Record<string, unknown>>(statement, [...values]);
    return rows;
  } finally {
    await postgres.end();
  }
}

/** Tile of a zoom that contains a place. */
export function tileAt(longitude: number, latitude: number, zoom: number): readonly [number, number, number] {
  const count = 2 ** zoom;
  const sine = Math.sin((latitude * Math.PI) / 180);
  const across = ((longitude + 180) / 360) * count;
  const down = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * count;
  const inside = (place: number) => Math.min(count - 1, Math.max(0, Math.floor(place)));
  return [zoom, inside(across), inside(down)];
}

/** Tiles over a box at a zoom, row by row, up to a limit. */
export function tilesOver({ bounds }: Pick<TileJson, 'bounds'>, zoom: number, most: number) {
  const [west, south, east, north] = bounds;
  const [, left, top] = tileAt(west, north, zoom);
  const [, right, bottom] = tileAt(east, south, zoom);
  const tiles: (readonly [number, number, number])[] = [];
  for (let y = top; y <= bottom; y += 1) {
    for (let x = left; x <= right; x += 1) {
      if (tiles.length === most) return tiles;
      tiles.push([zoom, x, y]);
    }
  }
  return tiles;
}

/**
 * Copies a ready dataset with its objects, but without its style, and returns the new id.
 * @param cog bytes that replace its COG, also bytes that no upload would accept
 */
export async function twinOf(
  drawing: Pick<DrawingService, 'query' | 'pathOf'>,
  id: string,
  cog?: Uint8Array,
): Promise<string> {
  const twin = randomUUID();
  const [columns] = await drawing.query(
    `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
      where attrelid = 'datasets'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [],
  );
  const names = columns?.names;
  if (typeof names !== 'string') throw new Error('datasets has no columns');
  await drawing.query(
    `insert into datasets (${names}) select ${names} from (select (jsonb_populate_record(d, jsonb_build_object('id', $2::text) || coalesce((
       select jsonb_object_agg(name, null::text) from jsonb_object_keys(to_jsonb(d)) name
        where name like '%storage\\_key'), '{}'))).*
     from datasets d where id = $1) twin`,
    [id, twin],
  );
  const statement = `select kind, encoding, object_key as key from dataset_files where dataset_id = $1 and kind <> 'sld'`;
  const files = await drawing.query(statement, [id]);
  for (const { kind, encoding, key } of files) {
    const other = `test/${twin}/${String(kind).replaceAll('_', '-')}-${String(encoding)}`;
    await drawing.query(
      `insert into objects select (jsonb_populate_record(o, jsonb_build_object('key', $2::text))).*
         from objects o where key = $1`,
      [key, other],
    );
    const path = drawing.pathOf(other);
    await mkdir(dirname(path), { recursive: true });
    if (kind === 'cog' && cog !== undefined) await writeFile(path, cog);
    else await copyFile(drawing.pathOf(String(key)), path);
    await drawing.query(
      `insert into dataset_files select $1::uuid, kind, encoding, $2, made_from from dataset_files
        where object_key = $3 and kind = $4`,
      [twin, other, key, kind],
    );
  }
  return twin;
}
