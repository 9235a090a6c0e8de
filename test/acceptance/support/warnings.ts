import assert from 'node:assert/strict';
import type { Client } from '../client.ts';
import { readReport, type Report } from './geojson.ts';

type Warning = Report['warnings'][number];

/** Words of Latin letters that every language of the service has. */
const international =
  /^(?:COG|CRS|EPSG|GDAL|GeoJSON|GeoPackage|ISO|KATO|MultiPatch|NaN|PROJ|PolyhedralSurface|QGIS|SLD|TIFF|TIN|Triangle|UTF|WGS|WMTS|cpg|cst|dbf|gpkg|id|nodata|prj|shp|windows|crs|cp)$/;

/**
 * Expects a warning of this code, which names these facts, in English, Russian and Kazakh: three sentences, each in letters of its
 * language, with no other Latin words than names. Gives the English one.
 */
export async function expectWarning(
  client: Client,
  id: string,
  code: string,
  ...facts: readonly RegExp[]
): Promise<string> {
  const inLanguage = async (language: string): Promise<readonly Warning[]> => {
    const headers = { 'accept-language': language };
    const answer = await client.expect(200, 'GET', `/datasets/${id}/report`, { headers });
    return answer.read<Report>().warnings.filter((warning) => warning.code === code);
  };
  const { warnings } = await readReport(client, id);
  const english = warnings.find((warning) => warning.code === code)?.message;
  assert.ok(english !== undefined, `no ${code} among ${JSON.stringify(warnings)}`);
  for (const fact of facts) assert.match(english, fact);
  const [russian, kazakh] = [await inLanguage('ru'), await inLanguage('kk')];
  for (const { message } of russian) assertTranslated(message, /\p{Script=Cyrillic}/u);
  for (const { message } of kazakh) assertTranslated(message, /[әғқңөұүһі]/iu);
  assert.equal(russian.length, warnings.filter((warning) => warning.code === code).length);
  assert.notDeepEqual(russian, kazakh);
  return english;
}

function assertTranslated(message: string, letters: RegExp): void {
  assert.match(message, letters);
  const foreign = message
    .replaceAll(/"[^"]*"|«[^»]*»/g, '')
    .match(/[A-Za-z]{2,}/g)
    ?.filter((word) => !international.test(word) && !/^[A-Z_\d]+$/.test(word));
  assert.deepEqual(foreign ?? [], [], message);
}
