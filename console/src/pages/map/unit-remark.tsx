import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { UnitLayerModel } from '../../map/layers/layer-model.ts';
import type { MapLocale } from '../../map/words/words.ts';
import { get } from '../../service/request.ts';
import { remarkText } from '../../words/statuses.ts';

interface RemarkProps {
  readonly layer: UnitLayerModel;
  readonly code: string;
  /** First day of the values that are shown. */
  readonly start: string | undefined;
  readonly locale: MapLocale;
}

type Observation = Awaited<ReturnType<typeof readRemarks>>[number];

/** The most observations of one unit in one answer. */
const mostDates = 100;

async function readRemarks(id: string, code: string) {
  const query = { kato_code: code, remarks: '1', page_size: mostDates } as const;
  return (await get('/datasets/{id}/observations', { path: { id }, query })).data;
}

/** Shows the remark of the table on a value or on its absence: `confidential`, `revised`, a footnote. */
export function UnitRemark({ layer, code, start, locale: { words, language } }: RemarkProps) {
  const { id, year_columns: columns } = layer.dataset;
  const hasRemarks = columns?.some(({ remarks_column: name }) => name !== undefined) ?? false;
  const read = useSignal<readonly Observation[] | 'failed'>([]);
  const attempt = useSignal(0);
  useEffect(() => {
    let isCurrent = true;
    read.value = [];
    const load = async () => {
      const answer = await readRemarks(id, code).catch(() => 'failed' as const);
      if (isCurrent) read.value = answer;
    };
    if (hasRemarks) void load();
    return () => {
      isCurrent = false;
    };
  }, [id, code, hasRemarks, attempt.value]);
  if (read.value === 'failed')
    return (
      <p class="small muted" role="status">
        {words.remarks.failed}{' '}
        <button type="button" class="link" onClick={() => (attempt.value += 1)}>
          {words.again}
        </button>
      </p>
    );
  const found = read.value.find((each) => each.start_date === start);
  const text = remarkText({ status: found?.status ?? null, remark: found?.remark ?? null }, language);
  if (text === '') return null;
  return (
    <p class="small">
      {words.remarks.title}: {text}
    </p>
  );
}
