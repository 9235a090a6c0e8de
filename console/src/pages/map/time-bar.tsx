import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatDates } from '../../map/units/unit-series.ts';
import type { MapState } from '../../map/map-state.ts';
import type { MapLocale } from '../../map/words/words.ts';

const stepMs = 900;

/** Chooses a date of the data: by playback, by a slider with a step for each date, or in a list. */
export function TimeBar({ state, locale }: { readonly state: MapState; readonly locale: MapLocale }) {
  const { words, language } = locale;
  const isPlaying = useSignal(false);
  const dates = state.dates.value;
  const at = dates.findIndex(({ start }) => start === state.shownDate.value?.start);
  const show = (index: number) => (state.date.value = dates[index]?.start);
  useEffect(() => {
    if (!isPlaying.value) return undefined;
    const timer = setInterval(() => {
      const now = state.dates.peek().findIndex(({ start }) => start === state.shownDate.peek()?.start);
      show((now + 1) % state.dates.peek().length);
    }, stepMs);
    return () => clearInterval(timer);
  }, [isPlaying.value, dates]);
  if (dates.length < 2) return null;
  const labels = formatDates(dates, language);
  return (
    <div class="map-time">
      <button
        type="button"
        class="button"
        aria-label={isPlaying.value ? words.pause : words.play}
        title={isPlaying.value ? words.pause : words.play}
        onClick={() => (isPlaying.value = !isPlaying.value)}
      >
        {isPlaying.value ? '⏸' : '▶'}
      </button>
      <input
        type="range"
        min="0"
        max={dates.length - 1}
        step="1"
        value={at}
        aria-label={words.date}
        aria-valuetext={labels[at]}
        onInput={({ currentTarget }) => {
          isPlaying.value = false;
          show(Number(currentTarget.value));
        }}
      />
      <select
        aria-label={words.date}
        value={state.shownDate.value?.start}
        onChange={({ currentTarget }) => {
          isPlaying.value = false;
          state.date.value = currentTarget.value;
        }}
      >
        {dates.map(({ start }, index) => (
          <option key={start} value={start}>
            {labels[index]}
          </option>
        ))}
      </select>
    </div>
  );
}
