import { counted, grouped, listed, quoted } from '../base/russian-wording.ts';
import type { Translations } from '../base/define.ts';
import type { english } from './english.ts';

const wait = ': ход обработки показывает GET /datasets/{id}/status';
export const nextSteps = {
  pending: wait,
  processing: wait,
  parsing: wait,
  awaiting_mapping: ': следующий шаг — POST /datasets/{id}/mapping со столбцами из его attribute_columns',
  extracting: wait,
  ready: '',
  failed: ': причина указана в parse_error, а POST /datasets/{id}/retry запускает обработку снова',
};
type Status = keyof typeof nextSteps;

function nextStepOf({ status, kato_column: mapped }: { status: Status; kato_column: string | null }) {
  if (status !== 'failed' || mapped === null) return nextSteps[status];
  return `${nextSteps.failed} или, с step=mapping, позволяет задать другое сопоставление`;
}

const unknownColumn = 'нет среди attribute_columns набора данных';

const anotherMapping = 'запросите другое сопоставление (POST /datasets/{id}/retry?step=mapping)';
const longCell = ({ column, length, row }: { column: string; length: number; row: number }): string =>
  `Столбец «${column}» содержит в строке ${row} текст длиной ${counted(length, 'символ', 'символа', 'символов')}`;

const instead = 'Скачайте файл и загрузите его.';

