import { type CompiledStyle, parseCompiledStyle } from '../portrayal/style/compiled-style.ts';

/** A style as maps use it. */
export interface MapStyle {
  /** The key of its SLD, whose bytes never change. */
  readonly key: string;
  /** As JSON. */
  readonly compiled: string;
  readonly style: CompiledStyle;
}

export interface MapStyles {
  /** Returns the style of an SLD; undefined when that is gone. */
  read(key: string): Promise<MapStyle | undefined>;
}

/** Of at most 64 KiB each. */
const maxKept = 200;

/** Keeps the styles that were used last, for one process. @param load reads a compiled style by the key of its SLD. */
export function createMapStyles(load: (key: string) => Promise<string | undefined>): MapStyles {
  const kept = new Map<string, Promise<MapStyle | undefined>>();

  async function readStyle(key: string): Promise<MapStyle | undefined> {
    const compiled = await load(key);
    const style = compiled === undefined ? undefined : parseCompiledStyle(compiled);
    return compiled === undefined || style === undefined ? undefined : { key, compiled, style };
  }

  return {
    async read(key) {
      const known = kept.get(key);
      const style = known ?? readStyle(key);
      kept.delete(key);
      kept.set(key, style);
      const [oldest] = kept.keys();
      if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
      try {
        const read = await style;
        if (read === undefined) kept.delete(key);
        return read;
      } catch (error) {
        kept.delete(key);
        throw error;
      }
    },
  };
}
