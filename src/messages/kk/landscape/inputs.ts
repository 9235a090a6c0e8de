import type { AllSentences } from '../../areas.ts';
import { type Box, degreesOf, type OtherPlace, type ValueSpan } from '../../landscape/inputs.ts';
import { titleOfGroup } from '../../landscape/landscape.ts';
import { percentOf } from '../../landscape/zoning.ts';
import { landscape } from './landscape.ts';
import { listed, measured, quoted } from './wording.ts';

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

export const inputs = {
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
    littleOverlap: (share) => `Растр биіктік растрының бір бөлігін ғана жабады${shareOf(share)}.`,
    beingCounted: 'Мәндер әлі саналып жатыр, сондықтан тексерілген жоқ.',
    notCounted: 'Мәндерді санау мүмкін болмады, сондықтан олар тексерілген жоқ.',
  },
} satisfies Partial<AllSentences>;
