import { readablePath } from '../../lib/readable.ts';
import { grouped, listed, quoted } from '../base/russian-wording.ts';
import type { Translations } from '../base/define.ts';
import { nextSteps } from '../datasets/russian.ts';
import type { english } from './english.ts';

const again = 'Сохраните её заново в Excel или LibreOffice и загрузите новый файл.';
const unsafe = (what: string, remedy: string) => `Книга ${what}, поэтому она не заполняется. ${remedy}`;

export const russian = {
  form_reason: {
    noSource: 'для этого поля не выбран источник',
    noUnit: 'неизвестно, какая территория в этой строке',
    unitMissing: 'в источнике нет такой территории',
    noValue: 'в источнике нет значения для этой территории',
    hasContent: 'в ячейке уже что-то было; оно сохранено',
    nameNotUnderstood: 'имя не обозначает ячейки одной территории, одного столбца или одной строки',
    ambiguous: 'так называются несколько территорий; впишите в строку код КАТО',
  },
  form_word: {
    tableSource: (name, period) => `${name}, ${period}`,
    areasSource: (name) => `${name}: гектары по классам`,
    zonalSource: (name, stat) => `${name}: ${stat}`,
    balanceSource: (run) => `расчёт ${run}: земли по зонам`,
    times: (source, factor) => `${source}, умножено на ${factor}`,
  },
  template: {
    notFound: () => 'такого шаблона нет',
    formNotFound: () => 'такой заполненной формы нет, она удалена: заполните шаблон снова',
    noFile: () => 'file: обязательное поле',
    wrongExtension: () => 'Файл не является книгой: у шаблона расширение .xlsx или .ods.',
    withMacros: () => 'Книга этого вида содержит макросы. Сохраните копию как .xlsx без макросов.',
    oldFormat: () => 'Книга записана в формате Excel до 2007 года. Сохраните копию как .xlsx.',
    notArchive: () => 'Файл не является книгой, хотя его имя кончается на .xlsx или .ods.',
    tooLarge: (most) => `Книга занимает больше ${most} МиБ.`,
    tooMany: (most) => `в группе уже ${most} шаблонов; сначала удалите один из них`,
    readFailed: () => 'не удалось прочитать шаблон; повторите запрос через минуту',
    fillFailed: () => 'не удалось заполнить форму; повторите запрос через минуту',
    tooManyWaiting: () => 'слишком много форм ждут заполнения; повторите запрос через несколько секунд',
    noSuchField: (fields) =>
      fields.length === 0
        ? 'в шаблоне нет полей, которые можно заполнить'
        : `должно быть одним из: ${listed(fields)}`,
    fieldTwice: () => 'указано дважды',
    notATable: (name) => `${quoted(name)} не является таблицей по КАТО`,
    tableNotReady: (name, status) => `таблица ${quoted(name)} в состоянии ${status}${nextSteps[status]}`,
    noSuchDate: (name, date) => `в таблице ${quoted(name)} нет значений, которые начинаются ${date}`,
  },
  workbook: {
    brokenArchive: (reason) => `Книгу нельзя прочитать, она хранится как архив из частей. ${reason}`,
    brokenPart: (part) => `Книга повреждена, часть ${readablePath(part)}. ${again}`,
    missingPart: (part) => `В книге нет части ${readablePath(part)}. ${again}`,
    repeatedPart: () => `В книге две части с одним именем. ${again}`,
    largePart: (part, most) =>
      `Часть книги ${readablePath(part)} занимает больше ${most} МиБ. Удалите листы и ячейки, которые форме не нужны.`,
    otherEncoding: (part) => `Часть книги ${readablePath(part)} записана не в UTF-8. ${again}`,
    entities: (part) =>
      unsafe(
        `объявляет тип документа в части ${readablePath(part)}, чего программы для таблиц не делают`,
        again,
      ),
    tooManyParts: (most) => `В книге больше ${grouped(most)} частей. Уберите то, что форме не нужно.`,
    unpacksTooLarge: (most) => `Части книги вместе занимают больше ${most} МиБ после распаковки.`,
    tooLarge: (most) => `Книга занимает больше ${most} МиБ.`,
    tooManyCells: (most) =>
      `В книге больше ${grouped(most)} ячеек с содержимым. Уберите то, что форме не нужно.`,
    tooManySheets: (most) => `В книге больше ${grouped(most)} листов.`,
    tooManyNames: (most) => `В книге больше ${grouped(most)} имён.`,
    tooManyMerges: (most) => `В книге больше ${grouped(most)} объединённых ячеек.`,
    notWorkbook: () => 'Файл не является книгой того вида, который называет его расширение: .xlsx или .ods.',
    unusual: () => `Книга записана необычным образом. ${again}`,
    encrypted: () => unsafe('зашифрована', 'Сохраните копию без пароля на открытие.'),
    signed: () => unsafe('подписана, и заполнение нарушило бы подпись', 'Сохраните копию без подписи.'),
    macros: () =>
      unsafe('содержит макросы или элементы управления', 'Сохраните копию без них как .xlsx или .ods.'),
    externalLinks: () =>
      unsafe('ссылается на другие файлы', 'Разорвите связи, а рисунки поместите в саму книгу.'),
    connections: () =>
      unsafe('содержит подключения к данным или веб-расширения', 'Удалите их и сохраните копию.'),
    embedded: () => unsafe('содержит внедрённые объекты', 'Удалите их и сохраните копию.'),
    outsideFormula: (place) =>
      unsafe(
        `содержит формулу, которая читает данные извне (${readablePath(place)})`,
        'Замените её значением.',
      ),
  },
} satisfies Translations<typeof english>;
