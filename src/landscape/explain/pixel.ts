import type { ValueOf } from '../model/explanation.ts';
import { zoningInputs, zoningNodes } from '../graph/zoning-inputs.ts';
import { type Band, classNoData, floatNoData } from '../model/bands.ts';
import { elevation } from '../model/leaves.ts';
import type { GraphNode } from '../model/node.ts';
import type { LandscapeParams } from '../model/params.ts';

/** The part of the graph that determines the zoning of a pixel. */
export interface PixelGraph {
  /** Bands with given values: leaves, pinned outputs and outputs that depend on neighbouring pixels. Without the elevation. */
  readonly given: readonly Band[];
  /** The nodes that are computed from them, in the order of their codes. */
  readonly nodes: readonly GraphNode[];
}

/** Values of a pixel by key of the band, as in kernels: missing values have the nodata value. */
export type PixelValues = ReadonlyMap<string, number>;

/**
 * Finds the part of the graph that determines the zoning.
 * @param isPinned returns whether a raster is pinned for the output group with this code.
 */
export function pixelGraphOf(isPinned: (group: string) => boolean): PixelGraph {
  const computed = zoningNodes(isPinned);
  const around = computed.filter(({ halo }) => halo !== 'none').map(({ output }) => output);
  const inputs = zoningInputs(isPinned).filter((band) => band !== elevation);
  return { given: [...inputs, ...around], nodes: computed.filter(({ halo }) => halo === 'none') };
}

/** The nodata value of a band. */
export function noDataOf({ type }: Band): number {
  return type === 'float32' ? floatNoData : classNoData;
}

/** Reads the values of a pixel; a class 0 that counts as a value is returned. */
export function valuesIn(values: PixelValues): ValueOf {
  return (band) => {
    const value = values.get(band.key) ?? noDataOf(band);
    const isValue = value !== noDataOf(band) || (band.type === 'uint8' && band.zeroWhereMissing === true);
    return isValue ? value : undefined;
  };
}

const onePixel = { x: 0, y: 0, width: 1, height: 1 };

/** Evaluates nodes for a pixel by their kernels, in this order, and returns all values; values of other nodes stay unchanged. */
export function evaluateIn(
  values: PixelValues,
  nodes: readonly GraphNode[],
  params: LandscapeParams,
): Map<string, number> {
  const found = new Map(values);
  evaluateInto(found, nodes, params);
  return found;
}

/** Evaluates nodes as above, modifying the values. */
export function evaluateInto(
  values: Map<string, number>,
  nodes: readonly GraphNode[],
  params: LandscapeParams,
): void {
  const context = { tile: onePixel, pixelSize: () => ({ dx: 1, dy: 1 }), lags: { x: 1, y: 1 }, params };
  const numberOf = (band: Band) => values.get(band.key) ?? noDataOf(band);
  for (const node of nodes) {
    const { output } = node;
    const room = output.type === 'float32' ? new Float32Array(1) : new Uint8Array(1);
    node.evaluate(
      {
        floats: (band) =>
          band === output && room instanceof Float32Array ? room : Float32Array.of(numberOf(band)),
        classes: (band) =>
          band === output && room instanceof Uint8Array ? room : Uint8Array.of(numberOf(band)),
        elevation() {
          throw new Error(`node ${node.code} looks around the pixel`);
        },
      },
      context,
    );
    values.set(node.code, room[0] ?? noDataOf(output));
  }
}

/** Lists the nodes that depend on one of these bands, directly or indirectly. */
export function followingFrom(nodes: readonly GraphNode[], keys: Iterable<string>): readonly GraphNode[] {
  const reached = new Set(keys);
  return nodes.filter(({ code, inputs }) => {
    const isReached = inputs.some(({ key }) => reached.has(key));
    if (isReached) reached.add(code);
    return isReached;
  });
}

/** Lists the given nodes on which bands depend, including the nodes of the bands. */
export function leadingTo(nodes: readonly GraphNode[], bands: readonly Band[]): readonly GraphNode[] {
  const wanted = new Set(bands);
  const found = nodes.toReversed().filter(({ output, inputs }) => {
    if (!wanted.has(output)) return false;
    for (const input of inputs) wanted.add(input);
    return true;
  });
  return found.toReversed();
}
