import { ClassAreas, Extremes } from '../../parts/areas.tsx';
import { Failure } from '../../parts/loading.tsx';
import { useStatistics } from '../../service/statistics.ts';
import type { LandscapeGraph } from '../../service/types.ts';
import { words as pageWords } from '../../words/words.ts';
import { resultsWords } from './words/words.ts';

type Node = LandscapeGraph['nodes'][number];

/** The numbers of a map: the extremes of a ramp, or the areas of its classes. */
export function ResultNumbers({
  node,
  id,
  isSeen,
}: {
  readonly node: Node;
  readonly id: string;
  readonly isSeen: boolean;
}) {
  const text = resultsWords();
  const { value, failure, isCounting, reload } = useStatistics(id, isSeen);
  const band = value?.bands[0];
  const isRamp = node.legend.kind === 'ramp';
  return (
    <>
      {isRamp && <Ramp entries={node.legend.entries} />}
      {failure !== undefined && <Failure failure={failure} retry={reload} title={text.noNumbers} />}
      {isCounting && (
        <p class="small muted" role="status">
          {pageWords().statistics.counting}
        </p>
      )}
      {band === undefined && failure === undefined && !isCounting && !isRamp && (
        <Labels entries={node.legend.entries} />
      )}
      {band !== undefined && isRamp && <Extremes band={band} unit={node.unit} />}
      {band !== undefined && !isRamp && <ClassAreas band={band} labels={node.legend.entries} />}
    </>
  );
}

/** The legend, until the areas of its classes are counted. */
function Labels({ entries }: { readonly entries: Node['legend']['entries'] }) {
  return (
    <ul class="plain small">
      {entries.map(({ value, color, label }) => (
        <li key={value}>
          <span class="swatch" style={{ background: color }} aria-hidden="true" /> {label}
        </li>
      ))}
    </ul>
  );
}

/** The colours of a ramp, with the labels of both ends and of the middle. */
function Ramp({ entries }: { readonly entries: Node['legend']['entries'] }) {
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const span = last.value - first.value || 1;
  const stops = entries.map(({ value, color }) => `${color} ${((value - first.value) / span) * 100}%`);
  const middle = entries.find(({ value }) => value >= first.value + span / 2);
  return (
    <div class="ramp-legend">
      <div style={{ backgroundImage: `linear-gradient(to right, ${stops.join(', ')})` }} />
      <p class="small">
        <span>{first.label}</span>
        {middle !== undefined && middle !== first && middle !== last && (
          <span style={{ left: `${((middle.value - first.value) / span) * 100}%` }}>{middle.label}</span>
        )}
        <span>{last.label}</span>
      </p>
    </div>
  );
}
