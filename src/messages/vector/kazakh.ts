import { form, grouped, listed, ofPlace, quoted } from '../base/kazakh-wording.ts';
import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const notGeoJson = (why: string) =>
  `Файл GeoJSON емес: ${why}. Деректерді GeoJSON (RFC 7946) ретінде қайта экспорттаңыз.`;
const exportAgain = 'Деректерді бастапқы көзінен қайта экспорттап, қайта жүктеңіз.';
const wrongGeometry = (where: string, what: string) =>
  `${ofPlace(where)} геометриясы ${what}. Оны түзетіп, файлды қайта жүктеңіз.`;
const damagedFlatGeobuf = (why: string) => `FlatGeobuf файлы бүлінген: ${why}. ${exportAgain}`;
const damagedShapefile = (why: string) => `Мұрағаттағы шейп-файл бүлінген: ${why}. ${exportAgain}`;
const encodingStated = {
  cpg: '.cpg файлында',
  cst: '.cst файлында',
  dbf: '.dbf файлының тақырыбында (тіл байтында)',
};
const crsSources = { member: 'оның "crs" элементін', file: 'оның координаттар жүйесін' };
const crsSubjects = { member: 'оның "crs" элементі', file: 'оның координаттар жүйесі' };

export const kazakh = {
  character: { unprintable: (code) => `U+${code} таңбасы` },
  feature: {
    notUtf8: (feature) =>
      `${feature}-нысанның мәтіні немесе бағанының атауы UTF-8 кодтамасында емес. Қабатты UTF-8 кодтамасымен қайта экспорттап, қайта жүктеңіз.`,
    limit: (feature, fault) =>
      `${feature}-нысан оқуға тым үлкен: ${fault}. Оны қарапайымдап, файлды қайта жүктеңіз.`,
    unreadable: (feature) => `Файл бүлінген: ${feature}-нысан оқылмайды. ${exportAgain}`,
  },
  feature_fault: {
    noObject: 'JSON объектісі емес',
    wrongType: 'ішінде "type": "Feature" жоқ',
    wrongMember: (key) => `ішіндегі "${key}" объект те, null де емес`,
  },
  flatgeobuf_file: {
    otherVersion: () =>
      'Файл FlatGeobuf пішімінің 3-нұсқасы емес, мұнда тек сол нұсқа оқылады. Оны қайта жазыңыз.',
    brokenHeader: () => damagedFlatGeobuf('оның тақырыбы оқылмайды'),
    otherCount: (read, named) =>
      damagedFlatGeobuf(
        `тақырыбында ${grouped(named)} нысан көрсетілген, ал файлда ${grouped(read)} нысан бар`,
      ),
    moreThanNamed: (named) =>
      damagedFlatGeobuf(
        `тақырыбында ${grouped(named)} нысан көрсетілген, бірақ файл олардан кейін аяқталмайды`,
      ),
    ownColumns: (feature) =>
      `FlatGeobuf файлының ${feature}-нысанында мұнда оқылмайтын өз бағандары бар. Файлды барлық нысанға бірдей бағандармен жазыңыз.`,
  },
  flatgeobuf_file_remedy: {
    noReferenceSystem: 'FlatGeobuf файлында олардың координаттар жүйесі көрсетілмеген; оны көрсетіп жазыңыз',
  },
  geojson: {
    empty: () => notGeoJson('ол бос'),
    noObject: () => notGeoJson('ол объектіден басталмайды'),
    noFeatures: () => notGeoJson('"features" элементі жоқ немесе тізім емес'),
    twoLists: () => notGeoJson('онда екі "features" тізімі бар'),
    noType: () => notGeoJson('онда "type" элементі жоқ'),
    unknownType: (type) => notGeoJson(`оның "type" элементінің мәні — ${quoted(type)}`),
    wrongFeature: (fault, feature) =>
      notGeoJson(feature === undefined ? `оның нысаны — ${fault}` : `${feature}-нысан — ${fault}`),
    tooManyColumns: (most) =>
      `Нысандарда ${grouped(most)} әртүрлі қасиеттен көп; артығын жойып, файлды қайта жүктеңіз.`,
    longColumnName: (most) =>
      `Нысандарда атауы ${grouped(most)} әріптен ұзын қасиет бар; оның атауын қысқартып, файлды қайта жүктеңіз.`,
  },
  geojson_warning: {
    idsLeftOut: (features) =>
      `${grouped(features)} нысанның қасиеттерінен бөлек "id" мәні бар, бірақ "id" атты қасиет те бар; ${form(features, { one: 'ол', other: 'олар' })} өткізіп жіберілді. Оларды баған түрінде алу үшін "id" қасиетінің атауын өзгертіңіз.`,
    wrongIds: (features) =>
      `${grouped(features)} нысанның "id" мәні мәтін де, сан да емес; ол өткізіп жіберілді.`,
  },
  geometry: {
    tooLarge: (where, mostMiB) =>
      `${ofPlace(where)} геометриясы жады бар ${grouped(mostMiB)} МиБ-тан үлкен. Оны бөліп немесе қарапайымдап, файлды қайта жүктеңіз.`,
    noGeometry: (where) => wrongGeometry(where, '"type" элементі бар геометрия емес'),
    wrongNesting: (where, type) =>
      wrongGeometry(where, `${type} түрінде, бірақ координаттарының кірістірілуі бұл түрге сәйкес емес`),
    unknownType: (where, type) => wrongGeometry(where, `GeoJSON ішінде жоқ ${quoted(type)} түрінде`),
    shortPosition: (where) => wrongGeometry(where, 'екі саннан кем позицияны қамтиды'),
    noNumber: (where) => wrongGeometry(where, 'сан емес координатаны қамтиды'),
  },
  json: {
    notUtf8: 'мәтін UTF-8 кодтамасында емес',
    notFinite: 'JSON ішінде болмайтын NaN немесе Infinity тұр (оның орнына null жазыңыз)',
    tooLarge: (mostMiB) => `бір мән ${grouped(mostMiB)} МиБ-тан үлкен`,
    tooDeep: (levels) => `мәндердің кірістірілуі ${grouped(levels)} деңгейден асады`,
    cutShort: (expected) => `${expected} күтілетін жерде файл аяқталады`,
    unexpected: (found, expected) => `${expected} күтілетін жерде ${found} тұр`,
  },
  json_expected: {
    value: 'мән',
    object: 'объект',
    objectEnd: 'үтір немесе жабатын фигуралы жақша',
    array: 'массив',
    arrayEnd: 'үтір немесе жабатын тік жақша',
    name: 'тырнақшадағы атау',
    colon: 'қос нүкте',
    stringEnd: 'тырнақшадағы мәтіннің соңы',
    hexDigits: 'төрт он алтылық цифр',
    escape: 'кері қиғаш сызықтан кейін белгілі әріп',
    digit: 'цифр',
    word: 'true, false немесе null',
    end: 'файлдың соңы',
  },
  json_file: {
    limit: (fault, line, column) =>
      `Файл оқуға тым үлкен: ${line}-жол, ${column}-баған: ${fault}. Оны қарапайымдап, қайта жүктеңіз.`,
    invalid: (fault, line, column) =>
      `Файл жарамды JSON емес: ${line}-жол, ${column}-баған: ${fault}. Оны түзетіңіз немесе GeoJSON ретінде қайта экспорттаңыз.`,
  },
  not_on_earth: {
    geoJson: () =>
      'GeoJSON координаттары — бойлық пен ендік (WGS 84); файлды EPSG:4326 жүйесіне қайта проекциялаңыз',
    ignoredMember: () =>
      'оның "crs" элементі мұнда танылмайды; файлды WGS 84 (EPSG:4326) жүйесіне қайта проекциялаңыз',
    wrongCrs: (source) => `${crsSubjects[source]} оларға сәйкес келмейді`,
    swapped: () =>
      'ендік пен бойлық орындары ауысқан сияқты: кері ретпен осыған дейінгі координаталардың бәрі сәйкес келер еді; бойлықты бірінші жазып, файлды қайта жүктеңіз',
  },
  shapefile: {
    brokenShapes: () => damagedShapefile('оның .shp файлы оқылмайды'),
    brokenTable: () => damagedShapefile('оның .dbf файлы оқылмайды'),
    tableOfDBase7: () =>
      'Шейп-файлдың .dbf файлы dBase 7 пішімінде жазылған, ол мұнда оқылмайды. Кестені dBase IV немесе dBase III ретінде сақтап, қайта жүктеңіз.',
    differentCounts: (rows, shapes) =>
      damagedShapefile(`.dbf файлында ${grouped(rows)} жол, ал .shp файлында ${grouped(shapes)} фигура бар`),
  },
  shapefile_remedy: {
    wrongPrj: 'оның .prj файлында мұнда танылатын координаттар жүйесі жоқ; мұрағатқа дұрыс файлды салыңыз',
    noPrj: 'мұрағатта олардың координаттар жүйесін көрсететін .prj файлы жоқ; оны қосыңыз',
  },
  shapefile_warning: {
    encodingGuessed: (charset) =>
      `Мәтіндердің кодтамасы көрсетілмеген; әріптеріне қарап, олар ${charset} ретінде оқылды. Сенімді болу үшін мұрағатқа .cpg файлын қосыңыз.`,
    encodingUnknown: (from, charset) =>
      `${encodingStated[from]} мұнда белгісіз кодтама көрсетілген; әріптеріне қарап, мәтіндер ${charset} ретінде оқылды. Сенімді болу үшін оны түзетіңіз.`,
    encodingOverruled: (from, said, charset) =>
      `${encodingStated[from]} ${said} кодтамасы көрсетілген, бірақ мәтіндердің байттары оған сәйкес келмейді; мәтіндер ${charset} ретінде оқылды. Әріптер дұрыс болса, оны түзетіңіз.`,
    columnsLeftOut: (names) =>
      `.dbf файлының мына бағандары алынбады, себебі олардың ұяшықтары мәтін, сан немесе күн түрінде жазылмаған: ${listed(names)}. Оларды сақтау үшін мәтіндік бағандарға көшіріңіз.`,
    datesImpossible: (column, cells) =>
      `${column} күн бағанының ${grouped(cells)} ұяшығында күнтізбеде бар күн жоқ; ${form(cells, { one: 'ол мәтін', other: 'олар мәтін' })} ретінде сақталды.`,
    rowsWithoutShape: (rows) =>
      `.dbf файлындағы жолдар фигуралардан ${grouped(rows)} жолға көп; ${form(rows, { one: 'ол геометриясыз нысан', other: 'олар геометриясыз нысандар' })} ретінде сақталды.`,
    namesTruncated: (names) =>
      `.dbf файлында баған атауына он байт қана беріледі. Мына атаулар қалпына келтірілді: ${listed(names)}.`,
  },
  vector: {
    otherFormat: (format) =>
      `Атауына қарамастан, файл ${format} емес. Деректерді қайта экспорттап, жүктеңіз.`,
    archiveInArchive: (name) => `Мұрағаттағы ${name} файлының өзі мұрағат. Оны ашып, жүктеңіз.`,
    noColumns: () =>
      'Файлда бағандар жоқ: бірде-бір нысанның қасиеттері жоқ, сондықтан сәйкестендіретін ештеңе жоқ.',
    noTable: () =>
      'Шейп-файлда бағандар жоқ: мұрағатта .shp файлымен аттас .dbf файлы жоқ. .dbf файлын қосып, мұрағатты қайта жүктеңіз.',
    tooManyCells: (columns, maxRows) =>
      `Кестеде ${grouped(columns)} баған және ${grouped(maxRows)} жолдан көп, бұл тым үлкен; қажетсіз бағандарды жойыңыз.`,
    needsMemory: (what, maxMiB) =>
      `Файлдың ${what === 'lines' ? 'сызықтары' : 'полигондары'} жады бар ${grouped(maxMiB)} МиБ-тан көп орын алады. Оларды қарапайымдаңыз немесе файлды бөліп жүктеңіз.`,
    noTransformation: () =>
      'Файлдың координаттар жүйесін WGS 84 жүйесіне түрлендіру мүмкін емес; файлды EPSG:4326 жүйесіне қайта проекциялап, қайта жүктеңіз.',
    notInCrs: (where, source, coordinate) =>
      `${ofPlace(where)} ${coordinate === undefined ? 'координаттары' : `${coordinate} координатасы`} файлда көрсетілген координаттар жүйесіне сәйкес келмейді; ${crsSources[source]} түзетіп, файлды қайта жүктеңіз.`,
    notOnEarth: (coordinate, where, reason) =>
      `${ofPlace(where)} ${coordinate} координатасы бойлық пен ендік емес: ${reason}.`,
    nothingLeft: (feature) =>
      `Геометриядан ештеңе қалмады: оның ауқымы жоқ немесе бір сантиметрден кіші; біріншісі — ${feature}-нысан. Оны түзетіп, файлды қайта жүктеңіз.`,
    notANumber: (where) => wrongGeometry(where, 'сан емес координатаны қамтиды'),
  },
  vector_warning: {
    filesLeftOut: (names) => `Мұрағаттың оқылмаған файлдары: ${names}.`,
    noTable: (name) =>
      `Мұрағатта ${name}.shp файлымен қатар ${name}.dbf файлы жоқ, сондықтан нысандардың қасиеттері жоқ. Олар болуы тиіс болса, .dbf файлын қосып, мұрағатты қайта жүктеңіз.`,
    repeated: (name, feature) =>
      `«${name}» қасиеті бір нысанда бірнеше рет кездеседі, алғаш рет — ${feature}-нысанда. Оның соңғы мәні алынды; басқалары да маңызды болса, әр қасиетке өз атауын беріңіз.`,
    lastKept: (name, feature) =>
      `«${name}» қасиеті бір нысанда бірнеше рет кездеседі, алғаш рет — ${feature}-нысанда. GeoJSON оның барлық мәнін сақтайды; FlatGeobuf, GeoPackage, GeoParquet файлдарында және жеке нысандарда соңғысы қалады.`,
    empty: () => 'Файлда нысандар жоқ.',
    repaired: (polygons) =>
      `${grouped(polygons)} жарамсыз полигон түзетілді (контуры өзімен өзі қиылысады немесе жанасады).`,
    partsOverlap: (features, first) =>
      `${features === 1 ? `${first}-нысанда полигонның` : `${grouped(features)} нысанда (біріншісі — ${first}-нысан) полигонның`} бөліктері бірін-бірі жабады: GeoJSON олардың жерін бір рет қамтиды, ал FlatGeobuf, GeoPackage және жеке нысандар бөліктерді сақтап, оны екі рет есептейді. Егер бөлік тесік болуы керек болса, оның контурын кері бағытқа бұрыңыз (RFC 7946) немесе ішкі сақина ретінде жазып, файлды қайта жүктеңіз.`,
    lost: (count, feature) =>
      `Ауқымы жоқ немесе бір сантиметрден кіші ${grouped(count)} сызық не полигон қалдырылды; біріншісі — ${feature}-нысанда.`,
    flattened: (features, first) =>
      features === 1
        ? `${first}-нысан — көлемді дене немесе үшбұрыштардан құралған бет; оның жердегі ізі, яғни алып жатқан алаңы алынды.`
        : `Көлемді денелер мен үшбұрыштардан құралған беттер саны: ${grouped(features)}; олардың жердегі ізі, яғни алып жатқан алаңы алынды. Біріншісі — ${first}-нысан.`,
    heightsLeftOut: (features, first) =>
      features === 1
        ? `${first}-нысанның биіктіктері (Z) алынбады: онда доғалар бар, ол 180° меридианында кесілген немесе бойлық пен ендікке көшкенде майысады. Биіктіктер бастапқы файлда қалады.`
        : `Биіктіктері (Z) алынбаған нысандар: ${grouped(features)}; оларда доғалар бар, олар 180° меридианында кесілген немесе бойлық пен ендікке көшкенде майысады. Биіктіктер бастапқы файлда қалады. Біріншісі — ${first}-нысан.`,
    heightsFilled: (features, first) =>
      features === 1
        ? `${first}-нысанда басқаларда бар биіктіктер (Z) жоқ. FlatGeobuf, GeoPackage, GeoParquet файлдарында және жеке нысандарда оның биіктігі 0 болады.`
        : `Басқаларда бар биіктіктері (Z) жоқ нысандар: ${grouped(features)}. FlatGeobuf, GeoPackage, GeoParquet файлдарында және жеке нысандарда олардың биіктігі 0 болады. Біріншісі — ${first}-нысан.`,
    valuesAsJson: (columns, first) =>
      columns === 1
        ? `${quoted(first)} бағанының мәндері әртүрлі типте. FlatGeobuf әр мәнді JSON мәтіні ретінде сақтайды.`
        : `Мәндері әртүрлі типтегі бағандар саны: ${grouped(columns)}, мысалы ${quoted(first)}. FlatGeobuf әр мәнді JSON мәтіні ретінде сақтайды.`,
    featuresLeftOut: (most) =>
      `Деректер жиынында FlatGeobuf жоқ: файлда ${grouped(most)} нысаннан немесе 65 535 бағаннан көп. Оны алу үшін файлды бөліктеп жүктеңіз.`,
    crsAssumed: () =>
      'Файлда координаттар жүйесі көрсетілмеген; барлық координаттар сәйкес келгендіктен, олар бойлық пен ендік (WGS 84) деп қабылданды.',
    prjNotUnderstood: () =>
      '.prj файлында мұнда түсінікті координаттар жүйесі көрсетілмеген; барлық координаттар сәйкес келгендіктен, олар бойлық пен ендік (WGS 84) деп қабылданды. Егер олар басқа жүйеде, мысалы Пулково 1942 жүйесінде болса, оның .prj файлын мұрағатқа салып, қайта жүктеңіз.',
    longitudesTurned: (features, first) =>
      `${grouped(features)} нысанда 180°-тан асатын бойлықтар бар, біріншісі — ${ofPlace(first)} геометриясында; олар -180° пен 180° аралығына келтірілді.`,
    axesMaybeSwapped: () =>
      'Файлдың бірде-бір координатасы Қазақстанда жатпайды, бірақ ендік пен бойлықтың орнын ауыстырса, барлығы сонда болар еді. Ештеңе ауыстырылған жоқ; файл Қазақстан туралы болса, бойлықты бірінші жазып, қайта жүктеңіз.',
    datumUnknown: () =>
      'Файлдың координаттар жүйесінде белгілі датум аталмаған, сондықтан орналасуы бірнеше жүз метрге дейін ауытқуы мүмкін. Файлды координаттары берілген жүйеде, мысалы Пулково 1942 жүйесінде, немесе WGS 84 жүйесінде сақтап, қайта жүктеңіз.',
    crsMemberIgnored: () =>
      'Файлдың "crs" элементі мұнда танылмайды; барлық координаттар сәйкес келгендіктен, олар бойлық пен ендік (WGS 84) деп қабылданды.',
  },
} satisfies Translations<typeof english>;
