import { Failure } from '../../parts/failure.tsx';
import { words } from '../../words/words.ts';
import { halted } from './demonstration.ts';

/** Shows why the demonstration has stopped, above the page that is open. */
export function HaltedDemonstration() {
  if (halted.value === undefined) return undefined;
  const { failure, again, giveUp } = halted.value;
  const { welcome, shell } = words();
  return (
    <div class="halted">
      <Failure failure={failure} retry={again} title={welcome.halted} />
      <button type="button" class="button quiet" onClick={giveUp}>
        {shell.cancel}
      </button>
    </div>
  );
}
