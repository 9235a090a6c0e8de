import { getReport, ImportReport } from '../../datasets/report.ts';
import { retryDataset } from '../../datasets/retry.ts';
import { Dataset, toDataset } from '../../datasets/schema.ts';
import type { WarningCode } from '../../geo/findings.ts';
import type { App } from '../request/schemas.ts';
import { ok } from '../openapi/responses.ts';
import type { Services } from './services.ts';
import { IdParams } from '../request/query-fields.ts';

const tags = ['datasets'];

const warningMeanings: Readonly<Record<WarningCode, string>> = {
  layers_left_out: 'the file has other layers or tables than the one that was taken',
  files_left_out: 'the archive has other files than those of the layer that was taken',
  crs_assumed:
    'the file names no coordinate reference system; WGS 84 was taken, because all coordinates fit it',
  crs_member_ignored: 'a `crs` member of the GeoJSON is not understood and was ignored',
  no_georeference: 'the raster does not say where on the earth it lies; its own coordinates were kept',
  encoding_guessed: 'nothing says how the text is encoded; it was guessed from its letters',
  geometry_repaired: 'invalid geometry was repaired',
  rows_without_code: 'rows have no KATO code and were skipped',
  codes_without_district:
    'no district had the codes of some rows, or of any, when they were extracted; these are not on the map',
  mixed_decimal_comma:
    'a column has commas that part thousands and commas that are decimal; it reads cell by cell',
  ambiguous_decimal_comma: 'every comma of a column may part thousands; they were read as decimal commas',
  names_truncated: 'names of columns were cut short when the file was written',
  empty_layer: 'the layer has no features',
  not_freshest: 'another dataset of the group is fresher',
};

/** Registers the report of an import, and the way to try again. */
export function registerImportReportRoutes(app: App, services: Services): void {
  app.get('/datasets/:id/report', {
    schema: {
      tags,
      operationId: 'getImportReport',
      summary: 'Read what was found in the file and what was chosen from it',
      description: [
        'There is one as soon as the file has been looked at, also when it was refused; `parse_error` is its summary then. ' +
          'Parts that do not apply are null. Clients may rely on the codes of warnings, not on the messages:',
        '',
        ...Object.entries(warningMeanings).map(([code, meaning]) => `- \`${code}\`: ${meaning}`),
      ].join('\n'),
      params: IdParams,
      response: ok('The report', ImportReport, 400, 404),
    },
    handler: async (request) => await getReport(services.db, request.params.id),
  });

  app.post('/datasets/:id/retry', {
    schema: {
      tags,
      operationId: 'retryDataset',
      summary: 'Try the step again that failed',
      description:
        'Puts a failed dataset back before that step: `pending`, or `extracting` with the mapping that it has. ' +
        'Earlier observations stay until the extraction has succeeded. Needs no body.',
      params: IdParams,
      response: ok('The dataset with its new status', Dataset, 400, 404, 409, 413),
    },
    handler: async (request) => toDataset(await retryDataset(services, request.params.id)),
  });
}
