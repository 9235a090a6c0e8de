import type { ComponentChildren } from 'preact';
import { useTitle } from '../parts/hooks.ts';
import { words } from '../words/words.ts';

/** The heading of the map, which screen readers alone see. */
export function MapHeading({ children }: { readonly children: ComponentChildren }) {
  const { map } = words().shell;
  useTitle(map);
  return (
    <>
      <h1 tabIndex={-1} class="visually-hidden">
        {map}
      </h1>
      {children}
    </>
  );
}
