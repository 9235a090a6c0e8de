import { buffer } from 'node:stream/consumers';
import { packageColumns } from '../../datasets/export/geopackage/columns.ts';
import {
  makeFeaturePackage,
  type PackageSource,
  refuseLargePackage,
} from '../../datasets/export/geopackage/feature-package.ts';
import { found } from '../../datasets/queries.ts';
import { decodeXml } from '../../datasets/styles/sld.ts';
import { getFlatGeobufKey } from '../../datasets/vector-features.ts';
import { ownVersion } from '../../lib/own-version.ts';
import { qgisStyleOf } from '../../maps/formats/qgis/layer-style.ts';
import { kindOfFeatures } from '../../maps/formats/qgis/symbols.ts';
import type { StyledDataset } from '../../maps/service/maps.ts';
import { layerStyleOf } from '../../maps/style/sld-read.ts';
import { geopackageOutProblems } from '../../messages/features.ts';
import { fileProblems } from '../../messages/request.ts';
import { ObjectMissing } from '../../object-store/object-store.ts';
import { IdParams } from '../../validation/fields.ts';
import { attachment } from '../files/content-headers.ts';
import { sendStreamed } from '../files/streamed-response.ts';
import { drawnResponses, FileBytes } from '../openapi/responses.ts';
import type { App } from '../request/schemas.ts';
import type { TakeWritingPlace } from '../request/writing-places.ts';
import type { Services } from './services.ts';

const description = `One file for offices without a network: QGIS opens it with the colours that the service shows. GeoPackage 1.2 with one layer, \`features\`: each
feature as the FlatGeobuf (\`.fgb\`) has it, in its order, with all attributes, WGS 84, and a spatial index. Whole numbers of 64 bits stay such, a column of different types
holds the JSON text of each value. The ids of rows are those of OGC API - Features and one more. Attributes keep their names; of two that differ by case alone the
second gets a number behind it, and the columns \`fid\` and \`geom\` are \`unit_fid\` and \`unit_geom\` where attributes have these names.

\`layer_styles\` has the style of the dataset, else of its group: \`styleQML\` is what QGIS draws, which is what \`GET /datasets/{id}/style\` says is drawn, and \`styleSLD\` the SLD
as it was uploaded, as UTF-8. Without a style it is drawn as the maps of the service draw it.

It is made while the client waits, on the disk of the service, and then sent: equal content has equal bytes. A dataset of more than 1,000,000 features, 512 MiB of FlatGeobuf or
1,998 attributes is 422, and so is another type: a table by KATO comes as \`.parquet\`. 404 where there is no FlatGeobuf, 409 while it is not \`ready\`, 429 when other files are
being written already, 503 when the disk has no room.`;

const mediaType = 'application/geopackage+sqlite3';
/** What the bytes depend on beside the dataset and its style. */
const maker = `Steppe ${ownVersion}, SQLite ${process.versions['sqlite']}`;

/** Registers vectors as GeoPackage. */
export function registerGeoPackageRoute(
  app: App,
  { db, objectStore, featureFiles, maps, scratchFolder }: Services,
  takePlace: TakeWritingPlace,
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

  app.get('/datasets/:id.gpkg', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['datasets'],
      operationId: 'getDatasetGeoPackage',
      summary: 'Read the features of a vector as a GeoPackage with its style',
      description,
      params: IdParams,
      response: drawnResponses(
        { description: 'The GeoPackage', content: { [mediaType]: { schema: FileBytes } } },
        400,
        404,
        409,
        422,
        429,
      ),
    },
    async handler(request, reply) {
      try {
        const dataset = await maps.dataset(request.params.id);
        if (dataset.file_type !== 'vector') throw geopackageOutProblems.noVector();
        const key = getFlatGeobufKey(dataset);
        const facts = await readFacts(dataset.id);
        const { signal, ...place } = takePlace(request, reply);
        await using held = place.held;
        const file = await featureFiles.open(key);
        refuseLargePackage(file);
        const { name, sld_key: sldKey } = dataset;
        return await sendStreamed(request, reply, {
          parts: [key, name, facts.description, facts.created_at.toISOString(), sldKey, maker],
          headers: {},
          contentHeaders: {
            'content-type': mediaType,
            'content-disposition': attachment(`${name}.gpkg`),
          },
          async write() {
            const source = { files: featureFiles, file, columns: packageColumns(file.columns) };
            const about = { name, description: facts.description, changedAt: facts.created_at };
            const style = await styleFor(dataset, source);
            const made = await makeFeaturePackage(
              source,
              { ...about, style },
              { folder: scratchFolder, signal },
            );
            return held.use(made).bytes();
          },
          held,
          signal,
        });
      } catch (error) {
        // Deleted, or its style replaced, in this moment.
        throw error instanceof ObjectMissing ? fileProblems.gone().because(error) : error;
      }
    },
  });
}

/** A text has no other encoding any more, whatever it says. */
const asUtf8 = (xml: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${xml.replace(/^\uFEFF?(?:<\?xml\s[^>]*\?>)?\s*/, '')}`;
