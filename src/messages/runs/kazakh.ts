import { titleOfGroup } from '../graph/english.ts';
import { landscape } from '../graph/kazakh.ts';
import { grouped, listed, quoted, measured } from '../base/kazakh-wording.ts';
import { type Box, degreesOf, type OtherPlace, type ValueSpan, type english } from './english.ts';
import { percentOf } from '../zoning/english.ts';
import type { Translations } from '../base/define.ts';

const endOf = (date: string | null) => (date === null ? 'end_date мәнінсіз' : `${date} күні аяқталады`);

const groupNamed = (code: string): string => quoted(titleOfGroup(landscape, code));

const percent = (share: number) =>
  percentOf(share, { less: (text) => `${text} жетпейді`, more: (text) => `${text} асады` });
const shareOf = (share: number | undefined) => (share === undefined ? '' : ` (үлесі: ${percent(share)})`);
const span = (from: number, to: number) => `${measured(from)} … ${measured(to)}`;
const beyond = ({ from, to }: Pick<ValueSpan, 'from' | 'to'>) =>
  to === undefined ? `${measured(from)} мәнінен төмен` : `${span(from, to)} ауқымынан тыс`;
const values = (least: number, greatest: number) => `растр мәндері: ${span(least, greatest)}`;

function placeOf(box: Box): string {
  const [west = 0, south = 0, east = 0, north = 0] = degreesOf(box);
  return `бойлық ${span(west, east)}, ендік ${span(south, north)}`;
}

const other = ({ group, name }: OtherPlace) => `${quoted(name)} (${titleOfGroup(landscape, group)})`;
const where = ({ box, own }: OtherPlace) => `Осы растр: ${placeOf(own)}; екіншісі: ${placeOf(box)}.`;

const named = (name: string | null): string => (name === null ? 'жоқ' : quoted(name));

