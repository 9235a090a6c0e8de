import { z } from 'zod';
import { Guid } from '../../validation/fields.ts';
import { exampleExplanation } from './example.ts';

const Title = z.string().describe('Title in the language of the answer');
const Text = z.string().describe('A sentence in the language of the answer');

const Valued = z.object({ value: z.int().describe('Number of the class'), title: Title });

/** A place on a grid, in pixels and degrees. */
const Pixel = z.object({
  column: z.int().min(0).describe('Column, counted from the left, starting at 0'),
  row: z.int().min(0).describe('Row, counted from the top, starting at 0'),
});

const Factor = z
  .object({
    name: z.string().describe('Key of a slot, code of a node, or name of a quantity of the node'),
    title: Title,
    group: z
      .string()
      .nullable()
      .describe('Code of its dataset group; null for a quantity of the node itself'),
    value: z.number().nullable().describe('The value with which the run computed; null without a value'),
    class_title: z.string().nullable().describe('Name of the class; null for numbers'),
    unit: z.string().nullable().describe('Unit in the language of the answer; null without one'),
    rating: z.number().nullable().describe('The rating in the table of the node; null without a table'),
    from: z.number().nullable().describe('Least value of the same rating; null without a bound'),
    below: z.number().nullable().describe('First greater value with another rating; null without a bound'),
    interval: z
      .string()
      .nullable()
      .describe('The interval of the same rating in words; null for classes and without a value'),
    is_limiting: z.boolean().describe('True if its rating is among the deciding ones'),
  })
  .describe('A quantity that a node rates');

const Sector = z
  .object({
    sector: z.int().min(1).max(5).describe('Number of the sector, as in `tie_priority`'),
    title: Title,
    node: z.string().describe('Code of the node of the sector'),
    value: z.int().nullable().describe('Suitability, 1 to 5; null without one'),
    class_title: z.string().nullable().describe('Name of the suitability'),
    is_greatest: z.boolean().describe('True if no sector suits better'),
    is_pinned: z.boolean().describe('True if a pinned raster replaces the node: it has no factors then'),
    limits: z.array(z.string()).describe('Names of the factors that decide, all of them when several do'),
    factors: z.array(Factor).describe('Factors in the order of the formula'),
    text: Text,
  })
  .describe('Suitability of the place for a sector');

const Test = z.object({
  param: z.string().describe('Name of the threshold'),
  title: Title,
  threshold: z.int().describe('Value of the threshold in the run'),
  suitability: z.int().describe('S of the place'),
  is_met: z.boolean().describe('True if S reaches the threshold'),
  text: Text,
});

const Step = z
  .object({
    node: z.string().describe('Code of the node'),
    title: Title,
    group: z.string().describe('Code of the dataset group of the node'),
    dataset_id: Guid.describe('The raster that contains the value'),
    is_pinned: z.boolean().describe('True if the raster was pinned: the chain ends there'),
    value: z.number().nullable().describe('The value with which the run computed; null without a value'),
    class_title: z.string().nullable().describe('Name of the class; null for numbers and without a value'),
    unit: z.string().nullable().describe('Unit in the language of the answer; null without one'),
    rule: z
      .enum([
        'pinned',
        'neighbourhood',
        'formula',
        'classes',
        'least_rating',
        'greatest_rating',
        'floor',
        'thresholds',
        'order',
        'combination',
        'not_allocable',
        'missing',
      ])
      .describe('The deciding rule'),
    text: Text,
    factors: z.array(Factor).describe('The quantities that it rates; empty without tables'),
    is_confirmed: z
      .boolean()
      .nullable()
      .describe(
        'True if the inputs of this answer give the same value; false if an input in another CRS was read slightly beside the place; null if the value is pinned',
      ),
  })
  .describe('A node of the chain');

const Input = z
  .object({
    group: z.string().describe('Code of a slot, or of a pinned output'),
    title: Title,
    dataset_id: Guid.describe('The dataset that the run has read'),
    name: z.string().describe('Name of the dataset'),
    file: z.string().nullable().describe('Name of the uploaded file; null for outputs of runs'),
    value: z.number().nullable().describe('The value; null without one'),
    class_title: z.string().nullable().describe('Name of the class; null for numbers and without a value'),
    unit: z.string().nullable().describe('Unit in the language of the answer; null without one'),
    resampling: z
      .enum(['none', 'nearest', 'bilinear'])
      .describe('The resampling; `none`: its pixels coincide with those of the grid'),
    is_exact: z
      .boolean()
      .describe(
        'False if the CRS differs from that of the grid: the place is then exact to a quarter of a pixel',
      ),
  })
  .describe('A raster at the place');

