import { z } from 'zod';
import { listOfNumbers } from '../../geo/findings.ts';
import { exampleGraph } from './examples.ts';

const Title = z.string().describe('Title in the language of the request');

const Seeded = z
  .object({ code: z.string().describe('Slug, the same in every language'), name: Title, description: Title })
  .describe('Name and description as seeded, in the language of the request');

const LegendEntry = z.object({
  value: z.number().describe('Class, or value at a stop of the ramp'),
  color: z.string().describe('`#rrggbb`'),
  label: z.string().describe('Label in the language of the request'),
});

const GraphClass = z.object({ value: z.int().describe('Value of its pixels'), label: Title });

const GraphSlot = z.object({
  group: z.string().describe('Dataset group code, as in `GET /landscape/slots`'),
  title: Title,
  kind: z.enum(['numbers', 'classes']).describe('The kind of values: measured numbers, or classes'),
  unit: z.string().nullable().describe('Unit of the numbers; null without one'),
  range: z
    .tuple([z.number(), z.number()])
    .meta(listOfNumbers)
    .nullable()
    .describe('Least and greatest valid number; others count as missing; null for classes'),
  classes: z
    .array(GraphClass)
    .nullable()
    .describe('Valid classes; other numbers count as missing; null for numbers'),
  zero_where_missing: z.boolean().describe('True if a missing value counts as class 0'),
  quantity: z.string().describe('The quantity that the values measure'),
  source: z.string().describe('Open data that can fill the slot'),
  how: z.string().describe('The way in which such data are brought in'),
});

const GraphNode = z.object({
  code: z.string().describe('Code of the node, `XY`: X the stage, Y the function within it'),
  stage: z.int().min(0).max(3).describe('Stage of the graph, as in `from_stage`'),
  group: z.string().describe('Code of the dataset group of its outputs'),
  title: Title,
  unit: z.string().nullable().describe('Unit of the values; null without one'),
  inputs: z
    .array(z.string())
    .describe('Group codes of the slots and outputs that it reads, in the order of its formula'),
  params: z.array(z.string()).describe('The parameters that its values depend on'),
  legend: z
    .object({
      kind: z
        .enum(['values', 'ramp'])
        .describe('Kind of legend: colours of single values, or of a ramp between stops'),
      entries: z.array(LegendEntry).describe('Entries, ascending'),
    })
    .describe('Colours and labels of its map'),
  reading: z.string().describe('Two sentences on how to read its map'),
});

const GraphParam = z.object({
  name: z.string().describe('Name of the parameter, as in `LandscapeParams`'),
  title: Title,
  description: z.string().describe('Description in the language of the request'),
  minimum: z.int().nullable().describe('Least value; null for a list'),
  maximum: z.int().nullable().describe('Greatest value; null for a list'),
  default: z.union([z.int(), z.array(z.int())]).describe('The default of a run'),
});

export const LandscapeGraph = z
  .object({
    version: z.int().describe('Version of the graph; nodes of another version are computed again'),
    slots: z.array(GraphSlot).describe('Slots in the order of `GET /landscape/slots`'),
    nodes: z.array(GraphNode).describe('Nodes, ordered by code'),
    params: z.array(GraphParam).describe('The parameters of a run'),
    sectors: z
      .array(z.object({ number: z.int().describe('Number of the sector, from 1 to 5'), title: Title }))
      .describe('The five uses of land, by the numbers in `tie_priority`'),
    catalogue: z
      .object({
        category: Seeded,
        groups: z.array(Seeded).describe('Groups of slots, then groups of outputs'),
      })
      .describe('The category and the dataset groups of the program'),
  })
  .meta({
    id: 'LandscapeGraph',
    description: 'The graph: its slots, nodes and parameters',
    examples: [exampleGraph],
  });
export type LandscapeGraph = z.infer<typeof LandscapeGraph>;
