import { readable } from '../../lib/readable.ts';
import { grouped } from '../base/kazakh-wording.ts';
import { withEnding } from '../../../common/kazakh/endings.ts';
import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const shown = (text: string): string => readable(text, 100);
const asUtf8 = 'оны UTF-8 кодтамасында сақтаңыз';
const qgis = 'QGIS ішінде қабаттың қасиеттерін ашып, Style, Save Style, As SLD Style File таңдаңыз';
const errorReport =
  'онда сервистің стильді неге жібермегені айтылған; себебін жойып, стильді қайта сұратыңыз';
const fragment = 'оны өзі арналған нұсқадағы StyledLayerDescriptor ішіне салыңыз';
const otherFiles: readonly (readonly [root: RegExp, what: string, advice: string])[] = [
  [
    /^html$/,
    'HTML беті',
    'веб-сервердің жауабын көру үшін оның мекенжайын браузерде ашып, стильді қайта жүктеп алыңыз',
  ],
  [/^qgis$/, 'QGIS пішіміндегі стиль немесе жоба', qgis],
  [/^(?:qlr|qgis-layer-definition)$/, 'QGIS қабатының анықтамасы', qgis],
  [/^(?:service)?exceptionreport$/, 'қате туралы хабарлама', errorReport],
  [/^(?:featuretypestyle|coveragestyle|userstyle|namedlayer|userlayer)$/, 'SLD бөлігі ғана', fragment],
];

function otherFile(root: string): string | undefined {
  const localName = root.slice(root.indexOf(':') + 1).toLowerCase();
  const [, what, hint] = otherFiles.find(([roots]) => roots.test(localName)) ?? [];
  return what === undefined
    ? undefined
    : `бұл — ${what} (түбірлік элементі ${shown(root)}), SLD емес: ${hint}`;
}

