import { counted, form, grouped, listed, ofPlace, quoted } from '../base/russian-wording.ts';
import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const notGeoJson = (why: string) =>
  `Файл не является GeoJSON: ${why}. Экспортируйте данные заново как GeoJSON (RFC 7946).`;
const exportAgain = 'Экспортируйте данные заново из источника и загрузите снова.';
const wrongGeometry = (where: string, what: string) =>
  `Геометрия ${ofPlace(where)} ${what}. Исправьте её и загрузите файл снова.`;
const damagedFlatGeobuf = (why: string) => `Файл FlatGeobuf повреждён: ${why}. ${exportAgain}`;
const damagedShapefile = (why: string) => `Шейп-файл в архиве повреждён: ${why}. ${exportAgain}`;
const encodingStated = {
  cpg: 'В файле .cpg',
  cst: 'В файле .cst',
  dbf: 'В заголовке файла .dbf (байт языка)',
};
const crsSources = { member: 'его элемент "crs"', file: 'его систему координат' };
const crsSubjects = { member: 'его элемент "crs"', file: 'его система координат' };

export const russian = {
  character: { unprintable: (code) => `символ U+${code}` },
  feature: {
    notUtf8: (feature) =>
      `Текст или имя столбца объекта ${feature} не в кодировке UTF-8. Экспортируйте слой заново в кодировке UTF-8 и загрузите снова.`,
    limit: (feature, fault) =>
      `Объект ${feature} слишком велик для чтения: ${fault}. Упростите его и загрузите файл снова.`,
    unreadable: (feature) => `Файл повреждён: объект ${feature} не читается. ${exportAgain}`,
  },
  feature_fault: {
    noObject: 'не является объектом JSON',
    wrongType: 'не содержит "type": "Feature"',
    wrongMember: (key) => `содержит "${key}", который не является ни объектом, ни null`,
  },
  flatgeobuf_file: {
    otherVersion: () =>
      'Файл не является FlatGeobuf версии 3, а здесь читается только она. Запишите его заново.',
    brokenHeader: () => damagedFlatGeobuf('его заголовок не читается'),
    otherCount: (read, named) =>
      damagedFlatGeobuf(
        `в заголовке указано ${counted(named, 'объект', 'объекта', 'объектов')}, а в файле ${counted(read, 'объект', 'объекта', 'объектов')}`,
      ),
    moreThanNamed: (named) =>
      damagedFlatGeobuf(
        `в заголовке указано ${counted(named, 'объект', 'объекта', 'объектов')}, но после них файл не кончается`,
      ),
    ownColumns: (feature) =>
      `У объекта ${feature} файла FlatGeobuf собственные столбцы, которые здесь не читаются. Запишите файл с одинаковыми столбцами для всех объектов.`,
  },
  flatgeobuf_file_remedy: {
    noReferenceSystem: 'в файле FlatGeobuf не указана их система координат; запишите его с ней',
  },
  geojson: {
    empty: () => notGeoJson('он пуст'),
    noObject: () => notGeoJson('он не начинается с объекта'),
    noFeatures: () => notGeoJson('элемента "features" нет, или он не является списком'),
    twoLists: () => notGeoJson('в нём два списка "features"'),
    noType: () => notGeoJson('в нём нет элемента "type"'),
    unknownType: (type) => notGeoJson(`значение его элемента "type" — ${quoted(type)}`),
    wrongFeature: (fault, feature) =>
      notGeoJson(feature === undefined ? `его объект ${fault}` : `объект ${feature} ${fault}`),
    tooManyColumns: (most) =>
      `У объектов больше ${counted(most, 'разного свойства', 'разных свойств', 'разных свойств')}; удалите лишние и загрузите файл снова.`,
    longColumnName: (most) =>
      `У объектов есть свойство, имя которого длиннее ${counted(most, 'буквы', 'букв', 'букв')}; сократите имя и загрузите файл снова.`,
  },
  geojson_warning: {
    idsLeftOut: (features) =>
      `У ${counted(features, 'объекта', 'объектов', 'объектов')} есть "id" рядом со свойствами, но свойство с именем "id" тоже есть; ${form(features, { one: 'этот идентификатор пропущен', other: 'эти идентификаторы пропущены' })}. Переименуйте свойство "id", чтобы получить их как столбец.`,
    wrongIds: (features) =>
      `У ${counted(features, 'объекта', 'объектов', 'объектов')} "id" не является ни текстом, ни числом; он пропущен.`,
  },
  geometry: {
    tooLarge: (where, mostMiB) =>
      `Геометрия ${ofPlace(where)} занимает больше ${grouped(mostMiB)} МиБ, для которых есть память. Разделите или упростите её и загрузите файл снова.`,
    noGeometry: (where) => wrongGeometry(where, 'не является геометрией с элементом "type"'),
    wrongNesting: (where, type) =>
      wrongGeometry(where, `имеет тип ${type}, но вложенность её координат не соответствует этому типу`),
    unknownType: (where, type) => wrongGeometry(where, `имеет тип ${quoted(type)}, которого нет в GeoJSON`),
    shortPosition: (where) => wrongGeometry(where, 'содержит позицию, в которой меньше двух чисел'),
    noNumber: (where) => wrongGeometry(where, 'содержит координату, которая не является числом'),
  },
  json: {
    notUtf8: 'текст не в кодировке UTF-8',
    notFinite: 'стоит NaN или Infinity, чего в JSON нет (укажите null)',
    tooLarge: (mostMiB) => `одно значение больше ${grouped(mostMiB)} МиБ`,
    tooDeep: (levels) => `вложенность значений больше ${counted(levels, 'уровня', 'уровней', 'уровней')}`,
    cutShort: (expected) => `файл заканчивается там, где ожидается ${expected}`,
    unexpected: (found, expected) => `стоит ${found} там, где ожидается ${expected}`,
  },
  json_expected: {
    value: 'значение',
    object: 'объект',
    objectEnd: 'запятая или закрывающая фигурная скобка',
    array: 'массив',
    arrayEnd: 'запятая или закрывающая квадратная скобка',
    name: 'имя в кавычках',
    colon: 'двоеточие',
    stringEnd: 'окончание текста в кавычках',
    hexDigits: 'четыре шестнадцатеричные цифры',
    escape: 'известная буква после обратной косой черты',
    digit: 'цифра',
    word: 'true, false или null',
    end: 'конец файла',
  },
  json_file: {
    limit: (fault, line, column) =>
      `Файл слишком велик для чтения: в строке ${line}, столбце ${column} ${fault}. Упростите его и загрузите снова.`,
    invalid: (fault, line, column) =>
      `Файл не является верным JSON: в строке ${line}, столбце ${column} ${fault}. Исправьте его или экспортируйте заново как GeoJSON.`,
  },
  not_on_earth: {
    geoJson: () => 'координаты GeoJSON — долгота и широта (WGS 84); перепроецируйте файл в EPSG:4326',
    ignoredMember: () => 'его элемент "crs" здесь не распознаётся; перепроецируйте файл в WGS 84 (EPSG:4326)',
    wrongCrs: (source) => `${crsSubjects[source]} им не соответствует`,
    swapped: () =>
      'похоже, широта и долгота переставлены: в обратном порядке подошли бы все прочитанные координаты; запишите первой долготу и загрузите файл снова',
  },
  shapefile: {
    brokenShapes: () => damagedShapefile('его файл .shp не читается'),
    brokenTable: () => damagedShapefile('его файл .dbf не читается'),
    tableOfDBase7: () =>
      'Файл .dbf шейп-файла записан в формате dBase 7, который здесь не читается. Сохраните таблицу как dBase IV или dBase III и загрузите снова.',
    differentCounts: (rows, shapes) =>
      damagedShapefile(
        `в файле .dbf ${counted(rows, 'строка', 'строки', 'строк')}, а в файле .shp ${counted(shapes, 'фигура', 'фигуры', 'фигур')}`,
      ),
  },
  shapefile_remedy: {
    wrongPrj:
      'в его файле .prj нет системы координат, которая здесь распознаётся; положите в архив верный файл',
    noPrj: 'в архиве нет файла .prj, где указана их система координат; добавьте его',
  },
  shapefile_warning: {
    encodingGuessed: (charset) =>
      `Кодировка текстов не указана; судя по буквам, они прочитаны как ${charset}. Для надёжности добавьте в архив файл .cpg.`,
    encodingUnknown: (from, charset) =>
      `${encodingStated[from]} указана кодировка, которая здесь неизвестна; судя по буквам, тексты прочитаны как ${charset}. Для надёжности исправьте её.`,
    encodingOverruled: (from, said, charset) =>
      `${encodingStated[from]} указана кодировка ${said}, но байты текстов ей не соответствуют; тексты прочитаны как ${charset}. Если буквы верны, исправьте её.`,
    columnsLeftOut: (names) =>
      `Эти столбцы файла .dbf пропущены, потому что их ячейки записаны не как текст, числа или даты: ${listed(names)}. Чтобы их сохранить, скопируйте их в текстовые столбцы.`,
    datesImpossible: (column, cells) =>
      `В столбце дат ${column} ${counted(cells, 'ячейка', 'ячейки', 'ячеек')} без календарной даты; ${form(cells, { one: 'она сохранена', other: 'они сохранены' })} как текст.`,
    rowsWithoutShape: (rows) =>
      `В файле .dbf на ${counted(rows, 'строку', 'строки', 'строк')} больше, чем фигур; ${form(rows, { one: 'она сохранена как объект', other: 'они сохранены как объекты' })} без геометрии.`,
    namesTruncated: (names) =>
      `В файле .dbf имя столбца занимает не более десяти байт. Восстановлены имена: ${listed(names)}.`,
  },
  vector: {
    otherFormat: (format) =>
      `Файл не является ${format}, хотя так следует из его имени. Экспортируйте данные заново и загрузите файл.`,
    archiveInArchive: (name) => `Файл ${name} в архиве сам является архивом. Распакуйте его и загрузите.`,
    noColumns: () => 'В файле нет столбцов: ни у одного объекта нет свойств, поэтому сопоставлять нечего.',
    noTable: () =>
      'В шейп-файле нет столбцов: в архиве нет файла .dbf с тем же именем, что у файла .shp. Добавьте файл .dbf и загрузите архив снова.',
    tooManyCells: (columns, maxRows) =>
      `В таблице ${counted(columns, 'столбец', 'столбца', 'столбцов')} и больше ${counted(maxRows, 'строки', 'строк', 'строк')}, это слишком много; удалите ненужные столбцы.`,
    needsMemory: (what, maxMiB) =>
      `${what === 'lines' ? 'Линии' : 'Полигоны'} файла занимают больше ${grouped(maxMiB)} МиБ, для которых есть память. Упростите их или загрузите файл по частям.`,
    noTransformation: () =>
      'Систему координат файла нельзя преобразовать в WGS 84; перепроецируйте файл в EPSG:4326 и загрузите снова.',
    notInCrs: (where, source, coordinate) =>
      `${coordinate === undefined ? `Координаты ${ofPlace(where)} не соответствуют` : `Координата ${coordinate} ${ofPlace(where)} не соответствует`} системе координат, указанной в файле; исправьте ${crsSources[source]} и загрузите файл снова.`,
    notOnEarth: (coordinate, where, reason) =>
      `Координата ${coordinate} ${ofPlace(where)} не является долготой и широтой: ${reason}.`,
    nothingLeft: (feature) =>
      `От геометрии ничего не осталось: она не имеет протяжённости или меньше сантиметра; первый такой объект — ${feature}. Исправьте геометрию и загрузите файл снова.`,
    notANumber: (where) => wrongGeometry(where, 'содержит координату, которая не является числом'),
  },
  vector_warning: {
    filesLeftOut: (names) => `Файлы архива, которые не прочитаны: ${names}.`,
    noTable: (name) =>
      `В архиве нет файла ${name}.dbf рядом с ${name}.shp, поэтому у объектов нет свойств. Если они должны быть, добавьте файл .dbf и загрузите архив снова.`,
    repeated: (name, feature) =>
      `Свойство «${name}» встречается в одном объекте несколько раз, впервые — в объекте ${feature}. Взято его последнее значение; если важны и другие, дайте каждому свойству своё имя.`,
    lastKept: (name, feature) =>
      `Свойство «${name}» встречается в одном объекте несколько раз, впервые — в объекте ${feature}. GeoJSON сохраняет все его значения; в FlatGeobuf, GeoPackage, GeoParquet и отдельных объектах остаётся последнее.`,
    empty: () => 'В файле нет объектов.',
    repaired: (polygons) =>
      `${form(polygons, { one: 'Исправлен', other: 'Исправлено' })} ${counted(polygons, 'неверный полигон', 'неверных полигона', 'неверных полигонов')} (контур пересекает или касается сам себя).`,
    partsOverlap: (features, first) =>
      `Части полигона перекрываются ${features === 1 ? `в объекте ${first}` : `в ${counted(features, 'объекте', 'объектах', 'объектах')}, впервые в объекте ${first}`}: в GeoJSON их площадь учтена один раз, а FlatGeobuf, GeoPackage и отдельные объекты сохраняют части и учитывают её дважды. Если часть должна быть отверстием, поверните её контур в обратную сторону (RFC 7946) или запишите его как внутреннее кольцо и загрузите файл снова.`,
    lost: (count, feature) =>
      `${form(count, { one: 'Пропущена', other: 'Пропущено' })} ${counted(count, 'линия или полигон', 'линии или полигона', 'линий или полигонов')} без протяжённости или меньше сантиметра; первый случай — в объекте ${feature}.`,
    flattened: (features, first) =>
      features === 1
        ? `Объект ${first} — объёмное тело или поверхность из треугольников; взят его контур на земле, то есть площадь, которую он занимает.`
        : `Объёмных тел и поверхностей из треугольников: ${grouped(features)}; взяты их контуры на земле, то есть площадь, которую они занимают. Первый случай — объект ${first}.`,
    heightsLeftOut: (features, first) =>
      features === 1
        ? `Высоты (Z) объекта ${first} пропущены: в нём есть дуги, он разрезан по меридиану 180° или изгибается при переводе в долготу и широту. В исходном файле высоты остаются.`
        : `Объектов, высоты (Z) которых пропущены: ${grouped(features)}; в них есть дуги, они разрезаны по меридиану 180° или изгибаются при переводе в долготу и широту. В исходном файле высоты остаются. Первый случай — объект ${first}.`,
    heightsFilled: (features, first) =>
      features === 1
        ? `У объекта ${first} нет высот (Z), которые есть у других. В FlatGeobuf, GeoPackage, GeoParquet и отдельных объектах его высота равна 0.`
        : `Объектов без высот (Z), которые есть у других: ${grouped(features)}. В FlatGeobuf, GeoPackage, GeoParquet и отдельных объектах их высота равна 0. Первый случай — объект ${first}.`,
    valuesAsJson: (columns, first) =>
      columns === 1
        ? `Значения столбца ${quoted(first)} разных типов. FlatGeobuf хранит каждое как текст JSON.`
        : `Столбцов со значениями разных типов: ${grouped(columns)}, например ${quoted(first)}. FlatGeobuf хранит каждое значение как текст JSON.`,
    featuresLeftOut: (most) =>
      `У набора данных нет FlatGeobuf: в файле больше ${grouped(most)} объектов или 65 535 столбцов. Чтобы получить его, загрузите файл по частям.`,
    crsAssumed: () =>
      'Система координат в файле не указана; все координаты подходят, поэтому они приняты за долготу и широту (WGS 84).',
    prjNotUnderstood: () =>
      'Файл .prj не называет систему координат, которую понимает сервис; все координаты подходят, поэтому они приняты за долготу и широту (WGS 84). Если они в другой системе, например Пулково 1942, поместите её .prj в архив и загрузите его снова.',
    longitudesTurned: (features, first) =>
      `У ${counted(features, 'объекта', 'объектов', 'объектов')} есть долготы больше 180°, первый случай — в геометрии ${ofPlace(first)}; они приведены к диапазону от -180° до 180°.`,
    axesMaybeSwapped: () =>
      'Ни одна координата файла не лежит в Казахстане, но если поменять местами широту и долготу, там окажутся все. Ничего не менялось; если файл о Казахстане, запишите долготу первой и загрузите его снова.',
    datumUnknown: () =>
      'Система координат файла не называет известный датум, поэтому положение может быть смещено на величину до нескольких сотен метров. Сохраните файл в системе, в которой даны его координаты, например Пулково 1942, или в WGS 84 и загрузите снова.',
    crsMemberIgnored: () =>
      'Элемент "crs" файла здесь не распознаётся; все координаты подходят, поэтому они приняты за долготу и широту (WGS 84).',
  },
} satisfies Translations<typeof english>;
