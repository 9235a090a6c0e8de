import { readablePath } from '../../lib/readable.ts';
import { grouped, listed, quoted } from '../base/kazakh-wording.ts';
import type { Translations } from '../base/define.ts';
import { nextSteps } from '../datasets/kazakh.ts';
import type { english } from './english.ts';

const again = 'Оны Excel немесе LibreOffice бағдарламасында қайта сақтап, жаңа файлды жүктеңіз.';
const unsafe = (what: string, remedy: string) => `Кітап ${what}, сондықтан толтырылмайды. ${remedy}`;

export const kazakh = {
  form_reason: {
    noSource: 'бұл өріс үшін дереккөз таңдалмады',
    noUnit: 'бұл жолда қай аумақ екені белгісіз',
    unitMissing: 'дереккөзде мұндай аумақ жоқ',
    noValue: 'дереккөзде бұл аумақтың мәні жоқ',
    hasContent: 'ұяшықта бұрыннан мазмұн болды, ол сақталды',
    nameNotUnderstood: 'атау бір аумақтың, бір бағанның немесе бір жолдың ұяшықтарын білдірмейді',
    ambiguous: 'бірнеше аумақ осылай аталады; жолға ӘАОЖ (КАТО) кодын жазыңыз',
  },
  form_word: {
    tableSource: (name, period) => `${name}, ${period}`,
    areasSource: (name) => `${name}: кластар бойынша гектар`,
    zonalSource: (name, stat) => `${name}: ${stat}`,
    balanceSource: (run) => `${run} есептеуі: аймақтар бойынша жер`,
    times: (source, factor) => `${source}, ${factor} санына көбейтілді`,
  },
  template: {
    notFound: () => 'мұндай үлгі жоқ',
    formNotFound: () => 'мұндай толтырылған кітап жоқ, ол жойылған: үлгіні қайта толтырыңыз',
    noFile: () => 'file: міндетті өріс',
    wrongExtension: () => 'Файл кітап емес: үлгінің кеңейтімі .xlsx немесе .ods болады.',
    withMacros: () => 'Бұл түрдегі кітапта макростар болады. Көшірмесін макроссыз .xlsx түрінде сақтаңыз.',
    oldFormat: () => 'Кітап 2007 жылға дейінгі Excel пішімінде жазылған. Көшірмесін .xlsx түрінде сақтаңыз.',
    notArchive: () => 'Атауы .xlsx немесе .ods деп аяқталғанымен, файл кітап емес.',
    tooLarge: (most) => `Кітап ${most} МиБ-тан асады.`,
    tooMany: (most) => `топтағы үлгілер саны — ${most}; алдымен біреуін жойыңыз`,
    readFailed: () => 'үлгіні оқу мүмкін болмады; бір минуттан кейін қайта сұраңыз',
    fillFailed: () => 'үлгіні толтыру мүмкін болмады; бір минуттан кейін қайта сұраңыз',
    tooManyWaiting: () => 'толтыруды күтіп тұрған үлгілер тым көп; бірнеше секундтан кейін қайта сұраңыз',
    noSuchField: (fields) =>
      fields.length === 0
        ? 'үлгіде толтыруға болатын өріс жоқ'
        : `мыналардың бірі болуы керек: ${listed(fields)}`,
    fieldTwice: () => 'екі рет көрсетілген',
    notATable: (name) => `${quoted(name)} — ӘАОЖ (КАТО) бойынша кесте емес`,
    tableNotReady: (name, status) => `${quoted(name)} кестесінің күйі — ${status}${nextSteps[status]}`,
    noSuchDate: (name, date) => `${quoted(name)} кестесінде ${date} күнінен басталатын мәндер жоқ`,
  },
  workbook: {
    brokenArchive: (reason) => `Кітапты оқу мүмкін емес, ол бөліктерден тұратын мұрағат. ${reason}`,
    brokenPart: (part) => `Кітап бүлінген, бөлігі: ${readablePath(part)}. ${again}`,
    missingPart: (part) => `Кітапта мына бөлік жоқ: ${readablePath(part)}. ${again}`,
    repeatedPart: () => `Кітапта атауы бірдей екі бөлік бар. ${again}`,
    largePart: (part, most) =>
      `Кітаптың ${readablePath(part)} бөлігі ${most} МиБ-тан асады. Үлгіге керек емес парақтар мен ұяшықтарды жойыңыз.`,
    otherEncoding: (part) => `Кітаптың ${readablePath(part)} бөлігі UTF-8 кодтамасында емес. ${again}`,
    entities: (part) =>
      unsafe(
        `${readablePath(part)} бөлігінде құжат түрін жариялайды, кесте бағдарламалары мұны жазбайды`,
        again,
      ),
    tooManyParts: (most) =>
      `Кітаптағы бөліктер саны ${grouped(most)} санынан асады. Үлгіге керек емесін алып тастаңыз.`,
    unpacksTooLarge: (most) => `Кітаптың бөліктері ашылғанда барлығы ${most} МиБ-тан асады.`,
    tooLarge: (most) => `Кітап ${most} МиБ-тан асады.`,
    tooManyCells: (most) =>
      `Кітаптағы толған ұяшықтар саны ${grouped(most)} санынан асады. Үлгіге керек емесін алып тастаңыз.`,
    tooManySheets: (most) => `Кітаптағы парақтар саны ${grouped(most)} санынан асады.`,
    tooManyNames: (most) => `Кітаптағы атаулар саны ${grouped(most)} санынан асады.`,
    tooManyMerges: (most) => `Кітаптағы біріктірілген ұяшықтар саны ${grouped(most)} санынан асады.`,
    notWorkbook: () => 'Файл кеңейтімінде аталған түрдегі кітап емес: .xlsx немесе .ods.',
    unusual: () => `Кітап әдеттен тыс жазылған. ${again}`,
    encrypted: () => unsafe('шифрланған', 'Ашу құпиясөзінсіз көшірмесін сақтаңыз.'),
    signed: () => unsafe('қол қойылған, толтыру қолтаңбаны бұзар еді', 'Қолтаңбасыз көшірмесін сақтаңыз.'),
    macros: () =>
      unsafe(
        'құрамында макростар немесе басқару элементтері бар',
        'Оларсыз көшірмесін .xlsx немесе .ods түрінде сақтаңыз.',
      ),
    externalLinks: () =>
      unsafe('басқа файлдарға сілтеме жасайды', 'Байланыстарды үзіңіз, суреттерді кітаптың өзіне салыңыз.'),
    connections: () =>
      unsafe(
        'құрамында деректерге қосылымдар немесе веб-кеңейтімдер бар',
        'Оларды жойып, көшірмесін сақтаңыз.',
      ),
    embedded: () => unsafe('құрамында ендірілген объектілер бар', 'Оларды жойып, көшірмесін сақтаңыз.'),
    outsideFormula: (place) =>
      unsafe(`сырттан оқитын формуласы бар (${readablePath(place)})`, 'Оны мәнмен ауыстырыңыз.'),
  },
} satisfies Translations<typeof english>;
