import { workbook } from '../../support/tables/workbooks.ts';
import { figure, type Unreadable, years } from '../truth.ts';

export const unreadable: readonly Unreadable[] = [
  {
    name: 'words alone',
    layout: 'methodology beside the tables',
    file: 'Методология.xlsx',
    says: 'noTable',
    sheet: 'Методология',
    bytes: () =>
      workbook([
        {
          name: 'Методология',
          rows: [
            ['Методологические пояснения'],
            [],
            ['Валовой сбор – весь объем произведенной продукции.'],
            ['Источник: форма 29-сх.'],
          ],
        },
      ]),
  },
  {
    name: 'the country alone, by year',
    layout: 'stat.gov.kz, national series',
    file: 'birthrate.xlsx',
    says: 'noKey',
    sheet: 'birthList',
    bytes: () =>
      workbook([
        {
          name: 'birthList',
          rows: [
            ['Year', 'Birthrate', 'Fatality'],
            ...years(2008, 2022).map((of) => [of, figure('x', of) / 100, figure('y', of) / 100]),
          ],
        },
      ]),
  },
  {
    name: 'indicators down the side, without any unit',
    layout: 'decent work indicators',
    file: 'work_stats.xlsx',
    says: 'noUnits',
    sheet: '2001-2005',
    bytes: () =>
      workbook([
        {
          name: '2001-2005',
          rows: [
            ['Наименование', ...years(2001, 2005)],
            ['Возможность найти работу'],
            ['Уровень занятости, %'],
            ['Всего ', 72.3, 73.5, 73.1, 73.1, 72.9],
            ['Мужчины ', 75.7, 76.1, 76, 77, 77.9],
            ['Женщины ', 68.8, 69.6, 69.3, 69.2, 70],
          ],
        },
      ]),
  },
  {
    name: 'an empty workbook',
    layout: 'Excel, saved by mistake',
    file: 'Книга1.xlsx',
    says: 'noTable',
    sheet: 'Лист1',
    bytes: () => workbook([{ name: 'Лист1', rows: [] }]),
  },
  {
    name: 'a form to fill in, without figures',
    layout: 'akimat, template',
    file: 'Шаблон.xlsx',
    says: 'noTable',
    sheet: 'Шаблон',
    bytes: () =>
      workbook([
        {
          name: 'Шаблон',
          rows: [
            ['КАТО', 'Район', '2023'],
            ['113200000', 'Аккольский', null],
            ['113400000', 'Аршалынский', null],
          ],
        },
      ]),
  },
];
