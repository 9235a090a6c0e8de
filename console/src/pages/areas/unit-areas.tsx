import { address, hrefOf as addressOf, replaceQuery } from '../../address/address.ts';
import { formatNumber } from '../../../../common/formats/numbers.ts';
import { formatHectares } from '../../../../common/formats/hectares.ts';
import { nameIn } from '../../map/units/unit-names.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { useCounted, getCounted } from '../../service/counted.ts';
import { language, words } from '../../words/words.ts';
import { fileNameOf } from '../../parts/downloads.ts';
import { FileLink } from '../../parts/file-link.tsx';
import { levelsOf, unitsAsked } from './asked.ts';
import { AreaTable } from './area-table.tsx';
import { classedArea, differenceOf, inRaster, readSorting, writeSorting } from './table-rows.ts';
import { areasWords } from './words/words.ts';
import type { DatasetAreas } from '../../service/types.ts';

export interface UnitAreasProps {
  /** Id of a raster of classes. */
  readonly id: string;
  readonly name: string;
  /** Address of the map of a unit, if no map is beside the table. */
  readonly hrefOf?: (kato: string) => string;
  /** KATO code of the chosen unit. */
  readonly chosen?: string | undefined;
  /** Shows a unit on the map beside the table. */
  readonly onUnit?: (kato: string) => void;
}

/** Hectares of each class in each district or region, with downloads. Units and order are in the address. */
export function UnitAreas(props: UnitAreasProps) {
  const by = unitsAsked() ?? 'district';
  const { value, failure, isCounting, isLoading, reload } = useCounted(
    `areas ${props.id} ${by} ${language()}`,
    async (asking) =>
      await getCounted('/datasets/{id}/areas', { path: { id: props.id }, query: { by }, ...asking }),
  );
  const text = areasWords();
  const isCurrent = value?.by === by;
  return (
    <div class="stack">
      <div class="unit-levels" role="group" aria-label={text.by}>
        {levelsOf(value, by).map((level) => (
          <button
            key={level}
            type="button"
            class="button"
            aria-pressed={level === by}
            onClick={() => replaceQuery({ areas: level })}
          >
            {text.levels[level]}
          </button>
        ))}
      </div>
      {failure !== undefined && <Failure failure={failure} retry={reload} title={text.failed} />}
      <p class="muted" role="status">
        {isCounting && text.counting}
      </p>
      {!isCurrent && isLoading && !isCounting && <Waiting />}
      {value !== undefined && isCurrent && <Counted {...props} value={value} />}
    </div>
  );
}

interface CountedProps extends UnitAreasProps {
  readonly value: DatasetAreas;
}

function Counted({ id, name, hrefOf, chosen, onUnit, value }: CountedProps) {
  const text = areasWords();
  const { query } = address.value;
  const withOutside = query.get('outside') === '1';
  const all = value.rows.map((row) => ({ ...row, key: row.kato, name: nameIn(row, language()) }));
  const rows = all.filter((row) => withOutside || row.key === chosen || inRaster(row) > 0);
  const beyond = all.filter((row) => inRaster(row) === 0).length;
  const path = `./datasets/${encodeURIComponent(id)}/areas`;
  const parameters = `?by=${value.by}&lang=${language()}`;
  const title = text.tableOf(name);
  return (
    <>
      <AreaTable
        title={title}
        unit={text.units[value.by]}
        rows={rows}
        total={value.total}
        totalName={text.total}
        classes={value.classes}
        sorting={readSorting(query.get('sort'))}
        onSort={(sorting) => replaceQuery({ sort: writeSorting(sorting) })}
        chosen={chosen}
        hrefOf={hrefOf}
        onUnit={onUnit}
        hasCodes
      />
      {beyond > 0 && (
        <label class="unit-outside small">
          <input
            type="checkbox"
            checked={withOutside}
            onChange={({ currentTarget }) =>
              replaceQuery({ outside: currentTarget.checked ? '1' : undefined })
            }
          />
          {text.beyond(beyond)}
        </label>
      )}
      <Identity value={value} />
      <div class="actions">
        <FileLink
          file={{ label: text.csv, path: `${path}.csv${parameters}`, name: fileNameOf(title, 'csv') }}
          of={title}
        />
        <FileLink
          file={{ label: text.xlsx, path: `${path}.xlsx${parameters}`, name: fileNameOf(title, 'xlsx') }}
          of={title}
        />
        <a
          class="button quiet"
          href={addressOf(['registers', id], { by: value.by === 'all' ? undefined : value.by })}
        >
          {words().dataset.compareRegisters}
        </a>
      </div>
    </>
  );
}

/** The check that the parts add up to the whole, with the figures; the area in no unit, and the method. */
function Identity({ value }: { readonly value: DatasetAreas }) {
  const text = areasWords();
  const { total, rows, outside_units: none, overlap, raster } = value;
  const difference = Math.max(...[total, ...rows].map(differenceOf));
  return (
    <div class="unit-sums small">
      <p>
        {text.sum({
          classes: formatHectares(classedArea(total), language()),
          noData: formatHectares(total.no_data_ha, language()),
          outside: formatHectares(total.outside_raster_ha, language()),
          area: formatHectares(total.area_ha, language()),
        })}{' '}
        {difference < 1 ? text.agrees : text.differs(formatNumber(difference, language(), 0))}
      </p>
      {value.by !== 'all' && (
        <p>
          {text.raster(formatHectares(raster.area_ha, language()), formatHectares(none.area_ha, language()))}
          {overlap.area_ha > 0 && ` ${text.overlap(formatHectares(overlap.area_ha, language()))}`}
        </p>
      )}
      <p class="muted">{text.method(value.districts_version)}</p>
    </div>
  );
}
