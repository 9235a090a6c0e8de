import { createCache } from '../../lib/cache.ts';
import type { CompiledStyle } from '../style/compiled-style.ts';

/** A style as maps use it. */
export interface MapStyle {
  /** The key of its SLD, whose bytes never change. */
  readonly key: string;
  /** As JSON. */
  readonly compiled: string;
  readonly style: CompiledStyle;
}

export interface MapStyles {
  /** Returns the style of an SLD. @throws {ObjectMissing} when that has been replaced or deleted. */
  read(key: string): Promise<MapStyle>;
}

/** Of at most 64 KiB each. */
const maxKept = 200;

/** Keeps the styles that were used last, for one process. @param load reads a compiled style by the key of its SLD. */
export function createMapStyles(load: (key: string) => Promise<CompiledStyle>): MapStyles {
  const kept = createCache<MapStyle>({ max: maxKept });
  return {
    read: async (key) =>
      await kept.get(key, async () => {
        const style = await load(key);
        return { key, compiled: JSON.stringify(style), style };
      }),
  };
}
