import type { AllSentences } from '../../areas.ts';
import { titleOfGroup } from '../../landscape/landscape.ts';
import { landscape } from './landscape.ts';
import { grouped, listed, quoted } from './wording.ts';

const endOf = (date: string | null) => (date === null ? 'end_date мәнінсіз' : `${date} күні аяқталады`);

const groupNamed = (code: string): string => quoted(titleOfGroup(landscape, code));

export const runs = {
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
  },
  slot_warning: {
    notFreshest: (freshest, ownEndDate) =>
      `Бұл — слоттың ең жаңа растры емес: ${quoted(freshest.name)} — ${endOf(freshest.endDate)}, бұл растр — ${endOf(ownEndDate ?? null)}; есептеулерде end_date мәні ең үлкен, содан кейін ең соңғы растр пайдаланылады. Осы растрды пайдалану үшін оның end_date мәнін өзгертіңіз немесе оны есептеудің overrides өрісінде бекітіңіз.`,
  },
} satisfies Partial<AllSentences>;
