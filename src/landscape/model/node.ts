import type { Band, ClassBand, FloatBand, TileBands, TileContext, Elevation } from './bands.ts';
import { type Decide, type Explanation, type Quantity, quantityOf } from './explanation.ts';
import type { ParamName } from './params.ts';
import type { Lookup, RatingTable } from './rating.ts';
import { elevation } from './leaves.ts';

interface LegendEntry {
  readonly value: number;
  /** `#rrggbb` */
  readonly color: string;
  readonly label: string;
}

/** Legend with colours of single values, or of a ramp between stops. */
export interface Legend {
  readonly kind: 'values' | 'ramp';
  readonly entries: readonly LegendEntry[];
}

type Stage = 0 | 1 | 2 | 3;

/** A computation of the graph, from bands with smaller codes to its output. */
export interface GraphNode<Output extends Band = FloatBand | ClassBand> {
  /** `XY`: X the stage, Y the function within it. */
  readonly code: string;
  readonly stage: Stage;
  /** The key of the output is the code of the node. */
  readonly output: Output;
  /** The bands that it reads; the elevation only if its values are used. */
  readonly inputs: readonly Band[];
  /** The parameters that its values depend on. */
  readonly params: readonly ParamName[];
  /** The neighbourhood of elevation that it reads: none, adjacent pixels, or pixels at a distance of one kilometre. */
  readonly halo: 'none' | 'pixel' | 'lag';
  readonly legend: Legend;
  /** The formula with constants and units, in Markdown. */
  readonly formula: string;
  /** The publications of formula, classes and constants, and the parts that the program defines itself, in Markdown. */
  readonly source: string;
  /** Two sentences for planners: the meaning of high and low values, and improper uses of the map. */
  readonly reading: string;
  /** The tables of its formula, by name of the rated quantity. */
  readonly tables: Readonly<Record<string, RatingTable | Lookup>>;
  /** The explanation of its values, by the rating tables of the kernel. */
  readonly explanation: Explanation;
  /** Reads only the bands of `inputs`, and fills the band of `output` for the whole tile. */
  evaluate(bands: TileBands, context: TileContext): void;
}

interface NodeFacts extends Pick<GraphNode, 'legend' | 'formula' | 'source' | 'reading'> {
  /** Code and name, the suffix of the group code of the output. */
  readonly name: `${Stage}${number}-${string}`;
  readonly title: string;
  readonly unit?: string;
  readonly params?: GraphNode['params'];
  readonly tables?: GraphNode['tables'];
}

/** The decision, and quantities in addition to the inputs: each input is a quantity, rated by the table with its name. */
interface Explained {
  readonly decide: Decide;
  readonly quantities?: readonly Quantity[];
}

interface PixelNode<Inputs, Output> extends NodeFacts {
  /** Inputs by the names in the kernel. */
  readonly inputs: Inputs;
  readonly explain: Explained;
  /** The kernel: fills the output, one element per pixel of the tile, from inputs of the same shape. */
  readonly compute: (inputs: PixelsOf<Inputs>, output: Output, context: TileContext) => void;
}

interface TerrainNode extends NodeFacts {
  readonly halo: 'pixel' | 'lag';
  readonly compute: (elevation: Elevation, context: TileContext, output: Float32Array) => void;
}

/** Leaves, or nodes, which stand for their outputs. */
type Sources = Readonly<Record<string, Band | GraphNode>>;
type PixelsOf<Inputs> = {
  readonly [Name in keyof Inputs]: Inputs[Name] extends FloatBand | GraphNode<FloatBand>
    ? Float32Array
    : Uint8Array;
};

/** Defines a node that computes numbers from the pixels of its inputs, pixel by pixel. */
export function numberNode<const Inputs extends Sources>(
  node: PixelNode<Inputs, Float32Array>,
): GraphNode<FloatBand> {
  const output: FloatBand = { ...factsOf(node), type: 'float32' };
  return {
    ...commonOf(node),
    output,
    inputs: Object.values(node.inputs).map(bandOf),
    halo: 'none',
    explanation: explanationOf(node),
    evaluate: (bands, context) => node.compute(read(bands, node.inputs), bands.floats(output), context),
  };
}

/** Defines a node that computes classes from the pixels of its inputs, pixel by pixel; its legend defines the classes. */
export function classNode<const Inputs extends Sources>(
  node: PixelNode<Inputs, Uint8Array>,
): GraphNode<ClassBand> {
  const classes = node.legend.entries.map(({ value }) => value);
  const output: ClassBand = { ...factsOf(node), type: 'uint8', classes };
  return {
    ...commonOf(node),
    output,
    inputs: Object.values(node.inputs).map(bandOf),
    halo: 'none',
    explanation: explanationOf(node),
    evaluate: (bands, context) => node.compute(read(bands, node.inputs), bands.classes(output), context),
  };
}

/** Defines a node that computes non-negative numbers from the elevation around each pixel. */
export function terrainNode(node: TerrainNode): GraphNode<FloatBand> {
  const output: FloatBand = { ...factsOf(node), type: 'float32', range: [0, Infinity] };
  return {
    ...commonOf(node),
    output,
    inputs: [elevation],
    halo: node.halo,
    explanation: { quantities: [], decide: () => ({ rule: 'neighbourhood', by: [] }) },
    evaluate: (bands, context) => node.compute(bands.elevation(), context, bands.floats(output)),
  };
}

function commonOf({
  name,
  legend,
  formula,
  source,
  reading,
  params = [],
  tables = {},
}: NodeFacts): Omit<GraphNode, 'output' | 'inputs' | 'halo' | 'explanation' | 'evaluate'> {
  return { code: codeOf(name), stage: stageOf(name), legend, formula, source, reading, params, tables };
}

function explanationOf({
  inputs,
  tables = {},
  explain: { decide, quantities = [] },
}: Pick<PixelNode<Sources, never>, 'inputs' | 'tables' | 'explain'>): Explanation {
  const own = Object.entries(inputs).map(([name, source]) => quantityOf(bandOf(source), tables[name]));
  return { quantities: [...own, ...quantities], decide };
}

function factsOf({ name, title, unit }: NodeFacts): Omit<FloatBand, 'type'> {
  return { key: codeOf(name), group: `landscape-${name}`, title, unit: unit ?? null };
}

function codeOf(name: string): string {
  return name.slice(0, 2);
}

function stageOf(name: string): Stage {
  const stage = ([0, 1, 2, 3] as const).find((each) => name.startsWith(String(each)));
  if (stage === undefined) throw new Error(`${name} does not begin with a stage`);
  return stage;
}

/** Returns the pixels of each input by name. */
function read<Inputs extends Sources>(bands: TileBands, inputs: Inputs): PixelsOf<Inputs>;
function read(bands: TileBands, inputs: Sources): Record<string, Float32Array | Uint8Array> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, source]) => {
      const band = bandOf(source);
      return [name, band.type === 'float32' ? bands.floats(band) : bands.classes(band)];
    }),
  );
}

function bandOf(source: Band | GraphNode): Band {
  return 'output' in source ? source.output : source;
}
