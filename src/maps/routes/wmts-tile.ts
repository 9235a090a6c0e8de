import type { FastifyReply, FastifyRequest } from 'fastify';
import { drawingProblems } from '../../messages/drawing.ts';

/** Names and values of WMTS by key and value are written in any case. */
const getTile = 'gettile';
const getCapabilities = 'getcapabilities';

/**
 * The hook of a path of WMTS capabilities: leads those who ask for a tile by keys and values, as WMTS 1.0.0 has it, to the address
 * of the tile. The capabilities only name addresses, but older clients and pages are set up by hand.
 * @throws {Problem} `malformed` for a request other than these, and for a tile without a place
 */
export async function leadToTile(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const [path = '', query = ''] = request.url.split('?');
  const asked = new Map(
    [...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value] as const),
  );
  const wanted = asked.get('request')?.toLowerCase() ?? getCapabilities;
  if (wanted === getCapabilities) return;
  if (wanted !== getTile) throw drawingProblems.noWmtsRequest();
  const place = ['tilematrix', 'tilecol', 'tilerow'].map((name) => asked.get(name) ?? '');
  if (!place.every((part) => /^\d{1,8}$/.test(part))) throw drawingProblems.noWmtsTile();
  const time = asked.get('time') ?? '';
  const address = `${path.replace(/wmts$/, 'tiles')}/${place.join('/')}.png`;
  await reply.redirect(time === '' ? address : `${address}?time=${encodeURIComponent(time)}`, 302);
}
