import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { address, replaceQuery } from '../../address/address.ts';
import { mapSources } from '../../map/map-state.ts';
import { MatchMap, matchColours } from '../../map/match-map.tsx';
import { useUnitNames } from '../../map/units/unit-names.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { useCounted, getCounted } from '../../service/counted.ts';
import type { Dataset, MappingSuggestion, TableMatch } from '../../service/types.ts';
import { language } from '../../words/words.ts';
import { count } from './written.ts';
import type { ColumnsWords } from './words/words.ts';

type Figures = Omit<MappingSuggestion['matches'][number], 'column'> & Partial<Pick<TableMatch, 'text_cells'>>;

interface PanelProps {
  readonly dataset: Dataset;
  readonly suggestion: MappingSuggestion;
  /** The chosen column of codes. */
  readonly kato: string | undefined;
  readonly text: ColumnsWords;
}

/** The units that the rows match: for the whole table after it is extracted with this column, for its first rows before. */
export function MatchPanel({ dataset, suggestion, kato, text }: PanelProps) {
  const isExtracted = dataset.status === 'ready' && dataset.kato_column === kato;
  const whole = useCounted(`match ${dataset.id} ${dataset.updated_at} ${isExtracted}`, async (asking) =>
    isExtracted
      ? await getCounted('/datasets/{id}/mapping/match', { path: { id: dataset.id }, ...asking })
      : undefined,
  );
  const first = suggestion.matches.find(({ column }) => column === kato);
  const figures: Figures | undefined = isExtracted ? whole.value : first;
  return (
    <section class="sheet pad stack match-panel" aria-labelledby="match">
      <h2 id="match">{text.match}</h2>
      {isExtracted && whole.failure !== undefined && (
        <Failure failure={whole.failure} retry={whole.reload} title={text.matchFailed} />
      )}
      {isExtracted && whole.failure === undefined && figures === undefined && <Waiting />}
      {figures !== undefined && (
        <>
          <p class="muted small">
            {isExtracted ? text.allRows(count(figures.rows)) : text.firstRows(count(figures.rows))}
          </p>
          <Shown figures={figures} suggestion={suggestion} text={text} />
        </>
      )}
      {!isExtracted && figures === undefined && (
        <p>{kato === undefined ? text.chooseKato : text.notCounted}</p>
      )}
    </section>
  );
}

interface Shown {
  readonly figures: Figures;
  readonly suggestion: MappingSuggestion;
  readonly text: ColumnsWords;
}

function Shown({ figures, suggestion, text }: Shown) {
  const chosen = address.value.query.get('unit') ?? undefined;
  const rows = useMemo(
    () => new Map(figures.units.map(({ kato_code: code, rows: many }) => [code, many])),
    [figures],
  );
  const nameOf = useUnitNames(mapSources().districts, true, language());
  const choose = (unit: string | undefined): void => {
    const row = figures.units.find(({ kato_code: code }) => code === unit)?.first_row;
    const isShown = row !== undefined && row <= suggestion.rows.length;
    replaceQuery({ unit, row: isShown ? String(row) : undefined });
    if (isShown) document.querySelector(`#row-${row}`)?.scrollIntoView({ block: 'nearest' });
  };
  const found = figures.units.find(({ kato_code: code }) => code === chosen);
  const several = figures.units.filter(({ rows: many }) => many > 1).length;
  return (
    <>
      <Counts figures={figures} text={text} />
      <MatchMap rows={rows} label={text.mapOf} chosen={chosen} onUnit={choose} />
      <p class="small" role="status">
        {chosen !== undefined &&
          (found === undefined
            ? text.unitWithout(nameOf(chosen))
            : text.unitRow(nameOf(chosen), count(found.first_row), found.rows))}
      </p>
      <ul class="match-legend small">
        <Entry colour={matchColours.once}>
          {text.once} · {count(figures.units.length - several)}
        </Entry>
        {several > 0 && (
          <Entry colour={matchColours.several}>
            {text.severalRows} · {count(several)}
          </Entry>
        )}
        <Entry>{text.noRow}</Entry>
      </ul>
      <Lists figures={figures} text={text} nameOf={nameOf} onUnit={choose} />
    </>
  );
}

function Entry({ colour, children }: { readonly colour?: string; readonly children: ComponentChildren }) {
  return (
    <li>
      <svg viewBox="0 0 18 12" width="18" height="12" aria-hidden="true">
        <rect
          width="18"
          height="12"
          fill={colour ?? '#e4e4df'}
          stroke={colour === matchColours.several ? '#5d3b00' : 'none'}
        />
        {colour === undefined && (
          <path d="M-2 12 10 0M4 12 16 0M10 12 22 0" stroke="#b9b9b2" stroke-width="2" />
        )}
      </svg>{' '}
      {children}
    </li>
  );
}

