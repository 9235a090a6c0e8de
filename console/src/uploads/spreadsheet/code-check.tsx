import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { matchNames } from '../place-names/match-names.ts';
import type { Place } from '../../spreadsheets/messages.ts';
import type { SpreadsheetWords } from './words/words.ts';

/** Warns where the codes of a table are not those of the names beside them: a shifted column is seen so. */
export function CodeCheck({
  pairs,
  text,
}: {
  readonly pairs: readonly Place[];
  readonly text: SpreadsheetWords;
}) {
  const differing = useSignal<readonly string[]>([]);
  useEffect(() => {
    differing.value = [];
    const asked = new AbortController();
    const check = async (): Promise<void> => {
      const { matches } = await matchNames(pairs, asked.signal);
      differing.value = pairs.flatMap(({ name }, at) =>
        matches[at]?.reason === 'code_and_name' ? [name] : [],
      );
    };
    // Without an answer the table can be sent all the same: the codes count.
    if (pairs.length > 0) check().catch(() => undefined);
    return () => asked.abort();
  }, [pairs]);
  const [first] = differing.value;
  if (first === undefined) return undefined;
  return (
    <p class="wrong small" role="status">
      {text.codesDiffer(differing.value.length, first)}
    </p>
  );
}
