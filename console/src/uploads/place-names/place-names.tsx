import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { nameIn } from '../../map/units/unit-names.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { matchNames, type NamedRow } from './match-names.ts';
import { useResource } from '../../service/resource.ts';
import { language } from '../../words/words.ts';
import {
  byRegion,
  type Choices,
  type Codes,
  codesOf,
  type MatchedUnit,
  type Place,
  placesOf,
  sortPlaces,
  unitOf,
} from './places.ts';
import './place-names.css';
import { placeWords, type PlaceWords } from './words/words.ts';

interface PlaceNamesProps {
  /** Rows in the order of the table; a new array is another table. */
  readonly rows: readonly NamedRow[];
  /** Called with the codes when they change; undefined while they load, or if they could not be found. */
  readonly onCodes: (codes: Codes | undefined) => void;
}

/** Number of questions shown at once; a table whose names are not places would have thousands. */
const questionsShown = 40;

/** Finds the units of a column of names, and asks the person about doubtful ones. */
export function PlaceNames({ rows, onCodes }: PlaceNamesProps) {
  const key = useMemo(() => crypto.randomUUID(), [rows]);
  const { resource, reload } = useResource(key, async (signal) => {
    const found = await matchNames(rows, signal);
    return { units: found.units, places: placesOf(rows, found.matches), rowCount: rows.length };
  });
  const { value, failure } = resource.value;
  const text = placeWords();
  useEffect(() => {
    if (value === undefined) onCodes(undefined);
  }, [value]);
  if (failure !== undefined) return <Failure failure={failure} retry={reload} title={text.failed} />;
  if (value === undefined) return <Waiting />;
  return <Found key={value} found={value} text={text} onCodes={onCodes} />;
}

interface FoundPlaces {
  readonly units: readonly MatchedUnit[];
  readonly places: readonly Place[];
  readonly rowCount: number;
}

/** Props that the parts of the list share. */
interface Shared {
  readonly text: PlaceWords;
  readonly titleOf: (kato: string) => string;
  readonly groups: readonly { readonly title: string; readonly units: readonly MatchedUnit[] }[];
  readonly choices: Choices;
  readonly choose: (place: Place, unit: string | null) => void;
}

function Found({
  found: { units, places, rowCount },
  text,
  onCodes,
}: {
  readonly found: FoundPlaces;
  readonly text: PlaceWords;
  readonly onCodes: PlaceNamesProps['onCodes'];
}) {
  const choices = useSignal<Choices>(new Map());
  const codes = useComputed(() => codesOf(places, choices.value, rowCount));
  useEffect(() => onCodes(codes.value), [codes.value]);
  const sorted = useMemo(() => sortPlaces(places), [places]);
  const shown = useSignal(questionsShown);
  const shared = useShared({ units, text, choices: choices.value }, (place, unit) => {
    choices.value = new Map(choices.peek()).set(place, unit);
  });
  const answered = sorted.questions.filter((place) => choices.value.has(place)).length;
  const { questions, likely, certain, others } = sorted;
  const named = questions.length + likely.length + certain.length;
  return (
    <section class="place-names" aria-label={text.title}>
      <h3>{text.title}</h3>
      <p role="status">
        {text.summary(certain.length + likely.length, named)}{' '}
        {questions.length > 0 && text.answered(answered, questions.length)}
      </p>
      {questions.length > 0 && (
        <Places places={questions.slice(0, shown.value)} label={text.questions} shared={shared} />
      )}
      {questions.length > shown.value && (
        <button type="button" class="button" onClick={() => void (shown.value += questionsShown)}>
          {text.more(questions.length - shown.value)}
        </button>
      )}
      <Folded places={likely} title={text.likely(likely.length)} shared={shared} />
      <Folded places={certain} title={text.certain(certain.length)} shared={shared} />
      <Folded places={others} title={text.others(others.length)} shared={shared} />
    </section>
  );
}

function useShared(
  { units, text, choices }: { readonly units: readonly MatchedUnit[] } & Pick<Shared, 'text' | 'choices'>,
  choose: Shared['choose'],
): Shared {
  const shownLanguage = language();
  const { titleOf, groups } = useMemo(() => {
    const regions = new Map(
      units.flatMap((unit) =>
        unit.level === 'region'
          ? [[unit.kato.slice(0, 2), text.unit(nameIn(unit, shownLanguage), unit.kind, undefined)]]
          : [],
      ),
    );
    const titles = new Map(
      units.map((unit) => {
        const region = unit.level === 'region' ? undefined : regions.get(unit.kato.slice(0, 2));
        return [unit.kato, text.unit(nameIn(unit, shownLanguage), unit.kind, region)];
      }),
    );
    const counts = Map.groupBy(titles.values(), (title) => title);
    /** Only the code tells two rural districts of one name apart. */
    const titleOf = (kato: string): string => {
      const title = titles.get(kato) ?? kato;
      return (counts.get(title)?.length ?? 0) > 1 ? `${title} · ${kato}` : title;
    };
    const groups = byRegion(units).map(({ region, units: all }) => ({
      title: regions.get(region) ?? region,
      units: all,
    }));
    return { titleOf, groups };
  }, [units, shownLanguage, text]);
  return { text, titleOf, groups, choices, choose };
}