export const kazakh = {
  drawing: {
    notARaster: () => 'пиксель тайлдары тек растрда болады; векторларда — .mvt',
    noWmtsRequest: () =>
      'REQUEST мәні GetCapabilities немесе GetTile болуы керек: сервис басқа WMTS сұрауларын білмейді',
    noWmtsTile: () =>
      'GetTile сұрауында мүмкіндіктер сипаттамасындағыдай бүтін сандар TILEMATRIX, TILECOL және TILEROW болуы керек',
    notReady: (status) => `деректер жиынының күйі ${status}; картасы ол ready болғанда пайда болады`,
    noPlace: () =>
      'растрды картада көрсету мүмкін емес: файлда бойлық пен ендікке түрлендіруге болатын координаттар жүйесі жоқ немесе оның пиксельдері — комплекс сандар',
    noSuchBand: (band, bands) =>
      `стиль ${band}-арнаны салады, ал растрда ${bands} арна бар; стильде растрда бар арнаны таңдаңыз`,
    notDrawable: () =>
      'растрды көрсету мүмкін емес: оның пиксельдері — комплекс сандар немесе оны картаға дайындау мүмкін болмады',
    notPrepared: () => 'растрды картаға дайындау мүмкін болмады; сервис кейінірек қайта тырысады',
    viewUnderWay: () => 'растр картаға дайындалып жатыр; бірнеше секундтан кейін қайта сұратыңыз',
    tooMuch: (mebibytes) =>
      `бұл тайл үшін ${mebibytes} МиБ-тан көп пиксель оқу керек болады; картаны жақындатыңыз немесе растрды шолу кескіндерімен жүктеңіз`,
    brokenRaster: () => 'растр бүлінген, оны мұнда көрсету мүмкін емес',
    busy: () => 'тым көп растр мен карта оқылып не салынып жатыр; бір секундтан кейін қайта сұратыңыз',
    overdue: () => 'пиксельдерді оқу немесе салу тым ұзаққа созылды; бір секундтан кейін қайта сұратыңыз',
    threadDied: () => 'пиксельдерді оқу немесе салу мүмкін болмады; бір секундтан кейін қайта сұратыңыз',
    tooManyTiles: () =>
      'бір клиентке рұқсат етілгеннен көп тайл сұратып жатырсыз; бір секундтан кейін қайта сұратыңыз',
  },
  vector_tile: {
    raster: () => 'растрдың векторлық тайлдары болмайды',
    tooLarge: (mebibytes, most) =>
      `GeoJSON көлемі ${grouped(mebibytes)} МиБ; көлемі ${most} МиБ-тан аспайтын GeoJSON ғана сызылады, бірақ оны толық жүктеп алуға болады`,
    tooManyPositions: (most) =>
      `GeoJSON ішінде ${grouped(most)} нүктеден көп; нүктесі одан аз GeoJSON ғана сызылады, бірақ оны толық жүктеп алуға болады`,
    notGeoJson: () => 'сақталған GeoJSON оқылмайды',
  },
  legend: {
    noData: 'деректер жоқ: салынбайды',
    others: 'басқалары',
    unnamedClass: 'атаусыз',
    colours: 'Түстер файлдағыдай',
    above: (from) => `${withEnding(from, 'ablative')} бастап`,
    below: (to) => `${withEnding(to, 'ablative')} кем`,
    more: (count) => `… және тағы ${grouped(count)}`,
  },
  sld: {
    none: () => 'SLD жүктелмеген',
    noneOfItsOwn: () => 'бұл деректер жиынының өз стилі жоқ',
    missing: () => 'міндетті өріс',
    wrongExtension: (allowed) => `мына кеңейтімдердің бірі болуы тиіс: ${allowed.join(', ')}`,
    empty: () => 'бос',
    tooLarge: (mebibytes) => `${mebibytes} МиБ-тан аспауы тиіс`,
    blank: () => 'бос орын таңбаларынан ғана тұрады',
    zip: () => 'бұл — ZIP мұрағаты; оны ашып, ішіндегі .sld файлын жүктеңіз',
    json: () => 'JSON сияқты басталады, ал SLD — XML; стильді SLD ретінде экспорттаңыз',
    notXml: (start) => `XML емес: < таңбасының орнына «${shown(start)}» тұр`,
    unsupportedEncoding: (name) => `қолдау көрсетілмейтін ${name} кодтамасында; ${asUtf8}`,
    unknownEncoding: (label) => `белгісіз ${shown(label)} кодтамасын көрсетеді; ${asUtf8}`,
    falseEncoding: (label) =>
      `${shown(label)} кодтамасын көрсетеді, бірақ онда жазылмаған; ${asUtf8} және мұны бірінші жолында көрсетіңіз`,
    wrongBytes: (encoding) =>
      `${encoding} кодтамасындағы жарамды мәтін емес; ${asUtf8} немесе кодтамасын бірінші жолында көрсетіңіз, мысалы <?xml version="1.0" encoding="windows-1251"?>`,
    longDeclaration: () =>
      'XML жариялауы тым ұзын; оны <?xml version="1.0" encoding="UTF-8"?> деп қысқартыңыз',
    doctype: (root) =>
      otherFile(root.toLowerCase()) ??
      `DOCTYPE болмауы тиіс (мұндағысы — ${shown(root)}); SLD үшін ол қажет емес: оны <!DOCTYPE басынан жабатын > таңбасына дейін жойыңыз`,
    tooDeep: (levels) => `кірістірілуі ${grouped(levels)} элементтен асады`,
    tooManyAttributes: (max) => `бір элементінде ${grouped(max)} атрибуттан көп`,
    wrongRoot: (root) =>
      otherFile(root) ?? `түбірлік элементі ${shown(root)} емес, StyledLayerDescriptor болуы тиіс`,
    notWellFormed(reason, line, column) {
      const place = line === undefined ? '' : `${line}-жол, ${column}-баған: `;
      const hint = reason.startsWith('malformed character entity')
        ? '; XML ішінде мұндай таңба жоқ'
        : reason.includes('entity')
          ? '; & таңбасын &amp; деп, қалған таңбаларды сол қалпында жазыңыз'
          : '';
      return `XML қате құрылған: ${place}${shown(reason)}${hint}`;
    },
  },
  style_part: {
    labels: 'жазулар салынбайды',
    hillshade: 'бедер көлеңкесі салынбайды',
    contrast:
      'контраст тек оқылатын сандары бар Normalize, Histogram және GammaValue арқылы өзгереді, түстер картасының үстінен өзгермейді',
    pictures: 'басқа файлдардағы суреттер жүктелмейді және салынбайды',
    strokes_of_signs: 'белгілерден тұратын сызықтар салынбайды',
    fills_of_signs: 'белгілермен немесе сызықшалармен толтырылған аумақтар бір түспен салынады',
    shapes: 'пішіні белгісіз нүктелер дөңгелек болып салынады',
    offsets: 'белгілер жылжытылмайды және бұрылмайды',
    sizes: 'шектен тыс өлшемдер шегі бойынша, ал қате үзік сызық тұтас сызық болып салынады',
    units_of_measure: 'метр немесе фут түріндегі өлшемдер пиксель деп саналады',
    vendor_options: 'жеке бағдарламалардың параметрлері қолданылмайды',
    filters: 'сүзгісі түсініксіз ережелер де, қалғанының бәріне арналған ережелер де салынбайды',
    expressions:
      'тұрақты емес өрнектер есептелмейді: әдеттегі мән алынады, ал түстер картасының жазбасы қалдырылады',
    missing_properties:
      'бірде-бір нысанда жоқ қасиетке қатысты ережелер ештеңе салмайды; атаулар әрпіне дейін салыстырылады',
    interpolation: 'екі мән арасындағы түстер қисық бойымен немесе белгісіз тәсілмен емес, біркелкі өзгереді',
    colours: 'оқылмайтын түстер мен мөлдірсіздік қолданылмайды',
    quantities: 'жоқ, шексіз және қайталанған сандар қолданылмайды',
    decimal_commas:
      '1,234 түріндегі сандар қолданылмайды: үтір мыңдықтарды да, бөлшек бөлігін де бөлуі мүмкін; 1234 немесе 1.234 деп жазыңыз',
    channels: 'нөмірі жоқ арналар да, түстер картасымен қатар тұрған үш арна да қолданылмайды',
    other_rasters: 'бір масштабтағы бірнеше растрдың біріншісі ғана салынады',
    other_styles: 'бірнеше қабаттың немесе стильдің біреуі ғана салынады',
    long_texts: 'ұзын атаулар мен жазулар қысқартылады',
    stops_beyond_limit: 'өте көп түстің бір бөлігі салынбайды',
    rules_beyond_limit: 'өте көп ереженің соңғылары да, қалғанының бәріне арналған ережелер де салынбайды',
    elements_beyond_limit: 'өте ұзын файлдың соңы салынбайды',
  },
  sheet: {
    noUnits: (kato) => `атласта бірде-бір парақ болмас еді: растрда бұл деңгейдегі аумақ жоқ (${kato})`,
    tooManySheets: (count, most) =>
      `атласта ${grouped(count)} парақ болар еді, ал ең көбі ${grouped(most)}: \`kato\` параметрімен облысты таңдаңыз`,
    beyondEarth: () => 'жиектеме Жер шегінен шығады; ірірек масштабты немесе басқа орынды таңдаңыз',
    notOfRun: () => 'бұл есептеу бұл деректер жиынын жасамаған және пайдаланбаған',
    atlasFailed: () => 'атласты құрастыру мүмкін болмады; сұрауды бір минуттан кейін қайталаңыз',
    doesNotFit: (name, least) =>
      `${name} парағы бұл масштабта мұндай қағазға сыймайды: үлкенірек қағазды немесе бөлімі кемінде ${grouped(least)} масштабты таңдаңыз`,
    noTable: () => 'атластың кестелері тек vector_with_kato деректер жиындары бола алады',
    repeatedLayer: () => 'деректер жиыны `layers` ішінде екі рет берілген немесе осы парақтың өз жиыны',
  },
  sheet_fault: {
    form: 'парақ номенклатурасы емес: мысалы, M-42, M-42-Г, M-42-XXIV, M-42-047, M-42-047-А, M-42-047-А-а немесе M-42-047-А-а-1 деп жазыңыз',
    part: 'жоқ парақты көрсетеді: бағандар 1-ден 60-қа дейін, 1:200 000 масштабты парақтар I-ден XXXVI-ға дейін, 1:100 000 масштабты парақтар 1-ден 144-ке дейін нөмірленеді',
    doubled:
      'с. е. 60°-тан солтүстіктегі парақты көрсетеді, онда парақтар қосарланады; мұндай парақтар сызылмайды',
    outside:
      'Қазақстаннан және оған іргелес жерлерден тыс парақты көрсетеді; J–O қатарлары мен 38–45 бағандарының парақтары сызылады',
    alone: 'kato, by, bbox немесе center параметрлерімен бірге берілмейді',
    signatures: (most, characters) =>
      `нүктелі үтірмен бөлінген 1–${most} қолтаңбадан тұруы керек; әрқайсысында лауазым мен тегі | белгісімен бөлінеді, ұзындығы ${characters} таңбадан аспайды`,
    names: (most, characters) =>
      `нүктелі үтірмен бөлінген 1–${most} атаудан тұруы керек; әрқайсысы мән=атау түрінде жазылады, ұзындығы ${characters} таңбадан аспайды`,
  },
  sheet_word: {
    ofUnit: (name) => `Аумақтың гектарлары: ${name}`,
    ofFrame: 'Осы карта жиектемесіндегі гектарлар',
    ofRaster: 'Бүкіл растрдың гектарлары',
    hectares: 'га',
    noData: 'Дерек жоқ',
    outside: 'Растрдан тыс',
    others: 'Басқа мәндер',
    total: 'Барлығы',
    noHectares: 'Растрдың кластары жоқ, сондықтан гектарлар көрсетілмеген.',
    mapped: 'Алаңдар карта бойынша алынған, бұл шекараны бөлу нәтижесі емес.',
    inUnit: (sentence) => `Осы аумақта: ${sentence}`,
    inRun: (sentence) => `Бүкіл аймақтау бойынша: ${sentence}`,
    contestedUnknown:
      'Бұл есептеу үшін секторды жердің өзі емес, секторлардың реті таңдайтын жердің үлесі белгісіз.',
    cut: 'Бұл масштабта аумақ картадан үлкен; гектарлар бүкіл аумақ үшін көрсетілген.',
    sources: 'Дереккөздер',
    licence: (name, licence) => `${name}. ${licence}`,
    deletedSource: 'содан бері жойылған деректер жиыны',
    run: (id) => `Есептеу ${id}`,
    dataset: (id) => `Деректер жиыны ${id}`,
    state: (state) => `Күйі: ${state}`,
    basis: (text) => `Негізі: ${text}`,
    asOf: (date) => `${date} күнгі жағдай бойынша`,
    draft: 'жоба',
    proposed: 'ұсынылған',
    adopted: 'бекітілген',
    withdrawn: 'кері қайтарылған',
    draftMark: 'ЖОБА',
    withdrawnMark: 'ҚАЙТАРЫЛҒАН',
    scale: (denominator) => `Масштабы 1:${denominator}`,
    projection:
      'Альберстің тең шамалы конустық проекциясы, WGS 84: стандартты параллельдер с. е. 43° пен 53°, басы с. е. 48°, ш. б. 67°; ұзындықтар 0,5 %-ға дейін дәл. Солтүстік — тор меридиандары бойымен.',
    gaussKrueger: (zone, meridian, datum) =>
      `Гаусс — Крюгер проекциясы, ${zone}-зона, осьтік меридианы ш. б. ${meridian}°; ${datum}`,
    sk42: (code, accuracy) =>
      `СК-42 (Пулково 1942), Красовский эллипсоиды; WGS 84 жүйесінен EPSG:${code} бойынша көшірілген, дәлдігі ${accuracy} м.`,
    datumSk42: 'СК-42',
    qaztrf: 'QazTRF-23, GRS 80 эллипсоиды; WGS 84 жүйесімен 1 м дәлдікпен сәйкес келеді.',
    ownScale: (scale, centimetre) => `${scale}, 1 см-де ${centimetre}`,
    reduced: (scale, own) => `${scale}, 1:${own} масштабынан кішірейтілген`,
    grid: (kilometres) => `Километрлік тор сызықтары ${kilometres} км сайын жүргізілген.`,
    borders: 'Шекаралар',
    regionBorder: 'Облыс шекарасы',
    districtBorder: 'Аудан шекарасы',
    annexTitle: 'Шешімге қосымша',
    annexNumber: (date, number) => `${date} № ${number}`,
    bars: 'Жолақ — осы аумақтағы үлес, сызықша — бүкіл аймақтау бойынша үлес.',
    noHectaresOfVectors: 'Гектарлар тек кластары бар растрлар үшін көрсетіледі.',
    north: 'С',
    kilometre: 'км',
    metre: 'м',
    sheet: (page, pages) => `${pages} парақтың ${page}-парағы`,
    index: 'Парақтар көрсеткіші',
    unit: 'Аумақ',
    kato: 'ӘАОЖ (КАТО) коды',
    page: 'Парақ',
    scaleColumn: 'Масштабы',
    area: 'Алаңы, га',
  },
} satisfies Translations<typeof english>;
