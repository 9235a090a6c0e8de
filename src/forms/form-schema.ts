import { z } from 'zod';
import { unitLevels } from '../../common/maps/units/levels.ts';
import { workbookFormats } from '../geo/spreadsheet.ts';
import { CalendarDate, Guid, KatoCode, textOfAtMost } from '../validation/fields.ts';
import { ValuesAre, ZonalStat } from '../zonal/zonal-schema.ts';
import { exampleForm, exampleFormInput, exampleLayout, exampleTemplate } from './examples.ts';

export const FormTemplate = z
  .object({
    id: Guid.describe('Id of the template'),
    group_id: Guid.describe('Id of the dataset group with which it is kept'),
    filename: z.string().describe('File name of the workbook'),
    format: z.enum(workbookFormats).describe('Format of the workbook, in which forms are filled as well'),
    size_bytes: z.int().describe('Size of the workbook'),
    created_at: z.iso.datetime().describe('The time of the upload, UTC'),
  })
  .meta({
    id: 'FormTemplate',
    description: 'A workbook that is filled with figures by unit',
    examples: [exampleTemplate],
  });
export type FormTemplate = z.infer<typeof FormTemplate>;

const cell = z.string().describe('The cell, such as `C5`');
const sheet = z.string().describe('Name of the sheet');

const UnknownRow = z
  .object({
    sheet,
    cell,
    text: z.string().describe('The text of the cell, cut after 500 characters'),
    reason: z.enum(['no_unit', 'ambiguous']).describe('Why the row is not filled'),
    message: z.string().describe('The reason as a sentence'),
  })
  .describe('A row among units whose unit is not known');

const UnknownName = z
  .object({
    name: z.string().describe('The name in the workbook'),
    message: z.string().describe('The reason as a sentence'),
  })
  .describe('A name whose cells cannot be filled');

export const FormLayout = z
  .object({
    template_id: Guid.describe('Id of the template'),
    districts_version: z.int().describe('Version of the administrative units with whose names it was read'),
    sheets: z.array(z.string()).describe('The sheets of the workbook'),
    fields: z
      .array(
        z
          .object({
            id: z
              .string()
              .describe(
                'The name of the cells in the workbook; for a column without a name its sheet and first cell, such as `Sheet1!C5`',
              ),
            label: z.string().describe('The header of the column from top to bottom, or the name'),
            sheet,
            first_cell: cell,
            cells: z.int().min(1).describe('Number of cells'),
            empty: z.int().min(0).describe('Cells without content'),
            formulas: z.int().min(0).describe('Cells with a formula, which are never overwritten'),
            units: z
              .int()
              .min(0)
              .describe('Number of units; 0 if the cells are for the unit of the whole form'),
          })
          .describe('Cells that one source fills'),
      )
      .describe('What can be filled, in the order of the workbook'),
    own_names: z
      .array(z.enum(['form_unit', 'form_unit_code', 'form_date', 'form_sources']))
      .describe('Named cells that the service fills by itself'),
    unknown_rows: z.array(UnknownRow).describe('At most 200 rows that are not filled'),
    unknown_names: z.array(UnknownName).describe('At most 200 names that are not filled'),
  })
  .meta({
    id: 'FormLayout',
    description: 'The cells of a template that can be filled',
    examples: [exampleLayout],
  });
export type FormLayout = z.infer<typeof FormLayout>;

const mostFields = 500;
const classValues = z.array(z.int()).min(1).max(256);

