import { quoted } from '../lib/readable.ts';
import { invalid, sentences } from './define.ts';
import type { Message } from '../lib/message.ts';

const notGeoJson = (why: string) => `The file is not GeoJSON: ${why}. Export it again as GeoJSON (RFC 7946).`;
const exportAgain = 'Export it again from its source and upload it again.';

/** Faults of a file that is JSON. */
export const geojsonProblems = sentences('geojson', {
  empty: invalid(() => notGeoJson('it is empty')),
  noObject: invalid(() => notGeoJson('it does not begin with an object')),
  noFeatures: invalid(() => notGeoJson('its "features" are missing or not a list')),
  twoLists: invalid(() => notGeoJson('it has two lists of "features"')),
  noType: invalid(() => notGeoJson('it has no "type"')),
  unknownType: invalid((type: string) => notGeoJson(`its "type" is ${quoted(type)}`)),
  /** `feature` is the number of the feature; undefined where the file is one. */
  wrongFeature: invalid((fault: Message, feature: number | undefined) =>
    notGeoJson(
      feature === undefined ? `its feature ${fault.english}` : `feature ${feature} ${fault.english}`,
    ),
  ),
  tooManyColumns: invalid(
    (most: number) =>
      `The features have more than ${most.toLocaleString('en')} different properties; remove some and upload again.`,
  ),
  longColumnName: invalid(
    (most: number) =>
      `The features have a property whose name is longer than ${most} letters; give it a shorter one and upload again.`,
  ),
});

export const geojsonWarnings = sentences('geojson_warning', {
  idsLeftOut: (features: number) =>
    `${features === 1 ? 'One feature has an "id"' : `${features} features have an "id"`} beside the properties, but a property is called "id" too; ${features === 1 ? 'it was' : 'they were'} left out. Give the property "id" another name to get them as a column.`,
  wrongIds: (features: number) =>
    `${features === 1 ? 'One feature has an "id"' : `${features} features have an "id"`} that is neither a text nor a number; ${features === 1 ? 'it was' : 'they were'} left out.`,
});

/** Faults of a feature; each continues a sentence that begins with it. */
export const featureFaults = sentences('feature_fault', {
  noObject: 'is not an object',
  wrongType: 'has no "type": "Feature"',
  wrongMember: (key: string) => `has "${key}" that is neither an object nor null`,
});

/** Faults of the text of a JSON file. `fault` is one of `jsonFaults`. */
export const jsonFileProblems = sentences('json_file', {
  limit: invalid(
    (fault: Message, line: number, column: number) =>
      `The file is more than can be read: at line ${line}, column ${column} ${fault.english}. Simplify it and upload it again.`,
  ),
  invalid: invalid(
    (fault: Message, line: number, column: number) =>
      `The file is not valid JSON: at line ${line}, column ${column} ${fault.english}. Correct it, or export it again as GeoJSON.`,
  ),
});

/** Faults of one feature of a layer. */
export const featureProblems = sentences('feature', {
  notUtf8: invalid(
    (feature: number) =>
      `Feature ${feature} has text, or a column with a name, that is not in UTF-8. Export the layer again with UTF-8 as its encoding and upload it again.`,
  ),
  limit: invalid(
    (feature: number, fault: Message) =>
      `Feature ${feature} is more than can be read: ${fault.english}. Simplify it and upload the file again.`,
  ),
  unreadable: invalid(
    (feature: number) => `The file is damaged: feature ${feature} cannot be read. ${exportAgain}`,
  ),
});

const wrongGeometry = (where: string, what: string) =>
  `The geometry of ${where} ${what}. Correct it and upload the file again.`;

/** Faults of a GeoJSON geometry. `where` names its feature. */
export const geometryProblems = sentences('geometry', {
  tooLarge: invalid(
    (where: string, mostMiB: number) =>
      `The geometry of ${where} is longer than the ${mostMiB} MiB for which there is memory. Split or simplify it and upload the file again.`,
  ),
  noGeometry: invalid((where: string) => wrongGeometry(where, 'is not a geometry with a "type"')),
  wrongNesting: invalid((where: string, type: string) =>
    wrongGeometry(where, `is a ${type} whose coordinates are not nested as they must be`),
  ),
  unknownType: invalid((where: string, type: string) =>
    wrongGeometry(where, `has the type ${quoted(type)}, which GeoJSON does not have`),
  ),
  shortPosition: invalid((where: string) =>
    wrongGeometry(where, 'has a position that is not at least two numbers'),
  ),
  noNumber: invalid((where: string) => wrongGeometry(where, 'has a coordinate that is not a number')),
});
