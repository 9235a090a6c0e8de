import { buffer } from 'node:stream/consumers';
import { packageColumns } from '../../tables/export/geopackage/columns.ts';
import {
  makeFeaturePackage,
  type PackageSource,
  refuseLargePackage,
} from '../../tables/export/geopackage/feature-package.ts';
import { found } from '../../datasets/queries.ts';
import { decodeXml } from '../styles/sld.ts';
import { getFlatGeobufKey } from '../../datasets/vector-features.ts';
import { isLongFile, type FeatureFiles } from '../../geo/flatgeobuf/open-file.ts';
import { ownVersion } from '../../lib/own-version.ts';
import { qgisStyleOf } from '../formats/qgis/layer-style.ts';
import { kindOfFeatures } from '../formats/qgis/symbols.ts';
import type { StyledDataset, Maps } from '../service/maps.ts';
import { layerStyleOf } from '../../../common/maps/style/sld-read.ts';
import { geopackageOutProblems } from '../../messages/standards/english.ts';
import { fileProblems } from '../../messages/request/english.ts';
import { ObjectMissing, type ObjectStore } from '../../object-store/object-store.ts';
import { IdParams } from '../../validation/fields.ts';
import { clientOf } from '../../http/access/authentication.ts';
import { attachment } from '../../http/files/content-headers.ts';
import { sendSpooled, type SpooledAnswer, spooledText } from '../../http/answer/spooled.ts';
import { madeFileResponses, FileBytes } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { Spool } from '../../spool/spool.ts';
import type { TileBudget } from '../../http/limits/tile-budget.ts';

const description = `A single file for offices without a network: QGIS opens it with the colours of the service. GeoPackage 1.2 with one layer, \`features\`: each
feature as in the FlatGeobuf (\`.fgb\`), in the same order, with all attributes, WGS 84, and a spatial index. 64-bit integers stay integers, and a column of different types
contains the JSON text of each value. The id of a row is the id of the feature in OGC API - Features plus one. Attributes keep their names; if two names differ only by case, the
second gets a number at its end, and the columns \`fid\` and \`geom\` become \`unit_fid\` and \`unit_geom\` if attributes have these names.

\`layer_styles\` contains the style of the dataset, otherwise of its group: \`styleQML\` is the style that QGIS draws, with the parts that \`GET /datasets/{id}/sld/report\` lists as drawn, and \`styleSLD\` is the
uploaded SLD, as UTF-8. Without a style the layer has the colours of the maps of the service.

The file is written while the client waits; equal content has equal bytes. A dataset of more than 1,000,000 features, 512 MiB of FlatGeobuf or
1,998 attributes is answered with 422, and so is another type: use \`.parquet\` for a table by KATO, \`.cog\` for a raster. 404 without a FlatGeobuf, 409 while the dataset is not \`ready\`.

${spooledText}`;

const mediaType = 'application/geopackage+sqlite3';
/** The bytes depend on these releases as well as on the dataset and its style. */
const maker = `Steppe ${ownVersion}, SQLite ${process.versions['sqlite']}`;

interface Dependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly featureFiles: FeatureFiles;
  readonly scratchFolder: string;
  readonly spool: Spool;
  readonly maps: Maps;
  readonly tileBudget: TileBudget;
}

export function registerGeoPackageRoute(
  app: App,
  { db, objectStore, featureFiles, maps, scratchFolder, tileBudget, spool }: Dependencies,
): void {
  const readFacts = async (id: string) =>
    found(
      await db
        .selectFrom('datasets')
        .select(['description', 'created_at'])
        .where('id', '=', id)
        .executeTakeFirst(),
    );

  async function styleFor({ name, style }: StyledDataset, { file, columns }: PackageSource) {
    const rules = style === undefined ? [] : layerStyleOf(style.style).rules;
    const byName = columns.columns.map(
      ({ name: known, written, type }) => [known, { name: written, type }] as const,
    );
    const sld = style && decodeXml(await buffer(await objectStore.read(style.key)));
    return {
      qml: qgisStyleOf({ title: name, rules, columns: new Map(byName), kind: kindOfFeatures(file) }),
      sld: sld === undefined ? null : asUtf8(sld),
    };
  }

  async function answerFor(id: string): Promise<SpooledAnswer> {
    const dataset = await maps.dataset(id);
    if (dataset.file_type !== 'vector') throw geopackageOutProblems.noVector(dataset.file_type);
    const key = getFlatGeobufKey(dataset);
    const facts = await readFacts(dataset.id);
    const file = await featureFiles.open(key);
    refuseLargePackage(file);
    const { name, sld_key: sldKey } = dataset;
    return {
      parts: [key, name, facts.description, facts.created_at.toISOString(), sldKey, maker],
      contentHeaders: { 'content-type': mediaType, 'content-disposition': attachment(`${name}.gpkg`) },
      isLong: async () => isLongFile(file),
      async source(signal) {
        const source = { files: featureFiles, file, columns: packageColumns(file.columns) };
        const about = { name, description: facts.description, changedAt: facts.created_at };
        const style = await styleFor(dataset, source);
        return await makeFeaturePackage(source, { ...about, style }, { folder: scratchFolder, signal });
      },
    };
  }

  app.get('/datasets/:id.gpkg', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['datasets'],
      operationId: 'getDatasetGeoPackage',
      summary: 'Read the features of a vector as a GeoPackage with its style',
      description,
      params: IdParams,
      response: madeFileResponses(
        {
          description: 'The features with their style as a GeoPackage',
          content: { [mediaType]: { schema: FileBytes } },
        },
        400,
        404,
        409,
        422,
        429,
      ),
    },
    async handler(request, reply) {
      try {
        const charge = () => tileBudget.charge(clientOf(request));
        const lookUp = async () => await answerFor(request.params.id);
        return await sendSpooled(request, reply, { spool, charge, lookUp });
      } catch (error) {
        // Deleted at this moment, or its style replaced.
        throw error instanceof ObjectMissing ? fileProblems.gone().because(error) : error;
      }
    },
  });
}

/** The text is now UTF-8, whatever encoding its declaration names. */
const asUtf8 = (xml: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${xml.replace(/^\uFEFF?(?:<\?xml\s[^>]*\?>)?\s*/, '')}`;
