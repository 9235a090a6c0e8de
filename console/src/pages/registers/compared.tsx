import { useSignal } from '@preact/signals';
import { replaceQuery } from '../../address/address.ts';
import { formatHectares } from '../../../../common/formats/hectares.ts';
import { formatNumber } from '../../../../common/formats/numbers.ts';
import { formatShare } from '../../../../common/formats/shares.ts';
import { nameIn } from '../../map/units/unit-names.ts';
import { fileNameOf } from '../../parts/downloads.ts';
import { FileLink } from '../../parts/file-link.tsx';
import { pathTo } from '../../service/request.ts';
import type { RegisterComparison } from '../../service/types.ts';
import { language } from '../../words/words.ts';
import { DifferenceMap } from './difference-map.tsx';
import { type RegistersState, sideNames } from './registers-address.ts';
import type { RegistersWords } from './words/words.ts';

interface ComparedProps {
  readonly comparison: RegisterComparison;
  readonly asked: RegistersState['asked'];
  /** KATO code of the unit that is shown on the map. */
  readonly chosen: string | undefined;
  readonly words: RegistersWords;
}

/** The sums, the map and the table of a comparison, with its files. */
export function Compared(props: ComparedProps) {
  const { comparison, chosen, words } = props;
  const { by, classes, levels, reasons, rows } = comparison;
  const choose = (unit: string | undefined): void => replaceQuery({ unit });
  return (
    <>
      <section class="sheet pad stack" aria-labelledby="registers-sums">
        <h2 id="registers-sums">{words.totals}</h2>
        <Totals comparison={comparison} words={words} />
        {reasons.length > 0 && (
          <>
            <h3>{words.whole}</h3>
            <ul class="register-reasons">
              {reasons.map(({ text }) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </>
        )}
        <Files {...props} />
      </section>
      {levels.length > 1 && (
        <div class="unit-levels" role="group" aria-label={words.by}>
          {levels.map(({ level }) => (
            <button
              key={level}
              type="button"
              class="button"
              aria-pressed={level === by}
              onClick={() => replaceQuery({ by: level, unit: undefined })}
            >
              {words.levels[level]}
            </button>
          ))}
        </div>
      )}
      {rows.length === 0 ? (
        <p>{words.nothing}</p>
      ) : (
        <div class="register-parts">
          <section class="sheet pad stack" aria-labelledby="registers-map">
            <h2 id="registers-map">{words.map}</h2>
            <p class="small muted">{differenceTitle(comparison, words)}</p>
            <DifferenceMap comparison={comparison} chosen={chosen} words={words} onUnit={choose} />
            <ul class="register-legend">
              {classes.map(({ label, color }) => (
                <li key={label}>
                  <span class="swatch" style={{ background: color }} aria-hidden="true" />
                  {label}
                </li>
              ))}
            </ul>
          </section>
          <section class="sheet pad stack" aria-labelledby="registers-table">
            <h2 id="registers-table">{words.table}</h2>
            <Rows comparison={comparison} chosen={chosen} words={words} onUnit={choose} />
          </section>
        </div>
      )}
    </>
  );
}

const differenceTitle = ({ unit }: RegisterComparison, words: RegistersWords): string =>
  `${words.difference}: ${words.differenceOf}${unit === null ? '' : `, ${unitIn(unit, words)}`}`;

/** The hectare is the only unit of the service itself; all others are in the words of the tables. */
const unitIn = (unit: string, words: RegistersWords): string => (unit === 'ha' ? words.ha : unit);

function measured(value: number, { unit }: RegisterComparison, words: RegistersWords): string {
  const text = formatHectares(value, language());
  return unit === null ? text : `${text}\u00a0${unitIn(unit, words)}`;
}

/** A difference with its sign. */
function signed(difference: number): string {
  const text = formatHectares(Math.abs(difference), language());
  return text === '0' ? text : `${difference < 0 ? '−' : '+'}${text}`;
}

function signedShare(share: number): string {
  const text = formatShare(Math.abs(share), language());
  return share === 0 ? text : `${share < 0 ? '−' : '+'}${text}`;
}

function Totals({ comparison, words }: Pick<ComparedProps, 'comparison' | 'words'>) {
  const { a, b, total, unit } = comparison;
  const count = (units: number) => formatNumber(units, language());
  return (
    <>
      <dl class="register-totals">
        {sideNames.map((side) => (
          <div key={side}>
            <dt>{{ a, b }[side].name}</dt>
            <dd>{measured(total[side], comparison, words)}</dd>
          </div>
        ))}
        <div>
          <dt>
            {words.difference}: {words.differenceOf}
          </dt>
          <dd>
            {signed(total.difference)}
            {unit === null ? '' : `\u00a0${unitIn(unit, words)}`}
            {total.share !== null && <span class="small muted"> {signedShare(total.share)}</span>}
          </dd>
        </div>
      </dl>
      <p>
        {words.inBoth(count(total.units), total.units)}{' '}
        {sideNames.map((side) => {
          const only = comparison[`only_${side}`];
          return only.units === 0
            ? ''
            : `${words.onlyIn[side](count(only.units), only.units, measured(only.value, comparison, words))} `;
        })}
      </p>
    </>
  );
}

function Files({ comparison, asked, words }: ComparedProps) {
  const [a, b] = [comparison.a.dataset_id, comparison.b.dataset_id];
  const title = `${words.title} - ${comparison.a.name} - ${comparison.b.name}`;
  const asks = { path: { a, b }, query: { ...asked, by: comparison.by, lang: language() } };
  const files = [
    { label: words.xlsx, path: pathTo('/datasets/{a}/compare/{b}.xlsx', asks), extension: 'xlsx' },
    { label: words.csv, path: pathTo('/datasets/{a}/compare/{b}.csv', asks), extension: 'csv' },
    { label: words.sheet, path: pathTo('/datasets/{a}/compare/{b}/sheet.pdf', asks), extension: 'pdf' },
    { label: words.report, path: pathTo('/datasets/{a}/compare/{b}/report.html', asks), extension: 'html' },
  ];
  return (
    <div class="actions">
      {files.map(({ label, path, extension }) => (
        <FileLink key={extension} file={{ label, path: `.${path}`, name: fileNameOf(title, extension) }} />
      ))}
    </div>
  );
}

const first = 20;

interface RowsProps extends Omit<ComparedProps, 'asked'> {
  readonly onUnit: (kato: string | undefined) => void;
}

/** Every unit, the largest difference first. */
function Rows({ comparison, chosen, words, onUnit }: RowsProps) {
  const isWhole = useSignal(false);
  const { a, b, rows, classes } = comparison;
  const shown = isWhole.value ? rows : rows.filter((row, index) => index < first || row.kato === chosen);
  const amount = (value: number | null) => (value === null ? '–' : formatHectares(value, language()));
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it */}
      <div class="register-table" role="region" aria-label={words.tableLabel} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.unit}</th>
              <th scope="col" class="number">
                {a.name}
              </th>
              <th scope="col" class="number">
                {b.name}
              </th>
              <th scope="col" class="number">
                {words.difference}
              </th>
              <th scope="col" class="number">
                {words.share}
              </th>
              <th scope="col">{words.reasons}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => {
              const name = nameIn(row, language());
              const isChosen = row.kato === chosen;
              return (
                <tr key={row.kato} class={isChosen ? 'is-chosen' : undefined}>
                  <th scope="row">
                    <span
                      class="swatch"
                      style={{ background: classes[row.class]?.color ?? 'none' }}
                      aria-hidden="true"
                    />
                    <button
                      type="button"
                      class="link"
                      aria-pressed={isChosen}
                      aria-label={words.show(name)}
                      onClick={() => onUnit(isChosen ? undefined : row.kato)}
                    >
                      {name}
                    </button>{' '}
                    <span class="small muted">{row.kato}</span>
                  </th>
                  <td class="number">{amount(row.a)}</td>
                  <td class="number">{amount(row.b)}</td>
                  <td class="number">{row.difference === null ? '–' : signed(row.difference)}</td>
                  <td class="number">{row.share === null ? '–' : signedShare(row.share)}</td>
                  <td class="small">
                    {row.reasons.length === 0 ? (
                      <span class="muted">{words.noReasons}</span>
                    ) : (
                      row.reasons.map(({ text }) => text).join(' ')
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {shown.length < rows.length && (
        <button type="button" class="button" onClick={() => void (isWhole.value = true)}>
          {words.more(rows.length - shown.length)}
        </button>
      )}
    </>
  );
}
