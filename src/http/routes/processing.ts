import { z } from 'zod';
import type { AlsoWrite } from '../../database/transaction.ts';
import { submitMapping } from '../../datasets/mapping.ts';
import { getReport, ImportReport } from '../../datasets/report.ts';
import { retryDataset, takeMappingBack } from '../../datasets/retry.ts';
import { Dataset, type DatasetRow, toDataset } from '../../datasets/schema.ts';
import { MappingInput } from '../../datasets/table/mapping-schema.ts';
import type { WarningCode } from '../../geo/findings.ts';
import { IdParams } from '../../validation/fields.ts';
import { reportFor } from '../language/language.ts';
import { ok } from '../openapi/responses.ts';
import { KeyHeaders, takeRequestKey } from '../access/idempotency.ts';
import type { App } from '../request/schemas.ts';
import type { Services } from './services.ts';

const warningMeanings: Readonly<Record<WarningCode, string>> = {
  layers_left_out: 'the file has other layers or tables than the one that was taken',
  files_left_out: 'the archive has other files than those of the layer that was taken',
  crs_assumed:
    'the file names no coordinate reference system; WGS 84 was taken, because all coordinates fit it',
  crs_member_ignored: 'a `crs` member of the GeoJSON is not understood and was ignored',
  no_georeference: 'the raster does not say where on the earth it lies; its own coordinates were kept',
  georeference_fitted: 'a raster is placed by control points alone, and its grid misses some of them',
  colours_converted:
    'the colours of a raster are not red, green and blue, as which they are read; its COG holds what was read',
  unusual_bits: 'the values of a raster take a number of bits that not every program reads',
  nodata_suspected:
    'half or more of the pixels of a raster without a nodata value have a value that often stands for none',
  cog_differs: 'the COG differs from the raster in what no pixel shows, such as a colour table or metadata',
  encoding_guessed: 'nothing says how the text is encoded; it was guessed from its letters',
  geometry_repaired: 'invalid geometry was repaired',
  geometry_lost: 'lines or polygons without extent were left out',
  rows_without_shape: 'the table of a shapefile has more rows than there are shapes',
  rows_without_code: 'rows have no KATO code and were skipped',
  codes_without_district:
    'no district had the codes of some rows, or of any, when they were extracted; these are not on the map',
  mixed_decimal_comma:
    'a column has commas that part thousands and commas that are decimal; it reads cell by cell',
  ambiguous_decimal_comma: 'every comma of a column may part thousands; they were read as decimal commas',
  names_truncated: 'names of columns were cut short when the file was written',
  property_repeated: 'a feature has several properties of one name; the last of them was taken',
  empty_layer: 'the layer has no features',
  not_freshest: 'another dataset of the group is fresher',
  axes_maybe_swapped: 'the coordinates are perhaps latitude first; they were kept as they are',
  codes_repaired: 'KATO codes that another program had changed were read as the nine digits they stand for',
  columns_left_out: 'columns of a kind that cannot be read were left out',
  dates_impossible: 'dates that no calendar has were kept as texts',
  datum_unknown:
    'the datum of the coordinate reference system is not known; places may be off by a few hundred metres',
  encoding_overruled: 'the text is not in the encoding that the file declares; the likelier one was taken',
  ids_left_out: 'the ids of GeoJSON features were left out, because a property is called `id`',
  longitudes_turned: 'longitudes beyond 180° were brought between -180° and 180°',
  solids_flattened: 'solids were read as the ground that they stand on',
  values_as_json: 'values of a column are of different types, so that the FlatGeobuf keeps each as JSON text',
  features_left_out:
    'the file has more features or columns than a FlatGeobuf can hold, so that there is none',
  other_warnings: 'what GDAL says of the file beside that, in its own words, with how often it says so',
};

export function registerProcessingRoutes(app: App, services: Services): void {
  app.get('/datasets/:id/report', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['datasets'],
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
    handler: async (request, reply) =>
      reportFor(request, reply, await getReport(services.db, request.params.id)),
  });

  app.post('/datasets/:id/retry', {
    config: { scope: 'data:write' },
    schema: {
      tags: ['datasets'],
      operationId: 'retryDataset',
      summary: 'Try the step again that failed',
      description:
        'Puts a failed dataset back before that step: `pending`, or `extracting` with the mapping that it has. ' +
        'With `step=mapping`, one whose extraction failed goes back to `awaiting_mapping`, without its mapping; this is 409 ' +
        'where the file itself could not be read. Earlier observations stay until an extraction has succeeded; until then the ' +
        'GeoJSON is 409. Needs no body.',
      params: IdParams,
      querystring: z.object({
        step: z.enum(['mapping']).optional().describe('Another step to go back to than the one that failed'),
      }),
      response: ok('The dataset with its new status', Dataset, 400, 404, 409, 413),
    },
    async handler({ params, query }) {
      const retry =
        query.step === 'mapping'
          ? takeMappingBack(services.db, params.id)
          : retryDataset(services, params.id);
      return toDataset(await retry);
    },
  });

  app.post('/datasets/:id/mapping', {
    config: { scope: 'data:write' },
    schema: {
      tags: ['tables by KATO'],
      operationId: 'submitMapping',
      summary: 'Say which columns hold codes and values',
      description:
        'For vector_with_kato datasets in awaiting_mapping, or in ready to map again. Observations are made in the background ' +
        'and replace the earlier ones in one step.',
      headers: KeyHeaders,
      params: IdParams,
      body: MappingInput,
      response: ok('The dataset with its mapping, in extracting', Dataset, 400, 404, 409, 413, 422),
    },
    async handler(request, reply) {
      const { id } = request.params;
      const { body } = request;
      await using key = await takeRequestKey(services.db, request, reply);
      const make = async (alsoWrite: AlsoWrite<DatasetRow>) =>
        await submitMapping(services, id, body, alsoWrite);
      return await key.answer({ body }, make, (row) => ({ status: 200, body: toDataset(row) }));
    },
  });
}
