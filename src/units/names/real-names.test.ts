import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { judge } from '../../../test/support/units/unit-names.ts';

type Row = string | readonly [name: string, region: string];

/** Judges a list; returns for each row its code and status, or the candidate codes. */
async function written(rows: readonly Row[]): Promise<string[]> {
  const judged = await judge(rows);
  return judged.map(({ status, reason, remark, codes, kato }) =>
    [kato ?? (codes.join('|') || '-'), status, reason, remark ?? ''].join(' ').trim(),
  );
}

describe('names that tables have', () => {
  const alone: Readonly<Record<string, string>> = {
    'Акмолинская обл.': '110000000 exact name',
    'Акмолинской области': '110000000 exact name',
    'Aкмолинcкая oблacть': '110000000 exact name',
    'АКМОЛИНСКАЯ ОБЛАСТЬ': '110000000 exact name',
    'Северо-\nКазахстанская': '590000000 exact name',
    'Сев.-Казахстанская обл.': '590000000 exact name',
    'С. Казахстанская': '590000000 exact name',
    СКО: '590000000 exact name',
    'Batys Kazakhstan': '270000000 exact name',
    'г. Астана': '710000000 exact name',
    'Астана қ.': '710000000 exact name',
    'Нур-Султан': '710000000 exact former_name former_name',
    'г.Нұр-Сұлтан': '710000000 exact former_name former_name',
    'Алма-Ата': '750000000 exact former_name former_name',
    'Целиноградская область': '110000000 exact former_name former_name',
    'Семейская область': '100000000 exact former_name former_name',
    'г. Алматы': '750000000 exact name',
    'Алматы облысы': '190000000 exact name',
    'Абай облысы': '100000000 exact name',
    'область Абай': '100000000 exact name',
    'Абайская область': '100000000 exact name',
    'область Жетісу': '330000000 exact name',
    'р-н им. Габита Мусрепова': '596600000 exact name',
    'район им. Г. Мусрепова': '596600000 exact name',
    'Т. Рыскулова': '315000000 exact name',
    'р.Биржан сал': '114500000 exact name',
    'Енбекшильдерский район': '114500000 exact former_name former_name',
    'Ақкөл ауданы': '113200000 exact name',
    'Аккол ауданы': '113200000 likely sound',
    'Akkol district': '113200000 exact name',
    'Kazygurt region': '614000000 exact name',
    'Qorğaljın district': '116000000 likely sound',
    'Aqmola oblysy': '110000000 exact name',
    Енбекшиказахский: '194000000 exact name',
    'Еңбекшіқазақ ауданының': '194000000 exact name',
    'Зыряновский район': '634800000 exact former_name former_name',
    'Кокшетау Г.А.': '111000000 exact name',
    'Жаңаөзен қ.ә.': '471800000 exact name',
    'Балқаш ауданы': '193600000 exact name',
    'Балқаш қ.': '351600000 exact name',
    'Жамбылский район Алматинской области': '194200000 exact name',
    'Алматы облысының Жамбыл ауданы': '194200000 exact name',
    'Северо-Казахстанская область, Жамбылский район': '594600000 exact name',
    'район Биржан сал Акмолинской области': '114500000 exact name',
    'Бескарагайский район (Восточно-Казахстанская область)': '103800000 exact name former_region',
    '1. Акмолинская1)': '110000000 exact name',
    'Всего по Акмолинской области': '110000000 likely name total_of_unit',
    '110000000 Акмолинская': '110000000 exact code',
    '193200000': '333200000 exact former_code former_code',
    '111010000': '111000000 likely code',
    // Names about which the user is asked.
    'Южно-Казахстанская область': '610000000|790000000 doubtful divided',
    ЮКО: '610000000|790000000 doubtful divided',
    'Есільский р-н': '114800000|594200000|711210000 doubtful several',
    'район «Есиль»': '114800000|594200000|711210000 doubtful several',
    Павлодар: '550000000|551000000|556000000 doubtful several',
    Костанай: '390000000|391000000|395400000 doubtful several',
    Талгар: '196200000 doubtful other_kind',
    'г. Атбасар': '113800000 doubtful other_kind',
    'Астана облысы': '710000000 doubtful other_kind',
    Тюлькубаксский: '616000000 doubtful similar',
    '191000000 Акмолинская': '191000000|331000000|110000000 doubtful code_and_name',
    '510000000': '610000000|790000000 doubtful divided former_code',
    'Абай (Абайский р-н)': '100000000|103200000|353200000|791110000 doubtful unclear',
    // Names that are not units.
    'Республика Казахстан': '- none country',
    'Қазақстан Республикасы': '- none country',
    Всего: '- none total',
    'в том числе:': '- none empty',
    '': '- none empty',
    '12,5': '- none empty',
    'с. Кабанбай': '- none below_district',
    'Кенесский с.о.': '- none below_district',
    '113233100': '- none below_district',
    'Сауранский район': '- none not_in_service',
    Каскелен: '- none unknown',
    'Экибастузский район': '- none unknown',
    'города республиканского значения': '- none unknown',
    '999999999': '- none unknown',
  };
  for (const [name, expected] of Object.entries(alone))
    test(`«${name}»`, async () => assert.deepEqual(await written([name]), [expected]));

  test('the region of the row decides, also the one to which the unit belonged', async () => {
    const rows: Row[] = [
      ['Абайский район', 'Карагандинская область'],
      ['Абайский район', 'ВКО'],
      ['Абайский район', 'г. Шымкент'],
      ['Абайский район', 'ЮКО'],
      ['Аксуский район', 'Алматинская область'],
      ['Аксуский район', 'Павлодарская область'],
      ['Всего', 'Павлодарская область'],
      ['Тюлькубаксский', 'Түркістан облысы'],
      ['Жамбылский', '590000000'],
    ];
    assert.deepEqual(await written(rows), [
      '353200000 exact name',
      '103200000 exact name former_region',
      '791110000 exact name',
      '791110000 exact name',
      '333200000 exact name former_region',
      '333200000 doubtful other_region',
      '550000000 likely region total_of_unit',
      '616000000 likely similar misspelled',
      '594600000 exact name',
    ]);
  });

  test('a code of before is asked about where another unit has it today and other codes of the table are old', async () => {
    assert.deepEqual(await written(['191000000', '190000000']), [
      '191000000 exact code',
      '190000000 exact code',
    ]);
    assert.deepEqual(await written(['191000000', '193200000', '191000000 Талдыкорган']), [
      '191000000|331000000 doubtful code_reused former_code',
      '333200000 exact former_code former_code',
      '331000000 exact former_code former_code',
    ]);
  });
});

