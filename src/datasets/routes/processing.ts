import { z } from 'zod';
import { getReport, ImportReport } from '../report.ts';
import { retryDataset, takeMappingBack } from '../retry.ts';
import { Dataset, toDataset } from '../schema.ts';
import type { WarningCode } from '../../geo/findings.ts';
import { IdParams } from '../../validation/fields.ts';
import { reportFor } from '../in-language.ts';
import { ok } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';

const warningMeanings: Readonly<Record<WarningCode, string>> = {
  layers_left_out: 'the file has other layers or tables than the one that was read',
  files_left_out: 'the archive has other files than those of the layer that was read',
  crs_assumed:
    'the file names no coordinate reference system; WGS 84 was assumed, because all coordinates fit it',
  crs_member_ignored: 'a `crs` member of the GeoJSON is not understood and was ignored',
  no_georeference: 'the raster has no georeference; its own coordinates were kept',
  georeference_fitted:
    'the position of a raster is defined only by control points, and its grid misses some of them',
  colours_converted:
    'the colours of a raster are not red, green and blue; the COG contains them converted to these',
  unusual_bits: 'the values of a raster have a number of bits that not every program reads',
  nodata_suspected:
    'half or more of the pixels of a raster without a nodata value have a value that often means "no data"',
  overviews_replaced:
    'the overviews of an uploaded COG show values that its full resolution does not have; its COG was made again, with new overviews',
  no_values: 'no pixel of a raster has a value',
  complex_values: 'the values of a raster are complex numbers; it has neither a map nor statistics',
  scale_zero: 'a band has the scale 0, so that all its values equal its offset',
  crs_contradicted:
    'the file names a reference system by a code that is unknown, or that its own parameters contradict; the parameters were used',
  cog_differs:
    'the COG differs from the raster in properties that no pixel shows, such as a colour table or metadata',
  encoding_guessed: 'the encoding of the text is not declared; it was guessed from its letters',
  geometry_repaired: 'invalid geometry was repaired',
  geometry_lost: 'lines or polygons without extent were left out',
  rows_without_shape: 'the table of a shapefile has more rows than shapes',
  rows_without_code: 'rows have no KATO code and were skipped',
  codes_without_district:
    'some or all rows have codes that no district had at the time of the extraction; these rows are not on the map',
  units_without_border:
    'rows have codes of units that the classifier has, such as rural districts, and this service has no border of; their values are kept, and are not on the map',
  mixed_decimal_comma:
    'a column has commas that separate thousands and decimal commas; each cell is read by itself',
  ambiguous_decimal_comma: 'every comma of a column may separate thousands; they were read as decimal commas',
  ambiguous_decimal_point:
    'points in texts of a column separate thousands in some cells, or may do so in all; points of the second kind were read as decimal points',
  values_converted: 'numbers of a column were multiplied by the factor of the mapping',
  codes_repeated: 'several rows have the code of one unit; a map shows the last of them',
  names_truncated: 'names of columns were cut short when the file was written',
  property_repeated: 'a feature has several properties with the same name; the last of them was used',
  empty_layer: 'the layer has no features',
  not_freshest: 'another dataset of the group is fresher',
  axes_maybe_swapped: 'the coordinates may be in the order latitude, longitude; they were kept as they are',
  codes_repaired: 'KATO codes that another program had changed were restored to their nine digits',
  columns_left_out: 'columns of a kind that cannot be read were left out',
  dates_impossible: 'impossible dates were kept as texts',
  datum_unknown:
    'the datum of the coordinate reference system is not known; places may be off by a few hundred metres',
  encoding_overruled: 'the text is not in the encoding that the file declares; the more likely one was used',
  ids_left_out: 'the ids of GeoJSON features were left out, because a property has the name `id`',
  longitudes_turned: 'longitudes beyond 180° were normalised to -180° to 180°',
  solids_flattened: 'solids were read as their footprint',
  heights_left_out: 'heights of features with arcs, and of features that were cut or bent, were left out',
  heights_filled: 'features without heights got the height 0, because others have heights',
  values_as_json: 'values of a column are of different types, so that the FlatGeobuf keeps each as JSON text',
  features_left_out: 'the file has more features or columns than a FlatGeobuf can contain, so none was made',
  other_warnings: 'other warnings of GDAL about the file, in its own words, with their number',
};

export function registerProcessingRoutes(
  app: App,
  parts: { readonly db: Database; readonly messageQueue: MessageQueue },
): void {
  app.get('/datasets/:id/report', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['datasets'],
      operationId: 'getImportReport',
      summary: 'Read the findings in the file and the choices of the service',
      description: [
        'The report exists as soon as the file has been read, even if the file was refused; `parse_error` is then its summary. Parts that do not apply are null. Clients may rely on the codes of warnings, not on the messages:',
        '',
        ...Object.entries(warningMeanings).map(([code, meaning]) => `- \`${code}\`: ${meaning}`),
      ].join('\n'),
      params: IdParams,
      response: ok('The report', ImportReport, 400, 404),
    },
    handler: async (request, reply) =>
      reportFor(request, reply, await getReport(parts.db, request.params.id)),
  });

  app.post('/datasets/:id/retry', {
    config: { scope: 'data:write' },
    schema: {
      tags: ['datasets'],
      operationId: 'retryDataset',
      summary: 'Retry the failed step',
      description:
        'Returns a failed dataset to the status before that step: `pending`, or `extracting` with its mapping. With `step=mapping`, a dataset whose extraction failed goes back to `awaiting_mapping`, without its mapping; this is answered with 409 if the file itself could not be read. Earlier observations stay until an extraction has succeeded; until then the GeoJSON is answered with 409. Needs no body.',
      params: IdParams,
      querystring: z.object({
        step: z.enum(['mapping']).optional().describe('A step to go back to instead of the failed one'),
      }),
      response: ok('The dataset with its new status', Dataset, 400, 404, 409, 413),
    },
    async handler({ params, query }) {
      const retry =
        query.step === 'mapping' ? takeMappingBack(parts.db, params.id) : retryDataset(parts, params.id);
      return toDataset(await retry);
    },
  });
}
