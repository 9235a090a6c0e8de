import { readablePath } from '../../lib/readable.ts';
import { counted, form, grouped, listed, quoted } from '../base/russian-wording.ts';
import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const damaged = (what: string) =>
  `GeoPackage повреждён: ${what}. Экспортируйте данные заново из источника и загрузите снова.`;
const refused = (why: string, remedy: string) =>
  `GeoPackage нельзя использовать: ${why}. ${remedy} и загрузите файл снова.`;
const saveLayer = 'Сохраните нужный слой в новый GeoPackage';
const unregistered = 'не зарегистрированы в gpkg_contents или не читаются';
const closeProgram = 'Закройте программу, в которой он открыт (она запишет всё в GeoPackage),';
const kinds = new Map([
  ['table', 'таблица'],
  ['view', 'представление'],
  ['index', 'индекс'],
  ['trigger', 'триггер'],
]);
const kindOf = (kind: string) => kinds.get(kind) ?? kind;

const unusable = (why: string) => `Архив нельзя использовать: ${why} и загрузите его снова.`;
const aboutFile = (name: string, what: string) => unusable(`файл «${readablePath(name)}» в нём ${what}`);
const namesOf = (paths: readonly string[]) => listed(paths.map(readablePath));
const files = (count: number) => counted(count, 'файла', 'файлов', 'файлов');
const severalWhat = new Map([
  ['shapefiles', 'шейп-файлов'],
  ['layers', 'слоёв'],
]);
const remedies = {
  addShp:
    'Это части шейп-файла, но главной его части, файла .shp, нет. Добавьте его к ним в архив .zip и загрузите архив снова.',
  convertRaster:
    'Это растр: преобразуйте его в GeoTIFF и загрузите файл .tif как набор данных с типом файла raster.',
  exportModel:
    'Это трёхмерная модель, например 3D Tiles: экспортируйте контуры её объектов в GeoPackage или GeoJSON и загрузите их.',
  exportDrawing:
    'Это чертёж: откройте его в QGIS, проверьте систему координат, экспортируйте слой как GeoPackage и загрузите его.',
  exportGeodatabase:
    'Это база геоданных Esri: откройте её в QGIS или ArcGIS, экспортируйте слой как GeoPackage (или командой «ogr2ogr out.gpkg in.gdb СЛОЙ») и загрузите его.',
  exportGml:
    'Это векторные данные в другом формате: откройте их в QGIS, экспортируйте слой как GeoPackage или GeoJSON и загрузите его.',
  exportKml:
    'Это KML: откройте его в QGIS, экспортируйте слой как GeoPackage (или командой «ogr2ogr out.gpkg in.kml») и загрузите его.',
  exportLayer: 'Откройте данные в QGIS, экспортируйте слой как GeoPackage и загрузите его.',
  exportMapInfo:
    'Это таблица MapInfo: откройте её в QGIS, экспортируйте слой как GeoPackage (или командой «ogr2ogr out.gpkg in.tab») и загрузите его.',
  packShapefile:
    'Упакуйте все файлы одного шейп-файла (.shp, .shx, .dbf, .prj) в архив .zip и загрузите его снова.',
  exportPictures:
    'В изображениях и документах нет объектов: экспортируйте сам слой как GeoPackage или GeoJSON и загрузите его.',
  renameGeoJson:
    'Если файл .json — это GeoJSON, дайте ему расширение .geojson и загрузите; если это другой формат, преобразуйте его командой «ogr2ogr -f GeoJSON out.geojson in.json».',
  saveTable:
    'Это таблица: выберите её файл на странице этого сервиса, которая читает .xlsx, .xls, .ods и .csv, или сохраните её как GeoJSON (в QGIS — «Экспорт > Сохранить объекты как…», тип геометрии «Без геометрии») и загрузите.',
  sendStyle:
    'Это стиль или проект: экспортируйте сам слой как GeoPackage или GeoJSON и загрузите его; файл .sld может быть стилем набора данных.',
  unpackInner: 'Распакуйте вложенный архив и загрузите его содержимое.',
  uploadRaster: 'Загрузите сам файл .tif как набор данных с типом файла raster.',
  saveWorkbook:
    'Это документ Office, например .xlsx: выберите его на странице этого сервиса с его собственным расширением или сохраните его таблицу как GeoJSON (в QGIS — с типом геометрии «Без геометрии») и загрузите.',
};

