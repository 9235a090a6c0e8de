import { nextSteps } from './datasets.ts';
import { conflict, invalid, problem, sentences } from './define.ts';

type Status = keyof typeof nextSteps;

/** Reasons why there is no FlatGeobuf. */
export const flatGeobufProblems = sentences('flatgeobuf', {
  noFeatures: invalid(() => 'only a vector has a FlatGeobuf'),
  noFeaturesYet: conflict(
    (status: Status) =>
      `the dataset is ${status}; its FlatGeobuf exists once it is ready${nextSteps[status]}`,
  ),
  featuresNotMade: problem(
    'not_found',
    () =>
      'the dataset has no FlatGeobuf: a dataset of before there were any gets it soon, a file with too many features or columns never',
  ),
});

/** Reasons why there is no GeoPackage. */
export const geopackageOutProblems = sentences('geopackage_out', {
  noVector: invalid(() => 'only a vector comes as a GeoPackage; a table by KATO comes as .parquet'),
  tooManyColumns: invalid(
    (columns: number, most: number) =>
      `a GeoPackage has at most ${most} columns here, and this dataset has ${columns}: take its .fgb`,
  ),
  tooLarge: invalid(
    (features: number, maxMiB: number) =>
      `the dataset is too large for a GeoPackage, which has at most ${features.toLocaleString('en')} features and is made of at most ${maxMiB} MiB: take its .fgb, which QGIS opens as well`,
  ),
  noRoom: problem(
    'unavailable',
    () => 'the disk of the service has no room for the GeoPackage; take the .fgb, or ask again later',
  ),
});

/** Answers and faults of the OGC APIs about features. */
export const featureDoor = sentences('feature_door', {
  noCollection: problem('not_found', () => 'no such collection'),
  noFeature: problem('not_found', () => 'no such feature'),
  tooLarge: problem(
    'malformed',
    (number: number, maxMiB: number) =>
      `feature ${number} has more than ${maxMiB} MiB; the FlatGeobuf of the dataset has it, and token=${number + 1} goes on behind it`,
  ),
  crs: (addresses: readonly string[]) => `must be ${addresses.join(' or ')}`,
  token: 'must be out of the link next of this collection',
  format: (name: string) => `must be ${name}`,
  filterLanguage: 'must be cql2-text or cql2-json',
  value: (type: string) => `must be ${type === 'number' ? 'a number' : 'true or false'}`,
});
