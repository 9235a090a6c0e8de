import { hash } from 'node:crypto';
import { z } from 'zod';
import { graphVersion, nodes } from '../../src/landscape/graph/graph.ts';
import type { Band } from '../../src/landscape/model/bands.ts';
import { quantityText } from '../../src/landscape/groups/group-texts.ts';
import { type Leaf, leaves } from '../../src/landscape/model/leaves.ts';
import type { GraphNode } from '../../src/landscape/model/node.ts';
import { LandscapeParams } from '../../src/landscape/model/params.ts';
import type { Lookup, RatingTable } from '../../src/landscape/model/rating.ts';
import { fingerprintOf } from '../../src/landscape/plan/plan.ts';
import { exampleNode } from './example.ts';
import { openData } from './open-data.ts';

const stageTitles = [
  'Stage 0: what follows from slots alone',
  'Stage 1: quality of soil, climate and vegetation, and erosion',
  'Stage 2: suitability for each sector, and sensitivity',
  'Stage 3: which use leads, and how far it may go',
] as const;

/** Writes docs/landscape.md from the graph. @throws {Error} when a slot has no entry among the open data. */
export function describeLandscape(): string {
  const stages = stageTitles.map((title, stage) => {
    const own = nodes.filter((node) => node.stage === stage);
    return [`### ${title}`, ...own.map(describeNode)].join('\n\n');
  });
  return `<!-- Written by \`npm run docs\` from the graph; change that instead. -->

# The Landscape Program

The Landscape Program determines, pixel by pixel, the use that suits land best and how intensive that use may be. It takes ${leaves.length} rasters, the slots, on terrain, climate, soil, vegetation,
protection and distances, and computes ${nodes.length} rasters from them, the outputs of its nodes. Five sectors compete for land: irrigation, snow retention, rain-fed crop, pasture and tourism. The
more sensitive the land, the more suitable it has to be before it may be used.

A run resolves each slot to its freshest raster, aligns all rasters with the grid of the elevation, and computes the nodes whose fingerprint no earlier run has. The last node, functional zoning,
combines the others: it shows the leading sector and the zone of each place, and the land that is kept for conservation. Each output is a Cloud-Optimized GeoTIFF with a legend, in a dataset group of its own.

## The graph

![The slots at the left, then the nodes stage by stage; a line leads from each band to the nodes that read it](landscape.svg)

A node reads only slots, and nodes with smaller codes. Every node depends on the elevation, which defines the grid; the drawing shows only the nodes that read its values. The first digit of a code is the stage.

## Slots

Upload to a slot with \`POST /landscape/slots/{code}\`, where the code is \`landscape-in-\` and the key. Values out of range, unknown classes and NaN are treated as no value.

An input can also be made of datasets that are here already, with \`POST /landscape/slots/{code}/make\` and a recipe:

| Recipe | Makes | Of |
|---|---|---|
| \`rasterize\` | classes or numbers of an attribute: at the centre of each pixel, by the largest covered share, or as a mean | the polygons of a vector |
| \`distance\` | metres to the nearest feature, on the ellipsoid or in the grid, up to a limit | a vector |
| \`mosaic\` | one raster; the largest difference in overlaps is reported | several rasters |
| \`arithmetic\` | numbers by scale, offset, conversion of units and a lower bound, and their sum, mean, minimum or maximum, also by days of months | one or several rasters |

\`GET /landscape/slots/{code}/make/values\` lists the values of an attribute with the classes that their words resemble; a person confirms the table. The list of made inputs has their recipes and sources, and
names a fresher dataset of the group of a source.

Twelve months of one variable of ERA5-Land, which [source files](sources.md) are cut into, become an input of the year by \`arithmetic\`:

| Slot | Variable | \`combine\` | \`weights\` | \`conversion\` | \`above\` |
|---|---|---|---|---|---|
| \`temperature-sum\` | \`t2m\`, daily or monthly means, K | \`sum\` | \`days\` | \`kelvin_to_celsius\` | 10 |
| \`precipitation\` | \`tp\`, monthly means of daily sums, m | \`sum\` | \`days\` | \`metres_to_millimetres\` | – |
| \`snow-depth\` | \`sde\`, m | \`maximum\` | \`equal\` | \`metres_to_centimetres\` | – |

The mean of the rasters of several years is the long-term mean. Monthly means hide warm days in a cool month, so sums of active temperatures from them are lower than from daily means.

| Key | Title | Unit | Values |
|---|---|---|---|
${leaves.map((leaf) => row([`[\`${leaf.key}\`](#slot-${leaf.key})`, leaf.title, leaf.unit ?? '–', valuesOf(leaf)])).join('\n')}

