import type { references as english } from './en.ts';
import { pluralsOf } from '../../../words/plural.ts';

const plural = pluralsOf('ru');

export const references: typeof english = {
  title: 'Файл по адресу',
  kind: 'Что зарегистрировать',
  kinds: { file: 'Один файл', stac: 'Элементы STAC' },
  lead: 'Файл остаётся на своём сервере. Это должен быть Cloud-Optimized GeoTIFF или FlatGeobuf на сервере или в бакете, который разрешил администратор сервиса.',
  address: 'Адрес',
  addressHint: 'https://…/name.tif, https://…/name.fgb или s3://bucket/name.tif',
  stacLead:
    'Адрес элемента, списка элементов, коллекции или каталога. Один файл каждого элемента становится набором данных группы с периодом этого элемента.',
  stacHint: 'https://…/collection.json или https://…/collections/…/items',
  look: 'Показать элементы',
  items: (count) => `${count} ${plural(count, { one: 'элемент', few: 'элемента', other: 'элементов' })}`,
  firstItems: (count) => `первые ${count}, всего элементов больше`,
  noFiles: 'Ни у одного элемента нет файла, который можно зарегистрировать: GeoTIFF или FlatGeobuf.',
  asset: 'Файл каждого элемента',
  registerAll: 'Зарегистрировать все',
  registering: (count) => `Идёт регистрация, готово: ${count}.`,
  registered: (count) => `Зарегистрировано: ${count}.`,
  notRegistered: (count) => `Не зарегистрировано: ${count}`,
  notAll: 'Элементов больше 500; остальные не прочитаны.',
  add: 'Зарегистрировать',
  place: 'На другом сервере',
  states: {
    unchanged: 'не изменился',
    changed: 'изменился',
    unreachable: 'не читается',
  },
  state: 'Состояние',
  looked: 'Последняя проверка',
  meaning: 'Каждая прочитанная часть сравнивается с зарегистрированным файлом.',
  copy: 'Скопировать сюда',
  copying: 'Файл копируется.',
  copyHint: 'После этого набор данных не зависит от другого сервера, а расчёты с ним можно утвердить.',
};
