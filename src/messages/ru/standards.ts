import type { AllSentences } from '../areas.ts';
import { counted } from './landscape/wording.ts';

const types = new Map([
  ['string', 'с текстом'],
  ['number', 'с числом'],
  ['integer', 'с числом'],
  ['date', 'с днём, например 2024-06-01, или со временем'],
  ['boolean', 'с true или false, и только через = и <>'],
  ['time', 'со временем, например 2024-06-01T00:00:00Z, или с интервалом'],
  ['geometry', 'с геометрией в S_INTERSECTS'],
]);
const positions = (max: number): string => counted(max, 'точки', 'точек', 'точек');

export const standards = {
  filter: {
    syntax: (character) => `не является CQL2, начиная с символа ${character}`,
    notAnOperation: 'должно быть в CQL2 JSON: объект с op и args',
    tooManyParts: (max) => `должно содержать вместе не более ${max} операций, значений и точек`,
    tooDeep: (levels) =>
      `должно иметь не более ${counted(levels, 'операции', 'операций', 'операций')} друг в друге`,
    unsupported: (name) => `содержит ${name.slice(0, 64)}: здесь это не поддерживается`,
    unknownProperty: (name) => `содержит свойство ${name.slice(0, 64)}, по которому нельзя отбирать`,
    noProperty: (op) => `должно содержать свойство в каждой операции ${op}`,
    wrongArguments: (op) => `содержит ${op} с неверным числом аргументов`,
    wrongValue: (property, type) => `должно сравнивать ${property.slice(0, 64)} ${types.get(type) ?? type}`,
    wrongPattern: (property, max) =>
      `должно иметь после LIKE текст не длиннее ${counted(max, 'символа', 'символов', 'символов')}, а перед ним — текстовое свойство, не ${property.slice(0, 64)}`,
    wrongGeometry: (max) =>
      `должно иметь в S_INTERSECTS геометрию или рамку в градусах не более чем из ${positions(max)}`,
    tooCostly:
      'сравнивает геометрии со слишком большим числом рёбер; возьмите рамку или более простую геометрию',
  },
  standard: {
    unknownParameter: 'такого параметра у этого пути нет',
    unknownMember: 'такого поля в поиске нет; по любому свойству отбирает filter на CQL2 JSON',
    query: (operators) =>
      `должно быть объектом, где у каждого свойства стоит объект с операторами и значениями: ${operators.join(', ')}`,
    datetime:
      'должно быть временем, например 2024-06-01T00:00:00Z, или двумя через косую черту, сначала более раннее; вместо одного из них может стоять ..',
    bbox: 'должно состоять из четырёх чисел, с высотами — из шести: запад, юг, восток, север; юг не больше севера',
    geometry: (max) => `должно быть геометрией GeoJSON в градусах не более чем из ${positions(max)}`,
    format: (name) => `должно быть ${name}`,
    offset: 'должно быть целым числом не меньше 0',
    limit: 'должно быть целым числом не меньше 1',
    token: 'должно быть взято из ссылки next этого поиска',
    boxAndGeometry: 'нельзя передавать вместе с bbox',
    unknownSort: (names) => `должно быть одним из: ${names.join(', ')}; для обратного порядка — с - впереди`,
    noCollection: () => 'такой коллекции нет',
  },
} satisfies Partial<AllSentences>;