export const FormSource = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('table').describe('Values of a table by KATO'),
      dataset_id: Guid.describe('Id of the table'),
      start_date: CalendarDate.optional().describe(
        'The date, or the first day of the period, of the values; without it the last one of the table',
      ),
    }),
    z.object({
      kind: z.literal('areas').describe('Hectares of classes of a raster, as `GET /datasets/{id}/areas`'),
      dataset_id: Guid.describe('Id of the raster'),
      of: z
        .enum(['classes', 'area', 'no_data', 'outside_raster'])
        .default('classes')
        .describe('Which hectares'),
      classes: classValues.optional().describe('The values of the classes, added up; without it all classes'),
    }),
    z.object({
      kind: z.literal('zonal').describe('A statistic of a raster, as `GET /datasets/{id}/zonal`'),
      dataset_id: Guid.describe('Id of the raster'),
      stat: ZonalStat.describe('The statistic'),
      values_are: ValuesAre.default('density'),
      min_valid_share: z
        .number()
        .min(0)
        .max(1)
        .default(0)
        .describe('The least share with values; units with less have no value'),
    }),
    z.object({
      kind: z.literal('balance').describe('Hectares of a run, as `GET /landscape/runs/{id}/balance`'),
      run_id: Guid.describe('Id of the run'),
      of: z
        .enum(['V1', 'V2', 'V3', 'codes', 'area', 'not_allocable', 'no_data', 'outside_raster'])
        .describe('Which hectares: a zone, or codes of the functional zoning'),
      codes: classValues.optional().describe('With `of: codes`, the codes, added up; without it all'),
    }),
  ])
  .describe('Where the values of a field come from');
export type FormSource = z.infer<typeof FormSource>;

export const FormInput = z
  .object({
    fields: z
      .array(
        z.object({
          field: textOfAtMost(1000).describe('`id` of a field of the layout'),
          source: FormSource,
          factor: z
            .number()
            .refine((factor) => factor !== 0)
            .optional()
            .describe(
              'Each number is multiplied by it, such as 0.001 for thousands of hectares; the form names it among its sources',
            ),
        }),
      )
      .min(1)
      .max(mostFields)
      .describe('The fields to fill, each with its source; other fields stay as they are'),
    unit: KatoCode.optional().describe(
      'The unit of named cells that stand in no row of a unit; without it, the whole country, `000000000`',
    ),
    overwrite: z
      .boolean()
      .default(false)
      .describe('Also fill cells that have content already, such as figures of the year before'),
  })
  .meta({ description: 'The sources of the fields of a form', examples: [exampleFormInput] });
export type FormInput = z.infer<typeof FormInput>;

const CellReason = z.enum(['no_value', 'unit_missing', 'has_content']);
export type CellReason = z.infer<typeof CellReason>;

export const FilledForm = z
  .object({
    id: Guid.describe('Id of the filled form, which is kept for 30 days'),
    template_id: Guid.describe('Id of the template'),
    made_at: z.iso.datetime().describe('When it was filled, UTC'),
    file: z.string().describe('Path of the workbook'),
    filled: z.int().min(0).describe('Number of cells that were filled'),
    formulas: z.int().min(0).describe('Cells of the fields that keep their formulas'),
    districts_version: z.int().describe('Version of the administrative units'),
    sources: z
      .array(
        z.object({
          field: z.string().describe('`id` of the field'),
          text: z.string().describe('Its source, in words'),
        }),
      )
      .describe('The sources of the filled fields'),
    left_out: z
      .object({
        fields: z
          .array(
            z.object({
              field: z.string().describe('`id` of the field'),
              label: z.string().describe('Its header, or its name'),
              message: z.string().describe('The reason as a sentence'),
            }),
          )
          .describe('Fields without a source'),
        cells: z
          .array(
            z.object({
              field: z.string().describe('`id` of the field'),
              sheet,
              cell,
              kato: z.string().describe('Code of the unit'),
              name: z.string().describe('Name of the unit, in the language of the answer'),
              level: z.enum(unitLevels).nullable().describe('Level of the unit; null if it is not known'),
              reason: CellReason.describe('Why the cell was not filled'),
              message: z.string().describe('The reason as a sentence'),
            }),
          )
          .describe('The first 500 cells that were not filled'),
        cells_total: z.int().min(0).describe('Number of cells that were not filled'),
        rows: z.array(UnknownRow).describe('Rows whose unit is not known'),
        names: z.array(UnknownName).describe('Names whose cells cannot be filled'),
      })
      .describe('What was not filled'),
  })
  .meta({ id: 'FilledForm', description: 'A filled form, and what was not filled', examples: [exampleForm] });
export type FilledForm = z.infer<typeof FilledForm>;
