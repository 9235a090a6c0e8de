import { formatValue } from '../../../../common/formats/numbers.ts';
import { scaleBar } from '../place/scale-length.ts';
import type { MapLocale } from '../words/words.ts';

const widest = 120;

interface ScaleBarProps {
  /** At the centre of the map; undefined until it is known. */
  readonly metresPerPixel: number | undefined;
  readonly locale: MapLocale;
}

/** A bar of a round length on the ground. */
export function ScaleBar({ metresPerPixel, locale: { words, language } }: ScaleBarProps) {
  if (metresPerPixel === undefined || !Number.isFinite(metresPerPixel)) return null;
  const { metres, pixels } = scaleBar(metresPerPixel, widest);
  const text =
    metres >= 1000
      ? `${formatValue(metres / 1000, language)} ${words.kilometres}`
      : `${formatValue(metres, language)} ${words.metres}`;
  return (
    <span class="map-scale">
      <span style={{ width: `${pixels.toFixed(0)}px` }} />
      {text}
    </span>
  );
}
