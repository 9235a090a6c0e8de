import type { AllSentences } from '../areas.ts';
import { nextSteps } from './datasets.ts';
import { grouped } from './landscape/wording.ts';

const valueNames: ReadonlyMap<string, string> = new Map([
  ['string', 'одним текстом'],
  ['boolean', 'true или false'],
  ['date', 'днём, например 2024-06-01'],
]);

export const features: Pick<AllSentences, 'feature_door' | 'flatgeobuf' | 'geopackage_out'> = {
  flatgeobuf: {
    noFeatures: () => 'FlatGeobuf есть только у вектора',
    noFeaturesYet: (status) =>
      `статус набора данных — ${status}; FlatGeobuf появится, когда статус станет ready${nextSteps[status]}`,
    featuresNotMade: () =>
      'у набора данных нет FlatGeobuf: для старого набора данных и после неудачной попытки он появится позже, а для файла со слишком большим числом объектов или столбцов не создаётся',
  },
  geopackage_out: {
    noVector: (type) =>
      `в GeoPackage выгружается только вектор; ${type === 'raster' ? 'растр выгружается как .cog' : 'таблица по КАТО выгружается как .parquet'}`,
    tooManyColumns: (columns, most) =>
      `в GeoPackage может быть не больше ${grouped(most)} столбцов, а в этом наборе данных их ${grouped(columns)}: возьмите его .fgb`,
    tooLarge: (features, maxMiB) =>
      `набор данных слишком велик для GeoPackage: в нём может быть не больше ${grouped(features)} объектов, а сами данные — не больше ${maxMiB} МиБ; возьмите .fgb, QGIS открывает и его`,
    largeFeature: (number, maxMiB) =>
      `объект ${number} больше ${maxMiB} МиБ, а один объект в GeoPackage здесь может быть не больше: возьмите .fgb набора данных`,
    noRoom: () => 'на диске сервиса нет места для GeoPackage; возьмите .fgb или повторите запрос позже',
  },
  feature_door: {
    noCollection: () => 'нет такой коллекции',
    geometryElsewhere: (number) =>
      `Геометрия объекта ${number} слишком велика для ответа: она есть в этом файле`,
    noFeature: () => 'нет такого объекта',
    tooLarge: (number, maxMiB) =>
      `объект ${number} больше ${maxMiB} МиБ; он есть в FlatGeobuf набора данных, а token=${number + 1} продолжает за ним`,
    crs: (addresses) => `должно быть ${addresses.join(' или ')}`,
    token: 'должно быть из ссылки next этой коллекции',
    unknownProperty: (name) => `называет «${name}», а у коллекции нет такого свойства`,
    filterLanguage: 'должно быть cql2-text или cql2-json',
    value: (type) => `должно быть ${valueNames.get(type) ?? 'числом'}`,
    noFeatures: () =>
      'эта коллекция — растр, объектов в ней нет: её тайлы находятся по адресу коллекции с /map/tiles',
  },
};
