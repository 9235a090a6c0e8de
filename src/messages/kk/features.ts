import type { AllSentences } from '../areas.ts';
import { nextSteps } from './datasets.ts';
import { grouped } from './wording.ts';

/** Answers and faults of the OGC APIs about features, in Kazakh. */
export const features: Pick<AllSentences, 'feature_door' | 'flatgeobuf' | 'geopackage_out'> = {
  flatgeobuf: {
    noFeatures: () => 'FlatGeobuf тек векторда болады',
    noFeaturesYet: (status) =>
      `деректер жиынының күйі — ${status}; FlatGeobuf күй ready болғанда пайда болады${nextSteps[status]}`,
    featuresNotMade: () =>
      'деректер жиынында FlatGeobuf жоқ: ескі жиын үшін ол жақында жасалады, ал нысандары немесе бағандары тым көп файл үшін жасалмайды',
  },
  geopackage_out: {
    noVector: () => 'GeoPackage тек вектордан жасалады; КАТО бойынша кесте .parquet түрінде беріледі',
    tooManyColumns: (columns, most) =>
      `GeoPackage форматында ${grouped(most)} бағаннан көп болмайды, ал бұл деректер жиынында ${grouped(columns)} баған бар: оның .fgb файлын алыңыз`,
    tooLarge: (features, maxMiB) =>
      `деректер жиыны GeoPackage үшін тым үлкен: нысандар саны ${grouped(features)} санынан, ал бастапқы деректер ${maxMiB} МиБ-тан аспауы керек; .fgb файлын алыңыз, QGIS оны да ашады`,
    noRoom: () =>
      'сервис дискісінде GeoPackage үшін орын жоқ; .fgb файлын алыңыз немесе сұрауды кейінірек қайталаңыз',
  },
  feature_door: {
    noCollection: () => 'мұндай жинақ жоқ',
    noFeature: () => 'мұндай нысан жоқ',
    tooLarge: (number, maxMiB) =>
      `${number}-нысан ${maxMiB} МиБ-тан үлкен; ол деректер жиынының FlatGeobuf файлында бар, ал token=${number + 1} одан кейін жалғастырады`,
    crs: (addresses) => `${addresses.join(' не ')} болуы керек`,
    token: 'осы жинақтың next сілтемесінен алынуы керек',
    format: (name) => `${name} болуы керек`,
    filterLanguage: 'cql2-text не cql2-json болуы керек',
    value: (type) => (type === 'number' ? 'сан болуы керек' : 'true не false болуы керек'),
  },
};
