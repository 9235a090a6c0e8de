import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readUnit } from './measure-units.ts';

test('a unit is read from the name of a column without the signs of footnotes', () => {
  for (const [name, unit] of [
    ['Всего, га*', 'га'],
    ['Посевная площадь, тыс. га1)', 'тыс. га'],
    ['Площадь (га)1)', 'га'],
    ['Скот, тыс. голов 2)', 'тыс. голов'],
    ['Валовой сбор, ц²', 'ц'],
    ['Доля, %1)', '%'],
    ['млн тенге¹', 'млн тенге'],
    // A digit of the unit is not a sign.
    ['Площадь (км2)', 'км2'],
    ['Площадь, м² 1)', 'м²'],
    ['Объем, м³', 'м³'],
    ['Жилой фонд, тыс. кв. м2)', 'тыс. кв. м'],
    ['га (2023)', 'га'],
    ['Млн. кВт▪ч', 'Млн. кВт▪ч'],
    ['Тыс.кв.метров общей площади', 'Тыс.кв.метров общей площади'],
    ['Врачей на 1000 человек', undefined],
    ['Площадь, га, и сбор, т', undefined],
  ] as const)
    assert.equal(readUnit(name)?.text, unit, name);
});
