import { z } from 'zod';
import { sourceFormats, sourceLimits } from '../geo/source.ts';
import { CalendarDate, FreeText, Guid, Name } from '../validation/fields.ts';

/** Rasters of one request. */
export const mostRasters = 1000;

export const SourceFile = z
  .object({
    id: Guid.describe('Id of the source file'),
    filename: z.string().describe('Name as sent, without folders'),
    format: z.enum(sourceFormats).describe('Format by its content'),
    size_bytes: z.int().describe('Size in bytes'),
    sha256: z.string().describe('SHA-256 of its bytes, in hexadecimal'),
    created_at: z.iso.datetime().describe('Time of the upload in UTC'),
    expires_at: z.iso
      .datetime()
      .describe(
        'Time in UTC at which the file is deleted, 30 days after rasters were last requested from it; the rasters stay',
      ),
  })
  .meta({
    id: 'SourceFile',
    description: 'A file from which rasters are made',
    examples: [
      {
        id: '0d7c3b0e-54f1-4f0a-9d57-3b8f0a0c7a11',
        filename: 'era5-land-2020.nc',
        format: 'netcdf',
        size_bytes: 8_589_934,
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        created_at: '2026-11-30T09:30:00.000Z',
        expires_at: '2026-12-30T09:30:00.000Z',
      },
    ],
  });
export type SourceFile = z.infer<typeof SourceFile>;

const SourceAxis = z.object({
  name: z.string().describe('Name, which `positions` of a request use'),
  title: z.string().nullable().describe('Title in the file'),
  unit: z.string().nullable().describe('Unit of its values, or of its times'),
  size: z.int().describe('Number of positions'),
  calendar: z
    .string()
    .nullable()
    .describe('Calendar of its times by the CF conventions; null for other axes'),
  values: z
    .array(z.union([z.number(), z.string()]))
    .describe('The value of each position: a number, or a date and time in the calendar of the axis'),
  periods: z
    .array(
      z.object({ start_date: z.string().describe('First day'), end_date: z.string().describe('Last day') }),
    )
    .nullable()
    .describe(
      'First and last day of each time in the Gregorian calendar: the bounds of the file, else the month or year of steps that are months or years apart, else the day; null for other axes',
    ),
});

const SourceVariable = z.object({
  name: z.string().describe('Name with its groups; of GRIB the element and the level'),
  title: z.string().nullable().describe('Title in the file'),
  unit: z.string().nullable().describe('Unit in the file; values are never converted'),
  type: z.string().describe('Type of the stored values'),
  width: z.int().describe('Number of columns'),
  height: z.int().describe('Number of rows'),
  scale: z.number().describe('Factor from the stored to the real value, before `offset` is added'),
  offset: z.number().describe('Added after the multiplication'),
  grid: z
    .object({
      left: z.number().describe('Left edge'),
      top: z.number().describe('Upper edge'),
      cell_width: z.number().describe('Width of a cell'),
      cell_height: z.number().describe('Height of a cell'),
    })
    .nullable()
    .describe(
      'Edges and cells in the units of the coordinate reference system, longitudes from −180 to 180; null for a refused variable',
    ),
  crs: z
    .string()
    .nullable()
    .describe('Coordinate reference system as a code, PROJ string or WKT; null if the file has none'),
  axes: z.array(z.int()).describe('Its further axes, as positions in `axes` of the answer'),
  refusal: z
    .string()
    .nullable()
    .describe('Why no raster can be made of it, in the language of the answer; otherwise null'),
});

const SourceTile = z.object({
  name: z.string().describe('Path in the archive, which `tiles` and `onto` of a request use'),
  type: z.string().describe('Type of its values'),
  width: z.int().describe('Number of columns'),
  height: z.int().describe('Number of rows'),
  grid: SourceVariable.shape.grid,
  crs: SourceVariable.shape.crs,
  set: z
    .int()
    .nullable()
    .describe('Tiles with the same number have one coordinate reference system, and their cells coincide'),
  refusal: z
    .string()
    .nullable()
    .describe('Why it cannot be used, in the language of the answer; otherwise null'),
});

export const SourceDescriptionAnswer = z
  .object({
    variables: z
      .array(SourceVariable)
      .describe(
        'Variables with rows and columns, in the order of the file; of a ZIP the bands that all tiles have, on the grid of all of them',
      ),
    axes: z.array(SourceAxis).describe('Times, levels and other axes that variables share'),
    left_out: z.int().describe('Number of variables beyond the first 1,000'),
    tiles: z
      .array(SourceTile)
      .nullable()
      .describe('The tiles of a ZIP in the order of their names; null for other files'),
  })
  .meta({
    id: 'SourceDescription',
    description: 'The variables of a file from which rasters are made',
    examples: [
      {
        variables: [
          {
            name: 't2m',
            title: '2 metre temperature',
            unit: 'K',
            type: 'Int16',
            width: 420,
            height: 155,
            scale: 0.0021,
            offset: 281.4,
            grid: { left: 45.95, top: 55.55, cell_width: 0.1, cell_height: 0.1 },
            crs: 'EPSG:4326',
            axes: [0],
            refusal: null,
          },
        ],
        axes: [
          {
            name: 'time',
            title: 'time',
            unit: 'hours since 1970-01-01',
            size: 1,
            calendar: 'standard',
            values: ['2020-01-01T00:00:00'],
            periods: [{ start_date: '2020-01-01', end_date: '2020-01-31' }],
          },
        ],
        left_out: 0,
        tiles: null,
      },
    ],
  });
