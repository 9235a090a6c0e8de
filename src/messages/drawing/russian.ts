import { readable } from '../../lib/readable.ts';
import { counted, grouped } from '../base/russian-wording.ts';
import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const shown = (text: string): string => readable(text, 100);
const asUtf8 = 'сохраните его в UTF-8';
const qgis = 'в QGIS откройте свойства слоя и выберите «Стиль», «Сохранить стиль», «Как файл стиля SLD»';
const errorReport =
  'в нём сказано, почему сервис не отправил стиль; устраните причину и запросите стиль снова';
const fragment = 'поместите его внутрь StyledLayerDescriptor той версии, для которой он написан';
const otherFiles: readonly (readonly [root: RegExp, what: string, advice: string])[] = [
  [
    /^html$/,
    'страница HTML',
    'откройте её адрес в браузере, чтобы узнать ответ веб-сервера, и скачайте стиль снова',
  ],
  [/^qgis$/, 'стиль или проект в формате QGIS', qgis],
  [/^(?:qlr|qgis-layer-definition)$/, 'определение слоя QGIS', qgis],
  [/^(?:service)?exceptionreport$/, 'сообщение об ошибке', errorReport],
  [/^(?:featuretypestyle|coveragestyle|userstyle|namedlayer|userlayer)$/, 'только часть SLD', fragment],
];

function otherFile(root: string): string | undefined {
  const localName = root.slice(root.indexOf(':') + 1).toLowerCase();
  const [, what, hint] = otherFiles.find(([roots]) => roots.test(localName)) ?? [];
  return what === undefined ? undefined : `это ${what} (корневой элемент ${shown(root)}), а не SLD: ${hint}`;
}

