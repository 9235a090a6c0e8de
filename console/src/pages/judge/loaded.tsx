import type { ComponentChildren } from 'preact';
import { Failure, Waiting } from '../../parts/loading.tsx';
import type { Counted } from '../../service/counted.ts';

interface WhenLoadedProps<T> {
  readonly loaded: Counted<T>;
  /** What could not be loaded. */
  readonly title: string;
  readonly children: (value: T) => ComponentChildren;
}

/** A part of the page with its four states; what is there stays, dimmed, while other figures are on their way. */
export function WhenLoaded<T>({ loaded, title, children }: WhenLoadedProps<T>) {
  const { value, failure, isLoading } = loaded;
  if (failure !== undefined) return <Failure failure={failure} retry={loaded.reload} title={title} />;
  if (value === undefined) return <Waiting />;
  return (
    <div class={isLoading ? 'is-stale' : undefined} aria-busy={isLoading}>
      {children(value)}
    </div>
  );
}
