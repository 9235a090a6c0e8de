import '../../parts/views.css';
import { useEffect, useRef } from 'preact/hooks';
import { address, hrefOf, replaceQuery } from '../../address/address.ts';
import { nameIn } from '../../map/units/unit-names.ts';
import { formatHectares } from '../../../../common/formats/hectares.ts';
import { language } from '../../words/words.ts';
import { formatDifference } from './difference.ts';
import type { JudgedLand } from './model.ts';
import { columnOf, type Column, columns, sorted, type Sorting, sortingOf } from './model.ts';
import type { JudgeWords } from './words/words.ts';
import type { Balance, LandscapeGraph } from '../../service/types.ts';

interface UnitsSectionProps {
  readonly graph: LandscapeGraph;
  readonly rows: readonly JudgedLand[];
  readonly total: JudgedLand;
  /** The land in no unit. */
  readonly outside: JudgedLand;
  readonly by: Balance['by'];
  readonly isStale: boolean;
  /** The chosen unit. */
  readonly unit: string | undefined;
  readonly words: JudgeWords;
}

/** Hectares of zones by district or region; a click on a name shows the unit on the map with its figures. */
export function UnitsSection(props: UnitsSectionProps) {
  const { graph, rows, total, outside, by, isStale, unit, words } = props;
  const { path, query } = address.value;
  const sorting = sortingOf(query.get('sort') ?? '');
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const row = box.current?.querySelector<HTMLElement>('tr.is-chosen');
    if (row === null || row === undefined || box.current === null) return;
    // If the map or the address chose the unit, the table scrolls to it and the page does not.
    const [top, height] = [row.offsetTop, box.current.clientHeight];
    if (top < box.current.scrollTop || top + row.offsetHeight > box.current.scrollTop + height)
      box.current.scrollTop = top - height / 2;
  }, [unit]);
  const hrefBy = (wanted: string | undefined): string =>
    hrefOf(path, { ...Object.fromEntries(query), by: wanted, unit: undefined });
  const titles: Readonly<Record<Column, string>> = {
    name: words.unit,
    v1: 'V1',
    v2: 'V2',
    v3: 'V3',
    changed: words.changedColumn,
    contested: words.contested,
  };
  const zones = graph.nodes.find(({ params }) => params.includes('v1_min_s_e12'))?.legend.entries ?? [];
  return (
    <section class="sheet pad" aria-labelledby="units-title">
      <div class="page-head">
        <h2 id="units-title">{words.units}</h2>
        <nav class="views" aria-label={words.units}>
          <a href={hrefBy(undefined)} aria-current={by === 'district' ? 'true' : undefined}>
            {words.byDistrict}
          </a>
          <a href={hrefBy('region')} aria-current={by === 'region' ? 'true' : undefined}>
            {words.byRegion}
          </a>
        </nav>
        {unit !== undefined && (
          <button type="button" class="button quiet" onClick={() => replaceQuery({ unit: undefined })}>
            {words.everyUnit}
          </button>
        )}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keys */}
      <div class="judge-units-box" ref={box} tabIndex={0} role="group" aria-labelledby="units-title">
        <table class="judge-units" aria-busy={isStale}>
          <thead>
            <tr>
              {columns.map((column) => (
                <SortHead
                  key={column}
                  column={column}
                  sorting={sorting}
                  title={titles[column]}
                  words={words}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted(rows, sorting, language()).map((judged) => (
              <UnitRow
                key={judged.unit?.kato}
                judged={judged}
                zones={zones}
                titles={titles}
                isChosen={judged.unit?.kato === unit}
                words={words}
              />
            ))}
          </tbody>
          <tfoot>
            {outside.mapped > 0 && <FootRow name={words.outside} judged={outside} titles={titles} />}
            <FootRow name={words.total} judged={total} titles={titles} />
          </tfoot>
        </table>
      </div>
      <p class="small muted">{words.rounded}</p>
    </section>
  );
}

interface SortHeadProps {
  readonly column: Column;
  readonly sorting: Sorting;
  readonly title: string;
  readonly words: JudgeWords;
}

function SortHead({ column, sorting, title, words }: SortHeadProps) {
  const isOn = sorting.column === column;
  const order = sorting.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={column === 'name' ? undefined : 'number'} aria-sort={isOn ? order : undefined}>
      <button
        type="button"
        aria-label={words.sortBy(title)}
        onClick={() => replaceQuery({ sort: columnOf(column, sorting) })}
      >
        {title}
        <span aria-hidden="true">{isOn ? (sorting.isDescending ? ' ▾' : ' ▴') : ''}</span>
      </button>
    </th>
  );
}

interface UnitRowProps {
  readonly judged: JudgedLand;
  readonly zones: readonly { readonly value: number; readonly color: string }[];
  readonly titles: Readonly<Record<Column, string>>;
  readonly isChosen: boolean;
  readonly words: JudgeWords;
}

function UnitRow({ judged, zones, titles, isChosen, words }: UnitRowProps) {
  const { unit, mapped } = judged;
  const name = unit === undefined ? '' : nameIn(unit, language());
  return (
    <tr class={isChosen ? 'is-chosen' : undefined}>
      <th scope="row">
        <button
          type="button"
          aria-pressed={isChosen}
          aria-label={words.choose(name)}
          onClick={() => replaceQuery({ unit: isChosen ? undefined : unit?.kato })}
        >
          {name}
        </button>
        <span class="zone-shares" aria-hidden="true">
          {judged.zones.map((hectares, index) => (
            <span
              key={index}
              style={{
                width: `${(100 * hectares) / mapped}%`,
                background: zones.find(({ value }) => value === index + 1)?.color ?? 'none',
              }}
            />
          ))}
        </span>
      </th>
      <Numbers judged={judged} titles={titles} />
    </tr>
  );
}

interface FootRowProps {
  readonly name: string;
  readonly judged: JudgedLand;
  readonly titles: Readonly<Record<Column, string>>;
}

function FootRow({ name, judged, titles }: FootRowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <Numbers judged={judged} titles={titles} />
    </tr>
  );
}

function Numbers({ judged, titles }: Omit<FootRowProps, 'name'>) {
  const { zones, zonesBefore, changed, contested } = judged;
  return (
    <>
      {([1, 2, 3] as const).map((zone) => {
        const [is, was] = [zones[zone - 1] ?? 0, zonesBefore[zone - 1] ?? 0];
        return (
          <td key={zone} class="number" data-label={titles[`v${zone}`]}>
            {formatHectares(is, language())}
            <span class="difference">{formatDifference(is - was)}</span>
          </td>
        );
      })}
      <td class="number" data-label={titles.changed}>
        {formatHectares(changed, language())}
      </td>
      <td class="number" data-label={titles.contested}>
        {formatHectares(contested, language())}
      </td>
    </>
  );
}