export const kazakh = {
  landscape: {
    noSuchRun: () => 'мұндай есептеу жоқ',
    gapsNotYet: () => 'есептеу әлі аяқталған жоқ; олқылықтар ол сәтті аяқталғанда белгілі болады',
    gapsOfFailedRun: () => 'есептеу қатемен аяқталған; олқылықтар тек сәтті есептеуде белгілі',
    gapsNotCounted: () =>
      'бұл есептеудің олқылықтары саналмаған: оны сервистің ертерек шығарылымы орындаған немесе кіріс растр жойылған; оларды сол кіріс деректермен келесі есептеу санайды',
    rasterOfRunGone: (group) => `бұл есептеу ${group} үшін пайдаланған растр содан бері жойылған`,
    inputsMissing: (groups) => `кіріс топтары үшін дайын растр жоқ: ${groups.join(', ')}`,
    runHasEnded: () =>
      'есептеу аяқталған: кезекте тұрған немесе орындалып жатқан есептеуден ғана бас тартуға болады',
    noResultGroup: (code) => `деректер жиындарының ${code} тобы жоқ`,
    noSlotGroup: (code) =>
      `деректер жиындарының ${code} тобы жоқ: ол сервис келесі рет іске қосылғанда жасалады`,
    noSuchSlot: (meant) =>
      `мұндай слот жоқ;${meant === undefined ? '' : ` мүмкін, ${meant} деп жазғыңыз келді ме?`} барлық слоттардың тізімін GET /landscape/slots береді`,
  },
  override: {
    notAnObject: 'топ кодтарына деректер жиындарының идентификаторлары сәйкес келетін объект болуы тиіс',
    tooMany: (most) => `${grouped(most)} топтан аспауы тиіс`,
    notAnInput: 'графтың кіріс тобы емес',
    notAUuid: 'UUID идентификаторы болуы тиіс',
    notFound: 'деректер жиыны табылмады',
    notARaster: 'деректер жиыны растр емес',
    notReady: 'деректер жиыны дайын емес',
  },
  param: { tiePriority: 'әрқайсысы бір рет көрсетілген 1-ден 5-ке дейінгі сандардың тізімі болуы тиіс' },
  run_fault: {
    cancelled: 'есептеуден бас тартылды',
    atNode: (node, fault) => `${node}: ${fault}`,
    internalError: (node) => `${node} түйіні: ішкі қате`,
    outputNotStored: (node) => `${node} түйіні: нәтижені сақтау мүмкін болмады`,
    noReadyRaster: (groups) =>
      `мына кіріс деректер үшін дайын растр жоқ: ${groups.map(groupNamed).join(', ')}`,
    datasetNotAvailable: (id, group) => `${groupNamed(group)}: ${id} деректер жиыны қолжетімсіз`,
    sourceAway: (group, told) => `${groupNamed(group)}: ${told}`,
    unreadable: (group) => `${groupNamed(group)}: растрды оқу мүмкін емес`,
    noCrs: (group) => `${groupNamed(group)}: координаттар жүйесі көрсетілмеген немесе қолдау таппайды`,
    noOverlap: (group) => `${groupNamed(group)}: растр тірек торымен қиылыспайды`,
    picture: (group, bands) =>
      `${groupNamed(group)}: мәндері бір арнада тұратын растрдың орнына сурет (${bands} арна) берілген`,
    noValidPixel: (group) =>
      `${groupNamed(group)}: тірек торында бірде-бір жарамды пиксель жоқ; өлшем бірлігін, масштабты және «деректер жоқ» мәнін тексеріңіз`,
    referenceWithoutCrs: 'тірек растры: координаттар жүйесі көрсетілмеген',
    referenceNotNorthUp: 'тірек растры: бұрылған немесе қисайған, жоғарғы жағы солтүстікке қарамайды',
    referenceTooLarge: 'тірек растры: пикселі тым көп',
  },
  record: {
    changed: () => 'жазба If-Match ішінде көрсетілген редакциядан кейін өзгертілген; оны қайта оқыңыз',
    notSucceeded: (status) =>
      `тек сәтті аяқталған есептеуді бекітуге болады; бұл есептеудің күйі — ${status}`,
    datasetsGone: (gone) =>
      `есептеуді бекітуге болмайды, себебі оның мына деректер жиындары жойылған: ${listed(gone.map(({ id, group }) => `${id} (${group} тобы)`))}`,
    datasetsElsewhere: (elsewhere) =>
      `есептеуді бекітуге болмайды, себебі оның деректер жиындарының файлдары басқа серверлерде және сол жерде өзгеруі мүмкін: ${listed(elsewhere.map(({ id, group }) => `${id} (${group} тобы)`))}; POST /datasets/{id}/copy оларды осы сервиске көшіреді`,
  },
  slot_warning: {
    notFreshest: (freshest, ownEndDate) =>
      `Бұл — слоттың ең жаңа растры емес: ${quoted(freshest.name)} — ${endOf(freshest.endDate)}, бұл растр — ${endOf(ownEndDate ?? null)}; есептеулерде end_date мәні ең үлкен, содан кейін ең соңғы растр пайдаланылады. Осы растрды пайдалану үшін оның end_date мәнін өзгертіңіз немесе оны есептеудің overrides өрісінде бекітіңіз.`,
  },
  input_finding: {
    noReferenceSystem:
      'Растрдың координаттар жүйесі жоқ, сондықтан есептеу оны орналастыра алмайды. Координаттары берілген жүйені тағайындап, мысалы gdal_translate -a_srs EPSG:32642, растрды қайта жүктеңіз.',
    noPlace:
      'Растр жергілікті жерге байланыстырылмаған, сондықтан есептеу оны орналастыра алмайды. Растрды байланыстырып, қайта жүктеңіз.',
    picture: (bands) =>
      `Бұл — сурет: түстері бар ${measured(bands)} байттық арна. Мәндері бір арнада тұратын растр жүктеңіз.`,
    severalBands: (bands) => `Растрда ${measured(bands)} арна бар. Есептеу тек біріншісін оқиды.`,
    noValue: 'Растрдың бірде-бір пикселінде мән жоқ.',
    allOutside: ({ least, greatest, ...range }) => `Барлық мән ${beyond(range)}: ${values(least, greatest)}.`,
    someOutside: (share, { least, greatest, ...range }) =>
      `Мәндердің бір бөлігі${shareOf(share)} ${beyond(range)}, олар жоқ мән деп саналады: ${values(least, greatest)}.`,
    factor: (factor, { least, greatest }) =>
      `Бөлгіш ${measured(factor)} болуы мүмкін бе? Бөлгенде мәндер ${span(least, greatest)} болады. Мәндерді бөліңіз немесе файлда ${1 / factor} масштабын көрсетіп (gdal_translate -a_scale ${1 / factor}), растрды қайта жүктеңіз. Сервис мәндерді өздігінен түрлендірмейді.`,
    noKnownClass: ({ found, known }) =>
      `Растрдың бірде-бір класы белгілі емес: растрда ${listed(found.map(measured))}; слот мыналарды қабылдайды: ${known.map(measured).join(', ')}.`,
    unknownClasses: (share, found) =>
      `Мәндердің бір бөлігі${shareOf(share)} — белгісіз кластар, олар жоқ мән деп саналады: ${listed(found.map(measured))}.`,
    unknownAsZero: (share, found) =>
      `Мәндердің бір бөлігі${shareOf(share)} — белгісіз кластар, олар 0 класы деп саналады: ${listed(found.map(measured))}.`,
    noClasses: (share, { least, greatest }) =>
      `Мәндердің бір бөлігі${shareOf(share)} слоттың кластарына жатпайды: ${values(least, greatest)}.`,
    elsewhere: (place) =>
      `Растр ${other(place)} растрымен қиылыспайды, ал есептеудің торы — сол растрдың торы. ${where(place)}`,
    apart: (place) =>
      `Растр ${other(place)} растрымен қиылыспайды, сондықтан екеуінің де мәні бар жер жоқ. ${where(place)}`,
    coarseShift: (operation, metres, pixelMetres) =>
      `Растр пен биіктік растрының датумдары әртүрлі. Олардың арасындағы түрлендірудің (${operation}) дәлдігі — ${measured(metres)} м, бұл биіктік растры пикселінің (${measured(pixelMetres)} м) жартысынан көп.`,
    littleOverlap: (share) => `Растр биіктік растрының бір бөлігін ғана жабады${shareOf(share)}.`,
    beingCounted: 'Мәндер әлі саналып жатыр, сондықтан тексерілген жоқ.',
    notCounted: 'Мәндерді санау мүмкін болмады, сондықтан олар тексерілген жоқ.',
  },
  cadence: {
    none: () => 'деректер тобының мерзімділігі берілмеген',
  },
  cadence_fault: {
    notEvery:
      'бір саннан (1-ден 999-ға дейін) және бір бірліктен тұратын ISO 8601 ұзақтығы болуы тиіс: жыл, ай, апта немесе күн, мысалы P1Y, P3M, P2W немесе P10D',
    notGrace:
      'бір саннан (1-ден 999-ға дейін) және бір бірліктен тұратын ISO 8601 ұзақтығы болуы тиіс: жыл, ай, апта немесе күн, мысалы P60D, немесе P0D',
  },
  watch_fault: {
    notHold:
      'ISO 8601 ұзақтығы болуы тиіс: P1D мен P7D аралығы немесе 1-ден 999-ға дейінгі сағат, минут не секунд саны, мысалы PT2H, PT30M немесе PT0S',
  },
  watch: {
    name: (inputs) =>
      `Бақылау жобасы: ${listed(inputs.map(({ title, month }) => (month === null ? title : `${title} ${month}`)))}`,
    note: (inputs, hasAdopted) =>
      `Кіріс деректерді бақылау жасаған. ${hasAdopted ? 'Бекітілген' : 'Алдыңғы'} есептеуден айырмасы — ${inputs
        .map(({ title, from, to }) => `${title}: ${named(from)} → ${named(to)}`)
        .join('; ')}.`,
    firstName: 'Бақылау жобасы: бірінші есептеу',
    firstNote: (inputs) =>
      `Кіріс деректерді бақылау жасаған; салыстыратын есептеу болған жоқ. ${inputs.length} кіріс растрды пайдаланады.`,
  },
  dossier: {
    notSucceeded: (status) =>
      `іс жинағы тек сәтті аяқталған есептеуде болады; бұл есептеудің күйі — ${status}`,
    rastersGone: (groups) =>
      `іс жинағына мына растрларды қосуға болмайды, себебі олар жойылған: ${listed(groups)}; оны растрларсыз сұраңыз`,
    noSignature: () => 'бұл есептеудің іс жинағында қолтаңба жоқ',
    notCms: () =>
      'сұраудың денесі CMS қолтаңбасы емес: PEM не Base64 емес, DER немесе BER түріндегі SignedData (RFC 5652) байттарын жіберіңіз',
    noSigner: () => 'қолтаңбада қол қойған адам көрсетілмеген',
    otherBytes: (sha256) =>
      `басқа деректерге қол қойылған: осы есептеудің қазіргі тізімдемесіне немесе манифестіне сұралған тілде қол қойыңыз, оның SHA-256 мәні — ${sha256}`,
    notCounted: () =>
      'осы есептеудің алаңдары немесе балансы әлі саналып жатыр: тізімдеме дайын болғанша күтіп, оған қол қойыңыз да, қолтаңбаны жіберіңіз',
    notValidThen: (at, from, to) =>
      `қолтаңбада көрсетілгендей, ол ${at} уақытында қойылған, ол кезде сертификат жарамсыз болған: сертификаттың мерзімі ${from} – ${to}`,
    wrongSignature: (subject) =>
      `қолтаңба өз сертификатының кілтімен қойылмаған, сертификат иесі — ${quoted(subject)}`,
  },
} satisfies Translations<typeof english>;
