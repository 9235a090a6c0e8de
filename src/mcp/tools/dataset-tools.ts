import { z } from 'zod';
import { DatasetAreas } from '../../areas/areas-schema.ts';
import { KatoSeries } from '../../tables/kato-map/kato-series.ts';
import { Lineage } from '../../landscape/runs/lineage-schema.ts';
import { Dataset, DatasetSummary } from '../../datasets/schema.ts';
import { RasterStatistics } from '../../datasets/statistics-schema.ts';
import { DatasetMetadata } from '../../metadata/schema.ts';
import { common, datasetId, defineTool, isWithin, kato, queryOf, Refused, waitSeconds } from './tool.ts';

const day = z.iso.date();
const Summary = DatasetSummary.omit({ created_at: true });
const Rows = z.object({ data: z.array(Summary), total: z.int() });

const searchDatasets = defineTool({
  name: 'search_datasets',
  title: 'Search datasets',
  description:
    'Lists datasets, newest first: rasters, vectors (maps) and tables by administrative unit (vector_with_kato). All filters that are given must hold. Only ready datasets have data.',
  input: z.strictObject({
    ...common,
    text: z
      .string()
      .max(200)
      .optional()
      .describe('A part of name, description or file name, in whatever language they have'),
    file_type: z
      .enum(['raster', 'vector', 'vector_with_kato'])
      .optional()
      .describe('Only datasets of this type'),
    status: z
      .enum(['ready', 'failed', 'awaiting_mapping'])
      .default('ready')
      .describe('Only datasets in this status'),
    category_code: z.string().max(255).optional().describe('Only datasets of this category'),
    group_id: z.guid().optional().describe('Only datasets of this dataset group (dg_id)'),
    from: day.optional().describe('Only those whose period ends on this day or later'),
    to: day.optional().describe('Only those whose period starts on this day or earlier'),
    limit: z.int().min(1).max(50).default(20).describe('Datasets in one answer'),
    after: z.string().max(64).optional().describe('`next` of the answer before'),
  }),
  async run({ text, file_type, status, category_code, group_id, from, to, limit, after }, get) {
    const filter = {
      q: text,
      file_type,
      status,
      category_code,
      dg_id: group_id,
      end_date_from: from,
      start_date_to: to,
    };
    const { body, next } = await get(`/datasets${queryOf({ ...filter, page_size: limit, after })}`);
    const { data, total } = Rows.parse(body);
    return { total, datasets: data, next: next ?? null };
  },
});

const Described = Dataset.omit({
  storage_key: true,
  cog_storage_key: true,
  sld_storage_key: true,
  sld_filename: true,
  sld_content_type: true,
  content_type: true,
  attribute_columns: true,
  automated: true,
  meta: true,
  created_at: true,
});
const Statistics = RasterStatistics.pick({ area_ha: true }).extend({
  bands: z.array(RasterStatistics.shape.bands.element.omit({ histogram: true })),
});
const Stemming = z.object({
  steps: z.array(
    Lineage.shape.steps.element.pick({ dataset_id: true, name: true, node: true, run_id: true }),
  ),
});

const describeDataset = defineTool({
  name: 'describe_dataset',
  title: 'Describe a dataset',
  description:
    'Everything about one dataset: period, unit, extent, statistics of a raster over all of its pixels (areas are geodesic hectares on WGS 84), what it stems from, and what its metadata record lacks.',
  input: z.strictObject({ ...common, dataset_id: datasetId }),
  async run({ dataset_id: id }, get) {
    const at = `/datasets/${id}`;
    const dataset = Described.parse((await get(at)).body);
    // Statistics of a large raster are counted after it is ready; other types have none.
    const statistics = await optional(async () => Statistics.parse((await get(`${at}/statistics`)).body));
    const { steps } = Stemming.parse((await get(`${at}/lineage`)).body);
    const { missing } = DatasetMetadata.parse((await get(`${at}/metadata`)).body);
    return {
      dataset,
      statistics: dataset.file_type === 'raster' ? statistics : null,
      lineage: steps,
      missing_metadata: missing.map(({ message }) => message),
    };
  },
});

async function optional<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Refused && /^4(?:04|09|22)/.test(error.message)) return null;
    throw error;
  }
}

const series = defineTool({
  name: 'series',
  title: 'Read the values of a table',
  description:
    'Values of a table by administrative unit (vector_with_kato) for each of its dates: `values` of a unit are in the order of `dates`. With rate, values are divided by the denominator that the table names.',
  input: z.strictObject({
    ...common,
    dataset_id: datasetId,
    kato: kato.optional().describe('Only this unit; of a region, also its districts'),
    rate: z.boolean().default(false).describe('Rates in the place of values'),
  }),
  async run({ dataset_id: id, kato: unit, rate }, get) {
    const answer = await get(`/datasets/${id}/series${rate ? '?rate=1' : ''}`);
    const { units, ...others } = KatoSeries.parse(answer.body);
    return { dataset_id: id, ...others, units: units.filter(({ kato_code: code }) => isWithin(code, unit)) };
  },
});

const areas = defineTool({
  name: 'areas',
  title: 'Read hectares by unit',
  description:
    'Hectares of each class of a raster of classes in each administrative unit: geodesic on WGS 84, every pixel at full resolution, pixels on a border by the share that lies in the unit. `classes` of a row has hectares by the value of the class.',
  input: z.strictObject({
    ...common,
    dataset_id: datasetId,
    by: z.enum(['district', 'region']).default('region').describe('The level of the units'),
    kato: kato.optional().describe('Only this unit; of a region, also its districts'),
  }),
  async run({ dataset_id: id, by, kato: unit }, get) {
    const answer = await get(`/datasets/${id}/areas${queryOf({ by, wait: waitSeconds })}`);
    const { rows, total, outside_units, overlap, raster, ...others } = DatasetAreas.parse(answer.body);
    const own = rows.filter(({ kato: code }) => isWithin(code, unit));
    // Sums over all units are left out when only some units are shown.
    const sums = unit === undefined ? { total, outside_units, overlap, raster } : {};
    return { ...others, rows: own, ...sums };
  },
});

const sheetLink = defineTool({
  name: 'sheet_link',
  title: 'Link to a map on paper',
  description:
    'The address of a PDF: a map of a raster to scale with legend, hectares and sources, of one unit or of all of it. The reader needs the same access as this client. Nothing is drawn before the address is opened.',
  input: z.strictObject({
    ...common,
    dataset_id: datasetId,
    kato: kato.optional().describe('The unit that is shown; without it, all of the raster'),
    size: z.enum(['A4', 'A3']).default('A4').describe('The paper'),
    orientation: z
      .enum(['portrait', 'landscape'])
      .default('landscape')
      .describe('The orientation of the paper'),
    scale: z
      .int()
      .min(1000)
      .max(1e8)
      .optional()
      .describe('Denominator of the scale; without it, the next round scale that fits'),
  }),
  async run({ dataset_id: id, language, ...paper }, get, { base }) {
    const { file_type: type, status, name } = Described.parse((await get(`/datasets/${id}`)).body);
    if (type !== 'raster' || status !== 'ready')
      throw new Refused(`422: only a ready raster has a sheet; this is a ${type}, ${status}`);
    return {
      dataset_id: id,
      name,
      url: `${base}/datasets/${id}/sheet.pdf${queryOf({ ...paper, lang: language })}`,
    };
  },
});

export const datasetTools = [searchDatasets, describeDataset, series, areas, sheetLink];
