import type { AllSentences } from '../areas.ts';
import { nextSteps } from './datasets.ts';
import { grouped } from './wording.ts';

/** Answers and faults of the OGC APIs about features, in Russian. */
export const features: Pick<AllSentences, 'feature_door' | 'flatgeobuf' | 'geopackage_out'> = {
  flatgeobuf: {
    noFeatures: () => 'FlatGeobuf есть только у вектора',
    noFeaturesYet: (status) =>
      `статус набора данных — ${status}; FlatGeobuf появится, когда статус станет ready${nextSteps[status]}`,
    featuresNotMade: () =>
      'у набора данных нет FlatGeobuf: для старого набора он скоро появится, а для файла со слишком большим числом объектов или столбцов не создаётся',
  },
  geopackage_out: {
    noVector: () => 'в GeoPackage выгружается только вектор; таблица по КАТО выгружается как .parquet',
    tooManyColumns: (columns, most) =>
      `в GeoPackage может быть не больше ${grouped(most)} столбцов, а в этом наборе данных их ${grouped(columns)}: возьмите его .fgb`,
    tooLarge: (features, maxMiB) =>
      `набор данных слишком велик для GeoPackage: в нём может быть не больше ${grouped(features)} объектов, а исходные данные — не больше ${maxMiB} МиБ; возьмите .fgb, QGIS открывает и его`,
    noRoom: () => 'на диске сервиса нет места для GeoPackage; возьмите .fgb или повторите запрос позже',
  },
  feature_door: {
    noCollection: () => 'нет такой коллекции',
    noFeature: () => 'нет такого объекта',
    tooLarge: (number, maxMiB) =>
      `объект ${number} больше ${maxMiB} МиБ; он есть в FlatGeobuf набора данных, а token=${number + 1} продолжает за ним`,
    crs: (addresses) => `должно быть ${addresses.join(' или ')}`,
    token: 'должно быть из ссылки next этой коллекции',
    format: (name) => `должно быть ${name}`,
    filterLanguage: 'должно быть cql2-text или cql2-json',
    value: (type) => `должно быть ${type === 'number' ? 'числом' : 'true или false'}`,
  },
};
