import { formatNumber } from '../../../../../common/formats/numbers.ts';
import type { CountedMark } from '../../../spreadsheets/model/types.ts';
import { statusNames } from '../../../words/statuses.ts';
import type { en } from './en.ts';

const number = (count: number): string => formatNumber(count, 'kk');
const rows = (count: number): string => `${number(count)} жол`;
const cells = (count: number): string => `${number(count)} ұяшық`;
const columns = (count: number): string => `${number(count)} баған`;

/** Marks with their meanings, each with its number of cells. */
function signs(marks: readonly CountedMark[]): string {
  return marks
    .map(({ sign, status, count }) => `«${sign}» — ${statusNames.kk[status]} (${number(count)})`)
    .join(', ');
}

function at(where: string): string {
  return where === '' ? '' : ` (${where})`;
}

export const kk: typeof en = {
  title: 'Электрондық кесте',
  reading: 'Кесте оқылуда…',
  working: 'Күте тұрыңыз…',
  packing: 'Кесте жіберуге дайындалуда…',
  sheet: 'Парақ',
  sheetName: (name, count, isHidden) => `${name} · ${rows(count)}${isHidden ? ' · жасырын' : ''}`,
  sheetTable: 'Осы парақтағы кесте',
  chooseTable: (count) =>
    `Бұл парақта ${number(count)} кесте бар. Біреуін таңдаңыз; басқаларын кейін жіберуге болады.`,
  codesDiffer: (count, first) =>
    `Код қасындағы атауға сәйкес емес: ${cells(count)}, біріншісі — «${first}». Кодтар жіберіледі; атаулар дұрыс болса, кодтар бағанына басқа рөл таңдаңыз.`,
  withoutHidden: 'Жасырын жолдар мен бағандарды алмау',
  headerFirst: 'Тақырып басталатын жол',
  headerLines: 'Тақырыптағы жол саны',
  columnRole: (name) => `«${name}» бағанында не бар`,
  roles: {
    code: 'ӘАОЖ коды',
    name: 'Жер атауы',
    region: 'Облыс атауы',
    period: 'Уақыт',
    indicator: 'Көрсеткіш',
    value: 'Мән',
    note: 'Басқа',
  },
  row: 'Жол',
  table: (count, width) => `${rows(count)}, ${columns(width)}`,
  shown: (count, width) => `Басы көрсетілген: ${rows(count)}, ${columns(width)}. Толығымен жіберіледі.`,
  scroll: 'Жіберілетін кесте; толық көру үшін айналдырыңыз',
  widen: (count) => `Ұзын кестені жайып жазу: әр жерге бір жол, мәндер — ${columns(count)}`,
  remarks: (count) => `${count} ескерту`,
  notes: 'Кестенің астында',
  name: 'Деректер жиынының атауы',
  unit: 'Өлшем бірлігі',
  unitOfAll: 'Кестеден оқылды; оны карта мен шартты белгілер көрсетеді.',
  unitsDiffer: (units) =>
    `Бағандардың өлшем бірлігі әртүрлі: ${units.join(', ')}. Карта бағандары мен қайта есептеу келесі қадамда таңдалады.`,
  keepsOriginal: 'Бастапқы файл шағын болса, кестемен бірге сақталады.',
  keepsTable: 'Тек кестенің өзі сақталады.',
  needsKey: 'Кодтар немесе жер атаулары тұрған бағанды көрсетіңіз.',
  needsValues: 'Мәндер тұрған кемінде бір бағанды көрсетіңіз.',
  codeColumn: 'ӘАОЖ',
  send: 'Кестені жіберу',
  again: 'Қайталау',
  faults: {
    empty: () => 'Файл бос.',
    oldExcel: () =>
      'Бұл — Excel 4 не одан бұрынғы нұсқаның кітабы. Оны LibreOffice бағдарламасында ашып, .xlsx түрінде сақтаңыз да, жаңа файлды осында тастаңыз.',
    encrypted: () =>
      'Кітап құпиясөзбен қорғалған. Оны ашып, көшірмесін құпиясөзсіз сақтаңыз да, осында тастаңыз.',
    otherSpreadsheet: () =>
      'Кестенің бұл түрі, мысалы .xlsb немесе .xls кеңейтімі бар веб-бет, мұнда оқылмайды. Файлды .xlsx түрінде сақтап, осында тастаңыз.',
    notSpreadsheet: () =>
      'Бұл электрондық кесте емес. Steppe .xlsx, .xls, .ods, .csv және .tsv файлдарын оқиды.',
    damaged: (where) =>
      `Кесте бүлінген, оқылмайды${at(where)}. Оны Excel немесе LibreOffice бағдарламасында ашып, қайта сақтаңыз.`,
    tooLarge: (where) =>
      `Кесте браузерде оқу үшін тым үлкен${at(where)}. Керек парақты қалдырып, басқаларын жойыңыз.`,
    tooManyFiles: (where) => `Кітаптағы бөліктер саны шындыққа сыймайды${at(where)}.`,
    tooTight: (where) =>
      `Кітаптың бір бөлігі ашылғанда екі жүз еседен артық ұлғаяды, нағыз кітапта мұндай болмайды${at(where)}. Ол оқылмады.`,
    documentType: (where) =>
      `Кітапта құжат түрі жарияланған, кесте бағдарламалары мұны жазбайды${at(where)}. Ол оқылмады.`,
    tooManyCells: (where) =>
      `Парақтағы ұяшықтар браузерде оқу үшін тым көп${at(where)}. Керек жолдар мен бағандарды қалдырыңыз.`,
    noSheets: () => 'Кітапта ұяшықтары бар парақ жоқ.',
    tooSlow: () => 'Кестені оқу тым ұзаққа созылып, тоқтатылды. Керек парақты қалдырып, басқаларын жойыңыз.',
    workerFailed: () =>
      'Кестені оқу үзілді: жад жетпеді немесе беттің бір бөлігі жүктелмеді. Бетті жаңартып, қайталаңыз.',
    noTable: (where) => `Бұл парақта кесте жоқ${at(where)}: астында мәндері бар тақырып табылмады.`,
    formulasOnly: (where) =>
      `Бұл парақтың формулалары мәнсіз сақталған${at(where)}. Файлды Excel немесе LibreOffice бағдарламасында ашып, сақтаңыз да, осында қайта тастаңыз.`,
    unquotedCommas: (where) =>
      `Жолдардағы ұяшықтар тақырыптағыдан көп${at(where)}: сандар ондық үтірмен жазылған, ұяшықтарды да үтір бөледі. Файлды нүктелі үтірмен, табуляциямен немесе .xlsx түрінде сақтаңыз.`,
    resultTooLarge: () =>
      'Кесте бұл сервис қабылдайтын шектен үлкен. Керек жолдар мен бағандарды қалдырыңыз.',
  },
  remark: {
    noKey: () => 'ӘАОЖ кодтары немесе аудан атаулары бар баған жоқ. Оны кестенің тақырыбында көрсетіңіз.',
    codesRepaired: ({ count, text, became }) =>
      `Бағдарлама өзгерткен кодтар: ${cells(count)}; ${text} жазуы ${became} деп оқылды.`,
    codesWereNumbers: ({ count, text }) =>
      `Сан түрінде жазылған кодтар: ${cells(count)}, мысалы ${text}; енді олар мәтін.`,
    codesShortened: ({ count, text, became }) =>
      `Дәрежелік жазудағы кодтар, цифрлары жоғалуы мүмкін: ${cells(count)}; ${text} жазуы ${became} деп оқылды. Бұл жолдарды тексеріңіз.`,
    codesUnreadable: ({ count, text, row }) =>
      `Код бағанында код емес жазу: ${cells(count)}, біріншісі — ${row}-жолдағы «${text}».`,
    totalsKept: ({ count, text, row }) =>
      `Қорытындыға ұқсайды, қалдырылды: ${rows(count)}, біріншісі — ${row}-жолдағы «${text}».`,
    turned: ({ count }) =>
      `Аудандар солдан оңға қарай тұрған, кесте бұрылды: ${count}. Ескертулердегі жолдар — парақтың бағандары.`,
    rowsLeftOut: ({ count, text, row }) =>
      `Мәні жоқ, кестеге кірмеді: ${rows(count)}, біріншісі — ${row}-жол: «${text}».`,
    missingMarks: ({ count, text, row, marks = [] }) =>
      `Мән орнында белгі тұр, бос қалдырылды: ${cells(count)}, біріншісі — ${row}-жолдағы «${text}»${marks.length === 0 ? '' : `. Белгілер ескертпе ретінде сақталады: ${signs(marks)}`}.`,
    errorCells: ({ count, text, row }) =>
      `Мән орнында қате, бос қалдырылды: ${cells(count)}, біріншісі — ${row}-жолдағы ${text}.`,
    formulasWithoutValue: ({ count }) =>
      `Формула мәнсіз сақталған, бос қалдырылды: ${cells(count)}. Файлды Excel немесе LibreOffice бағдарламасында ашып, қайта сақтаңыз.`,
    negatives: ({ count, text, became, row }) =>
      `Жақшадағы сандар теріс деп оқылды: ${cells(count)}; ${row}-жолдағы ${text} жазуы — ${became}.`,
    footnoteMarks: ({ count, text, became, row, marks = [] }) =>
      `Саннан кейін белгі тұр: ${cells(count)}; ${row}-жолдағы ${text} жазуы — ${became}. Белгілер ескертпе ретінде сақталады: ${signs(marks)}.`,
    percents: ({ count, column, text }) =>
      `«${column}», пайыз: ${cells(count)}; ${text} жазуынан белгі алдындағы сан алынды.`,
    textInValues: ({ count, column, text, row }) =>
      `«${column}», сандар арасындағы мәтін: ${cells(count)}, біріншісі — ${row}-жолдағы «${text}».`,
    decimalCommasAssumed: ({ column, text }) =>
      `«${column}»: ${text} сияқты сандардағы үтірдің мәні анық емес; ондық үтір деп оқылды.`,
    mixedCommas: ({ column, text }) =>
      `«${column}»: бір үтірлер мыңдықты, басқалары бөлшекті бөледі${text === undefined ? '' : `; ${text} санындағы үтір ондық деп оқылды`}.`,
    decimalPointsAssumed: ({ column, text }) =>
      `«${column}»: ${text} сияқты сандардағы нүктенің мәні анық емес; ондық нүкте деп оқылды.`,
    mixedPoints: ({ column, text }) =>
      `«${column}»: бір нүктелер мыңдықты, басқалары бөлшекті бөледі${text === undefined ? '' : `; ${text} санындағы нүкте ондық деп оқылды`}.`,
    namesRepeated: ({ text }) => `«${text}» деп бірдей аталған бағандар нөмірленді.`,
    noHeader: () => 'Тақырып табылмады; бағандар әріппен аталды.',
    periodAbove: ({ text, became }) =>
      `Бағандарда уақыт көрсетілмеген. Ол «${text}» жазуынан алынды: ${became}.`,
    partAbove: ({ text, became }) =>
      `Бағандарда тек жылдар көрсетілген. Күні немесе жылдың бөлігі «${text}» мәтінінен алынды: ${became}.`,
    periodsOpen: ({ count, text }) =>
      `Уақыты толық түсінілмеді, сондықтан күні жоқ: ${columns(count)}, біріншісі — «${text}». Бағандарды таңдағанда кезеңін көрсетіңіз.`,
    severalTables: ({ count, text }) =>
      `Бұл парақта ${number(count)} кесте бар, олар біріктірілмейді. Көрсетілгені — ${text}.`,
    mergedValues: ({ count, text, row, column }) =>
      `Сан бірнеше жолға немесе бағанға ортақ біріктірілген ұяшықта тұр, ешқайсысына жеке тиесілі емес, бос қалдырылды: ${cells(count)}, біріншісі — ${row}-жолдағы ${text}, «${column}».`,
    hiddenKept: ({ count, text, row }) =>
      `Кітапта жасырылған, бірақ оқылды: ${rows(count)} және ${columns(Number(text))}${row === undefined ? '' : `, біріншісі — ${row}-жол`}.`,
    hiddenLeftOut: ({ count, text }) =>
      `Кітапта жасырылған, кестеге кірмеді: ${rows(count)} және ${columns(Number(text))}.`,
    valuesDivided: ({ count, text, became, row }) =>
      `Пішімі көрсеткендей оқылды: ${cells(count)}; ${row}-жолдағы ${text} жазуы — ${became}.`,
    charsetGuessed: ({ text }) =>
      `Бұл файлдың әріптері Юникодта емес. Ықтималы — ${text}, солай оқылды. Атауларды тексеріңіз.`,
    bytesLost: ({ count }) =>
      `Ешбір әріпке сай келмейді, «\ufffd» белгісімен алмастырылды: ${number(count)} байт.`,
    commasJoined: ({ count }) =>
      `Ұяшықтарды үтір бөлетін файлда ондық үтірлер тырнақшасыз тұрған; бүтін және бөлшек бөліктер қосылды: ${rows(count)}.`,
    rowsLonger: ({ count, row }) =>
      `Ұяшықтары тақырыптағыдан көп: ${rows(count)}, біріншісі — ${row}-жол. Соңғы бағаннан кейін сандар тұрса, жолдың барлық саны кестеге кірмеді.`,
    groupsFilled: ({ count, text, row, column }) =>
      `«${column}» тобына бір рет жазылған, жоғарыдан алынды: ${rows(count)}, біріншісі — ${row}-жолдағы «${text}».`,
    placesTwice: ({ count, text, row }) =>
      `Бұл жер жоғарыда бар: ${rows(count)}, біріншісі — ${row}-жолдағы «${text}». Карта әр жердің соңғы жолын көрсетеді.`,
    codesShort: ({ count, column, text }) =>
      `«${column}»: тоғыз цифрдан аз: ${cells(count)}, мысалы ${text}; кодтардың орнына атаулар алынды.`,
    partsFound: ({ count, text, row }) =>
      `Жоғарыдағы аумақ көрсеткішінің бөліктері бағандарға айналды: ${rows(count)}, біріншісі — ${row}-жолдағы «${text}».`,
    partsAssumed: ({ text, row }) =>
      `${row === undefined ? `«${text}» бағанынан кейінгі бағандардың` : `${row}-жолдағы «${text}» жолының`} ненің бөлігі екені анық емес. Бағандардың атауларын тексеріңіз.`,
    partsOpen: ({ count, text, row }) =>
      `«Оның ішінде» сөздерінен кейін аумақтар немесе көрсеткіштің бөліктері тұр: ${rows(count)}, біріншісі — ${row}-жолдағы «${text}». Олар аумақ ретінде қалдырылды.`,
    remarksLeftOut: ({ count }) => `Кестеде баған тым көп: мәндерге ескертпелер кірмеді (${columns(count)}).`,
    unitsMixed: ({ text }) =>
      `Бір бағандағы жолдардың өлшем бірлігі әртүрлі: ${text}. Мұндай мәндерді салыстыруға болмайды; бірлігі бірдей жолдарды қалдырыңыз.`,
    cellsCopied: ({ count, text, row, column }) =>
      `«${column}»: біріктірілген ұяшықтың мәтіні жоғарыдан алынды: ${cells(count)}, біріншісі — ${row}-жолдағы «${text}».`,
    valuesTwice: ({ count, row, column }) =>
      `Бір жер мен уақыттың екінші мәні: ${cells(count)}, біріншісі — ${row}-жол, «${column}»; алғашқы мән қалдырылды.`,
    periodsUnreadable: ({ count, row, text }) =>
      `Уақыты оқылмады, кестеге кірмеді: ${rows(count)}, біріншісі — ${row}-жолдағы «${text}».`,
    columnsLeftOut: ({ text }) => `«${text}» бағаны бір жердің жолдарында әртүрлі, кестеге кірмеді.`,
  },
};
