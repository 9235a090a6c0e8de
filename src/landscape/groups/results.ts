import { z } from 'zod';
import { xmlText } from '../../../common/xml-text.ts';
import type { Database } from '../../database/tables/tables.ts';
import { Guid } from '../../validation/fields.ts';
import { DatasetSummary } from '../../datasets/schema.ts';
import { readWarnings } from './warnings.ts';
import { landscapeProblems } from '../../messages/runs/english.ts';
import { exampleResult } from './examples.ts';
import { nodes } from '../graph/graph.ts';
import { readGroups } from './group-rows.ts';
import { nodeWords } from './graph-words.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { classNoData, floatNoData } from '../model/bands.ts';
import type { GraphNode } from '../model/node.ts';

/** The output group of a node, with its freshest raster. */
export const LandscapeResult = z
  .object({
    group: z.string().describe('Dataset group code'),
    title: z.string().describe('Title with its unit, if it has one, in the language of `Accept-Language`'),
    node: z.string().describe('Code of the node that makes it'),
    group_id: Guid.describe('Dataset group of the outputs of all runs'),
    latest: DatasetSummary.nullable().describe('Freshest ready raster of the group, whichever run made it'),
    cog_url: z.string().nullable().describe('Path of the COG of `latest`'),
    sld_url: z.string().nullable().describe('Path of the style that the group shares'),
    warning: z
      .string()
      .optional()
      .describe('Warns of invented data from which `latest` was made, only if there are any'),
  })
  .meta({ id: 'LandscapeResult', description: 'An output of the graph', examples: [exampleResult] });
export type LandscapeResult = z.infer<typeof LandscapeResult>;

/**
 * Lists every output in the order of the nodes, with titles in a language.
 * @throws {Problem} `not_found` when one of the groups is missing.
 */
export async function listResults(db: Database, language: Language): Promise<LandscapeResult[]> {
  const groups = await readGroups(
    db,
    nodes.map(({ output }) => output.group),
    'ready rasters',
  );
  const warnings = await readWarnings(
    db,
    [...groups.values()].flatMap(({ latest }) => latest?.id ?? []),
    language,
  );
  return nodes.map(({ code: node, output: { group: code } }) => {
    const { title } = nodeWords(language, node);
    const group = groups.get(code);
    if (group === undefined) throw landscapeProblems.noResultGroup(code);
    const { id: group_id, hasStyle, latest } = group;
    const warning = warnings.get(latest?.id ?? '');
    return {
      group: code,
      title,
      node,
      group_id,
      latest,
      cog_url: latest === null ? null : `/datasets/${latest.id}.cog`,
      sld_url: hasStyle ? `/dataset-groups/${group_id}/sld` : null,
      ...(warning !== undefined && { warning }),
    };
  });
}

/** Writes the legend of a node as SLD 1.0.0 for its raster, with no data transparent; GeoServer and QGIS evaluate `type`. */
export function legendSld({ output, legend }: GraphNode): string {
  const noData = output.type === 'uint8' ? classNoData : floatNoData;
  const entries = legend.entries.map(
    ({ value, color, label }) =>
      `<ColorMapEntry color="${color}" quantity="${value}" label="${xmlText(label)}"/>`,
  );
  const colorMap = [
    `<ColorMapEntry color="#000000" quantity="${noData}" opacity="0" label="No data"/>`,
    ...entries,
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld">
  <NamedLayer>
    <Name>${xmlText(output.group)}</Name>
    <UserStyle>
      <Title>${xmlText(output.title)}</Title>
      <FeatureTypeStyle>
        <Rule>
          <RasterSymbolizer>
            <ColorMap type="${legend.kind}">
              ${colorMap.join('\n              ')}
            </ColorMap>
          </RasterSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
`;
}
