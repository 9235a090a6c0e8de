import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { memoryContext } from '../../../../test/support/maps/vector-tiles.ts';
import { vectorThumbnail } from './thumbnail.ts';

describe('A thumbnail', () => {
  async function draw(features: readonly object[], { size = 256 }: { size?: number } = {}) {
    const source = JSON.stringify({ type: 'FeatureCollection', features });
    const { pixels, width, height } = await vectorThumbnail(
      { source: { key: 'key', kind: 'vector' }, style: undefined, size },
      memoryContext({ key: source }),
    );
    assert.deepEqual([width, height, pixels.length], [size, size, size * size * 4]);
    return (x: number, y: number) => Array.from(pixels.subarray((y * size + x) * 4, (y * size + x) * 4 + 4));
  }
  type Box = readonly [west: number, south: number, east: number, north: number];
  const polygon = ([west, south, east, north]: Box) => ({
    type: 'Feature',
    properties: {},
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [west, south],
          [east, south],
          [east, north],
          [west, north],
          [west, south],
        ],
      ],
    },
  });
  const clear = [0, 0, 0, 0];

  test('shows all of the data in the middle, with a margin of 4 %', async () => {
    const at = await draw([polygon([-20, -5, 20, 5])]);
    const fill = [31, 106, 82, 41];
    assert.deepEqual([at(128, 128), at(15, 128), at(240, 128)], [fill, fill, fill]);
    assert.deepEqual([at(5, 128), at(250, 128), at(128, 60), at(128, 200)], [clear, clear, clear, clear]);
    assert.deepEqual(
      at(128, 128 - 29),
      [31, 106, 82, 255].map((value, i) => (i === 3 ? at(128, 128 - 29)[3] : value)),
    );
  });

  test('has holes, lines and dots', async () => {
    const ring = (a: number) => [
      [-a, -a],
      [a, -a],
      [a, a],
      [-a, a],
      [-a, -a],
    ];
    const hole = { type: 'Polygon', coordinates: [ring(20), ring(10)] };
    const point = { type: 'Point', coordinates: [0, 0] };
    const line = {
      type: 'LineString',
      coordinates: [
        [-8, 8],
        [8, 8],
      ],
    };
    const geometry = { type: 'GeometryCollection', geometries: [hole, point, line] };
    const at = await draw([{ type: 'Feature', properties: {}, geometry }]);
    assert.deepEqual([at(128, 128), at(128, 100)], [[31, 106, 82, 255], clear]);
    assert.deepEqual(at(40, 128), [31, 106, 82, 41]);
    const column = Array.from({ length: 40 }, (_, index) => at(128, 75 + index)[3] ?? 0);
    const opacity = column.reduce((sum, alpha) => sum + alpha, 0) / 255;
    assert.ok(Math.abs(opacity - 1.5) < 0.02, String(opacity));
  });

  test('without geometry is transparent, and of one point a dot in the middle', async () => {
    assert.deepEqual((await draw([]))(128, 128), clear);
    const dot = await draw([
      { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [70, 50] } },
    ]);
    assert.deepEqual([dot(128, 128), dot(140, 128)], [[31, 106, 82, 255], clear]);
  });

  test('of too many lines, areas and points still shows some', async () => {
    const long = Array.from({ length: 60_000 }, (_, i) => [i % 2 === 0 ? -20 : 20, (i % 97) / 4]);
    const geometry = {
      type: 'GeometryCollection',
      geometries: [
        { type: 'LineString', coordinates: long },
        { type: 'MultiPoint', coordinates: long },
      ],
    };
    const at = await draw([{ type: 'Feature', properties: {}, geometry }]);
    assert.deepEqual(at(128, 128), [31, 106, 82, 255]);
    const many = Array.from({ length: 9000 }, () => polygon([-10, -10, 10, 10]));
    assert.equal((await draw(many))(128, 128)[3], 255);
  });

  test('of a hostile outline takes no more than a second or two', async () => {
    const ring = Array.from({ length: 300_000 }, (_, i) => {
      const [angle, radius] = [(i / 300_000) * 2 * Math.PI, 6.4 + 1.6 * Math.sin(i * 1.7)];
      return [60 + radius * Math.cos(angle), 48 + radius * Math.sin(angle)];
    });
    const geometry = { type: 'Polygon', coordinates: [ring] };
    const before = process.cpuUsage();
    const at = await draw([{ type: 'Feature', properties: {}, geometry }], { size: 1024 });
    assert.ok(process.cpuUsage(before).user < 2_000_000);
    assert.deepEqual(at(512, 512), [31, 106, 82, 41]);
  });
});
