import { readablePath } from '../../lib/readable.ts';
import { form, grouped, listed, quoted } from '../base/kazakh-wording.ts';
import { withEnding } from '../../../common/kazakh/endings.ts';
import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const damaged = (what: string) =>
  `GeoPackage бүлінген: ${what}. Деректерді бастапқы көзінен қайта экспорттап, қайта жүктеңіз.`;
const refused = (why: string, remedy: string) =>
  `GeoPackage пайдалануға жарамсыз: ${why}. ${remedy}, файлды қайта жүктеңіз.`;
const saveLayer = 'Қажетті қабатты жаңа GeoPackage файлына сақтап';
const closeProgram = 'Оны ашып тұрған бағдарламаны жабыңыз (ол бәрін GeoPackage файлына жазады)';
const kinds = new Map([
  ['table', 'кестесі'],
  ['view', 'көрінісі'],
  ['index', 'индексі'],
  ['trigger', 'триггері'],
]);
const kindOf = (kind: string) => kinds.get(kind) ?? kind;

const unusable = (why: string) => `Мұрағат пайдалануға жарамсыз: ${why}, қайта жүктеңіз.`;
const aboutFile = (name: string, what: string) => unusable(`ондағы «${readablePath(name)}» файлы ${what}`);
const namesOf = (paths: readonly string[]) => listed(paths.map(readablePath));
const severalWhat = new Map([
  ['shapefiles', 'шейп-файл'],
  ['layers', 'қабат'],
]);
const remedies = {
  addShp:
    'Бұл шейп-файлдың бөліктері, бірақ оның негізгі бөлігі — .shp файлы жоқ. Оны .zip мұрағатына қосып, қайта жүктеңіз.',
  convertRaster:
    'Бұл растр: оны GeoTIFF пішіміне түрлендіріп, .tif файлын файл түрі raster болатын деректер жиыны ретінде жүктеңіз.',
  exportModel:
    'Бұл үшөлшемді модель, мысалы 3D Tiles: нысандарының контурларын GeoPackage немесе GeoJSON ретінде экспорттап, соны жүктеңіз.',
  exportDrawing:
    'Бұл сызба: оны QGIS-те ашып, координаттар жүйесін тексеріп, қабатты GeoPackage ретінде экспорттап, соны жүктеңіз.',
  exportGeodatabase:
    'Бұл Esri геодеректер қоры: оны QGIS немесе ArcGIS ішінде ашып, қабатты GeoPackage ретінде экспорттап (немесе «ogr2ogr out.gpkg in.gdb ҚАБАТ» пәрменімен), соны жүктеңіз.',
  exportGml:
    'Бұл басқа пішімдегі векторлық деректер: оларды QGIS-те ашып, қабатты GeoPackage немесе GeoJSON ретінде экспорттап, соны жүктеңіз.',
  exportKml:
    'Бұл KML: оны QGIS-те ашып, қабатты GeoPackage ретінде экспорттап (немесе «ogr2ogr out.gpkg in.kml» пәрменімен), соны жүктеңіз.',
  exportLayer: 'Деректерді QGIS-те ашып, қабатты GeoPackage ретінде экспорттап, соны жүктеңіз.',
  exportMapInfo:
    'Бұл MapInfo кестесі: оны QGIS-те ашып, қабатты GeoPackage ретінде экспорттап (немесе «ogr2ogr out.gpkg in.tab» пәрменімен), соны жүктеңіз.',
  packShapefile:
    'Бір шейп-файлдың барлық файлдарын (.shp, .shx, .dbf, .prj) .zip мұрағатына салып, қайта жүктеңіз.',
  exportPictures:
    'Суреттер мен құжаттарда нысандар жоқ: қабаттың өзін GeoPackage немесе GeoJSON ретінде экспорттап, соны жүктеңіз.',
  renameGeoJson:
    '.json файлы GeoJSON болса, оған .geojson кеңейтімін беріп жүктеңіз; басқа пішім болса, оны «ogr2ogr -f GeoJSON out.geojson in.json» пәрменімен түрлендіріңіз.',
  saveTable:
    'Бұл кесте: файлын .xlsx, .xls, .ods және .csv оқитын осы сервистің бетінде таңдаңыз немесе оны GeoJSON ретінде сақтап (QGIS ішінде «Export > Save Features As…», геометрия түрі — «No Geometry»), соны жүктеңіз.',
  sendStyle:
    'Бұл стиль немесе жоба: қабаттың өзін GeoPackage немесе GeoJSON ретінде экспорттап, соны жүктеңіз; .sld файлы деректер жиынының стилі бола алады.',
  unpackInner: 'Ішіндегі мұрағатты ашып, оның мазмұнын жүктеңіз.',
  uploadRaster: '.tif файлының өзін файл түрі raster болатын деректер жиыны ретінде жүктеңіз.',
  saveWorkbook:
    'Бұл Office құжаты, мысалы .xlsx: оны өз кеңейтімімен осы сервистің бетінде таңдаңыз немесе оның кестесін GeoJSON ретінде сақтап (QGIS ішінде геометрия түрі — «No Geometry»), соны жүктеңіз.',
};