/** A folded list of places that hardly need attention; its rows are rendered when it is opened. */
function Folded({ places, title, shared }: PlacesProps & { readonly title: string }) {
  const isOpen = useSignal(false);
  const shown = useSignal(5 * questionsShown);
  if (places.length === 0) return undefined;
  return (
    <details onToggle={({ currentTarget }) => void (isOpen.value = currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen.value && <Places places={places.slice(0, shown.value)} label={title} shared={shared} />}
      {isOpen.value && places.length > shown.value && (
        <button type="button" class="button" onClick={() => void (shown.value += 5 * questionsShown)}>
          {shared.text.more(places.length - shown.value)}
        </button>
      )}
    </details>
  );
}

interface PlacesProps {
  readonly places: readonly Place[];
  readonly shared: Shared;
}

function Places({ places, label, shared }: PlacesProps & { readonly label: string }) {
  const { text } = shared;
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{text.name}</th>
          <th scope="col">{text.found}</th>
          <th scope="col">{text.why}</th>
        </tr>
      </thead>
      <tbody>
        {places.map((place) => (
          <PlaceRow key={place} place={place} shared={shared} />
        ))}
      </tbody>
    </table>
  );
}

const signs = { exact: '✓', likely: '≈', doubtful: '?', none: '–', chosen: '✓' } as const;

function PlaceRow({ place, shared }: { readonly place: Place; readonly shared: Shared }) {
  const { text, choices } = shared;
  const { name, region, district, match, rows } = place;
  const within = [district, region].filter((each) => each !== undefined && each !== null && each !== '');
  const isChosen = choices.has(place);
  const status = isChosen ? 'chosen' : match.status;
  const shownName = name.trim() === '' ? text.blank : name;
  return (
    <tr class={status}>
      <th scope="row">
        {shownName}
        {within.length > 0 && <span class="small muted"> · {within.join(', ')}</span>}
        {rows.length > 1 && <span class="small muted"> · {text.rows(rows.length)}</span>}
      </th>
      <td data-title={text.found}>
        <UnitSelect place={place} label={text.unitOf(shownName)} shared={shared} />
      </td>
      <td data-title={text.why} class="small">
        <span class={`place-status ${status}`}>
          <span aria-hidden="true">{signs[status]}</span> {text.status[status]}
        </span>{' '}
        <span class="muted">
          {isChosen ? '' : text.reason[match.reason]}
          {!isChosen && match.remark !== null && ` ${text.remark[match.remark]}`}
        </span>
      </td>
    </tr>
  );
}

interface UnitSelectProps {
  readonly place: Place;
  readonly label: string;
  readonly shared: Shared;
}

/** A select element of all units, the candidates first. The long list is rendered when the element gets the focus. */
function UnitSelect({ place, label, shared }: UnitSelectProps) {
  const { text, titleOf, groups, choices, choose } = shared;
  const isNear = useSignal(false);
  const unit = unitOf(place, choices);
  const value = unit === undefined ? 'open' : (unit ?? 'none');
  const candidates = place.match.candidates.map(({ kato }) => kato);
  const isElsewhere = unit !== undefined && unit !== null && !candidates.includes(unit) && !isNear.value;
  const open = (): void => void (isNear.value = true);
  return (
    <select
      aria-label={label}
      value={value}
      onFocus={open}
      onPointerDown={open}
      onChange={({ currentTarget }) =>
        choose(place, currentTarget.value === 'none' ? null : currentTarget.value)
      }
    >
      {unit === undefined && (
        <option value="open" disabled selected>
          {text.choose}
        </option>
      )}
      {candidates.length > 0 && (
        <optgroup label={text.candidates}>
          {candidates.map((kato) => (
            <option key={kato} value={kato} selected={kato === unit}>
              {titleOf(kato)}
            </option>
          ))}
        </optgroup>
      )}
      {isElsewhere && (
        <option value={unit} selected>
          {titleOf(unit)}
        </option>
      )}
      <option value="none" selected={unit === null}>
        {text.noUnit}
      </option>
      {isNear.value &&
        groups.map(({ title, units }) => (
          <optgroup key={title} label={title}>
            {units.map(({ kato }) => (
              <option key={kato} value={kato} selected={kato === unit && !candidates.includes(kato)}>
                {titleOf(kato)}
              </option>
            ))}
          </optgroup>
        ))}
    </select>
  );
}