A plan judges what a run would read, by the report and the statistics of each dataset, and reads no pixel for it: \`findings\` of an input of \`POST /landscape/plans\` are empty, or say what is wrong with it. A finding that \`stops\` is the error of the plan, and of a run that
is started all the same. One that \`warns\` stops nothing: values are read as they are, with the scale and offset that the file declares, and nothing is converted. \`waits\` means that values are still being counted.

| Code | Severity | What is found |
|---|---|---|
| \`no_reference_system\` | stops | The file has no reference system, or no georeference |
| \`picture\` | stops | Three or more bands of bytes: colours and no values |
| \`several_bands\` | warns | More than one band; band 1 is read |
| \`no_value\` | stops | No pixel has a value |
| \`out_of_range\` | stops, warns | All values are out of the range, or a share of them; the least and the greatest are named |
| \`likely_factor\` | warns | Divided by 10, 100, 1,000 or 10,000 the values would be in the range, as those of products of whole numbers are |
| \`unknown_classes\` | stops, warns | No class is known, or a share of the values is of unknown ones |
| \`no_overlap\` | stops, warns | The raster lies beside the elevation, or beside another input; both are named |
| \`coarse_shift\` | warns | The datum of the raster is not that of the elevation, and the shift between them is less accurate than half a pixel of the elevation |
| \`little_overlap\` | warns | Less than half of the elevation is covered, by the boxes of both |
| \`not_judged\` | waits, warns | Values are still being counted, or could not be |

Where no value is a class, as of protected areas, nothing about values or overlap stops.

${leaves.map(describeSlot).join('\n\n')}

## Nodes

Numbers are float32 with −9999 for no value; classes are bytes with 0 for no value. Unless stated otherwise, a node has no value where one of its inputs has none. In tables, a bound belongs to the interval above it.

${stages.join('\n\n')}

## Parameters

A run takes parameters in \`params\`. Only the parameters that a node names are part of its fingerprint.

| Parameter | Default | Range | Meaning | Nodes |
|---|---|---|---|---|
${describeParams()}

## Fingerprints

${describeFingerprint()}

## Plans

\`POST /landscape/plans\` returns the plan of a possible run, \`GET /landscape/runs/{id}/plan\` the plan of an existing run. A node is reused if its fingerprint was computed before (\`same\`). Otherwise it is computed, and the plan gives one reason:

| Reason | Meaning |
|---|---|
| \`forced\` | it could be reused, but \`from_stage\` prevents it |
| \`output_gone\` | the node was computed before, but its output was deleted |
| \`first\` | no run has finished the node yet |
| \`algorithm\` | the last run that finished it had another version of the graph |
| \`params\` | its own parameters differ from those of the last run that finished it; its inputs may differ as well |
| \`inputs\` | only the rasters that it reads differ |

Changed inputs and parameters are listed with their previous and current values. The plan of a run is stored when the run begins; later uploads and deletions do not change it.

## How to add a node

A node needs one file and one line. In \`src/landscape/graph/kernels/\` the file \`${exampleNode.file}\`:

\`\`\`ts
${exampleNode.text}\`\`\`

and in \`src/landscape/graph/nodes.ts\`:

\`\`\`ts
${exampleNode.line}\`\`\`

Add its Russian and Kazakh words under its code to \`src/messages/graph/russian.ts\` and \`src/messages/graph/kazakh.ts\`; until then, a test fails and readers see the English words.

The output's dataset group, its legend, the plan, the fingerprint, \`GET /landscape/results\` and, after \`npm run docs\`, this page follow from these files. The kernel gets arrays of the types that its inputs declare, and can
read nothing else. If you change the computation of a node, raise \`graphVersion\` in \`src/landscape/graph/graph.ts\`.
`;
}

function describeSlot(leaf: Leaf): string {
  const data = openData[leaf.key];
  if (data === undefined) throw new Error(`no open data is known for slot ${leaf.key}`);
  return `### Slot \`${leaf.key}\`

${quantityText(leaf, 'en')}. Read by ${readersOf(leaf)}.

${data.map(({ name, url, terms }) => `- [${name}](${url}). ${terms}`).join('\n')}`;
}

function readersOf(band: Band): string {
  const readers = nodes.filter(({ inputs }) => inputs.includes(band)).map(linkTo);
  return readers.length === 0 ? 'no other node' : readers.join(', ');
}

function linkTo({ code, output }: GraphNode): string {
  return `[${code}](#${anchorOf(`${code} ${output.title}`)})`;
}

