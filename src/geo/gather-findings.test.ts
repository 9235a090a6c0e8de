import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings, type RasterSource } from './findings.ts';
import { createFindings } from './gather-findings.ts';
import { Message } from '../lib/message.ts';

const raster: RasterSource = {
  width: 1,
  height: 1,
  bands: 1,
  data_type: 'Float32',
  nodata: 'nan',
  scale: [0.1, 1],
  offset: null,
  crs: null,
  proj: null,
  extent: [0, 0, Number.POSITIVE_INFINITY, 1],
  resolution: [Number.NaN, 1],
  cog: null,
};

test('what JSON has no number for becomes text or nothing, so that a strange file can be reported', () => {
  const findings = createFindings();
  findings.setRaster(raster);
  const sent = Findings.parse(JSON.parse(JSON.stringify(findings.gathered())));
  assert.deepEqual(sent.raster, { ...raster, extent: null, resolution: null });
});

test('a warning counts once, and there is an end to them', () => {
  const findings = createFindings();
  for (let feature = 0; feature < 1000; feature += 1) {
    findings.warn('geometry_repaired', new Message('A geometry was repaired.'));
    findings.warn('names_truncated', new Message(`Column ${feature} is cut short.`));
  }
  const { warnings } = findings.gathered();
  assert.equal(warnings.length, 100);
  assert.equal(warnings.filter(({ code }) => code === 'geometry_repaired').length, 1);
});

test('the seconds of a step add up, and a step that fails has some too', async () => {
  const findings = createFindings();
  assert.equal(await findings.time('open', () => 1), 1);
  await assert.rejects(
    findings.time('read', () => Promise.reject(new Error('cut short'))),
    /cut short/,
  );
  assert.deepEqual(Object.keys(findings.gathered().timings), ['open', 'read']);
});
