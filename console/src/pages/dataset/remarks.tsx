import { Failure } from '../../parts/failure.tsx';
import type { Resource } from '../../service/resource.ts';
import type { ImportReport } from '../../service/types.ts';
import { words } from '../../words/words.ts';

/** What the service noticed in a file, in its own sentences; that there is nothing is said when it is known. */
export function Remarks({
  report: { value, failure },
  isRead,
  retry,
}: {
  readonly report: Resource<ImportReport | undefined>;
  /** False while the file is being read: the report comes after it. */
  readonly isRead: boolean;
  readonly retry: () => void;
}) {
  const { dataset: text, failure: failures } = words();
  if (!isRead) return <p class="muted">{text.remarksLater}</p>;
  if (failure !== undefined)
    return failure.status === 404 ? (
      <p class="muted">{text.noReport}</p>
    ) : (
      <Failure failure={failure} retry={retry} title={text.remarksFailed} />
    );
  if (value === undefined)
    return (
      <p class="muted" role="status">
        {failures.loading}
      </p>
    );
  if (value.warnings.length === 0) return <p class="muted">{text.noRemarks}</p>;
  return (
    <ul class="remarks">
      {value.warnings.map(({ code, message }) => (
        <li key={code + message}>{message}</li>
      ))}
    </ul>
  );
}
