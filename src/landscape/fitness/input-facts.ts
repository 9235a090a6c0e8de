import { sql } from 'kysely';
import { z } from 'zod';
import { DatumShift } from '../../geo/findings.ts';
import type { Transaction } from '../../database/tables/tables.ts';
import type { RasterFacts } from './judge-input.ts';

const Box = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** The part of a report that slots check. */
const FileFacts = z.object({
  height: z.int(),
  bands: z.int(),
  data_type: z.string(),
  crs: z.string().nullable(),
  resolution: z.array(z.number()).nullable(),
  extent: Box.nullable(),
  proj: z.string().nullish(),
  shift: DatumShift.optional(),
});

const Counted = z.object({
  valid: z.number(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  percentiles: z.array(z.number()).nullish(),
  classes: z.array(z.object({ value: z.number(), pixels: z.number() })).nullable(),
});

interface Row {
  readonly id: string;
  readonly name: string;
  readonly extent: readonly number[] | null;
  /** True for a raster with a reference system whose box is not in degrees. */
  readonly isElsewhere: boolean;
  readonly file: string | null;
  readonly state: 'pending' | 'counted' | 'failed' | null;
  readonly band: string | null;
}

/** Reads the known facts about rasters, by dataset id, from their rows, reports and statistics; no pixels are read. */
export async function readRasterFacts(
  trx: Transaction,
  datasetIds: readonly string[],
): Promise<ReadonlyMap<string, RasterFacts>> {
  const { rows } = await sql<Row>`
    select d.id, d.name, d.extent, r.raster::text as file, s.state, (s.counts -> 'bands' -> 0)::text as band,
           coalesce(r.warnings::jsonb @> '[{"code": "no_georeference"}]', false) as "isElsewhere"
      from datasets d
      left join import_reports r on r.dataset_id = d.id
      left join raster_statistics s on s.dataset_id = d.id
     where d.id = any(${datasetIds}::uuid[])`.execute(trx);
  return new Map(rows.map((row) => [row.id, factsOf(row)]));
}

function factsOf({ name, extent, isElsewhere, file: json, state, band }: Row): RasterFacts {
  // A report of an earlier release may lack these facts: they are unknown then.
  const file = FileFacts.safeParse(JSON.parse(json ?? 'null')).data;
  const box = isElsewhere ? undefined : Box.safeParse(extent).data;
  return {
    name,
    file: file && {
      bands: file.bands,
      dataType: file.data_type,
      hasReferenceSystem: file.crs !== null,
      isPlaced: file.resolution !== null,
      rows: file.height,
      // A report of an earlier release has no shift.
      shift: file.shift ?? (file.proj?.includes('+datum=WGS84') === true ? null : undefined),
    },
    place: box && { box, plane: planeOf(file) },
    values: valuesOf(state, band),
  };
}

function planeOf(file: z.infer<typeof FileFacts> | undefined) {
  const { crs = null, extent = null } = file ?? {};
  return crs === null || extent === null ? undefined : { crs, box: extent };
}

function valuesOf(state: Row['state'], band: string | null): RasterFacts['values'] {
  if (state === 'pending') return 'being counted';
  if (state === 'failed') return 'not countable';
  return Counted.safeParse(JSON.parse(band ?? 'null')).data;
}