export const russian = {
  category: {
    notFound: () => 'такой категории нет',
    codeTaken: () => 'этот код есть у другой категории',
    inUse: (users) =>
      users === 'datasets' ? 'в категории ещё есть наборы данных' : 'у категории ещё есть подкатегории',
  },
  category_fault: {
    noParent: 'не существует',
    ownAncestor: 'не должно делать категорию собственным предком',
    slug: 'должно состоять из строчных латинских букв, цифр и одиночных дефисов между ними',
  },
  dataset: {
    notFound: () => 'такого набора данных нет',
    noneFreshest: () => 'такой группы наборов данных нет, или ни один её набор не подходит',
    noReport: () => 'файл ещё не просмотрен',
    adopted: ({ name, runs }) =>
      `набор данных входит в утверждённый расчёт ${quoted(name)}${runs > 1 ? ` и ещё в ${counted(runs - 1, 'утверждённый расчёт', 'утверждённых расчёта', 'утверждённых расчётов')}` : ''}, поэтому удалить его нельзя; сначала смените состояние расчёта`,
    nothingToChange: (fields) => `тело запроса должно содержать хотя бы одно из полей ${fields.join(', ')}`,
    notFailed: (status) =>
      `повторить можно только обработку, которая закончилась ошибкой; статус этого набора данных — ${status}${nextSteps[status]}`,
    neverMapped: () =>
      'ошибка возникла до сопоставления столбцов, поэтому отменять нечего: причина указана в parse_error, а POST /datasets/{id}/retry читает файл снова',
    rasterForGeoJson: () => 'у растра нет GeoJSON',
    noGeoJsonYet: (dataset) =>
      `статус набора данных — ${dataset.status}; GeoJSON появится, когда статус станет ready${nextStepOf(dataset)}`,
    noTable: () => 'ряды есть только у набора данных vector_with_kato',
    noSeriesYet: (dataset) =>
      `статус набора данных — ${dataset.status}; ряды появятся, когда статус станет ready${nextStepOf(dataset)}`,
    notARaster: () => 'COG есть только у растра',
    noCogYet: (status) => `статус растра — ${status}; его COG не создан${nextSteps[status]}`,
    noStatistics: () => 'статистика есть только у растра',
    noStatisticsYet: (status) =>
      `статус растра — ${status}; его пиксели будут подсчитаны, когда статус станет ready${nextSteps[status]}`,
    notCountedYet: () => 'пиксели растра подсчитываются: повторите запрос немного позже',
    notCountable: () =>
      'у растра нет статистики: его значения — комплексные числа или его пиксели не удалось подсчитать',
    notCounted: () => 'подсчитать пиксели растра не удалось; сервис повторит попытку позже',
  },
  dataset_fault: {
    noCategory: 'такой категории нет',
    noGroup: 'такой группы наборов данных нет',
    endBeforeStart: 'не должно быть раньше start_date',
  },
  group: {
    notFound: () => 'такой группы наборов данных нет',
    codeTaken: () => 'этот код есть у другой группы наборов данных',
    inUse: () => 'в группе ещё есть наборы данных',
  },
  mapping: {
    wrongFileType: () => 'сопоставить столбцы можно только у набора данных vector_with_kato',
    wrongStatus: (dataset) =>
      `столбцы нельзя сопоставить, пока статус набора данных — ${dataset.status}${nextStepOf(dataset)}`,
    tooEarly: (dataset) =>
      `пока статус набора данных — ${dataset.status}, этого сказать нельзя${nextStepOf(dataset)}`,
    notReadAgain: () => 'файл таблицы не удалось прочитать снова; через минуту запрос повторит попытку',
  },
  mapping_fault: {
    notAYearColumn: 'должно быть объектом с полями column, start_date и, для периода, end_date',
    endBeforeStart: 'не должно быть раньше start_date',
    katoColumn: 'уже выбран столбцом КАТО',
    mappedTwice: 'сопоставлен более одного раза',
    factorWithoutUnits: 'указывается вместе с unit и source_unit, чтобы пересчёт можно было проверить',
    unknownColumn,
    misspeltColumn: (meant) => `${unknownColumn}; возможно, имелся в виду ${quoted(meant)}?`,
    unknownAmong: (names) => `${unknownColumn}; в нём есть ${listed(names.map(quoted))}`,
  },
  table: {
    noColumns: () =>
      'В файле нет столбцов, поэтому сопоставлять нечего: добавьте столбец с кодами КАТО и хотя бы один столбец со значениями.',
    longRow: (row, millions) =>
      `Строка ${row} таблицы атрибутов длиннее ${grouped(millions)} млн символов; сократите её тексты или удалите столбцы и загрузите файл снова.`,
    columnGone: (column) =>
      `Столбца «${column}» в файле больше нет; загрузите файл снова и задайте сопоставление заново.`,
    longCode: (cell) => `${longCell(cell)}; ${anotherMapping} и укажите столбец с кодами КАТО.`,
    longValue: (cell) => `${longCell(cell)}; ${anotherMapping} и укажите столбцы со значениями.`,
    tooMuchText: (code, mebibytes) =>
      `Тексты кода «${code}» вместе занимают больше ${grouped(mebibytes)} МиБ, а столько карта показать не может; ${anotherMapping} и укажите столбцы со значениями.`,
  },
  remote: {
    off: 'Сервис не читает файлы с других серверов: администратор не указал ни одного в REFERENCE_HOSTS и REFERENCE_BUCKETS.',
    notAnAddress:
      'должно быть адресом https без имени пользователя, пароля и фрагмента или объектом вида s3://бакет/ключ, не длиннее 2000 символов',
    hostNotListed: (host) =>
      `Администратор сервиса не указал ${host} в REFERENCE_HOSTS, поэтому оттуда ничего не читается.`,
    bucketNotListed: (bucket) =>
      `Администратор сервиса не указал эту часть бакета ${bucket} в REFERENCE_BUCKETS, поэтому оттуда ничего не читается.`,
    bucketSettings: (bucket) =>
      `Бакет ${bucket} не читается с теми настройками и ключами доступа, которые администратор сервиса указал для него.`,
    longDocument: (host, mostMiB) => `Документ на ${host} длиннее ${mostMiB} МиБ.`,
    privateAddress: (host) =>
      `Адрес ${host} находится в частной или зарезервированной сети, откуда сервис никогда не читает.`,
    noSuchHost: (host) => `У имени ${host} нет адреса.`,
    noAnswer: (host) => `${host} не ответил вовремя.`,
    noConnection: (host) => `Соединение с ${host} не удалось.`,
    badCertificate: (host) => `Сертификат ${host} для него недействителен или выдан неизвестным центром.`,
    redirectedAway: (host) =>
      `Адрес перенаправляет на ${host}, а это не адрес https сервера из REFERENCE_HOSTS.`,
    tooManyRedirects: (host) => `${host} перенаправляет снова и снова.`,
    denied: (host) => `${host} не выдаёт файл. ${instead}`,
    missing: (host) => `На ${host} нет файла по этому адресу.`,
    otherStatus: (host, status) => `${host} ответил со статусом ${status}.`,
    noRanges: (host) => `${host} не отдаёт файлы по частям (диапазонам). ${instead}`,
    encoded: (host) =>
      `${host} отправляет файл в кодировке содержимого, и его части нельзя прочитать. ${instead}`,
    noLength: (host) => `${host} не сообщает длину файла. ${instead}`,
    otherBytes: (host) => `${host} прислал не те байты, о которых сообщил.`,
    empty: 'Файл пуст.',
    tooLarge: (mostGiB) => `Файл больше ${mostGiB} ГиБ.`,
    changed: (host) =>
      `Файл на ${host} уже не тот, что был зарегистрирован. Зарегистрируйте его снова как новый набор данных.`,
    wrongName:
      'Имя файла должно кончаться на .tif, .tiff или .fgb: на другом сервере могут оставаться только Cloud-Optimized GeoTIFF и FlatGeobuf.',
    notATiff: 'Файл не является TIFF, хотя так назван.',
    notAFlatGeobuf: 'Файл не является FlatGeobuf, хотя так назван.',
  },
  origin: {
    invented: 'Вымышленные данные, только для демонстрации',
    ofInvented: (names) => `Только для демонстрации. Рассчитано по вымышленным данным: ${names}`,
    deleted: 'удалённый набор данных',
    isMeasured: 'измерено',
    isDerived: 'выведено из измерений',
    isInvented: 'вымышлено',
  },
  reference: {
    notCog: () =>
      `Файл не является полным Cloud-Optimized GeoTIFF: его части нельзя читать по отдельности. ${instead} Сервис его преобразует.`,
    notAReference: () => 'файл набора данных уже хранится здесь',
    notReady: () => 'набор данных не готов; его файл можно скопировать, когда он будет готов',
  },
  stac_import: {
    noImport: () => 'такой регистрации нет, или ей больше 30 дней',
    notNow: () => 'прочитать элементы не удалось; повторите позже',
  },
  stac_source: {
    notStac: 'Документ не является элементом, списком элементов, коллекцией или каталогом STAC.',
    wrongItem: 'В нём есть элемент без id, properties или assets.',
    noAsset: (asset) => `В элементе нет файла ${quoted(asset)}, который можно зарегистрировать.`,
    pagesByPost:
      'Следующие страницы запрашиваются методом POST, чего сервис не делает. Укажите адрес, страницы которого запрашиваются методом GET.',
    tooManyDocuments: (most) => `К элементам ведут больше ${most} документов; остальные не читаются.`,
  },
} satisfies Translations<typeof english>;