export const russian = {
  archive: {
    damaged: () => unusable('он повреждён или обрезан. Упакуйте файлы заново'),
    encrypted: () => unusable('он зашифрован. Упакуйте его без пароля'),
    tooManyFiles: (most) => unusable(`в нём больше ${files(most)}. Упакуйте только файлы одного слоя`),
    tooLarge: (mostGiB) =>
      unusable(
        `по его данным, файлы вместе больше ${grouped(mostGiB)} ГиБ. Упакуйте меньше файлов или файлы меньшего размера`,
      ),
    overlapping: () => unusable('файлы в нём перекрываются. Упакуйте его заново'),
    encryptedFile: (name) => aboutFile(name, 'зашифрован. Упакуйте его без пароля'),
    link: (name) => aboutFile(name, 'является символьной ссылкой. Упакуйте сам файл'),
    tooTight: (name, most) =>
      aboutFile(name, `при распаковке вырос бы более чем в ${grouped(most)} раз. Упакуйте настоящие данные`),
    largerThanSaid: (name) => aboutFile(name, 'больше, чем указано в списке файлов. Упакуйте архив заново'),
    unknownMethod: (name, method) =>
      aboutFile(
        name,
        `упакован методом ${method}, который здесь не поддерживается. Упакуйте его методом Deflate, обычным для файлов .zip,`,
      ),
  },
  archive_contents: {
    twins: (name) =>
      `В архиве два файла с одним именем: ${readablePath(name)}. Упакуйте его заново с одним из них и загрузите снова.`,
    several: (what, names) =>
      `В архиве несколько ${severalWhat.get(what) ?? what.replace(/^files named /, 'файлов с именем ')}: ${namesOf(names)}. Загрузите каждый слой в отдельном архиве .zip.`,
    noLayer: (seen, isEmpty, remedy) =>
      `${seen.length > 0 ? `В архиве нет файла .shp, .geojson или .gpkg, есть только ${namesOf(seen)}` : isEmpty ? 'В архиве нет файлов' : 'В архиве только скрытые файлы'}. ${remedies[remedy]}`,
    oversizedPrj: (mostMiB) =>
      `Файл .prj в архиве больше ${grouped(mostMiB)} МиБ, чего у системы координат не бывает. Положите в архив верный файл и загрузите архив снова.`,
  },
  geopackage: {
    unreadable: () =>
      'GeoPackage не читается: он повреждён, обрезан или не является GeoPackage. Экспортируйте данные заново из источника и загрузите снова.',
    allInLog: () =>
      `В GeoPackage ещё нет таблиц: сохранённые данные находятся в его журнале — файле рядом с ним, имя которого оканчивается на -wal. ${closeProgram} или упакуйте оба файла в один .zip и загрузите снова.`,
    halfWritten: (journal) =>
      `В архиве есть ${readablePath(journal)}: во время упаковки программа записывала GeoPackage, поэтому он может быть записан наполовину. ${closeProgram} упакуйте GeoPackage заново и загрузите его.`,
    onlyViews: (view) =>
      `В GeoPackage нет слоёв, кроме представления ${quoted(view)}, которое не зарегистрировано в gpkg_contents или не читается. Сохраните его содержимое как обычный слой и загрузите файл снова.`,
    onlyRasters: () =>
      'В GeoPackage есть растры, но нет векторного слоя. Загрузите растр как GeoTIFF (.tif) или GeoPackage с объектами.',
  },
  geopackage_remedy: {
    noReferenceSystem: 'в GeoPackage не указана их система координат; назначьте её слою',
  },
  geopackage_warning: {
    layersLeftOut: (taken, leftOut, views) =>
      `В файле несколько слоёв. Взят первый слой с объектами, ${taken}; пропущены ${listed([...leftOut, ...views])}.${
        views.length === 0
          ? ''
          : ` Из них ${listed(views)} — ${form(views.length, { one: 'представление', other: 'представления' })}, которые ${unregistered}.`
      }`,
    geometryLeftOut: (columns) =>
      columns.length === 1
        ? `В столбце ${listed(columns)} находится ещё одна геометрия, он пропущен.`
        : `В столбцах ${listed(columns)} находится другая геометрия, они пропущены.`,
    logNotUsed: (log) =>
      `В журнале ${readablePath(log)} из архива нет сохранённых правок лежащего рядом GeoPackage, поэтому он прочитан без журнала. Если правок не хватает, закройте программу, в которой он открыт, и упакуйте его снова.`,
  },
  reading: {
    callsFunction: (name) =>
      `вызывает функцию ${name.replaceAll(/[^\w$]/g, '?').slice(0, 60)}(), которая может выполнить что угодно`,
    callsManyFunctions: 'вызывает слишком много функций',
    builtOnMany: 'построено на слишком большом числе других',
    recursive: 'рекурсивно и может не закончиться',
    readsNoTable: (name) => `читает ${name}, а такой таблицы в файле нет`,
  },
  schema: {
    tooManyTables: (most) => refused(`в нём больше ${grouped(most)} таблиц и представлений`, saveLayer),
    longName: (kind, name, most) =>
      refused(
        `имя объекта «${kindOf(kind)}» ${quoted(name)} длиннее ${counted(most, 'буквы', 'букв', 'букв')}`,
        'Сократите его',
      ),
    loadsPrograms: (kind, name) =>
      refused(
        `${kindOf(kind)} ${quoted(name)} содержит load_extension, что загружает программы`,
        'Удалите этот элемент',
      ),
    virtualTable: (name) =>
      refused(
        `${quoted(name)} — виртуальная таблица, содержимое которой создаёт программа, а не пространственный индекс`,
        'Сохраните её как обычную таблицу или удалите',
      ),
    wrongDefinition: (kind, name) => damaged(`определение неверно: ${kindOf(kind)} ${quoted(name)}`),
    viewInIndex: (name) =>
      damaged(`представление ${quoted(name)} стоит там, где пространственный индекс хранит свою таблицу`),
    manyContents: (most) =>
      refused(`в его таблице gpkg_contents больше ${counted(most, 'строки', 'строк', 'строк')}`, saveLayer),
    longReferenceSystem: (mostMiB) =>
      refused(
        `определение одной из его систем координат занимает больше ${grouped(mostMiB)} МиБ текста`,
        'Назначьте слою систему координат по номеру EPSG',
      ),
    forbidden: (kind, name, why) =>
      refused(
        `${kindOf(kind)} ${quoted(name)} ${why}`,
        'Сохраните содержимое как обычную таблицу, удалите этот элемент',
      ),
  },
  sqlite: {
    brokenTable: (table) =>
      damaged(`страницы его таблицы ${quoted(table)} не согласуются друг с другом, или он обрезан`),
    brokenSchema: () => damaged('его список таблиц не читается, или он обрезан'),
    tooManyColumns: () => refused('в одной из его таблиц больше 2000 столбцов', 'Уберите ненужные столбцы'),
  },
} satisfies Translations<typeof english>;
