import type { AllSentences } from '../areas.ts';
import { nextSteps } from './datasets.ts';
import { grouped } from './landscape/wording.ts';
import { withEnding } from '../../../common/kazakh/endings.ts';

const valueNames: ReadonlyMap<string, string> = new Map([
  ['string', 'бір мәтін'],
  ['boolean', 'true не false'],
  ['date', '2024-06-01 сияқты күн'],
]);

export const features: Pick<AllSentences, 'feature_door' | 'flatgeobuf' | 'geopackage_out'> = {
  flatgeobuf: {
    noFeatures: () => 'FlatGeobuf тек векторда болады',
    noFeaturesYet: (status) =>
      `деректер жиынының күйі — ${status}; FlatGeobuf күй ready болғанда пайда болады${nextSteps[status]}`,
    featuresNotMade: () =>
      'деректер жиынында FlatGeobuf жоқ: ескі жиын үшін және сәтсіз әрекеттен кейін ол кейінірек жасалады, ал нысандары немесе бағандары тым көп файл үшін жасалмайды',
  },
  geopackage_out: {
    noVector: (type) =>
      `GeoPackage тек вектордан жасалады; ${type === 'raster' ? 'растр .cog түрінде беріледі' : 'ӘАОЖ бойынша кесте .parquet түрінде беріледі'}`,
    tooManyColumns: (columns, most) =>
      `GeoPackage пішімінде ${grouped(most)} бағаннан көп болмайды, ал бұл деректер жиынында ${grouped(columns)} баған бар: оның .fgb файлын алыңыз`,
    tooLarge: (features, maxMiB) =>
      `деректер жиыны GeoPackage үшін тым үлкен: нысандар саны ${withEnding(grouped(features), 'ablative')}, ал деректердің өзі ${withEnding(`${maxMiB} МиБ`, 'ablative')} аспауы керек; .fgb файлын алыңыз, QGIS оны да ашады`,
    largeFeature: (number, maxMiB) =>
      `${number}-нысан ${maxMiB} МиБ-тан үлкен, ал мұнда GeoPackage ішіндегі бір нысан одан үлкен болмайды: деректер жиынының .fgb файлын алыңыз`,
    noRoom: () =>
      'сервис дискісінде GeoPackage үшін орын жоқ; .fgb файлын алыңыз немесе сұрауды кейінірек қайталаңыз',
  },
  feature_door: {
    noCollection: () => 'мұндай жинақ жоқ',
    geometryElsewhere: (number) => `${number}-нысанның геометриясы жауапқа сыймайды: ол осы файлда бар`,
    noFeature: () => 'мұндай нысан жоқ',
    tooLarge: (number, maxMiB) =>
      `${number}-нысан ${maxMiB} МиБ-тан үлкен; ол деректер жиынының FlatGeobuf файлында бар, ал token=${number + 1} одан кейін жалғастырады`,
    crs: (addresses) => `${addresses.join(' не ')} болуы керек`,
    token: 'осы жинақтың next сілтемесінен алынуы керек',
    unknownProperty: (name) => `«${name}» деп атайды, бірақ жинақта ондай қасиет жоқ`,
    filterLanguage: 'cql2-text не cql2-json болуы керек',
    value: (type) => `${valueNames.get(type) ?? 'сан'} болуы керек`,
    noFeatures: () => 'бұл жинақ — растр, онда нысандар жоқ: оның тайлдары жинақтың /map/tiles жолында',
  },
};