export const kazakh = {
  archive: {
    damaged: () => unusable('ол бүлінген немесе толық емес. Файлдарын қайтадан мұрағаттап'),
    encrypted: () => unusable('ол шифрланған. Құпиясөзсіз мұрағаттап'),
    tooManyFiles: (most) =>
      unusable(`онда ${grouped(most)} файлдан көп. Тек бір қабаттың файлдарын мұрағаттап`),
    tooLarge: (mostGiB) =>
      unusable(
        `мәліметіне қарағанда, файлдары барлығы ${withEnding(`${grouped(mostGiB)} ГиБ`, 'ablative')} үлкен. Азырақ немесе кішірек файлдарды мұрағаттап`,
      ),
    overlapping: () => unusable('ондағы файлдар бір-біріне қабаттасады. Қайтадан мұрағаттап'),
    encryptedFile: (name) => aboutFile(name, 'шифрланған. Құпиясөзсіз мұрағаттап'),
    link: (name) => aboutFile(name, 'символдық сілтеме. Файлдың өзін мұрағаттап'),
    tooTight: (name, most) =>
      aboutFile(name, `ашылғанда ${grouped(most)} еседен көп өсер еді. Нақты деректерді мұрағаттап`),
    largerThanSaid: (name) => aboutFile(name, 'файлдар тізімінде көрсетілгеннен үлкен. Қайтадан мұрағаттап'),
    unknownMethod: (name, method) =>
      aboutFile(
        name,
        `мұнда оқылмайтын ${method} әдісімен мұрағатталған. .zip файлдарының әдеттегі Deflate әдісімен мұрағаттап`,
      ),
  },
  archive_contents: {
    twins: (name) =>
      `Мұрағатта атауы бірдей екі файл бар: ${readablePath(name)}. Біреуін ғана қалдырып, қайтадан мұрағаттап, қайта жүктеңіз.`,
    several: (what, names) =>
      `Мұрағатта бірнеше ${severalWhat.get(what) ?? what.replace(/^files named (.*)$/, '$1 атаулы файл')} бар: ${namesOf(names)}. Әр қабатты жеке .zip мұрағатында жүктеңіз.`,
    noLayer: (seen, isEmpty, remedy) =>
      `${seen.length > 0 ? `Мұрағатта .shp, .geojson немесе .gpkg файлы жоқ, тек мыналар бар: ${namesOf(seen)}` : isEmpty ? 'Мұрағатта файлдар жоқ' : 'Мұрағатта тек жасырын файлдар бар'}. ${remedies[remedy]}`,
    oversizedPrj: (mostMiB) =>
      `Мұрағаттағы .prj файлы ${grouped(mostMiB)} МиБ-тан үлкен, координаттар жүйесі мұндай болмайды. Мұрағатқа дұрыс файлды салып, қайта жүктеңіз.`,
  },
  geopackage: {
    unreadable: () =>
      'GeoPackage оқылмайды: ол бүлінген, толық емес немесе GeoPackage емес. Деректерді бастапқы көзінен қайта экспорттап, қайта жүктеңіз.',
    allInLog: () =>
      `GeoPackage ішінде әзірге кестелер жоқ: сақталған деректер оның журналында — қасындағы, аты -wal деп аяқталатын файлда. ${closeProgram} немесе екі файлды бір .zip мұрағатына салып, қайта жүктеңіз.`,
    halfWritten: (journal) =>
      `Мұрағатта ${readablePath(journal)} файлы бар: мұрағаттау кезінде бағдарлама GeoPackage файлына жазып жатқан, сондықтан ол толық жазылмаған болуы мүмкін. ${closeProgram}, GeoPackage файлын қайта мұрағаттап, жүктеңіз.`,
    onlyViews: (view) =>
      `GeoPackage ішінде ${quoted(view)} көрінісінен басқа қабат жоқ, ал ол gpkg_contents ішінде тіркелмеген немесе оқылмайды. Оның мазмұнын кәдімгі қабат ретінде сақтап, файлды қайта жүктеңіз.`,
    onlyRasters: () =>
      'GeoPackage ішінде растрлар бар, бірақ векторлық қабат жоқ. Растрды GeoTIFF (.tif) ретінде немесе нысандары бар GeoPackage жүктеңіз.',
  },
  geopackage_remedy: {
    noReferenceSystem:
      'GeoPackage ішінде олардың координаттар жүйесі көрсетілмеген; оны қабатқа тағайындаңыз',
  },
  geopackage_warning: {
    layersLeftOut: (taken, leftOut, views) =>
      `Файлда бірнеше қабат бар. Нысандары бар бірінші қабат алынды: ${taken}; қалдырылғандары: ${listed([...leftOut, ...views])}.${
        views.length === 0
          ? ''
          : ` Олардың ішінде ${listed(views)} — gpkg_contents ішінде тіркелмеген немесе оқылмайтын ${form(views.length, { one: 'көрініс', other: 'көріністер' })}.`
      }`,
    geometryLeftOut: (columns) =>
      columns.length === 1
        ? `${listed(columns)} бағанында тағы бір геометрия бар, ол қалдырылды.`
        : `${listed(columns)} бағандарында басқа геометрия бар, олар қалдырылды.`,
    logNotUsed: (log) =>
      `Мұрағаттағы ${readablePath(log)} журналында қасындағы GeoPackage файлының сақталған өзгерістері жоқ, сондықтан ол журналсыз оқылды. Өзгерістер жетіспесе, оны ашып тұрған бағдарламаны жауып, қайта мұрағаттаңыз.`,
  },
  reading: {
    callsFunction: (name) =>
      `кез келген әрекет жасай алатын ${name.replaceAll(/[^\w$]/g, '?').slice(0, 60)}() функциясын шақырады`,
    callsManyFunctions: 'тым көп функция шақырады',
    builtOnMany: 'тым көп басқа көріністерге негізделген',
    recursive: 'рекурсивті, сондықтан аяқталмауы мүмкін',
    readsNoTable: (name) => `${name} мазмұнын оқиды, ал файлда мұндай кесте жоқ`,
  },
  schema: {
    tooManyTables: (most) => refused(`онда ${grouped(most)} кесте мен көріністен көп`, saveLayer),
    longName: (kind, name, most) =>
      refused(`${quoted(name)} ${kindOf(kind)} атауы ${grouped(most)} әріптен ұзын`, 'Оны қысқартып'),
    loadsPrograms: (kind, name) =>
      refused(
        `оның ${quoted(name)} ${kindOf(kind)} бағдарламалар жүктейтін load_extension функциясын атайды`,
        'Оны жойып',
      ),
    virtualTable: (name) =>
      refused(
        `${quoted(name)} — мазмұнын бағдарлама жасайтын виртуалды кесте, кеңістіктік индекс емес`,
        'Оны кәдімгі кесте ретінде сақтап немесе жойып',
      ),
    wrongDefinition: (kind, name) => damaged(`оның ${quoted(name)} ${kindOf(kind)} қате анықталған`),
    viewInIndex: (name) =>
      damaged(`оның ${quoted(name)} көрінісі кеңістіктік индекс кестесін сақтайтын жерде тұр`),
    manyContents: (most) => refused(`оның gpkg_contents кестесінде ${grouped(most)} жолдан көп`, saveLayer),
    longReferenceSystem: (mostMiB) =>
      refused(
        `оның координаттар жүйелерінің бірі ${grouped(mostMiB)} МиБ-тан көп мәтінмен анықталған`,
        'Қабатқа координаттар жүйесін EPSG нөмірі бойынша тағайындап',
      ),
    forbidden: (kind, name, why) =>
      refused(
        `оның ${quoted(name)} ${kindOf(kind)} ${why}`,
        'Мазмұнын кәдімгі кесте ретінде сақтап, бұл элементті жойып',
      ),
  },
  sqlite: {
    brokenTable: (table) =>
      damaged(`оның ${quoted(table)} кестесінің беттері бір-біріне сәйкес келмейді немесе ол толық емес`),
    brokenSchema: () => damaged('оның кестелер тізімі оқылмайды немесе ол толық емес'),
    tooManyColumns: () => refused('оның бір кестесінде 2000 бағаннан көп', 'Қажетсіз бағандарды алып тастап'),
  },
} satisfies Translations<typeof english>;
