import { readable } from '../../lib/readable.ts';
import type { Sentences } from '../areas.ts';
import { counted } from './wording.ts';

const shown = (text: string): string => readable(text, 100);
const asUtf8 = 'сохраните его в UTF-8';
const qgis = 'в QGIS откройте свойства слоя и выберите «Стиль», «Сохранить стиль», «Как файл стиля SLD»';
const errorReport =
  'в нём сказано, почему служба не отправила стиль; устраните причину и запросите стиль снова';
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

export const styles: Sentences<'sld'> = {
  sld: {
    none: () => 'SLD не загружен',
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
};