export type SourceDescriptionAnswer = z.infer<typeof SourceDescriptionAnswer>;

export const RastersInput = z
  .object({
    variable: Name.describe('Name of a variable'),
    axis: Name.optional().describe(
      'Axis along which rasters are made, usually of times; without it, one raster is made',
    ),
    steps: z
      .array(z.int().min(0))
      .min(1)
      .optional()
      .describe(`Positions on this axis, from 0 on, at most ${mostRasters}; each becomes a dataset`),
    positions: z
      .record(z.string(), z.int().min(0))
      .optional()
      .describe('The position on each other axis of more than one, by its name'),
    category_id: Guid.describe('Category of the datasets'),
    dg_id: Guid.optional().describe('Group of the datasets'),
    name: Name.optional().describe('Beginning of their names; by default the title of the variable'),
    crs: z
      .string()
      .regex(/^EPSG:\d{4,6}$/)
      .optional()
      .describe('Coordinate reference system, only of a file that has none, such as an ASCII grid'),
    tiles: z
      .array(FreeText)
      .min(1)
      .max(sourceLimits.tiles)
      .optional()
      .describe('Names of the tiles of a ZIP that are put together; by default all of them'),
    onto: FreeText.optional().describe(
      'Name of the tile whose grid the others are resampled onto; needed only if tiles have different grids',
    ),
  })
  .meta({
    id: 'RastersInput',
    description: 'Rasters to make from a source file',
    examples: [
      {
        variable: 't2m',
        axis: 'time',
        steps: [0, 1, 2],
        category_id: '2f6c1f0e-8a4b-4b7e-9a53-6d0c8f1e7b21',
        dg_id: 'c3a1d7e4-5b92-4f68-8d0e-2b7a9c4f6e33',
      },
    ],
  });
export type RastersInput = z.infer<typeof RastersInput>;

/** One raster that a job makes. */
export const PlannedDataset = z.object({
  name: z.string(),
  positions: z.record(z.string(), z.int()),
  labels: z.record(z.string(), z.union([z.string(), z.number()])),
  startDate: CalendarDate.nullable(),
  endDate: CalendarDate.nullable(),
});
export type PlannedDataset = z.infer<typeof PlannedDataset>;

/** A tile of a mosaic that a job makes. */
export const ChosenTile = z.object({ index: z.int(), name: z.string(), type: z.string() });
export type ChosenTile = z.infer<typeof ChosenTile>;

export const MosaicFigures = z
  .object({
    tiles: z.int().describe('Number of tiles'),
    cells: z.int().describe('Number of cells'),
    valid: z.int().describe('Cells with a value; the others lie between the tiles, or have none in them'),
    overlap: z.int().describe('Cells with a value in more than one tile; the first tile by name decides'),
    largest_difference: z
      .number()
      .nullable()
      .describe(
        'Largest difference between the values of such a cell; 1 for different bytes; null without an overlap',
      ),
  })
  .meta({
    id: 'MosaicFigures',
    description: 'What was found while tiles were put together',
    examples: [{ tiles: 4, cells: 51_868_804, valid: 51_868_804, overlap: 14_403, largest_difference: 0 }],
  });
export type MosaicFigures = z.infer<typeof MosaicFigures>;

export const RasterOrder = z
  .object({
    id: Guid.describe('Id of the order'),
    state: z.enum(['pending', 'made', 'failed']).describe('`pending` while a job makes the rasters'),
    rasters: z
      .array(
        z.object({
          name: FreeText.describe('Name of the dataset'),
          start_date: z.string().nullable().describe('First day of its period; null without a time'),
          end_date: z.string().nullable().describe('Last day of its period'),
          dataset_id: Guid.nullable().describe(
            'Id of the dataset, which is then processed like an upload; null until it is made',
          ),
        }),
      )
      .describe('The rasters in order'),
    mosaic: MosaicFigures.nullable().describe('Of tiles that were put together; otherwise null'),
    failure: z
      .string()
      .nullable()
      .describe('Why they could not be made, in the language of the answer; otherwise null'),
  })
  .meta({
    id: 'RasterOrder',
    description: 'Up to 32 rasters that one job makes',
    examples: [
      {
        id: '4c1d0c55-7f6e-4f0a-9d57-3b8f0a0c7a11',
        state: 'made',
        rasters: [
          {
            name: '2 metre temperature 2020-01',
            start_date: '2020-01-01',
            end_date: '2020-01-31',
            dataset_id: '7b0f9c52-3c1e-4f0a-9d55-1f6f4d1b2a10',
          },
        ],
        mosaic: null,
        failure: null,
      },
    ],
  });
export type RasterOrder = z.infer<typeof RasterOrder>;