/** Returns the anchor that GitHub generates for a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

function describeNode(node: GraphNode): string {
  const { code, output, inputs, params, halo, formula, source, legend, reading } = node;
  const facts = [
    ['Reading', reading],
    ['Output', `\`${output.group}\`, ${output.type === 'float32' ? 'numbers' : 'classes'}`],
    ['Unit', output.unit ?? 'none'],
    ['Inputs', inputs.map(linkToBand).join(', ')],
    ['Parameters', params.map((name) => `\`${name}\``).join(', ')],
    ['Looks around', { none: '', pixel: 'at the next pixels', lag: 'one kilometre' }[halo]],
    [legend.kind === 'ramp' ? 'Legend' : 'Classes', describeLegend(node)],
    ['Source', source],
    ['Read by', readersOf(output)],
  ].filter(([, value]) => value !== '');
  const tables = Object.entries(node.tables).map(([name, table]) =>
    row([wordsOf(name), describeTable(table)]),
  );
  return [
    `#### ${code} ${output.title}`,
    formula,
    facts.map(([name, value]) => `- ${name}: ${value}`).join('\n'),
    ...(tables.length === 0 ? [] : [`| Table | Values |\n|---|---|\n${tables.join('\n')}`]),
  ].join('\n\n');
}

/** Converts `soilTexture` to `soil texture`. */
function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function linkToBand(band: Band): string {
  const maker = nodes.find(({ output }) => output === band);
  return maker === undefined ? `[\`${band.key}\`](#slot-${band.key})` : linkTo(maker);
}

function describeLegend({ legend: { entries, kind } }: GraphNode): string {
  const ends = [entries.at(0), entries.at(-1)].map((entry) => entry?.label);
  if (kind === 'ramp') return `colours from ${ends.join(' to ')}`;
  return entries.map(({ value, label }) => `${value} ${label}`).join('; ');
}

function describeTable(table: RatingTable | Lookup): string {
  if ('breaks' in table) {
    const breaks = Array.from(table.breaks, (each) => String(Number(each.toPrecision(6))));
    const intervals = [`< ${breaks[0]}`, ...breaks.map((from, at) => betweenOf(from, breaks[at + 1]))];
    return intervals.map((interval, at) => `${interval}: ${table.values[at]}`).join('; ');
  }
  const classes = [...table.entries()].filter(([, value]) => value !== 0);
  return classes.map(([each, value]) => `${each}: ${value}`).join('; ');
}

function betweenOf(from: string, to: string | undefined): string {
  return to === undefined ? `≥ ${from}` : `${from} to ${to}`;
}

function valuesOf(band: Band): string {
  return band.type === 'uint8' ? band.classes.join(', ') : (band.range ?? []).join(' to ');
}

const Described = z.object({
  default: z.unknown(),
  description: z.string(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

function describeParams(): string {
  return Object.entries(LandscapeParams.shape)
    .map(([name, schema]) => {
      const { default: usual, description, minimum, maximum } = Described.parse(z.toJSONSchema(schema));
      const range = minimum === undefined ? 'an order of 1 to 5' : `${minimum} to ${maximum}`;
      const readers = nodes.filter(({ params }) => params.some((param) => param === name)).map(linkTo);
      return row([
        `\`${name}\``,
        `\`${JSON.stringify(usual)}\``,
        range,
        description,
        readers.join(', ') || 'none',
      ]);
    })
    .join('\n');
}

/** Describes the fingerprint with an example. @throws {Error} when the example differs from the computed one. */
function describeFingerprint(): string {
  const code = '32';
  const node = nodes.find((each) => each.code === code);
  const groups = ['landscape-in-dem', ...(node?.inputs ?? []).map(({ group }) => group)].toSorted();
  const inputs = groups.map((group, at) => [group, `00000000-0000-4000-8000-00000000000${at}`] as const);
  const { tie_priority } = LandscapeParams.parse({});
  const text = JSON.stringify({ inputs, node: code, params: { tie_priority } });
  const fingerprint = hash('sha256', text, 'hex');
  if (fingerprint !== fingerprintOf({ code, inputs: new Map(inputs), params: { tie_priority } }, 1))
    throw new Error('the example is not what is fingerprinted');
  return `The fingerprint of a node in a run is the SHA-256, in lower-case hex, of one line of JSON: the groups and dataset ids of its inputs and of the elevation, sorted by group; its code; and the parameters that it
names, sorted. A node whose fingerprint an earlier run has, and whose output still exists, is \`skipped\` and its output reused, unless \`from_stage\` requests it again.

For node ${code}:

\`\`\`json
${text}
\`\`\`

gives \`${fingerprint}\`.

| Change | Nodes that are computed again |
|---|---|
| the elevation | every node |
| another slot, or a pinned dataset | the nodes that read it, and all nodes that depend on them |
| a parameter | the nodes that name it, and all nodes that depend on them; \`window_size\` changes nothing |
| \`graphVersion\` (now ${graphVersion}) | every node; from version 2 on, the code is followed by \`@\` and the version |
| the output was deleted | the node, and all nodes that depend on its new output |`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
