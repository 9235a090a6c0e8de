import { formatDay } from '../../../../common/formats/days.ts';
import type { MapWords } from '../words/words.ts';
import type { UnitLayerModel } from '../layers/layer-model.ts';
import type { MapLocale } from '../words/words.ts';
import { countBroken, type WhyEmpty } from '../units/unit-history.ts';

interface WithoutProps {
  readonly without: Readonly<Record<WhyEmpty, number>> | undefined;
  readonly layer: UnitLayerModel;
  readonly words: MapWords;
}

const signs = { empty: 'hatched', absent: 'dotted', outside: 'plain' } as const;

/** The symbols of units without a value, with their numbers; reasons that do not occur are left out. */
export function UnitsWithout({ without, layer, words }: WithoutProps) {
  const reasons = ['empty', 'absent', 'outside'] as const;
  const hasAbsent = (layer.series.history?.absent ?? []).some(({ kato_code: code }) => layer.codes.has(code));
  const shown = reasons.filter((reason) =>
    without === undefined ? reason !== 'absent' || hasAbsent : without[reason] > 0,
  );
  return shown.map((reason) => (
    <p class="no-data" key={reason}>
      <span class={`swatch ${signs[reason]}`} />
      {words.unitTime[reason]}
      {without !== undefined && <span class="count">{without[reason]}</span>}
    </p>
  ));
}

interface NotesProps {
  readonly layer: UnitLayerModel;
  readonly locale: MapLocale;
}

/** Explains how the map treats values of former units. */
export function UnitNotes({ layer, locale: { words, language } }: NotesProps) {
  const { history, without_borders: without = [] } = layer.series;
  const withoutBorders = without.map(({ level, units }) => words.unitTime.counted(level, units)).join(', ');
  if (history === undefined)
    return withoutBorders === '' ? null : (
      <p class="small muted">{words.unitTime.withoutBorders(withoutBorders)}</p>
    );
  const broken = countBroken(layer.series);
  const older = new Set(history.units.flatMap(({ from }) => from.map(({ kato_code: code }) => code))).size;
  const namesOf = (reason: 'ended' | 'reused') =>
    history.left
      .filter((each) => each.reason === reason)
      .map(({ name, kato_code: code, until }) => `${name}, ${code} (${formatDay(until, language)})`)
      .join('; ');
  const [ended, reused] = [namesOf('ended'), namesOf('reused')];
  const notes = [
    withoutBorders !== '' && words.unitTime.withoutBorders(withoutBorders),
    broken > 0 && words.unitTime.broken(broken),
    older > 0 && words.unitTime.older(older),
    ended !== '' && words.unitTime.ended(ended),
    reused !== '' && words.unitTime.reused(reused),
  ];
  return notes.map(
    (note) =>
      note !== false && (
        <p class="small muted" key={note}>
          {note}
        </p>
      ),
  );
}
