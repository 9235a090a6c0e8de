import { hash } from 'node:crypto';
import type { PendingResult } from '../../jobs/results.ts';
import type { PaperMaps } from '../../maps/paper/paper-maps.ts';
import { type ReportDependencies, reportFactsOf, type ReportRequest } from './facts.ts';
import { type DrawnMap, renderReport } from './render.ts';
import { zoningCode } from '../../../common/landscape/zoning.ts';

interface Dependencies extends ReportDependencies {
  readonly paperMaps: Pick<PaperMaps, 'picture'>;
}

/** A report with counted figures. */
export interface RunReport {
  readonly isPending: false;
  /** Equal keys mean equal bytes. */
  readonly key: string;
  /**
   * Draws the maps and writes the report in UTF-8.
   * @param draw draws a picture, for example when the client has budget for it.
   * @throws {Problem} when a map cannot be drawn at present; `ObjectMissing` when a file was deleted meanwhile
   */
  write(signal: AbortSignal, draw?: <T>(picture: () => Promise<T>) => Promise<T>): Promise<Buffer>;
}

/** The maximum size of pictures: 240 pixels per inch on A4. */
const sizes = { zoning: { width: 1680, height: 1680 }, other: { width: 820, height: 820 } } as const;

/**
 * Returns the report on a run in a language, or has its figures counted. It contains no date of its own, so that equal facts give equal
 * bytes.
 * @throws {Problem} `not_found` without the run or its zoning, `conflict` before it has ended
 */
export async function reportOf(
  dependencies: Dependencies,
  request: ReportRequest,
): Promise<RunReport | PendingResult> {
  const facts = await reportFactsOf(dependencies, request);
  if (facts.isPending) return facts;
  const maps = facts.maps.flatMap(({ value }) =>
    value === undefined || value.picture.value === undefined ? [] : [{ ...value, ...value.picture.value }],
  );
  const versions = maps.map(({ code, version }) => [code, version]);
  // The complete text without pictures is part of the key.
  const text = renderReport(facts, () => unknownPicture);
  return {
    isPending: false,
    key: hash('sha256', JSON.stringify([sizes, facts.districtsVersion, versions, text]), 'hex'),
    async write(signal, draw = async (picture) => await picture()) {
      const drawn = new Map<string, DrawnMap>();
      for (const { code, datasetId } of maps) {
        const within = code === zoningCode ? sizes.zoning : sizes.other;
        const order = { datasetId, within, borders: 'district' } as const;
        const { png, ...size } = await draw(async () => await dependencies.paperMaps.picture(order, signal));
        const source = `data:image/png;base64,${Buffer.from(png.buffer, png.byteOffset, png.length).toString('base64')}`;
        drawn.set(code, { ...size, source });
      }
      return Buffer.from(renderReport(facts, (code) => drawn.get(code) ?? unknownPicture));
    },
  };
}

const unknownPicture: DrawnMap = { source: 'data:,', width: 1, height: 1, metresPerPixel: 1 };
