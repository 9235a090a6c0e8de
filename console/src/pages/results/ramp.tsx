import type { LandscapeGraph } from '../../service/types.ts';

/** The colours of a ramp over its stops, with the labels of both ends and of the middle. */
export function Ramp({
  entries,
}: {
  readonly entries: LandscapeGraph['nodes'][number]['legend']['entries'];
}) {
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