describe('rows around', () => {
  test('a region heads its districts, in tables of before 2022 as well', async () => {
    const rows = [
      'Восточно-Казахстанская',
      'Абайский',
      'Аягозский',
      'Глубоковский',
      'г.Семей',
      'Карагандинская',
    ];
    rows.push('Абайский', 'Жанааркинский', 'Шетский', 'Северо-Казахстанская', 'Есильский', 'Жамбылский');
    assert.deepEqual(await written(rows), [
      '630000000 exact name',
      '103200000 likely rows_around',
      '103600000 exact name',
      '634000000 exact name',
      '101000000 exact name',
      '350000000 exact name',
      '353200000 likely rows_around',
      '623600000 exact name',
      '356400000 exact name',
      '590000000 exact name',
      '594200000 likely rows_around',
      '594600000 likely rows_around',
    ]);
  });

  test('rows in no order decide nothing', async () => {
    const rows = [
      'Жамбылская область',
      'Аккольский',
      'Жамбылский',
      'Шетский',
      'Абайский',
      'Алгинский',
      'Есильский',
    ];
    const judged = await judge(rows);
    assert.deepEqual(
      judged.map(({ status }) => status),
      ['exact', 'exact', 'doubtful', 'exact', 'doubtful', 'exact', 'doubtful'],
    );
  });

  test('below Astana, Almaty is the city unless districts of Astana stand there', async () => {
    const regions = ['Акмолинская', 'Актюбинская', 'Алматинская', 'г. Астана', 'Алматы', 'г. Шымкент'];
    assert.equal((await judge(regions))[4]?.kato, '750000000');
    const districts = [
      'г. Астана',
      'Алматы',
      'Байконыр',
      'Есиль',
      'Нура',
      'Сарыарка',
      'г. Алматы',
      'Алмалинский',
    ];
    const [, almaty] = await judge(districts);
    assert.notEqual(almaty?.kato, '750000000');
  });

  test('a unit of elsewhere among the districts of a region is asked about', async () => {
    const rows = [
      'Акмолинская область',
      'Аккольский',
      'Атбасарский',
      'Зерендинский',
      'Шетский',
      'Шортандинский',
    ];
    assert.equal((await written(rows))[4], '356400000 doubtful other_region');
  });

  test('a table in pieces goes on under its region', async () => {
    const rows = ['Есильский район', 'Жаксынский район', 'Зерендинский район'];
    const [first] = await judge(rows, '110000000');
    assert.equal(first?.kato, '114800000');
  });

  const towns =
    'Астана,Шымкент,Актобе,Тараз,Семей,Уральск,Талгар,Каскелен,Есик,Шу,Алтай,Риддер,Абай,Сарыагаш,Щучинск';
  test('a town in a list of cities is not its district', async () => {
    const judged = await judge(towns.split(','));
    const sure = judged.flatMap(({ kato }) => kato ?? []);
    assert.deepEqual(sure, [
      '710000000',
      '790000000',
      '151000000',
      '311000000',
      '101000000',
      '271000000',
      '632400000',
    ]);
  });
});

