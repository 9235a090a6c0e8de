import type { ComponentChildren } from 'preact';
import { Failure, Waiting } from '../../parts/loading.tsx';
import type { Counted } from '../../service/counted.ts';

interface WhenLoadedProps<T> {
  readonly loaded: Counted<T>;
  /** Title of the failure. */
  readonly title: string;
  /** Text while new figures load. */
  readonly updating: string;
  readonly children: (value: T) => ComponentChildren;
}

/** A part of the page with its four states; the previous figures stay while new ones load. */
export function WhenLoaded<T>({ loaded, title, updating, children }: WhenLoadedProps<T>) {
  const { value, failure, isLoading } = loaded;
  if (failure !== undefined) return <Failure failure={failure} retry={loaded.reload} title={title} />;
  if (value === undefined) return <Waiting />;
  return (
    <div aria-busy={isLoading}>
      <p class="judge-updating small muted" role="status">
        {isLoading && updating}
      </p>
      {children(value)}
    </div>
  );
}
