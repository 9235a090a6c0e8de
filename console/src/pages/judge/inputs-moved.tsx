import { useSignal } from '@preact/signals';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { useCounted, getCounted } from '../../service/counted.ts';
import { formatShare } from '../../../../common/formats/shares.ts';
import { language } from '../../words/words.ts';
import type { JudgeWords } from './words/words.ts';
import type { LandscapeInputSensitivity } from '../../service/types.ts';

interface InputsMovedProps {
  readonly runId: string;
  readonly words: JudgeWords;
}

/** Percentage by which each input is changed. */
const movedPercent = 10;

/** The part of the zoning that a change of each input moves. It is estimated when the section is opened. */
export function InputsMoved({ runId, words }: InputsMovedProps) {
  const isOpen = useSignal(false);
  return (
    <details onToggle={({ currentTarget }) => void (isOpen.value = currentTarget.open)}>
      <summary>{words.inputs}</summary>
      {isOpen.value && <Estimate runId={runId} words={words} />}
    </details>
  );
}

function Estimate({ runId, words }: InputsMovedProps) {
  const moved = useCounted(
    `inputs moved ${runId} ${language()}`,
    async (asking) =>
      await getCounted('/landscape/runs/{id}/input-sensitivity', {
        path: { id: runId },
        query: { delta: movedPercent },
        ...asking,
      }),
  );
  const { value, failure, isCounting, reload } = moved;
  if (failure !== undefined) return <Failure failure={failure} retry={reload} title={words.noInputs} />;
  if (value === undefined)
    return (
      <>
        <p class="small" role="status">
          {isCounting && words.inputsCounting}
        </p>
        <Waiting />
      </>
    );
  const { blocks, of_blocks: ofBlocks, is_whole: isWhole } = value.sample;
  const movable = value.inputs.filter(({ is_moved: isMoved }) => isMoved);
  const others = value.inputs.filter(({ is_moved: isMoved }) => !isMoved);
  const most = Math.max(
    ...movable.flatMap(({ decreased, increased }) => [
      decreased?.changed_share ?? 0,
      increased?.changed_share ?? 0,
    ]),
  );
  return (
    <>
      <p class="small muted">{isWhole ? words.inputsWhole : words.inputsLead(blocks, ofBlocks)}</p>
      <ol class="effects">
        {movable.map(({ group, title, decreased, increased }) => (
          <li key={group} class="moved-input">
            <span class="effect-title">{title}</span>
            <Bar name={words.less} moved={decreased} most={most} />
            <Bar name={words.more} moved={increased} most={most} />
          </li>
        ))}
      </ol>
      {others.length > 0 && (
        <p class="small muted">{words.notMoved(others.map(({ title }) => title).join(', '))}</p>
      )}
    </>
  );
}

interface BarProps {
  readonly name: string;
  readonly moved: LandscapeInputSensitivity['inputs'][number]['decreased'];
  /** Share of the longest bar. */
  readonly most: number;
}

function Bar({ name, moved, most }: BarProps) {
  if (moved === null) return null;
  const { changed_share: share, standard_error: error } = moved;
  return (
    <span class="moved-bar small">
      <span class="muted">{name}</span>
      <span class="effect-bar" aria-hidden="true">
        <span style={{ width: `${most === 0 ? 0 : (100 * share) / most}%` }} />
      </span>
      <span class="number">
        {formatShare(share, language())}
        {error > 0 && ` ± ${formatShare(error, language())}`}
      </span>
    </span>
  );
}
