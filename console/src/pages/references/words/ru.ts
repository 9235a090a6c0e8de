import type { references as english } from './en.ts';

export const references: typeof english = {
  title: 'Растр по адресу',
  lead: 'Файл остаётся на своём сервере. Это должен быть Cloud-Optimized GeoTIFF на сервере, который разрешил администратор сервиса.',
  address: 'Адрес',
  addressHint: 'https://…/name.tif',
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
