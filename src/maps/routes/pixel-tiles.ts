import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { DrawnAnswer, DrawnAnswers } from '../../http/answer/drawn.ts';
import type { TileBudget } from '../../http/limits/tile-budget.ts';
import { bytesResponse } from '../../http/openapi/responses.ts';
import type { rasterTileOf } from '../../http/request/tile-params.ts';
import { emptyPng } from '../png/png.ts';

export const png = 'image/png';

/** A query parameter of raster tiles. */
export const emptyQuery = {
  empty: z
    .literal('204')
    .optional()
    .describe('With `204`, an empty tile is answered with 204 instead of a transparent picture'),
};
export const drawnTile = bytesResponse('The tile', png);
export const noTile = { 204: z.null().describe('The tile is empty, and the client requested 204') };

type Place = ReturnType<typeof rasterTileOf>;
export type AskedTile = Place & z.infer<z.ZodObject<typeof emptyQuery>>;

/** The current source of tiles. */
export interface TiledPicture extends Pick<DrawnAnswer, 'parts' | 'lasting' | 'headers'> {
  /** Draws a tile as PNG; undefined outside the picture. */
  draw(place: Place, signal: AbortSignal): Promise<Uint8Array | undefined>;
}

interface TileSource {
  readonly lookUp: () => Promise<TiledPicture>;
  /** Makes the next look-up query the database. */
  readonly forget: () => void;
}

/** Creates the sender of raster tiles, which are charged to the budget of the client. */
export function createTileSender({
  tileBudget: budget,
  drawnAnswers,
}: {
  readonly tileBudget: TileBudget;
  readonly drawnAnswers: DrawnAnswers;
}) {
  return async function sendTile(
    request: FastifyRequest,
    reply: FastifyReply,
    { tile, size, empty }: AskedTile,
    { lookUp, forget }: TileSource,
  ): Promise<FastifyReply> {
    const answer = async (): Promise<DrawnAnswer> => {
      const { parts, draw, ...picture } = await lookUp();
      return {
        ...picture,
        parts: [...parts, tile.z, tile.x, tile.y, size, empty ?? null],
        budget,
        async draw(signal) {
          const drawn = await draw({ tile, size }, signal);
          if (drawn === undefined && empty !== undefined) return undefined;
          return { contentType: png, bytes: drawn ?? emptyPng(size) };
        },
      };
    };
    return await drawnAnswers.send(request, reply, answer, forget);
  };
}
