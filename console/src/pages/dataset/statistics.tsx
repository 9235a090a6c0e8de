import { ClassAreas, Extremes } from '../../parts/areas.tsx';
import { formatHectares } from '../../../../common/formats/hectares.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { useResource } from '../../service/resource.ts';
import { type BandStatistics, type LegendLabel, type StatisticsView } from '../../service/statistics.ts';
import { datasetUnit } from '../../service/graph-words.ts';
import type { Dataset } from '../../service/types.ts';
import { get } from '../../service/request.ts';
import { language, words } from '../../words/words.ts';

/** A band with at most this many classes has a table of them; more are treated as numbers. */
const maxClasses = 40;

/** The statistics of each band: the area of each class, or minimum, mean and maximum. */
export function Statistics({ dataset, view }: { readonly dataset: Dataset; readonly view: StatisticsView }) {
  const { statistics: text } = words();
  const { value, failure, isCounting, reload } = view;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} title={text.failed} />;
  if (isCounting)
    return (
      <p class="muted" role="status">
        {text.counting}
      </p>
    );
  if (value === undefined) return <Waiting />;
  return (
    <div class="stack">
      {value.bands.map((band) => (
        <section key={band.index} class="stack">
          {value.bands.length > 1 && <h3>{text.band(band.index)}</h3>}
          {hasClasses(band) ? (
            <Classes band={band} dataset={dataset} />
          ) : (
            <Extremes band={band} unit={datasetUnit(dataset)} />
          )}
        </section>
      ))}
      {value.area_ha !== null && (
        <p class="small muted">{text.area(formatHectares(value.area_ha, language()))}</p>
      )}
    </div>
  );
}

/** Returns true if a band has few enough values to be classes. */
export function hasClasses({ classes }: BandStatistics): boolean {
  return classes !== null && classes.length > 0 && classes.length <= maxClasses;
}

function Classes({ band, dataset }: { readonly band: BandStatistics; readonly dataset: Dataset }) {
  const { resource, reload } = useResource(
    `labels ${dataset.id} ${dataset.updated_at} ${language()}`,
    async (signal) => await getLegendLabels(dataset.id, signal),
  );
  const { value, failure } = resource.value;
  return (
    <>
      {failure !== undefined && (
        <Failure failure={failure} retry={reload} title={words().statistics.noLabels} />
      )}
      {/* A mean of class numbers is meaningless; values without labels may be a quantity. */}
      {value?.length === 0 && <Extremes band={band} unit={datasetUnit(dataset)} />}
      <ClassAreas band={band} labels={value ?? []} />
      {band.nodata > 0 && <p class="small muted">{words().statistics.ofValued}</p>}
    </>
  );
}

/** The labels and colours of a dataset's classes; empty if its legend has no classes by value. @throws {Refused} */
async function getLegendLabels(id: string, signal: AbortSignal): Promise<readonly LegendLabel[]> {
  const { kind, entries } = await get('/datasets/{id}/legend.json', { path: { id }, signal });
  if (kind !== 'classes') return [];
  return entries.flatMap(({ label, colour, value }) =>
    value === undefined ? [] : [{ value, label, color: colour }],
  );
}
