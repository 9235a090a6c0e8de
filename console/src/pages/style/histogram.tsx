import { classOf, cssOf, type Rgba } from '../../../../common/maps/style/colour-map.ts';
import { formatValue } from '../../../../common/formats/numbers.ts';
import { colourAt } from '../../../../common/maps/raster/raw-colours.ts';
import type { Distribution } from '../../style/distribution.ts';
import type { StyleDrawing } from '../../style/drawing.ts';
import type { StyleWords } from './words/words.ts';
import type { MapLocale } from '../../map/words/words.ts';

interface HistogramProps {
  readonly distribution: Distribution;
  readonly drawing: StyleDrawing;
  readonly text: StyleWords;
  readonly locale: MapLocale;
}

const [width, height] = [320, 96];
/** More bars would be thinner than a pixel of a phone. */
const mostBars = 128;

/** The frequencies of values, each bar in the colour of its middle value in the style, with the bounds of classes. */
export function Histogram({ distribution, drawing, text, locale }: HistogramProps) {
  const bars = barsOf(distribution);
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const [from, to] = [bars[0]?.from ?? 0, bars.at(-1)?.to ?? 1];
  const placeOf = (value: number) => ((value - from) / (to - from || 1)) * width;
  const marks = marksOf(drawing).filter((value) => value >= from && value <= to);
  const format = (value: number) => formatValue(value, locale.language);
  const label = text.histogram(
    format(distribution.least),
    format(distribution.greatest),
    marks.map(format).join('; '),
  );
  return (
    <figure class="style-histogram">
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {bars.map(({ count, from: left, to: right }, index) => {
          const tall = count === 0 ? 0 : Math.max(1.5, (count / most) * (height - 6));
          const [x, end] = [placeOf(left), placeOf(right)];
          return (
            <rect
              key={index}
              x={x}
              y={height - tall}
              width={Math.max(0.5, end - x - 0.4)}
              height={tall}
              fill={cssOf(colourOf(drawing, (left + right) / 2))}
            />
          );
        })}
        {marks.map((value) => (
          <line key={value} x1={placeOf(value)} x2={placeOf(value)} y1={0} y2={height}>
            <title>{format(value)}</title>
          </line>
        ))}
      </svg>
      <figcaption aria-hidden="true">
        <span>{format(distribution.least)}</span>
        <span>{format(distribution.greatest)}</span>
      </figcaption>
    </figure>
  );
}

interface Bar {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** A bar for each bin, or for each value if values are few and whole; bins are merged if there are too many. */
function barsOf({ bins: { from, to, counts }, distinct, isWhole, values }: Distribution): readonly Bar[] {
  if (distinct !== undefined && isWhole && distinct.length > 0) {
    const [least = 0] = distinct;
    const span = (distinct.at(-1) ?? least) - least;
    if (span < mostBars) {
      const countOf = new Map<number, number>();
      for (const value of values) countOf.set(value, (countOf.get(value) ?? 0) + 1);
      return Array.from({ length: span + 1 }, (_, index) => ({
        from: least + index - 0.5,
        to: least + index + 0.5,
        count: countOf.get(least + index) ?? 0,
      }));
    }
  }
  const joined = Math.max(1, Math.ceil(counts.length / mostBars));
  const step = ((to - from) / counts.length || 1) * joined;
  return Array.from({ length: Math.ceil(counts.length / joined) }, (_, index) => ({
    from: from + index * step,
    to: from + (index + 1) * step,
    count: counts.slice(index * joined, (index + 1) * joined).reduce((sum, count) => sum + count, 0),
  }));
}

function marksOf(drawing: StyleDrawing): readonly number[] {
  if (drawing.kind === 'classes') return drawing.bounds;
  if (drawing.kind === 'values') return [];
  return [drawing.stops[0], drawing.stops.at(-1)].flatMap((stop) => (stop === undefined ? [] : [stop.value]));
}

const grey: Rgba = [185, 185, 178, 255];

function colourOf(drawing: StyleDrawing, value: number): Rgba {
  switch (drawing.kind) {
    case 'classes':
      return drawing.colours[classOf(value, drawing.bounds)] ?? grey;
    case 'ramp':
      return colourAt({ kind: 'ramp', stops: drawing.stops.map((stop) => ({ ...stop, label: '' })) }, value);
    default:
      return nearestOf(drawing.entries, value)?.colour ?? grey;
  }
}

/** A bar of fractional values has the colour of the value nearest to its middle. */
function nearestOf(entries: (StyleDrawing & { readonly kind: 'values' })['entries'], value: number) {
  const distance = (entry: (typeof entries)[number]): number => Math.abs(Number(entry.value) - value);
  return entries.toSorted((a, b) => distance(a) - distance(b))[0];
}
