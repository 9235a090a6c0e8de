import type { Sentences } from '../areas.ts';
import { counted, listed, quoted } from './wording.ts';

const wait = ': ход обработки показывает GET /datasets/{id}/status';
const nextSteps = {
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
const endOf = (date: string | null) => (date === null ? 'не имеет end_date' : `заканчивается ${date}`);

export const catalogue: Sentences<
  | 'category'
  | 'category_fault'
  | 'dataset'
  | 'dataset_fault'
  | 'group'
  | 'landscape'
  | 'mapping'
  | 'mapping_fault'
  | 'override'
  | 'param'
  | 'slot_warning'
> = {
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
  landscape: {
    noSuchRun: () => 'такого расчёта нет',
    runHasEnded: () => 'расчёт завершён: отменить можно только расчёт, который ждёт очереди или выполняется',
    noResultGroup: (code) => `группы наборов данных ${code} нет`,
    noSlotGroup: (code) =>
      `группы наборов данных ${code} нет: она будет создана при следующем запуске службы`,
    noSuchSlot: (meant) =>
      `такого слота нет;${meant === undefined ? '' : ` возможно, имелся в виду ${meant}?`} все слоты перечисляет GET /landscape/slots`,
  },
  mapping: {
    wrongFileType: () => 'сопоставить столбцы можно только у набора данных vector_with_kato',
    wrongStatus: (dataset) =>
      `столбцы нельзя сопоставить, пока статус набора данных — ${dataset.status}${nextStepOf(dataset)}`,
  },
  mapping_fault: {
    notAYearColumn: 'должно быть объектом с полями column, start_date и, для периода, end_date',
    endBeforeStart: 'не должно быть раньше start_date',
    katoColumn: 'уже выбран столбцом КАТО',
    mappedTwice: 'сопоставлен более одного раза',
    unknownColumn,
    misspeltColumn: (meant) => `${unknownColumn}; возможно, имелся в виду ${quoted(meant)}?`,
    unknownAmong: (names) => `${unknownColumn}; в нём есть ${listed(names.map(quoted))}`,
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
  slot_warning: {
    notFreshest: (freshest, ownEndDate) =>
      `Не самый свежий растр этого слота: ${quoted(freshest.name)} ${endOf(freshest.endDate)}, а этот ${endOf(ownEndDate ?? null)}; в расчётах используется растр с наибольшей end_date, затем самый новый. Чтобы использовать этот растр, измените его end_date или закрепите его в overrides расчёта.`,
  },
};
