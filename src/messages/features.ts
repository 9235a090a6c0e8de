import { nextSteps } from './datasets.ts';
import { conflict, invalid, problem, sentences } from './base/define.ts';

type Status = keyof typeof nextSteps;

/** Reasons for the absence of a FlatGeobuf. */
export const flatGeobufProblems = sentences('flatgeobuf', {
  noFeatures: invalid(() => 'only a vector has a FlatGeobuf'),
  noFeaturesYet: conflict(
    (status: Status) =>
      `the dataset is ${status}; its FlatGeobuf exists once it is ready${nextSteps[status]}`,
  ),
  featuresNotMade: problem(
    'not_found',
    () =>
      'the dataset has no FlatGeobuf: an old dataset, or one for which writing it has failed, gets it later; a file with too many features or columns never gets it',
  ),
});

/** Reasons for the absence of a GeoPackage. */
export const geopackageOutProblems = sentences('geopackage_out', {
  noVector: invalid(
    (type: 'raster' | 'vector_with_kato') =>
      `only a vector comes as a GeoPackage; ${type === 'raster' ? 'a raster comes as .cog' : 'a table by KATO comes as .parquet'}`,
  ),
  tooManyColumns: invalid(
    (columns: number, most: number) =>
      `a GeoPackage has at most ${most} columns here, and this dataset has ${columns}: take its .fgb`,
  ),
  tooLarge: invalid(
    (features: number, maxMiB: number) =>
      `the dataset is too large for a GeoPackage, which has at most ${features.toLocaleString('en')} features and is made of at most ${maxMiB} MiB: take its .fgb, which QGIS opens as well`,
  ),
  largeFeature: invalid(
    (number: number, maxMiB: number) =>
      `feature ${number} has more than ${maxMiB} MiB, more than one feature of a GeoPackage may have here: take the .fgb of the dataset`,
  ),
  noRoom: problem(
    'unavailable',
    () => 'the disk of the service has no room for the GeoPackage; take the .fgb, or ask again later',
  ),
});

const valueNames: ReadonlyMap<string, string> = new Map([
  ['string', 'one text'],
  ['boolean', 'true or false'],
  ['date', 'a day such as 2024-06-01'],
]);

/** Sentences of the OGC APIs for features. */
export const featureSentences = sentences('feature_door', {
  noCollection: problem('not_found', () => 'no such collection'),
  geometryElsewhere: (number: number) =>
    `The geometry of feature ${number} is too large for an answer: this file contains it`,
  noFeature: problem('not_found', () => 'no such feature'),
  tooLarge: problem(
    'malformed',
    (number: number, maxMiB: number) =>
      `feature ${number} has more than ${maxMiB} MiB; the FlatGeobuf of the dataset has it, and token=${number + 1} continues after it`,
  ),
  crs: (addresses: readonly string[]) => `must be ${addresses.join(' or ')}`,
  token: 'must be taken from the link next of this collection',
  unknownProperty: (name: string) => `names “${name}”, which is not a property of the collection`,
  filterLanguage: 'must be cql2-text or cql2-json',
  value: (type: string) => `must be ${valueNames.get(type) ?? 'a number'}`,
  noFeatures: problem(
    'not_found',
    () => 'the collection is a raster, which has no features: its tiles are at /map/tiles of the collection',
  ),
});