export const russian = {
  drawing: {
    notARaster: () => 'тайлы из пикселей есть только у растра; у векторов — .mvt',
    noWmtsRequest: () =>
      'REQUEST должен быть GetCapabilities или GetTile: других запросов WMTS сервис не знает',
    noWmtsTile: () =>
      'у GetTile должны быть TILEMATRIX, TILECOL и TILEROW — целые числа, как в описании возможностей',
    notReady: (status) => `набор данных в состоянии ${status}; его карта появится, когда он станет ready`,
    noPlace: () =>
      'растр нельзя показать на карте: в файле нет системы координат, которую можно преобразовать в долготу и широту, или его пиксели — комплексные числа',
    noSuchBand: (band, bands) =>
      `стиль рисует канал ${band}, а в растре каналов: ${bands}; выберите в стиле канал, который есть в растре`,
    notDrawable: () =>
      'растр нельзя показать: его пиксели — комплексные числа или его не удалось подготовить для карт',
    notPrepared: () => 'подготовить растр для карт не удалось; сервис повторит попытку позже',
    viewUnderWay: () => 'растр готовится для карт; повторите запрос через несколько секунд',
    tooMuch: (mebibytes) =>
      `для этого тайла пришлось бы прочитать больше ${mebibytes} МиБ пикселей; приблизьте карту или загрузите растр с обзорными изображениями`,
    brokenRaster: () => 'растр повреждён, и показать его здесь нельзя',
    busy: () => 'читается или рисуется слишком много растров и карт; повторите запрос через секунду',
    overdue: () =>
      'чтение или рисование пикселей заняло слишком много времени; повторите запрос через секунду',
    threadDied: () => 'прочитать или нарисовать пиксели не удалось; повторите запрос через секунду',
    tooManyTiles: () =>
      'вы запрашиваете больше тайлов, чем положено одному клиенту; повторите запрос через секунду',
  },
  vector_tile: {
    raster: () => 'у растра нет векторных тайлов',
    tooLarge: (mebibytes, most) =>
      `GeoJSON занимает ${grouped(mebibytes)} МиБ; рисуется только GeoJSON не более ${most} МиБ, но скачать его можно целиком`,
    tooManyPositions: (most) =>
      `в GeoJSON больше ${grouped(most)} точек; рисуется только GeoJSON с меньшим их числом, но скачать его можно целиком`,
    notGeoJson: () => 'сохранённый GeoJSON не читается',
  },
  legend: {
    noData: 'нет данных: не рисуется',
    others: 'прочие',
    unnamedClass: 'без названия',
    colours: 'Цвета как в файле',
    above: (from) => `от ${from}`,
    below: (to) => `менее ${to}`,
    more: (count) => `… и ещё ${grouped(count)}`,
  },
  sld: {
    none: () => 'SLD не загружен',
    noneOfItsOwn: () => 'у этого набора данных нет собственного стиля',
    missing: () => 'обязательное поле',
    wrongExtension: (allowed) => `должен иметь одно из расширений ${allowed.join(', ')}`,
    empty: () => 'пуст',
    tooLarge: (mebibytes) => `должен занимать не более ${mebibytes} МиБ`,
    blank: () => 'содержит только пробельные символы',
    zip: () => 'является архивом ZIP; распакуйте его и загрузите файл .sld из него',
    json: () => 'начинается как JSON, а SLD — это XML; экспортируйте стиль как SLD',
    notXml: (start) => `не является XML: начинается с «${shown(start)}» вместо знака <`,
    unsupportedEncoding: (name) => `имеет неподдерживаемую кодировку ${name}; ${asUtf8}`,
    unknownEncoding: (label) => `указывает неизвестную кодировку ${shown(label)}; ${asUtf8}`,
    falseEncoding: (label) =>
      `указывает кодировку ${shown(label)}, но записан не в ней; ${asUtf8} и укажите это в первой строке`,
    wrongBytes: (encoding) =>
      `не является верным текстом в ${encoding}; ${asUtf8} или укажите его кодировку в первой строке, например <?xml version="1.0" encoding="windows-1251"?>`,
    longDeclaration: () =>
      'имеет слишком длинное объявление XML; сократите его до <?xml version="1.0" encoding="UTF-8"?>',
    doctype: (root) =>
      otherFile(root.toLowerCase()) ??
      `не должен содержать DOCTYPE (здесь — ${shown(root)}); SLD он не нужен: удалите его, от <!DOCTYPE до закрывающего >`,
    tooDeep: (levels) => `вложенность больше ${counted(levels, 'элемента', 'элементов', 'элементов')}`,
    tooManyAttributes: (max) =>
      `содержит элемент, у которого больше ${counted(max, 'атрибута', 'атрибутов', 'атрибутов')}`,
    wrongRoot: (root) =>
      otherFile(root) ?? `должен иметь корневой элемент StyledLayerDescriptor, а не ${shown(root)}`,
    notWellFormed(reason, line, column) {
      const place = line === undefined ? '' : `строка ${line}, столбец ${column}: `;
      const hint = reason.startsWith('malformed character entity')
        ? '; такого символа в XML нет'
        : reason.includes('entity')
          ? '; пишите & как &amp;, а остальные символы — как есть'
          : '';
      return `содержит неверный XML: ${place}${shown(reason)}${hint}`;
    },
  },
  style_part: {
    labels: 'подписи не рисуются',
    hillshade: 'отмывка рельефа не рисуется',
    contrast:
      'контраст меняется только через Normalize, Histogram и GammaValue с читаемыми числами и не поверх цветовой карты',
    pictures: 'рисунки из других файлов не загружаются и не рисуются',
    strokes_of_signs: 'линии из знаков не рисуются',
    fills_of_signs: 'области с заливкой из знаков или штриховкой рисуются одним цветом',
    shapes: 'точки неизвестной формы рисуются кругами',
    offsets: 'знаки не сдвигаются и не поворачиваются',
    sizes: 'размеры сверх предела рисуются по пределу, а неверный пунктир — сплошной линией',
    units_of_measure: 'размеры в метрах или футах считаются пикселями',
    vendor_options: 'параметры отдельных программ не применяются',
    filters: 'правила с непонятным фильтром не рисуются, как и правила для всего остального',
    expressions:
      'выражения, которые не постоянны, не вычисляются: берётся обычное значение, а запись цветовой карты пропускается',
    missing_properties:
      'правила по свойству, которого нет ни у одного объекта, ничего не рисуют; имена сравниваются буква в букву',
    interpolation:
      'цвета между двумя значениями меняются равномерно, а не по кривой или неизвестным способом',
    colours: 'нечитаемые цвета и непрозрачность не применяются',
    quantities: 'отсутствующие, бесконечные и повторные числа не применяются',
    decimal_commas:
      'числа вида 1,234 не применяются: запятая может отделять и тысячи, и дробную часть; напишите 1234 или 1.234',
    channels: 'каналы без номера не применяются, как и три канала рядом с цветовой картой',
    other_rasters: 'из нескольких растров одного масштаба рисуется только первый',
    other_styles: 'из нескольких слоёв или стилей рисуется только один',
    long_texts: 'длинные названия и подписи сокращаются',
    stops_beyond_limit: 'из очень большого числа цветов часть не рисуется',
    rules_beyond_limit:
      'из очень большого числа правил последние не рисуются, как и правила для всего остального',
    elements_beyond_limit: 'конец очень длинного файла не рисуется',
  },
  sheet: {
    noUnits: (kato) => `в атласе не было бы ни одного листа: на растре нет территорий этого уровня (${kato})`,
    tooManySheets: (count, most) =>
      `в атласе было бы ${counted(count, 'лист', 'листа', 'листов')}, а допускается не больше ${grouped(most)}: выберите область параметром \`kato\``,
    beyondEarth: () => 'рамка выходит за пределы Земли; выберите более крупный масштаб или другое место',
    notOfRun: () => 'этот расчёт не создавал и не использовал этот набор данных',
    atlasFailed: () => 'атлас составить не удалось; повторите запрос через минуту',
    doesNotFit: (name, least) =>
      `лист ${name} в этом масштабе не помещается на эту бумагу: выберите бумагу больше или знаменатель масштаба не меньше ${grouped(least)}`,
    noGeometry: () => 'в наборе данных нет геометрии, которую можно показать на листе',
    noTable: () => 'таблицами атласа могут быть только наборы данных vector_with_kato',
    repeatedLayer: () => 'набор данных указан в `layers` дважды или является самим набором этого листа',
  },
  sheet_fault: {
    form: 'не является номенклатурой листа: пишите, например, M-42, M-42-Г, M-42-XXIV, M-42-047, M-42-047-А, M-42-047-А-а или M-42-047-А-а-1',
    part: 'указывает на лист, которого нет: колонны имеют номера от 1 до 60, листы масштаба 1:200 000 — от I до XXXVI, листы масштаба 1:100 000 — от 1 до 144',
    doubled: 'указывает на лист севернее 60° с. ш., где листы сдваивают; такие листы не строятся',
    outside:
      'указывает на лист за пределами Казахстана и прилегающих земель; строятся листы рядов J–O и колонн 38–45',
    alone: 'нельзя указывать вместе с kato, by, bbox или center',
    signatures: (most, characters) =>
      `должен содержать от 1 до ${most} подписей через точку с запятой; в каждой — должность и фамилия через знак |, не длиннее ${characters} символов`,
    names: (most, characters) =>
      `должен содержать от 1 до ${most} названий через точку с запятой; каждое пишется как значение=название, не длиннее ${characters} символов`,
  },
  sheet_word: {
    ofUnit: (name) => `Гектары территории: ${name}`,
    ofFrame: 'Гектары в рамке этой карты',
    ofRaster: 'Гектары всего растра',
    hectares: 'га',
    noData: 'Нет данных',
    outside: 'За пределами растра',
    others: 'Другие значения',
    total: 'Всего',
    noHectares: 'У растра нет классов, поэтому гектары не указаны.',
    mapped: 'Площади указаны по карте и не являются результатом межевания.',
    inUnit: (sentence) => `На этой территории: ${sentence}`,
    inRun: (sentence) => `По всему зонированию: ${sentence}`,
    contestedUnknown:
      'Для этого расчёта неизвестно, на какой доле земель сектор выбирает порядок предпочтения, а не сама земля.',
    cut: 'При этом масштабе территория больше карты; гектары указаны для всей территории.',
    sources: 'Источники',
    licence: (name, licence) => `${name}. ${licence}`,
    deletedSource: 'набор данных, который с тех пор удалён',
    run: (id) => `Расчёт ${id}`,
    dataset: (id) => `Набор данных ${id}`,
    state: (state) => `Состояние: ${state}`,
    basis: (text) => `Основание: ${text}`,
    asOf: (date) => `По состоянию на ${date}`,
    draft: 'черновик',
    proposed: 'предложен',
    adopted: 'утверждён',
    withdrawn: 'отозван',
    draftMark: 'ЧЕРНОВИК',
    inventedMark: 'ВЫМЫШЛЕННЫЕ ДАННЫЕ',
    withdrawnMark: 'ОТОЗВАНО',
    scale: (denominator) => `Масштаб 1:${denominator}`,
    projection:
      'Равновеликая коническая проекция Альберса, WGS 84: стандартные параллели 43° и 53° с. ш., начало 48° с. ш., 67° в. д.; длины верны до 0,5 %. Север — вдоль меридианов сетки.',
    gaussKrueger: (zone, meridian, datum) =>
      `Проекция Гаусса — Крюгера, зона ${zone}, осевой меридиан ${meridian}° в. д.; ${datum}`,
    sk42: (code, accuracy) =>
      `СК-42 (Пулково 1942), эллипсоид Красовского; переход от WGS 84 по EPSG:${code}, точность ${accuracy} м.`,
    datumSk42: 'СК-42',
    qaztrf: 'QazTRF-23, эллипсоид GRS 80; совпадает с WGS 84 с точностью до 1 м.',
    ownScale: (scale, centimetre) => `${scale}, в 1 см ${centimetre}`,
    reduced: (scale, own) => `${scale}, уменьшено с 1:${own}`,
    grid: (kilometres) => `Линии километровой сетки проведены через ${kilometres} км.`,
    borders: 'Границы',
    regionBorder: 'Граница области',
    districtBorder: 'Граница района',
    okrugBorder: 'Граница сельского округа',
    annexTitle: 'Приложение к решению',
    annexNumber: (date, number) => `от ${date} г. № ${number}`,
    bars: 'Полоса — доля на этой территории, риска — доля по всему зонированию.',
    noHectaresOfVectors: 'Гектары указываются только для растров с классами.',
    north: 'С',
    kilometre: 'км',
    metre: 'м',
    sheet: (page, pages) => `Лист ${page} из ${pages}`,
    index: 'Указатель листов',
    unit: 'Территория',
    kato: 'Код КАТО',
    page: 'Лист',
    scaleColumn: 'Масштаб',
    area: 'Площадь, га',
  },
} satisfies Translations<typeof english>;