const Missing = z.object({
  group: z.string().describe('Code of a slot, or of a pinned output'),
  title: Title,
  because: z
    .enum(['outside', 'no_data', 'not_valid'])
    .describe('The reason: outside the raster, without data, or a number out of range or an unknown class'),
  text: Text,
});

const Move = z.object({
  from: z.int().nullable().describe('Value at this place; null without one'),
  to: z.int().nullable().describe('Value after the change; null without one'),
});

const Change = z
  .object({
    kind: z
      .enum(['number', 'class', 'threshold', 'order'])
      .describe('The kind of change: a measured or computed number, a class, a threshold, or the order'),
    name: z.string().describe('Key of a slot, code of a node, or name of a parameter'),
    title: Title,
    group: z.string().nullable().describe('Code of its dataset group; null for parameters'),
    unit: z.string().nullable().describe('Unit in the language of the answer; null without one'),
    from: z.number().nullable().describe('Value at this place; null for an order'),
    to: z
      .number()
      .nullable()
      .describe(
        'The bound that the value must reach; null for an order, and if several classes are possible',
      ),
    comparison: z
      .enum(['at_least', 'below', 'equal'])
      .nullable()
      .describe('The comparison with `to`; null for classes and for an order'),
    classes: z
      .array(z.object({ value: z.int().describe('Number of the class'), title: Title }))
      .nullable()
      .describe('All classes that lead to the same class of the zoning; null for other kinds'),
    order: z
      .array(z.int())
      .nullable()
      .describe('The order of sectors after the change; null for other kinds'),
    S: Move.describe('Greatest suitability'),
    E: Move.describe('Ecological sensitivity'),
    zone: Move.describe('Zone of permitted use'),
    code: Move.describe('Class of the functional zoning'),
    text: Text,
  })
  .describe(
    'The nearest change of one factor or parameter, in one direction, that alters the class of the zoning',
  );

const Note = z.object({
  code: z.enum(['neighbourhood', 'approximate', 'pinned', 'not_confirmed']).describe('A note for the reader'),
  text: Text,
});

/** The explanation of a place of a run. */
export const LandscapeExplanation = z
  .object({
    lon: z.number().describe('The requested longitude, degrees'),
    lat: z.number().describe('The requested latitude, degrees'),
    language: z.enum(['en', 'ru', 'kk']).describe('The language of all titles and sentences'),
    is_on_grid: z
      .boolean()
      .describe('False beyond the grid of the run; all other members are then empty or null'),
    pixel: Pixel.nullable().describe('The pixel of the grid that contains the place'),
    sentence: z.string().describe('The explanation in one sentence'),
    code: Valued.nullable().describe('Class of the functional zoning; null in a hole'),
    zone: Valued.nullable().describe('Zone of permitted use V; null without one, as on water'),
    S: z
      .object({
        ...Valued.shape,
        sectors: z.array(z.int()).describe('All sectors with the greatest suitability'),
        leading: z.int().describe('The leading sector'),
        decided_by: z
          .enum(['suitability', 'order'])
          .describe('The rule; `order`: several sectors reach it, and the parameter `tie_priority` decided'),
        order: z.array(z.int()).describe('The order of sectors in the run'),
        text: Text,
      })
      .nullable()
      .describe('Greatest suitability; null without one'),
    E: z
      .object({
        ...Valued.shape,
        because: z
          .array(z.string())
          .describe(
            'The deciding names: factors, or `regulated-use`, `strict-protection`, `wetland`, `none` when nothing is in danger, `pinned`',
          ),
        text: Text,
      })
      .nullable()
      .describe('Ecological sensitivity; null without one'),
    rule: z
      .object({
        code: z
          .enum(['thresholds', 'not_allocable', 'pinned', 'missing'])
          .describe('The rules that decided the zone'),
        tests: z
          .array(Test)
          .describe('Thresholds in the order in which they were tested; the first that is met decides'),
        text: Text,
      })
      .nullable()
      .describe('The decision on the zone; null outside the grid'),
    sectors: z.array(Sector).describe('Sectors, ordered by number'),
    nodes: z.array(Step).describe('Nodes in the order of the chain'),
    inputs: z.array(Input).describe('Inputs in the order of the graph'),
    missing: z
      .array(Missing)
      .describe('Inputs without a value here; they leave a hole unless the land is not allocable'),
    nearest_changes: z
      .array(Change)
      .describe('Changes of numbers, then of classes, then of parameters; empty in a hole'),
    notes: z.array(Note).describe('A limit of the explanation'),
  })
  .meta({
    id: 'LandscapeExplanation',
    description: 'The reasons for the zone of a place, and the changes that would give another zone',
    examples: [exampleExplanation],
  });
export type LandscapeExplanation = z.infer<typeof LandscapeExplanation>;
export type ExplainedFactor = z.infer<typeof Factor>;
export type ExplainedChange = z.infer<typeof Change>;