function Counts({ figures, text }: Pick<Shown, 'figures' | 'text'>) {
  const { rows, with_district: known, without_code: without, uncounted_rows: uncounted } = figures;
  const lines = [
    [text.of(count(known), count(rows)), text.withDistrict],
    without > 0 && [count(without), text.withoutCode],
    rows - known - without > 0 && [count(rows - known - without), text.unknown],
    figures.repeated_codes.total > 0 && [count(figures.repeated_codes.total), text.repeated],
    (figures.text_cells?.total ?? 0) > 0 && [count(figures.text_cells?.total ?? 0), text.texts],
    uncounted > 0 && [count(uncounted), text.uncounted],
  ].filter((line) => line !== false);
  return (
    <ul class="match-counts">
      {lines.map(([figure, what]) => (
        <li key={what}>
          {what}: <strong>{figure}</strong>
        </li>
      ))}
    </ul>
  );
}

interface ListsProps extends Pick<Shown, 'figures' | 'text'> {
  readonly nameOf: (code: string) => string;
  readonly onUnit: (unit: string) => void;
}

/** The rows that need attention, the first ones of each kind. */
function Lists({ figures, text, nameOf, onUnit }: ListsProps) {
  const { unknown_codes: unknown, repeated_codes: repeated, text_cells: texts } = figures;
  const known = new Set(figures.units.map(({ kato_code: code }) => code));
  const codeHeads = [text.code, text.rowsHead, text.firstRow];
  return (
    <>
      <List
        title={text.unknownCodes}
        heads={codeHeads}
        total={unknown.total}
        shown={unknown.items.length}
        text={text}
      >
        {unknown.items.map(({ kato_code: code, rows, first_row: row, within }) => (
          <tr key={code}>
            <td>
              <span class="code">{code}</span>
              {within !== null && (
                <>
                  {' '}
                  <UnitButton code={within} text={text} onUnit={onUnit}>
                    {text.within(nameOf(within))}
                  </UnitButton>
                </>
              )}
            </td>
            <td class="number">{count(rows)}</td>
            <td class="number">{count(row)}</td>
          </tr>
        ))}
      </List>
      <List
        title={text.repeated}
        heads={codeHeads}
        total={repeated.total}
        shown={repeated.items.length}
        text={text}
      >
        {repeated.items.map(({ kato_code: code, rows, first_row: row }) => (
          <tr key={code}>
            <td>
              {known.has(code) ? (
                <UnitButton code={code} text={text} onUnit={onUnit}>
                  {code} {nameOf(code) === code ? '' : nameOf(code)}
                </UnitButton>
              ) : (
                <span class="code">{code}</span>
              )}
            </td>
            <td class="number">{count(rows)}</td>
            <td class="number">{count(row)}</td>
          </tr>
        ))}
      </List>
      {texts !== undefined && (
        <List
          title={text.texts}
          heads={[text.column, text.value, text.cellsHead, text.firstRow]}
          total={texts.total}
          shown={texts.items.reduce((sum, { cells }) => sum + cells, 0)}
          text={text}
        >
          {texts.items.map(({ column, value, cells, first_row: row }) => (
            <tr key={`${column} ${value}`}>
              <td>{column}</td>
              <td>{value}</td>
              <td class="number">{count(cells)}</td>
              <td class="number">{count(row)}</td>
            </tr>
          ))}
        </List>
      )}
    </>
  );
}

function UnitButton({
  code,
  text,
  onUnit,
  children,
}: Pick<ListsProps, 'text' | 'onUnit'> & { readonly code: string; readonly children: ComponentChildren }) {
  return (
    <button type="button" class="link" title={text.toMap(code)} onClick={() => onUnit(code)}>
      {children}
    </button>
  );
}

function List({
  title,
  heads,
  total,
  shown,
  text,
  children,
}: {
  readonly title: string;
  readonly heads: readonly string[];
  readonly total: number;
  readonly shown: number;
  readonly text: ColumnsWords;
  readonly children: ComponentChildren;
}) {
  if (total === 0) return undefined;
  return (
    <details>
      <summary>
        {title}: {count(total)}
      </summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keyboard */}
      <div class="columns-scroll" tabIndex={0} role="region" aria-label={title}>
        <table class="match-list small">
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
      {total > shown && <p class="small muted">{text.shownOf(count(shown), count(total))}</p>}
    </details>
  );
}
