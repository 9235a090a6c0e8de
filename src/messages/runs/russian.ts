import { titleOfGroup } from '../graph/english.ts';
import { landscape } from '../graph/russian.ts';
import { counted, listed, quoted, measured } from '../base/russian-wording.ts';
import { type Box, degreesOf, type OtherPlace, type ValueSpan, type english } from './english.ts';
import { percentOf } from '../zoning/english.ts';
import type { Translations } from '../base/define.ts';

const endOf = (date: string | null) => (date === null ? 'не имеет end_date' : `заканчивается ${date}`);

const groupNamed = (code: string): string => quoted(titleOfGroup(landscape, code));

const percent = (share: number) =>
  percentOf(share, { less: (text) => `менее ${text}`, more: (text) => `более ${text}` });
const ofValues = (share: number | undefined) =>
  share === undefined ? 'часть значений' : `${percent(share)} значений`;
const beyond = ({ from, to }: Pick<ValueSpan, 'from' | 'to'>) =>
  to === undefined ? `ниже ${measured(from)}` : `вне диапазона от ${measured(from)} до ${measured(to)}`;
const values = (least: number, greatest: number) =>
  `значения растра — от ${measured(least)} до ${measured(greatest)}`;

function placeOf(box: Box): string {
  const [west = 0, south = 0, east = 0, north = 0] = degreesOf(box).map(measured);
  return `долгота от ${west} до ${east}, широта от ${south} до ${north}`;
}

const other = ({ group, name }: OtherPlace) => `${quoted(name)} (${titleOfGroup(landscape, group)})`;
const where = ({ box, own }: OtherPlace) => `Этот растр: ${placeOf(own)}; другой: ${placeOf(box)}.`;

const named = (name: string | null): string => (name === null ? 'нет' : quoted(name));

