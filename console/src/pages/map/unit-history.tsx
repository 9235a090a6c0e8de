import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { nameIn } from '../../map/units/unit-names.ts';
import { formatDay } from '../../../../common/formats/days.ts';
import type { MapLocale } from '../../map/words/words.ts';
import type { DistrictHistory } from '../../service/types.ts';
import { get } from '../../service/request.ts';

interface HistoryProps {
  readonly code: string;
  readonly locale: MapLocale;
}

type Change = DistrictHistory['before'][number];

/** The former units of a unit, with the legal act of each change. */
export function UnitHistory({ code, locale }: HistoryProps) {
  const { words, language } = locale;
  const read = useSignal<DistrictHistory | 'loading' | 'failed'>('loading');
  const attempt = useSignal(0);
  useEffect(() => {
    let isCurrent = true;
    read.value = 'loading';
    const load = async () => {
      const answer = await get('/districts/{kato}/history', { path: { kato: code } }).catch(
        () => 'failed' as const,
      );
      if (isCurrent) read.value = answer;
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [code, attempt.value]);
  const { unitTime } = words;
  const history = read.value;
  if (history === 'loading' || history === 'failed') {
    return (
      <p class="small muted" role="status">
        {unitTime[history]}{' '}
        {history === 'failed' && (
          <button type="button" class="link" onClick={() => (attempt.value += 1)}>
            {words.again}
          </button>
        )}
      </p>
    );
  }
  // Another unit may have had the code before: the history begins after it.
  const changes = history.before.toReversed();
  if (changes.length === 0)
    return <p class="small muted">{unitTime.none(formatDay(history.known_from, language))}</p>;
  return (
    <details class="map-history">
      <summary class="small">{unitTime.title}</summary>
      <ul class="small">
        {changes.map((change) => (
          <li key={`${change.date} ${change.from}`}>
            {sentenceOf(change, locale)}{' '}
            <a href={change.act.source} rel="noreferrer">
              {unitTime[change.act.kind](change.act.number)}
            </a>
            {change.act.date_is === 'about' && ` · ${unitTime.about}`}
          </li>
        ))}
      </ul>
    </details>
  );
}

function sentenceOf(change: Change, { words: { unitTime }, language }: MapLocale): string {
  const { kind, date, from, to } = change;
  const day = formatDay(date, language);
  const { from_name: name, from_name_kk, from_name_en } = change;
  const before = nameIn(
    { kato: from, name: name ?? from, name_kk: from_name_kk, name_en: from_name_en },
    language,
  );
  switch (kind) {
    case 'recode':
      return unitTime.recode(day, from);
    case 'rename':
      return unitTime.rename(day, before);
    case 'split':
      return from === to ? unitTime.kept(day) : unitTime.partOf(day, before);
    case 'merge':
      return unitTime.merge(day, before);
    default:
      return unitTime.border(day);
  }
}
