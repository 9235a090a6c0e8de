import './limits.css';
import { useSignal } from '@preact/signals';
import { address, replaceQuery } from '../../address/address.ts';
import { nameIn } from '../../map/units/unit-names.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { useCounted, getCounted } from '../../service/counted.ts';
import { language } from '../../words/words.ts';
import { AreaTable } from '../areas/area-table.tsx';
import { inRaster, readSorting, type UnitHectares, writeSorting } from '../areas/table-rows.ts';
import {
  bandsOf,
  comparisons,
  type Condition,
  type ConditionBand,
  maxConditions,
  readConditions,
  writeConditions,
} from './conditions.ts';
import { WhereMap } from './where-map.tsx';
import { areasWords } from '../areas/words/words.ts';
import { limitsWords } from './words/words.ts';
import type { LandscapeGraph, LandscapeWhere } from '../../service/types.ts';

export interface WhereProps {
  readonly runId: string;
  /** The dataset of the zoning, whose extent contains the places. */
  readonly zoningId: string;
  readonly graph: LandscapeGraph;
}

const first: Condition = { band: '01', comparison: '<', value: '5' };

/** Places of a run that meet conditions on its inputs and maps: a form, a map and hectares by district. */
export function WherePart({ runId, zoningId, graph }: WhereProps) {
  const { where: text } = limitsWords();
  const asked = address.value.query.get('where') ?? '';
  const read = readConditions(asked);
  const conditions = useSignal<readonly Condition[]>(read.length === 0 ? [first] : read);
  const isWrong = useSignal(false);
  const bands = bandsOf(graph);
  const change = (at: number, part: Partial<Condition>): void => {
    conditions.value = conditions.value.map((each, index) => (index === at ? { ...each, ...part } : each));
  };
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const written = writeConditions(conditions.value);
        isWrong.value = written === undefined;
        if (written !== undefined) replaceQuery({ where: written });
      }}
    >
      <p class="muted">{text.lead}</p>
      <ol class="where-rows">
        {conditions.value.map((condition, at) => (
          <Row
            key={at}
            number={at + 1}
            condition={condition}
            bands={bands}
            onChange={(part) => change(at, part)}
            onRemove={
              conditions.value.length === 1
                ? undefined
                : () => void (conditions.value = conditions.value.toSpliced(at, 1))
            }
          />
        ))}
      </ol>
      <p class="wrong" role="alert">
        {isWrong.value && text.wrong}
      </p>
      <div class="actions">
        <button
          type="button"
          class="button quiet"
          disabled={conditions.value.length >= maxConditions}
          onClick={() => void (conditions.value = [...conditions.value, first])}
        >
          + {text.add}
        </button>
        <button type="submit" class="button primary">
          {text.find}
        </button>
      </div>
      {read.length > 0 && <Found runId={runId} zoningId={zoningId} conditions={asked} />}
    </form>
  );
}

interface RowProps {
  readonly number: number;
  readonly condition: Condition;
  readonly bands: readonly ConditionBand[];
  readonly onChange: (part: Partial<Condition>) => void;
  readonly onRemove: (() => void) | undefined;
}

function Row({ number, condition, bands, onChange, onRemove }: RowProps) {
  const { where: text } = limitsWords();
  const { band: key, comparison, value } = condition;
  const band = bands.find((each) => each.key === key);
  return (
    <li>
      <select
        aria-label={text.raster(number)}
        value={key}
        onChange={({ currentTarget }) => {
          const classes = bands.find((each) => each.key === currentTarget.value)?.classes;
          const [least] = classes ?? [];
          onChange({
            band: currentTarget.value,
            value: least === undefined ? '' : String(least.value),
            comparison: least === undefined ? '<' : '=',
          });
        }}
      >
        {bands.map((each) => (
          <option key={each.key} value={each.key}>
            {each.title}
          </option>
        ))}
      </select>
      <select
        aria-label={text.comparison(number)}
        value={comparison}
        onChange={({ currentTarget }) => {
          const chosen = comparisons.find((each) => each === currentTarget.value);
          if (chosen !== undefined) onChange({ comparison: chosen });
        }}
      >
        {comparisons.map((each) => (
          <option key={each} value={each}>
            {text.comparisons[each]}
          </option>
        ))}
      </select>
      {band?.classes === undefined ? (
        <label class="where-value">
          <input
            aria-label={text.value(number)}
            inputMode="decimal"
            autocomplete="off"
            value={value}
            onInput={({ currentTarget }) => onChange({ value: currentTarget.value })}
          />
          <span class="muted">{band?.unit}</span>
        </label>
      ) : (
        <select
          aria-label={text.value(number)}
          value={value}
          onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
        >
          {band.classes.map((each) => (
            <option key={each.value} value={String(each.value)}>
              {each.value} · {each.label}
            </option>
          ))}
        </select>
      )}
      {onRemove !== undefined && (
        <button type="button" class="button quiet" aria-label={text.remove(number)} onClick={onRemove}>
          ✕
        </button>
      )}
    </li>
  );
}

type Land = Pick<LandscapeWhere['units'][number], 'area_ha' | 'meets_ha' | 'fails_ha' | 'no_data_ha'>;
const [meets, fails] = [1, 0];
/** The colour with which the service draws the places. */
const placesColour = '#d7301f';

const hectaresOf = (land: Land, outside = 0): UnitHectares => ({
  area_ha: land.area_ha,
  classes: { [meets]: land.meets_ha, [fails]: land.fails_ha },
  no_data_ha: land.no_data_ha,
  outside_raster_ha: outside,
});

/** The places that meet the conditions, on a map and in hectares. */
function Found({ runId, zoningId, conditions }: Omit<WhereProps, 'graph'> & { readonly conditions: string }) {
  const { where: text } = limitsWords();
  const { value, failure, isCounting, isLoading, reload } = useCounted(
    `where ${runId} ${conditions} ${language()}`,
    async (asking) => ({
      of: conditions,
      answer: await getCounted('/landscape/runs/{id}/where', {
        path: { id: runId },
        query: { conditions, by: 'district' },
        ...asking,
      }),
    }),
  );
  const chosen = address.value.query.get('unit') ?? undefined;
  const answer = value?.of === conditions ? value.answer : undefined;
  const rows = (answer?.units ?? []).map((unit) => ({
    ...hectaresOf(unit, unit.outside_raster_ha),
    key: unit.kato,
    name: nameIn(unit, language()),
  }));
  return (
    <>
      {failure !== undefined && <Failure failure={failure} retry={reload} title={text.failed} />}
      <p class="muted" role="status">
        {isCounting && text.counting}
      </p>
      {answer === undefined && isLoading && !isCounting && <Waiting />}
      {answer !== undefined && (
        <>
          <WhereMap runId={runId} zoningId={zoningId} conditions={answer.conditions} unit={chosen} />
          <AreaTable
            title={text.table}
            unit={areasWords().units.district}
            rows={rows.filter((row) => inRaster(row) > 0)}
            total={hectaresOf(answer.raster)}
            totalName={text.whole}
            classes={[
              { value: meets, title: text.meets, color: placesColour },
              { value: fails, title: text.fails, color: null },
            ]}
            sorting={readSorting(address.value.query.get('sort') ?? `-${meets}`)}
            onSort={(sorting) => replaceQuery({ sort: writeSorting(sorting) })}
            chosen={chosen}
            onUnit={(unit) => replaceQuery({ unit })}
            hasCodes
          />
          <p class="small muted">{areasWords().method(answer.districts_version)}</p>
        </>
      )}
    </>
  );
}
