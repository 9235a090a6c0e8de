import type { FastifyReply, FastifyRequest } from 'fastify';
import { drawingProblems } from '../../messages/drawing.ts';

/** Key-value requests of WMTS ignore case. */
const getTile = 'gettile';
const getCapabilities = 'getcapabilities';

/**
 * Redirects key-value `GetTile` requests of WMTS 1.0.0 on the path of the capabilities to the address of the tile. The
 * capabilities contain only tile addresses, but older clients and pages are set up by hand.
 * @throws {Problem} `malformed` for any other request, and for a tile without a position
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
