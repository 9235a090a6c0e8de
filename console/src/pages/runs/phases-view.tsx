import type { Phases } from './facts/run-facts.ts';
import { runsWords } from './words/words.ts';
import type { LandscapeRun } from '../../service/types.ts';

/** The progress of a run: its plan, the share of computed pixels, the number of stored maps. */
export function PhasesView({
  phases,
  blocks,
}: {
  readonly phases: Phases;
  readonly blocks: LandscapeRun['blocks'];
}) {
  const { phases: text } = runsWords();
  const { plan, compute, publish } = phases;
  const percent = Math.floor(compute.share * 100);
  const factOf = (step: Phases['plan'], now: string): string => {
    if (step === 'now') return now;
    return step === 'done' ? text.done : step === 'none' ? text.none : text.waiting;
  };
  const steps = [
    { name: text.plan, step: plan, fact: factOf(plan, ''), part: undefined },
    {
      name: text.compute,
      step: compute.step,
      fact: factOf(
        compute.step,
        blocks === undefined ? text.share(percent) : text.blocks(blocks.done, blocks.total),
      ),
      part: compute.step === 'now' ? compute.share : undefined,
    },
    {
      name: text.publish,
      step: publish.step,
      fact:
        publish.of > 0 && publish.stored > 0
          ? text.stored(publish.stored, publish.of)
          : factOf(publish.step, text.stored(publish.stored, publish.of)),
      part: publish.step === 'now' ? publish.stored / publish.of : undefined,
    },
  ];
  return (
    <section class="sheet phases" aria-label={text.title}>
      <ol>
        {steps.map(({ name, step, fact, part }) => (
          <li key={name} class={step} aria-current={step === 'now' ? 'step' : undefined}>
            <span class="phase-name">
              <span aria-hidden="true">{signs[step]}</span> {name}
            </span>
            <span class="small muted">{fact}</span>
            {part !== undefined && <progress max={1} value={part} aria-label={name} />}
          </li>
        ))}
      </ol>
      {typeof blocks?.engine_away_since === 'string' && <p role="status">⚠ {text.away}</p>}
      {compute.step === 'now' && <p class="small muted">{text.together}</p>}
    </section>
  );
}

const signs = { waiting: '○', now: '◐', done: '✓', none: '–' } as const satisfies Record<
  Phases['plan'],
  string
>;
