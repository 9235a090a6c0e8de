import { compileSld } from '../../style/sld-compile.ts';
import type { Undrawn } from '../../style/undrawn.ts';

export interface CompileRequest {
  /** An SLD that has been checked and decoded. */
  readonly text: string;
}

export interface CompileResult {
  /** A `CompiledStyle` as JSON. */
  readonly compiled: string;
  readonly leftOut: readonly Undrawn[];
}

/** Compiles a style; at most so many elements of it are read as the tree may have, whatever its size. */
export async function compileStyle({ text }: CompileRequest): Promise<CompileResult> {
  const style = compileSld(text);
  return { compiled: JSON.stringify(style), leftOut: style.leftOut };
}
