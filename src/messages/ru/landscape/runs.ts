import type { AllSentences } from '../../areas.ts';
import { titleOfGroup } from '../../landscape/landscape.ts';
import { landscape } from './landscape.ts';
import { counted, listed, quoted } from './wording.ts';

const endOf = (date: string | null) => (date === null ? 'не имеет end_date' : `заканчивается ${date}`);

const groupNamed = (code: string): string => quoted(titleOfGroup(landscape, code));

export const runs = {
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
  },
  slot_warning: {
    notFreshest: (freshest, ownEndDate) =>
      `Не самый свежий растр этого слота: ${quoted(freshest.name)} ${endOf(freshest.endDate)}, а этот ${endOf(ownEndDate ?? null)}; в расчётах используется растр с наибольшей end_date, затем самый новый. Чтобы использовать этот растр, измените его end_date или закрепите его в overrides расчёта.`,
  },
} satisfies Partial<AllSentences>;
