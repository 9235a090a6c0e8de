import { withEnding } from '../../../common/kazakh/endings.ts';
import { nextSteps } from '../datasets/kazakh.ts';
import { grouped } from '../base/kazakh-wording.ts';
import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const types = new Map([
  ['string', 'мәтінмен'],
  ['number', 'санмен'],
  ['integer', 'санмен'],
  ['date', 'күнмен, мысалы 2024-06-01, немесе уақытпен'],
  ['boolean', 'true немесе false мәнімен, тек = және <> арқылы'],
  ['time', 'уақытпен, мысалы 2024-06-01T00:00:00Z, немесе аралықпен'],
  ['geometry', 'S_INTERSECTS ішіндегі геометриямен'],
]);

const valueNames: ReadonlyMap<string, string> = new Map([
  ['string', 'бір мәтін'],
  ['boolean', 'true не false'],
  ['date', '2024-06-01 сияқты күн'],
]);

export const kazakh = {
  filter: {
    syntax: (character) => `${character}-таңбадан бастап CQL2 емес`,
    notAnOperation: 'CQL2 JSON болуы керек: op және args бар объект',
    tooManyParts: (max) =>
      `амалдардың, мәндердің және нүктелердің жалпы саны ${withEnding(max, 'ablative')} көп болмауы керек`,
    tooDeep: (levels) => `бірінің ішіндегі бірі ${levels} амалдан көп болмауы керек`,
    unsupported: (name) => `ішінде ${name.slice(0, 64)} бар: мұнда оған қолдау жоқ`,
    unknownProperty: (name) => `ішінде ${name.slice(0, 64)} қасиеті бар, ол бойынша іріктеуге болмайды`,
    noProperty: (op) => `әр ${op} амалында қасиет болуы керек`,
    wrongArguments: (op) => `ішіндегі ${op} амалының аргументтер саны қате`,
    wrongValue: (property, type) =>
      `${property.slice(0, 64)} қасиетін ${types.get(type) ?? type} салыстыруы керек`,
    wrongPattern: (property, max) =>
      `LIKE сөзінен кейін ${max} таңбадан аспайтын мәтін, ал алдында ${property.slice(0, 64)} емес, мәтіндік қасиет тұруы керек`,
    wrongGeometry: (max) =>
      `S_INTERSECTS ішінде градуспен берілген, ${max} нүктеден аспайтын геометрия немесе жақтау болуы керек`,
    tooCostly: 'тым көп қырлы геометрияларды салыстырады; жақтауды немесе қарапайым геометрияны алыңыз',
  },
  standard: {
    unknownParameter: 'бұл жолда мұндай параметр жоқ',
    unknownMember: 'іздеуде мұндай өріс жоқ; кез келген қасиет бойынша CQL2 JSON тіліндегі filter іріктейді',
    query: (operators) =>
      `әр қасиетінде операторлар мен мәндер объектісі бар объект болуы керек: ${operators.join(', ')}`,
    datetime:
      '2024-06-01T00:00:00Z сияқты уақыт немесе қиғаш сызықпен бөлінген екі уақыт болуы керек, алдымен ертерегі; бірінің орнына .. тұра алады',
    bbox: 'төрт сан, биіктіктерімен алты сан болуы керек: батыс, оңтүстік, шығыс, солтүстік; оңтүстік солтүстіктен аспайды',
    geometry: (max) => `градуспен берілген, ${max} нүктеден аспайтын GeoJSON геометриясы болуы керек`,
    format: (name) => `${name} болуы керек`,
    offset: '0 немесе одан үлкен бүтін сан болуы керек',
    limit: '1 немесе одан үлкен бүтін сан болуы керек',
    token: 'осы іздеудің next сілтемесінен алынуы керек',
    boxAndGeometry: 'bbox параметрімен бірге жіберуге болмайды',
    unknownSort: (names) =>
      `мыналардың бірі болуы керек: ${names.join(', ')}; кері рет үшін алдына - қойылады`,
    noCollection: () => 'мұндай жинақ жоқ',
  },
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
  ogc_feature: {
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
  event: {
    tooManyListeners: () => 'оқиғаларды тыңдап отырған клиенттер тым көп; кейінірек қайталаңыз',
  },
  event_fault: {
    notAnEvent: 'оқиғаның идентификаторы болуы керек',
    notAPlace: 'оқиғаның идентификаторы немесе сақталған барлық оқиғаларды алу үшін 0 болуы керек',
    notTypes: (types) => `мына мәндерден үтірмен бөлініп тұруы керек: ${types.join(', ')}`,
  },
  webhook: {
    notFound: () => 'мұндай вебхук жоқ',
    tooMany: (most) => `вебхуктар саны ${most} болды; қажет емесін жойыңыз`,
    tooManySecrets: (most) =>
      `бұл вебхуктың хабарламаларына бұрынғы құпия кілттермен қол қойылып жатыр, олардың саны — ${most}; keep_hours 0 олардың қолданылуын тоқтатады`,
    testsWait: (count) => `бұл вебхуктың жіберілуін күтіп тұрған тексеру хабарламалары: ${count}`,
    nothingToChange: (fields) =>
      `сұрау денесінде мына өрістердің кемінде біреуі болуы керек: ${fields.join(', ')}`,
  },
  webhook_fault: {
    notUrl:
      'пайдаланушы аты, құпиясөзі және фрагменті жоқ, 2000 таңбадан аспайтын https мекенжайы болуы керек, мысалы https://maps.example/hooks',
    privateUrl:
      'жеке желіге апармайтын https мекенжайы болуы керек; желілерге WEBHOOK_ALLOWED_NETWORKS арқылы рұқсат беруге болады',
  },
  metadata: {
    noAbstract: 'Деректер жиынының сипаттамасы жоқ. Оны қосыңыз: ол жазбаның аннотациясы болады.',
    noOrganisation:
      'Деректерге жауапты ұйым көрсетілмеген. Оны осында немесе барлық деректер жиыны үшін METADATA_ORGANISATION арқылы көрсетіңіз.',
    noEmail:
      'Сұрақтарға арналған электрондық пошта мекенжайы жоқ. Оны осында немесе барлық деректер жиыны үшін METADATA_EMAIL арқылы көрсетіңіз.',
    noLicence:
      'Пайдалану шарттары көрсетілмеген. Лицензияны осында немесе барлық деректер жиыны үшін METADATA_LICENCE арқылы көрсетіңіз.',
    noTopic: 'ISO 19115 бойынша тақырып таңдалмаған.',
    noLineage: 'Деректердің шығу тегі көрсетілмеген.',
    noExtent: 'Жердегі орны белгісіз: деректер жиыны дайын емес немесе файлда географиялық байланыстыру жоқ.',
    noReferenceSystem:
      'Координаттар жүйесі белгісіз: деректер жиыны дайын емес немесе файлда ол көрсетілмеген. Координаттар жүйесі бар файл жүктеңіз.',
    noPeriod: 'Деректер қай кезеңге жататыны көрсетілмеген.',
    noResolution: 'Масштаб көрсетілмеген.',
    noKeywords: 'Кілт сөздер жоқ.',
    lineageOfRun: (title, node, run) =>
      `${title}: ландшафт бағдарламасының ${node} түйіні ${run} есептеуінде төмендегі дереккөздер бойынша есептеді.`,
    unit: (unit) => `Өлшем бірлігі: ${unit}`,
    original: 'Бастапқы файл',
    cog: 'Бұлтқа оңтайландырылған GeoTIFF (COG)',
    tiles: 'Стиль түстеріндегі карта тайлдары',
    geojson: 'GeoJSON пішіміндегі деректер',
    flatGeobuf: 'FlatGeobuf: әр нысан өз атрибуттарымен',
    geoPackage: 'QGIS үшін стилі бар GeoPackage',
    geoParquet: 'GeoParquet пішіміндегі деректер',
    csv: 'CSV пішіміндегі кесте',
    workbook: 'XLSX пішіміндегі кесте',
    page: 'Деректер жиыны',
    catalogue: 'Steppe деректер жиындары',
    catalogueText:
      'Геодеректер: растрлар, векторлар және ӘАОЖ (КАТО) бойынша кестелер, сондай-ақ олар бойынша есептелген аймақтау.',
    unknownOrganisation: 'көрсетілмеген',
  },
} satisfies Translations<typeof english>;
