import { formatNumber } from '../../../../../common/formats/numbers.ts';
import { type Forms, pluralsOf } from '../../../words/plural.ts';
import type { en } from './en.ts';

const plural = pluralsOf('ru');
const number = (count: number): string => formatNumber(count, 'ru');
const counted = (count: number, forms: Forms): string => `${number(count)} ${plural(count, forms)}`;
const names = (count: number): string =>
  counted(count, { one: 'название', few: 'названия', many: 'названий', other: 'названия' });
const ofNames = (count: number): string => counted(count, { one: 'названия', other: 'названий' });

export const ru: typeof en = {
  title: 'Территории по названиям',
  failed: 'Не удалось определить территории по названиям.',
  summary: (sure, all) => `Определено ${number(sure)} из ${ofNames(all)}.`,
  answered: (done, all) =>
    done === all
      ? 'На все вопросы есть ответ.'
      : `Требуют ответа: ${counted(all - done, { one: 'вопрос', few: 'вопроса', many: 'вопросов', other: 'вопроса' })}.`,
  questions: 'Вопросы',
  more: (count) => `Показать ещё (${number(count)})`,
  likely: (count) => `Вероятно: ${names(count)}`,
  certain: (count) => `Точно: ${names(count)}`,
  others: (count) => `Итоги и другие строки не о территориях: ${number(count)}`,
  name: 'В таблице',
  found: 'Территория',
  why: 'Насколько точно',
  rows: (count) => counted(count, { one: 'строка', few: 'строки', many: 'строк', other: 'строки' }),
  blank: '(пусто)',
  unitOf: (name) => `Территория для «${name}»`,
  unit: (name, kind, region) => {
    const title = {
      region: name.endsWith('ая') ? `${name} область` : `область ${name}`,
      city: `г. ${name}`,
      district: name.endsWith('ий') ? `${name} район` : `район ${name}`,
      okrug: name,
      settlement: name,
    }[kind];
    return region === undefined ? title : `${title}, ${region}`;
  },
  choose: 'Выберите…',
  candidates: 'Возможно',
  noUnit: 'Не территория: не показывать на карте',
  status: {
    exact: 'точно',
    likely: 'вероятно',
    doubtful: 'выберите',
    none: 'не территория',
    chosen: 'выбрано вами',
  },
  reason: {
    code: 'по коду.',
    name: 'по названию.',
    sound: 'по названию в другом написании.',
    former_name: 'по прежнему названию.',
    former_code: 'по коду прежнего классификатора.',
    region: 'по области в строке.',
    rows_around: 'по строкам выше и ниже.',
    language: 'так как названия в списке русские.',
    level: 'так как все остальные строки этого уровня.',
    other_rows: 'так как другие территории с этим названием есть в других строках.',
    similar: 'Название отличается несколькими буквами.',
    several: 'Так называются несколько территорий.',
    divided: 'Эта территория была разделена: её значения не относятся к одной из нынешних.',
    other_kind: 'Название подходит, но не к области, городу или району, как сказано в строке.',
    other_region: 'Территория с таким названием находится в другой области.',
    code_and_name: 'Код и название относятся к разным территориям.',
    code_reused: 'Раньше этот код был у другой территории, а в таблице есть старые коды.',
    unclear: 'В ячейке названо несколько территорий.',
    no_district: 'Район не указан.',
    district_unknown: 'Район определён не точно.',
    total: 'итог.',
    country: 'вся страна.',
    below_district: 'территория меньше района.',
    not_in_service: 'район, границ которого в системе нет.',
    unknown: 'Территория с таким названием или кодом неизвестна.',
    empty: 'пустая ячейка.',
  },
  remark: {
    total_of_unit: 'Это итог по самой территории.',
    former_name: 'Сейчас она называется иначе.',
    former_code: 'Сейчас у неё другой код.',
    former_region: 'Сейчас она в другой области.',
    misspelled: 'Отличается одна буква.',
  },
};