/** Regions and districts as public lists spell them, including mistakes. */
const lists: Readonly<Record<string, string>> = {
  'Абайская область':
    'Семей,Курчатов,Абайский,Аксуатский,Аягозский,Бескарагайский,Кокпектинский,Урджарский,Маканчинский',
  'Актюбинская область':
    'Актобе,Алгинский,Айтекебийский,Иргизкий,Карагалинский,Мартукский,Хобдинский,Шалкарский',
  'Карагандинская область':
    'Караганда,Балхаш,Приозёрск,Сарань,Абайский,Актогайский,Бухау-Жырауский,Нуринский,Шетский',
  'Кызылординская область':
    'Кызылорда,Байконур,Аральский,Жанакорганский,Казалинский,Сырдарьинский,Шиелийский',
  'Туркестанская область':
    'Туркестан,Арыс,Байдибекский,Казыгурский,Ордабасинский,Отырарский,Сауранский,Тюлькубаксский,Жетысайский',
  'Улытауская область': 'Жесказган,Сатпаев,Каражал,Улытауский,Жанааркинский',
  'Костанайская область':
    'Костанай,Рудный,Лисаковск,Джангельдинский,Житикаринский,Костанайский,Беимбета Майлина,Фёдоровский',
  'Акмолинская область': 'Косшы,Аршалыкский,Биржан-сал,Есильский,Жаркаинский,Коргалжинский,Целиноградский',
  'Атырауская область': 'Атырау,Жылыойский,Исатайский,Кзылкогинский,Макатайский,Махамбетский',
  'Восточно-Казахстанская область':
    'Усть-Каменогорск,Ридер,Алтайский,Маркакольский,Самарский,Тарбагайский,Улькен Нарынский',
  'Жамбылская область': 'Тараз,Байзакский,Жамбылский,Т. Рыскулова,Шуский',
  'Западно-Казахстанская область': 'Уральск,Байтерекский,Каратойбинский,Чингирлауский',
  'Павлодарская область': 'Павлодар,Аксу,Актогайский,Теренкольский,Аккулинский,Павлодарский,Щербактинский',
  'Северо-Казахстанская область':
    'Петропавловск,Есильский,Жамбылский,Магжана Жумабаева,Малютский,Габита Мусрепова,Шал Акына',
};

test('a public list, region by region, is right where it is sure, and asks about five slips', async () => {
  const rows = Object.entries(lists).flatMap(([region, names]) => [
    { name: region, region },
    ...names.split(',').map((name) => ({ name, region })),
  ]);
  const judged = await judge(rows.map(({ name }) => name));
  const asked: string[] = [];
  for (const [at, { kato }] of judged.entries()) {
    const { name = '', region = '' } = rows[at] ?? {};
    if (kato === undefined) asked.push(name);
    else
      assert.equal(
        kato.slice(0, 2),
        (await judge([region]))[0]?.kato?.slice(0, 2),
        `${name} is not in ${region}`,
      );
  }
  assert.deepEqual(asked, ['Сауранский', 'Макатайский', 'Маркакольский', 'Тарбагайский', 'Улькен Нарынский']);
});

test('a cell of any signs costs next to nothing', async () => {
  const signs = [
    '1',
    '1 ',
    '(1)',
    '*1',
    '(',
    ')',
    ',',
    ' / ',
    '-',
    '.',
    'ё',
    'ский',
    'с.',
    'г. ',
    'a',
    'аa',
    '«',
    '\u200b',
    '¹',
  ];
  const rows = signs.flatMap((sign) =>
    [sign.repeat(160), `${sign.repeat(155)}x`, `x${sign.repeat(150)}`].map((text) => text.slice(0, 160)),
  );
  const before = process.cpuUsage();
  await judge(Array.from({ length: 20 }, (_, at) => rows.map((row) => row.slice(at))).flat());
  const { user } = process.cpuUsage(before);
  assert.ok(user < 1_500_000, `${rows.length * 20} cells took ${user / 1000} ms`);
});