export const russian = {
  landscape: {
    noSuchRun: () => 'такого расчёта нет',
    gapsNotYet: () => 'расчёт ещё не завершён; пробелы станут известны, когда он завершится успешно',
    gapsOfFailedRun: () => 'расчёт завершился ошибкой; пробелы известны только у успешного расчёта',
    gapsNotCounted: () =>
      'пробелы этого расчёта не подсчитаны: его выполнил более ранний выпуск сервиса или входной растр был удалён; их подсчитает следующий расчёт по тем же входным данным',
    rasterOfRunGone: (group) => `растр, который этот расчёт использовал для ${group}, с тех пор удалён`,
    inputsMissing: (groups) => `нет готового растра для входных групп: ${groups.join(', ')}`,
    runHasEnded: () => 'расчёт завершён: отменить можно только расчёт, который ждёт очереди или выполняется',
    noResultGroup: (code) => `группы наборов данных ${code} нет`,
    noSlotGroup: (code) =>
      `группы наборов данных ${code} нет: она будет создана при следующем запуске сервиса`,
    noSuchSlot: (meant) =>
      `такого слота нет;${meant === undefined ? '' : ` возможно, имелся в виду ${meant}?`} все слоты перечисляет GET /landscape/slots`,
  },
  override: {
    notAnObject: 'должно быть объектом, в котором кодам групп соответствуют идентификаторы наборов данных',
    tooMany: (most) => `должно содержать не более ${counted(most, 'группы', 'групп', 'групп')}`,
    notAnInput: 'не является входной группой графа',
    notAUuid: 'должно быть идентификатором UUID',
    notFound: 'набор данных не найден',
    notARaster: 'набор данных не является растром',
    notReady: 'набор данных не готов',
  },
  param: { tiePriority: 'должно быть списком чисел от 1 до 5, каждое из которых указано один раз' },
  run_fault: {
    cancelled: 'расчёт отменён',
    atNode: (node, fault) => `${node}: ${fault}`,
    internalError: (node) => `узел ${node}: внутренняя ошибка`,
    outputNotStored: (node) => `узел ${node}: результат не удалось сохранить`,
    noReadyRaster: (groups) => `нет готового растра для входных данных: ${groups.map(groupNamed).join(', ')}`,
    datasetNotAvailable: (id, group) => `${groupNamed(group)}: набор данных ${id} недоступен`,
    sourceAway: (group, told) => `${groupNamed(group)}: ${told}`,
    unreadable: (group) => `${groupNamed(group)}: растр не читается`,
    noCrs: (group) => `${groupNamed(group)}: система координат не указана или не поддерживается`,
    noOverlap: (group) => `${groupNamed(group)}: растр не пересекается с опорной сеткой`,
    picture: (group, bands) =>
      `${groupNamed(group)}: изображение (${counted(bands, 'канал', 'канала', 'каналов')}) вместо растра с одним каналом значений`,
    noValidPixel: (group) =>
      `${groupNamed(group)}: на опорной сетке нет ни одного допустимого пикселя; проверьте единицы измерения, масштаб и значение «нет данных»`,
    referenceWithoutCrs: 'опорный растр: не указана система координат',
    referenceNotNorthUp: 'опорный растр: повёрнут или скошен, верх не на севере',
    referenceTooLarge: 'опорный растр: слишком много пикселей',
  },
  record: {
    changed: () => 'запись изменена после той редакции, которая указана в If-Match; прочитайте её снова',
    notSucceeded: (status) =>
      `утвердить можно только успешно завершённый расчёт; состояние этого расчёта — ${status}`,
    datasetsGone: (gone) =>
      `расчёт нельзя утвердить, потому что удалены его наборы данных: ${listed(gone.map(({ id, group }) => `${id} (группа ${group})`))}`,
    datasetsElsewhere: (elsewhere) =>
      `расчёт нельзя утвердить, потому что файлы его наборов данных остаются на других серверах, где могут измениться: ${listed(elsewhere.map(({ id, group }) => `${id} (группа ${group})`))}; POST /datasets/{id}/copy копирует их в этот сервис`,
  },
  slot_warning: {
    notFreshest: (freshest, ownEndDate) =>
      `Не самый свежий растр этого слота: ${quoted(freshest.name)} ${endOf(freshest.endDate)}, а этот ${endOf(ownEndDate ?? null)}; в расчётах используется растр с наибольшей end_date, затем самый новый. Чтобы использовать этот растр, измените его end_date или закрепите его в overrides расчёта.`,
  },
  input_finding: {
    noReferenceSystem:
      'У растра нет системы координат, поэтому расчёт не может его разместить. Назначьте систему, в которой даны его координаты, например командой gdal_translate -a_srs EPSG:32642, и загрузите растр снова.',
    noPlace:
      'У растра нет привязки к местности, поэтому расчёт не может его разместить. Привяжите растр и загрузите его снова.',
    picture: (bands) =>
      `Это изображение: ${counted(bands, 'байтовый канал', 'байтовых канала', 'байтовых каналов')} с цветами. Загрузите растр с одним каналом значений.`,
    severalBands: (bands) =>
      `В растре ${counted(bands, 'канал', 'канала', 'каналов')}. Расчёт читает только первый.`,
    noValue: 'Ни у одного пикселя растра нет значения.',
    allOutside: ({ least, greatest, ...range }) =>
      `Все значения ${beyond(range)}: ${values(least, greatest)}.`,
    someOutside: (share, { least, greatest, ...range }) =>
      `Не подходит ${ofValues(share)}: они ${beyond(range)} и считаются отсутствующими; ${values(least, greatest)}.`,
    factor: (factor, { least, greatest }) =>
      `Разделить на ${measured(factor)}? Тогда значения будут от ${measured(least)} до ${measured(greatest)}. Разделите их или укажите в файле масштаб ${1 / factor} (gdal_translate -a_scale ${1 / factor}) и загрузите растр снова. Сам сервис ничего не пересчитывает.`,
    noKnownClass: ({ found, known }) =>
      `Ни один класс растра не известен: в растре ${listed(found.map(measured))}; слот принимает ${known.map(measured).join(', ')}.`,
    unknownClasses: (share, found) =>
      `Неизвестные классы — ${ofValues(share)}, они считаются отсутствующими: ${listed(found.map(measured))}.`,
    unknownAsZero: (share, found) =>
      `Неизвестные классы — ${ofValues(share)}, они считаются классом 0: ${listed(found.map(measured))}.`,
    noClasses: (share, { least, greatest }) =>
      `Не классы слота — ${ofValues(share)}: ${values(least, greatest)}.`,
    elsewhere: (place) =>
      `Растр не пересекается с растром ${other(place)}, сетка которого — сетка расчёта. ${where(place)}`,
    apart: (place) =>
      `Растр не пересекается с растром ${other(place)}, поэтому значений обоих нет ни в одном месте. ${where(place)}`,
    coarseShift: (operation, metres, pixelMetres) =>
      `У растра другой датум, чем у растра высот. Точность перехода между ними (${operation}) — ${measured(metres)} м: это больше половины пикселя растра высот (${measured(pixelMetres)} м).`,
    littleOverlap: (share) => `Растр покрывает лишь часть растра высот: ${percent(share)} его площади.`,
    beingCounted: 'Значения ещё подсчитываются и пока не проверены.',
    notCounted: 'Значения не удалось подсчитать, поэтому они не проверены.',
  },
  cadence: {
    none: () => 'для группы данных не задана периодичность',
  },
  cadence_fault: {
    notEvery:
      'должно быть длительностью ISO 8601 из одного числа от 1 до 999 и одной единицы: годы, месяцы, недели или дни, например P1Y, P3M, P2W или P10D',
    notGrace:
      'должно быть длительностью ISO 8601 из одного числа от 1 до 999 и одной единицы: годы, месяцы, недели или дни, например P60D, либо P0D',
  },
  watch_fault: {
    notHold:
      'должно быть длительностью ISO 8601: от P1D до P7D или одно число от 1 до 999 часов, минут или секунд, например PT2H, PT30M или PT0S',
  },
  watch: {
    name: (inputs) =>
      `Черновик наблюдения: ${listed(inputs.map(({ title, month }) => (month === null ? title : `${title} ${month}`)))}`,
    note: (inputs, hasAdopted) =>
      `Создан наблюдением за входными данными. Отличия от ${hasAdopted ? 'утверждённого' : 'предыдущего'} расчёта — ${inputs
        .map(({ title, from, to }) => `${title}: ${named(from)} → ${named(to)}`)
        .join('; ')}.`,
    firstName: 'Черновик наблюдения: первый расчёт',
    firstNote: (inputs) =>
      `Создан наблюдением за входными данными; сравнивать было не с чем. Использует ${counted(inputs.length, 'входной растр', 'входных растра', 'входных растров')}.`,
  },
  dossier: {
    notSucceeded: (status) =>
      `досье есть только у успешно завершённого расчёта; состояние этого расчёта — ${status}`,
    rastersGone: (groups) =>
      `в досье нельзя включить растры, потому что они удалены: ${listed(groups)}; запросите его без них`,
    noSignature: () => 'у досье этого расчёта нет подписи',
    notCms: () =>
      'тело запроса не является подписью CMS: отправьте байты SignedData (RFC 5652) в DER или BER, а не PEM и не Base64',
    noSigner: () => 'в подписи не указан подписавший',
    otherBytes: (sha256) =>
      `подписаны другие данные: подпишите опись или манифест этого расчёта в нынешнем виде и на запрошенном языке; их SHA-256 — ${sha256}`,
    notCounted: () =>
      'площади или баланс этого расчёта ещё вычисляются: дождитесь описи, подпишите её и отправьте подпись',
    notValidThen: (at, from, to) =>
      `по данным подписи она сделана ${at}, когда её сертификат не действовал: он действует с ${from} по ${to}`,
    wrongSignature: (subject) =>
      `подпись сделана не ключом из её сертификата, владелец которого — ${quoted(subject)}`,
  },
} satisfies Translations<typeof english>;
