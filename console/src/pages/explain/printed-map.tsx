import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { formatLabel } from '../../../../common/maps/legend/labels.ts';
import { cssOf } from '../../../../common/maps/style/colour-map.ts';
import type { LoadedLayer } from '../../map/layers/layer-model.ts';
import { classLabel, datasetName } from '../../service/graph-words.ts';
import { formatMoment } from '../../../../common/formats/days.ts';
import { language } from '../../words/words.ts';
import { copyMap } from '../../map/drawing/copy-map.ts';
import { explainWords } from './words/words.ts';
import type { MapLocale } from '../../map/words/words.ts';

interface PrintedProps {
  readonly layer: LoadedLayer | undefined;
  readonly locale: MapLocale;
}

/** Content for print only: the current map, its legend, the day and the address. */
export function PrintedMap({ layer, locale }: PrintedProps) {
  const text = explainWords();
  const picture = useRef<HTMLCanvasElement>(null);
  const printed = useSignal('');
  useEffect(() => {
    /** The sections that were closed before printing. */
    let opened: readonly HTMLDetailsElement[] = [];
    const prepare = (): void => {
      const map = document.querySelector('.map-target');
      if (map !== null && picture.current !== null) copyMap(map, picture.current);
      printed.value = formatMoment(new Date().toISOString(), language());
      opened = [...document.querySelectorAll<HTMLDetailsElement>('.explain details:not([open])')];
      for (const details of opened) details.open = true;
    };
    const restore = (): void => {
      for (const details of opened) details.open = false;
    };
    addEventListener('beforeprint', prepare);
    addEventListener('afterprint', restore);
    return () => {
      removeEventListener('beforeprint', prepare);
      removeEventListener('afterprint', restore);
    };
  }, []);
  const entries =
    layer?.legend.kind === 'classes' ? layer.legend.entries.filter(({ isHidden }) => !isHidden) : [];
  return (
    <div class="explain-map print-only" aria-hidden="true">
      <canvas ref={picture} />
      {layer !== undefined && <p>{text.mapOf(datasetName(layer.dataset))}</p>}
      {layer !== undefined && (
        <ul>
          {entries.map((entry, index) => (
            <li key={index}>
              <span class="swatch" style={{ background: cssOf(entry.colour) }} />
              {formatLabel(classLabel(layer.dataset, entry), locale)}
            </li>
          ))}
        </ul>
      )}
      <p>{text.printed(printed.value)}</p>
      <p lang="en">{location.href}</p>
    </div>
  );
}
