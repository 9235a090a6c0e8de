import type { AllSentences } from '../../areas.ts';
import { type Box, degreesOf, type OtherPlace, type ValueSpan } from '../../landscape/inputs.ts';
import { titleOfGroup } from '../../landscape/landscape.ts';
import { percentOf } from '../../landscape/zoning.ts';
import { landscape } from './landscape.ts';
import { counted, listed, measured, quoted } from './wording.ts';

const percent = (share: number) =>
  percentOf(share, { less: (text) => `менее ${text}`, more: (text) => `более ${text}` });
const ofValues = (share: number | undefined) =>
  share === undefined ? 'часть значений' : `${percent(share)} значений`;
const beyond = ({ from, to }: Pick<ValueSpan, 'from' | 'to'>) =>
  to === undefined ? `ниже ${measured(from)}` : `вне диапазона от ${measured(from)} до ${measured(to)}`;
const values = (least: number, greatest: number) =>
  `значения растра — от ${measured(least)} до ${measured(greatest)}`;

function placeOf(box: Box): string {
  const [west = 0, south = 0, east = 0, north = 0] = degreesOf(box).map(measured);
  return `долгота от ${west} до ${east}, широта от ${south} до ${north}`;
}

const other = ({ group, name }: OtherPlace) => `${quoted(name)} (${titleOfGroup(landscape, group)})`;
const where = ({ box, own }: OtherPlace) => `Этот растр: ${placeOf(own)}; другой: ${placeOf(box)}.`;

export const inputs = {
  input_finding: {
    noReferenceSystem:
      'У растра нет системы координат, поэтому расчёт не может его разместить. Назначьте систему, в которой даны его координаты, например командой gdal_translate -a_srs EPSG:32642, и загрузите растр снова.',
    noPlace:
      'У растра нет привязки к местности, поэтому расчёт не может его разместить. Привяжите растр и загрузите его снова.',
    picture: (bands) =>
      `Это изображение: ${counted(bands, 'байтовый канал', 'байтовых канала', 'байтовых каналов')} с цветами. Загрузите растр с одним каналом значений.`,
    severalBands: (bands) =>
      `В растре ${counted(bands, 'канал', 'канала', 'каналов')}. Расчёт читает только первый.`,
    noValue: 'Ни у одного пикселя растра нет значения.',
    allOutside: ({ least, greatest, ...range }) =>
      `Все значения ${beyond(range)}: ${values(least, greatest)}.`,
    someOutside: (share, { least, greatest, ...range }) =>
      `Не подходит ${ofValues(share)}: они ${beyond(range)} и считаются отсутствующими; ${values(least, greatest)}.`,
    factor: (factor, { least, greatest }) =>
      `Разделить на ${measured(factor)}? Тогда значения будут от ${measured(least)} до ${measured(greatest)}. Разделите их или укажите в файле масштаб ${1 / factor} (gdal_translate -a_scale ${1 / factor}) и загрузите растр снова. Сам сервис ничего не пересчитывает.`,
    noKnownClass: ({ found, known }) =>
      `Ни один класс растра не известен: в растре ${listed(found.map(measured))}; слот принимает ${known.map(measured).join(', ')}.`,
    unknownClasses: (share, found) =>
      `Неизвестные классы — ${ofValues(share)}, они считаются отсутствующими: ${listed(found.map(measured))}.`,
    unknownAsZero: (share, found) =>
      `Неизвестные классы — ${ofValues(share)}, они считаются классом 0: ${listed(found.map(measured))}.`,
    noClasses: (share, { least, greatest }) =>
      `Не классы слота — ${ofValues(share)}: ${values(least, greatest)}.`,
    elsewhere: (place) =>
      `Растр не пересекается с растром ${other(place)}, сетка которого — сетка расчёта. ${where(place)}`,
    apart: (place) =>
      `Растр не пересекается с растром ${other(place)}, поэтому значений обоих нет ни в одном месте. ${where(place)}`,
    littleOverlap: (share) => `Растр покрывает лишь часть растра высот: ${percent(share)} его площади.`,
    beingCounted: 'Значения ещё подсчитываются и пока не проверены.',
    notCounted: 'Значения не удалось подсчитать, поэтому они не проверены.',
  },
} satisfies Partial<AllSentences>;
