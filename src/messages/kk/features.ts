import type { AllSentences } from '../areas.ts';
import { nextSteps } from './datasets.ts';

/** Answers and faults of the OGC APIs about features, in Kazakh. */
export const features: Pick<AllSentences, 'feature_door' | 'flatgeobuf'> = {
  flatgeobuf: {
    noFeatures: () => 'FlatGeobuf тек векторда болады',
    noFeaturesYet: (status) =>
      `деректер жиынының күйі — ${status}; FlatGeobuf күй ready болғанда пайда болады${nextSteps[status]}`,
    featuresNotMade: () =>
      'деректер жиынында FlatGeobuf жоқ: ескі жиын үшін ол жақында жасалады, ал нысандары немесе бағандары тым көп файл үшін жасалмайды',
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
